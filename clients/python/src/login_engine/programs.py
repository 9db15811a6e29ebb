"""Finds the programs: in the package, if it was installed from a wheel for this system, otherwise on the path."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: The folder of the programs in a wheel that contains them.
FOLDER = Path(__file__).parent / "bin"


def find(name: str) -> str:
    """Returns the path of a program: `$LOGIN_ENGINE` for `login-engine`, else the one in this package, else the name, to look up on the path."""
    named = os.environ.get("LOGIN_ENGINE") if name == "login-engine" else None
    own = FOLDER / name
    return named or (str(own) if own.exists() else name)


def run() -> None:
    """Replaces this process by the program of the same name. The wheel's commands call it."""
    own = FOLDER / Path(sys.argv[0]).name
    os.execv(own, [str(own), *sys.argv[1:]])
