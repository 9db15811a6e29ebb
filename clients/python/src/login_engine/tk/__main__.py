"""A login window from the command line. Prints the scene as JSON once somebody is in."""

from __future__ import annotations

import sys

from login_engine.command_line import main
from login_engine.tk import log_in

if __name__ == "__main__":
    sys.exit(main("login_engine.tk", __doc__, ["title"], log_in))
