"""An accounts file is moved into a database. The move is killed at random points, the file is used in between, and at the end the database has everything once."""

import random
import signal
import sqlite3
import subprocess
import tempfile
import time

from proxy import Proxy
from service import Program, Service

PASSWORD = "correct horse battery"
ACCOUNTS, KILLS, FULL = 400, 3, 40
TABLES = {
    "accounts": "id, email, email_key, user_name, user_name_key, password_hash, created_ms, registration, reset, password_expired, disabled_ms, last_login_ms,"
    " attributes, user_handle",
    "tries": "subject, known, failures, first_ms, last_ms, seen_ms",
    "reset_codes": "address, account, code_hash, issued_ms, requester",
    "recovery_codes": "id, account, code_hash, used",
    "one_time_codes": "account, secret, step, used",
    "passkeys": "id, account, public_key, counter, backup_eligible, backed_up, created_ms, used_ms, used, challenge",
    "remembered_devices": "id, account, token_hash, created_ms, expires_ms",
}


def fill(file):
    """A file with the accounts of one hash, and rows of every other table."""
    with sqlite3.connect(file) as database:
        names = TABLES["accounts"].removeprefix("id, ").split(", ")
        seed = dict(zip(names, database.execute(f"SELECT {', '.join(names)} FROM accounts").fetchone()))
        for number in range(ACCOUNTS):
            name = f"person{number}"
            row = seed | {"email": f"{name}@example.com", "email_key": f"{name}@example.com", "user_name": name, "user_name_key": name, "registration": None,
                          "attributes": '{"städte":["Zürich","łódź"]}' if number % 7 == 0 else None, "user_handle": None}
            account = database.execute(f"INSERT INTO accounts ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values())).lastrowid
            database.execute("INSERT INTO tries (subject, known, failures, first_ms, last_ms) VALUES (?, 2, ?, 1, 2)", [f"account:{account}", number % 90])
            database.execute("INSERT INTO recovery_codes (account, code_hash, used) VALUES (?, 'x', ?)", [account, "key" if number % 3 else None])
            database.execute("INSERT INTO reset_codes (address, account, code_hash, issued_ms) VALUES (?, ?, 'x', 5)", [f"{name}@example.com", account])
            database.execute("INSERT INTO one_time_codes (account, secret, step) VALUES (?, 'sealed', ?)", [account, number])
            database.execute(
                "INSERT INTO passkeys (id, account, public_key, counter, backup_eligible, backed_up, created_ms) VALUES (?, ?, 'AA', ?, 0, 0, 0)",
                [f"Key-{number}", account, number])
            database.execute("INSERT INTO remembered_devices (account, token_hash, created_ms, expires_ms) VALUES (?, ?, 1, 2)", [account, f"token{number}"])
    database.close()


def use(file, number):
    """Changes to a file after an interrupted move: a new password, a used code, a deleted account, and a new one."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("UPDATE accounts SET password_hash = password_hash || ? WHERE user_name = ?", [f"{number}", f"person{number}"])
        database.execute("UPDATE recovery_codes SET used = 'since' WHERE account = (SELECT id FROM accounts WHERE user_name = ?)", [f"person{number}"])
        database.execute("DELETE FROM accounts WHERE user_name = ?", [f"person{100 + number}"])
        database.execute("UPDATE accounts SET user_name = ?, user_name_key = ? WHERE user_name = ?", [f"person{100 + number}"] * 2 + [f"person{200 + number}"])
    database.close()


def make(programs, folder):
    """An accounts file with one account. The folder has to be this user's own."""
    file = f"{folder}/accounts.sqlite3"
    subprocess.run(
        [f"{programs}/login-accounts", "add", "--file", file, "--email", "ada@example.com", "--user-name", "ada", "--hash-cost", "1"],
        input=f"{PASSWORD}\n", stdout=subprocess.DEVNULL, text=True, check=True)
    return file


def check(programs, cluster, folder, passed, full=False):
    with tempfile.TemporaryDirectory() as own:
        file = make(programs, own)
        fill(file)
        move_and_kill(programs, cluster, folder, passed, file, FULL if full else KILLS)


def move_and_kill(programs, cluster, folder, passed, file, times):
    path, connection = f"{programs}/login-accounts-postgres", cluster.database("moved")
    program = Program(path, connection, folder)
    proxy = Proxy(cluster.port)
    slow = f"host=127.0.0.1 port={proxy.port} dbname=moved user=postgres gssencmode=disable"

    def move(through):
        words = [path, "move", "--from", file, "--database", through, "--key-file", f"{folder}/moved-key"]
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    # How many messages a whole move has, in another database.
    whole = move(slow.replace("dbname=moved", "dbname=" + other(cluster)))
    told = whole.communicate()[1]
    assert "which are all" in told, told
    messages, killed = proxy.count, 0
    for number in range(times):
        proxy.reset(None)
        with move(slow) as process:
            at = random.randrange(messages)
            while proxy.count < at and process.poll() is None:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        if cluster.sql("SELECT count(*) FROM information_schema.tables WHERE table_name = 'settings'", "moved") == "1" and cluster.sql(
                "SELECT count(*) FROM settings WHERE name = 'moving'", "moved") == "1":
            # A partly moved database is not usable.
            killed += 1
            done = program.run("list")
            assert done.returncode == 1 and "being moved" in done.stderr, (done.returncode, done.stderr)
            with Service(path, connection, folder) as service:
                answer = service.login("ada")
                assert answer.error == "accountsUnavailable" and "being moved" in str(answer), answer
            use(file, number)
    assert killed > 0, "no move was cut off"
    last = move(slow)
    told = last.communicate()[1]
    # The stored one-time code secrets are invalid, so reading them fails: status 1.
    assert "which are all" in told or "all is there" in told, told
    same(file, cluster)
    again = move(connection)
    told = again.communicate()[1]
    assert "all is there" in told, told
    same(file, cluster)
    with Service(path, connection, folder) as service:
        assert service.login("ada").outcome == "accepted"
        answer = service.setup("newcomer")
        assert answer.outcome == "accepted", answer
    newest = cluster.sql("SELECT id FROM accounts WHERE user_name = 'newcomer'", "moved")
    assert int(newest) > ACCOUNTS + 1, newest
    # Once the database is used, no move overwrites it.
    used = move(connection)
    told = used.communicate()[1]
    assert used.returncode == 1 and "has changed since" in told, told
    proxy.close()
    passed("moves", f"{killed} moves of {ACCOUNTS + 1} accounts were killed, and nothing is lost or there twice")


def other(cluster):
    cluster.database("other")
    return "other"


def same(file, cluster):
    with sqlite3.connect(file) as database:
        for table, columns in TABLES.items():
            had = sorted("|".join("" if value is None else str(value) for value in row) for row in database.execute(f"SELECT {columns} FROM {table}"))
            has = sorted(cluster.sql(f"SELECT {columns} FROM {table}", "moved").split("\n"))
            assert had == has, (table, len(had), len(has), [row for row in had if row not in set(has)][:2])
    database.close()
