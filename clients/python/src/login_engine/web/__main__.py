"""Serves the login page for browsers: `python -m login_engine.web [OPTION ...] [ENGINE [ARGUMENT ...]]`; see `--help`."""

from __future__ import annotations

import os
import runpy
import sys

from login_engine.programs import find
from login_engine.web import BRIDGE, missing

if __name__ == "__main__":
    if lack := missing():
        sys.exit(f"login_engine.web needs {lack}")
    os.environ["LOGIN_ENGINE"] = find("login-engine")
    os.environ["LOGIN_PAGE_COMMAND"] = "python -m login_engine.web"
    runpy.run_path(str(BRIDGE), run_name="__main__")
