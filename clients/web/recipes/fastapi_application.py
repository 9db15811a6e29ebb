"""A FastAPI application with the login page in the same process."""

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse

from login_engine.web import LoginPage

login_page = LoginPage(["login-engine", "--accounts", "accounts.sqlite3"], origin="http://localhost:8000", prefix="/login", after="/")
app = FastAPI(lifespan=lambda _: login_page)
app.mount("/login", login_page)


@app.get("/")
async def home(request: Request):
    login = await login_page.login(request)
    return {"hello": login.principal} if login else RedirectResponse("/login/?next=/", 303)
