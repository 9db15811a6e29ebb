from login_engine.sync import Engine

with Engine("--accounts", "accounts.sqlite3") as engine:
    form = engine.open(screen="setup", values={"email": "ada@example.com", "userName": "ada"})
    print(form.snapshot["title"])
    result = form.submit({"password": "correct horse"})
    print(result.outcome, result.snapshot["scene"]["principal"])
