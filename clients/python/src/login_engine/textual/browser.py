"""Finds out whether a form in the terminal can open pages in a browser."""

from __future__ import annotations

import os
import sys


def has_browser() -> bool:
    """Whether the user has a browser that can return to this machine.

    Over SSH the browser is on another machine. A browser for terminals would take the form's place, so it counts only if $BROWSER is set.
    """
    if "SSH_CONNECTION" in os.environ:
        return False
    has_display = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return has_display or bool(os.environ.get("BROWSER"))
