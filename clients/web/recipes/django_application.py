"""A Django application with the login page in the same process: `asgi.py` of a project, here with the settings in one file."""

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import path
from starlette.requests import HTTPConnection

from login_engine.web import LoginPage

login_page = LoginPage(["login-engine", "--accounts", "accounts.sqlite3"], origin="http://localhost:8000", prefix="/login", after="/")


async def home(request):
    login = await login_page.login(HTTPConnection(request.scope))
    return HttpResponse(f"Hello {login.principal}") if login else HttpResponseRedirect("/login/?next=/")


urlpatterns = [path("", home)]
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["localhost"], SECRET_KEY="for the check only")
django = get_asgi_application()


async def application(scope, receive, send):
    is_login = scope["type"] != "lifespan" and scope["path"].startswith("/login/")
    await (login_page if is_login or scope["type"] == "lifespan" else django)(scope, receive, send)
