"""A login form in the terminal: `python -m login_engine.textual`, or in a program `scene = log_in("--accounts", "accounts.sqlite3")`.

Needs the extra `textual`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from login_engine.textual.app import LoginApp, log_in
    from login_engine.textual.form import LoginForm

__all__ = ["LoginApp", "LoginForm", "log_in"]


def missing() -> str | None:
    """Returns what has to be installed to show a form in a terminal; `None` if nothing is missing."""
    try:
        importlib.import_module("textual")
    except ImportError:
        return "Textual: pip install 'textual>=8,<9' segno"
    return None


def __getattr__(name: str) -> Any:
    # Imported on first use, because `python -m` imports this module first, and reports it if Textual is missing.
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    try:
        from login_engine.textual import app, form
    except ImportError as error:
        raise ImportError(f"a form in the terminal needs {missing() or error}", name=error.name) from error
    return {"LoginApp": app.LoginApp, "LoginForm": form.LoginForm, "log_in": app.log_in}[name]
