"""Where the programs are: in the package, if it was installed from a wheel for this system, otherwise on the path."""

from __future__ import annotations

import os
import sys
from pathlib import Path

#: The programs of a wheel that has them.
FOLDER = Path(__file__).parent / "bin"


def find(name: str) -> str:
    """The program of this name: for `login-engine` what `$LOGIN_ENGINE` says; else the one in this package; else the name, for the path to find."""
    named = os.environ.get("LOGIN_ENGINE") if name == "login-engine" else None
    own = FOLDER / name
    return named or (str(own) if own.exists() else name)


def run() -> None:
    """The commands of a wheel: becomes the program that this process is called."""
    own = FOLDER / Path(sys.argv[0]).name
    os.execv(own, [str(own), *sys.argv[1:]])
