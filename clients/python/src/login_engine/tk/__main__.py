"""A login window from the command line."""

from __future__ import annotations

import sys

from login_engine.command_line import main

if __name__ == "__main__":
    sys.exit(main("login_engine.tk", "Shows a login window until a person is logged in.", ["title"]))
