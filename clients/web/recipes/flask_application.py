"""A Flask application that knows its user, beside a login page that a process of its own serves."""

from flask import Flask, redirect, request

from login_engine.web.wsgi import LoginMiddleware

app = Flask(__name__)
app.wsgi_app = LoginMiddleware(app.wsgi_app, page="http://127.0.0.1:8080/login")


@app.get("/")
def home():
    if request.remote_user is None:
        return redirect("/login/?next=/", 303)
    return f"Hello {request.remote_user}"
