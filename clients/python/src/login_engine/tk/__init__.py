"""A login window: `python -m login_engine.tk`, or in a program `scene = log_in("--accounts", "accounts.sqlite3")`. Needs Tk."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from login_engine.tk.frame import LoginFrame
    from login_engine.tk.pump import Pump
    from login_engine.tk.window import log_in

__all__ = ["LoginFrame", "Pump", "log_in"]


def missing() -> str | None:
    """Returns what has to be installed to show a window; `None` if nothing is missing."""
    try:
        importlib.import_module("tkinter")
    except ImportError:
        return "Tk for Python: apt-get install python3-tk"
    return None


def __getattr__(name: str) -> Any:
    # Imported on first use, because `python -m` imports this module first, and reports it if Tk is missing.
    if name not in __all__:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    try:
        from login_engine.tk import frame, pump, window
    except ImportError as error:
        raise ImportError(f"a login window needs {missing() or error}", name=error.name) from error
    return {"LoginFrame": frame.LoginFrame, "Pump": pump.Pump, "log_in": window.log_in}[name]
