"""What both views are from the command line. Prints the scene as JSON on standard output once somebody is in."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from login_engine.errors import EngineEnded, Refused
from login_engine.wire import Scene


def main(module: str, description: str | None, options: list[str], log_in: Callable[..., Scene | None]) -> int:
    """Runs a view's `log_in` with what the command line says, and gives the status of the process.

    `module` is the name after `python -m`, and `options` are those that only this view has.
    """
    parser = argparse.ArgumentParser(f"python -m {module}", description=description, epilog="What follows -- is for the engine.")
    for option in ("program", "flow", "screen", "locale", "transitions", *options):
        parser.add_argument(f"--{option}")
    parser.add_argument("engine", nargs="*", help="options of the engine, such as -- --accounts accounts.sqlite3")
    given = vars(parser.parse_args())
    try:
        scene = log_in(*given.pop("engine"), **given)
    except (EngineEnded, Refused) as error:
        print(f"{module}: {error}", *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
        return 1
    if scene is None:
        return 1
    print(json.dumps(scene, ensure_ascii=False))
    return 0
