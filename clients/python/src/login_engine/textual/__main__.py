"""A login form in the terminal. Prints the scene as JSON on standard output once somebody is in."""

from __future__ import annotations

import sys

from login_engine.command_line import main
from login_engine.textual import log_in

if __name__ == "__main__":
    sys.exit(main("login_engine.textual", __doc__, [], log_in))
