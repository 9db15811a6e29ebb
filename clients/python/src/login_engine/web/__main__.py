"""Serves the login page for browsers: `python -m login_engine.web [OPTION ...] [ENGINE [ARGUMENT ...]]`; `--help` says more."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
from pathlib import Path

from login_engine.programs import find

if __name__ == "__main__":
    missing = [name for name in ("aiohttp", "segno") if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(f"login_engine.web needs {' and '.join(missing)}: pip install 'login-engine[web]'")
    os.environ["LOGIN_ENGINE"] = find("login-engine")
    runpy.run_path(str(Path(__file__).parent / "bridge"), run_name="__main__")
