"""`python -m login_engine`: shows what is installed, and what is missing."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from login_engine import programs, textual, tk, web

#: The documents' folder: in a source tree, or in Debian's package.
DOCUMENTS = ((Path(__file__).parent / "../../../../protocol").resolve(), Path("/usr/share/doc/login-engine/protocol"))


def describe() -> Iterator[str]:
    """Yields the lines of the text."""
    yield "login_engine shows the login forms of the program login-engine, and helps you to write authenticators."
    yield ""
    yield _program()
    yield ""
    yield from _view("tk", "a login window", tk.missing(), "python -m login_engine.tk -- --accounts accounts.sqlite3")
    example = "scene=$(python -m login_engine.textual --json 1 -- --accounts accounts.sqlite3)"
    yield from _view("textual", "a login form in the terminal", textual.missing(), example)
    yield from _view("web", "a login page for browsers", web.missing(), "python -m login_engine.web --port 8080")
    yield "The first two end once a person is logged in. --help lists the options and the exit statuses."
    yield ""
    yield "In programs:"
    yield '    from login_engine.tk import log_in; scene = log_in("--accounts", "accounts.sqlite3")'
    yield "Sessions without a view: login_engine.Engine, login_engine.sync.Engine. Authenticators: login_engine.authenticator."
    yield ""
    folder = next((folder for folder in DOCUMENTS if (folder / "README.md").is_file()), None)
    documents = f"{folder.parent}/clients/python/README.md and {folder}" if folder else "clients/python/README.md and protocol/ in login-engine's sources"
    yield f"Documents: {documents}"


def _program() -> str:
    program = programs.find("login-engine")
    found = shutil.which(program)
    is_named = bool(os.environ.get("LOGIN_ENGINE"))
    if found is None:
        missing = f"LOGIN_ENGINE names {program}, which is not a program." if is_named else "No program login-engine was found."
        return f"{missing} Install the package login-engine, or set LOGIN_ENGINE to the path of the program."
    place = "named by LOGIN_ENGINE" if is_named else "in this package" if found == str(programs.FOLDER / "login-engine") else "on the path"
    try:
        version = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        version = f"which does not print its version: {error}"
    return f"The program: {found}, {place}: {version}"


def _view(name: str, what: str, missing: str | None, example: str) -> Iterator[str]:
    yield f"python -m login_engine.{name}: {what}; {f'missing: {missing}' if missing else 'all requirements are installed'}"
    yield f"    {example}"


def main() -> int:
    parser = argparse.ArgumentParser("python -m login_engine", description="Shows what this package can do on this machine, and what is missing.")
    parser.parse_args()
    print(*describe(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
