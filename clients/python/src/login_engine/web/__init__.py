"""The login page for browsers, as an ASGI application. `python -m login_engine.web` serves it; needs the extra `web`.

`LoginPage` is mounted in another application, or served alone. `login_engine.web.wsgi` is middleware for applications that another process runs.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from login_engine.web.logins import Login
    from login_engine.web.page import LoginPage

__all__ = ["Login", "LoginPage"]


def missing() -> str | None:
    """Returns what has to be installed to serve the page; `None` if nothing is missing."""
    names = [name for name in ("starlette", "uvicorn", "websockets", "segno") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(names)}: pip install 'login-engine[web]'" if names else None


def __getattr__(name: str) -> Any:
    # The other parts of this module work without the packages that the page needs.
    if name == "LoginPage":
        from login_engine.web.page import LoginPage

        return LoginPage
    if name == "Login":
        from login_engine.web.logins import Login

        return Login
    raise AttributeError(name)
