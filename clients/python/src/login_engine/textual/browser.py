"""Whether pages can be opened beside a form in the terminal."""

from __future__ import annotations

import os
import sys


def has_browser() -> bool:
    """Whether the user has a browser that can come back to this machine. Over SSH it is on another one; and a browser for terminals would take
    the form's place, unless the user has said that it is wanted."""
    if "SSH_CONNECTION" in os.environ:
        return False
    has_display = sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return has_display or bool(os.environ.get("BROWSER"))
