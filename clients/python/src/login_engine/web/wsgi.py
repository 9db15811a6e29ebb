"""Middleware for WSGI applications (Flask, Django): who has logged in at a login page that another process serves. Needs no further package."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

#: The seconds within which the page has to answer.
TIMEOUT = 10
#: The names of the login's cookie: see `LoginPage`, `cookie_domain`.
COOKIES = ("__Host-entry", "__Secure-entry", "entry")


class LoginMiddleware:
    """Asks the page's `/session` with the cookie of each request.

    `environ["login_engine.login"]` is `{"principal": …, "data": …, "proofs": …, "scene": …}`, or None without a login, and `environ["REMOTE_USER"]` is the
    principal (Flask's `request.remote_user`). If the page does not answer, the response is 503, because it is unknown who sent the request.

    :param application: the WSGI application.
    :param page: the address of the login page, as this process reaches it, such as `http://127.0.0.1:8080`, with its prefix.
    """

    def __init__(self, application: Callable[..., Iterable[bytes]], page: str = "http://127.0.0.1:8080") -> None:
        self._application, self._page = application, urlsplit(page)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        # A name that the client has sent is not one that the page knows.
        environ.pop("REMOTE_USER", None)
        try:
            login = self._ask(cookie_of(environ.get("HTTP_COOKIE", "")))
        except (OSError, ValueError, http.client.HTTPException):
            start_response("503 Service Unavailable", [("Content-Type", "text/plain; charset=utf-8"), ("Retry-After", "5")])
            return [b"The login service does not answer.\n"]
        environ["login_engine.login"] = login
        if login and login["principal"]:
            environ["REMOTE_USER"] = login["principal"]
        return self._application(environ, start_response)

    def _ask(self, cookie: str | None) -> dict[str, Any] | None:
        if cookie is None:
            return None
        kind = http.client.HTTPSConnection if self._page.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._page.hostname or "", self._page.port, timeout=TIMEOUT)
        try:
            connection.request("GET", self._page.path.rstrip("/") + "/session", headers={"Cookie": cookie})
            response = connection.getresponse()
            body = response.read()
        finally:
            connection.close()
        if response.status == 401:
            return None
        if response.status != 200:
            raise ValueError(f"the login page answers with status {response.status}")
        login: dict[str, Any] = json.loads(body)
        return login


def cookie_of(header: str) -> str | None:
    """Returns the login's cookie alone: the page needs no other."""
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return None
    for name in COOKIES:
        if name in cookies and cookies[name].value.isascii():
            return f"{name}={cookies[name].value}"
    return None
