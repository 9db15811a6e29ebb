"""A login window from the command line. Prints the scene as JSON once somebody is in."""

from __future__ import annotations

import argparse
import json
import sys

from login_engine.errors import EngineEnded, Refused
from login_engine.tk import log_in


def main() -> int:
    parser = argparse.ArgumentParser("python -m login_engine.tk", description=__doc__, epilog="What follows -- is for the engine.")
    for option in ("program", "flow", "screen", "locale", "transitions", "title"):
        parser.add_argument(f"--{option}")
    parser.add_argument("engine", nargs="*", help="options of the engine, such as -- --accounts accounts.sqlite3")
    given = vars(parser.parse_args())
    try:
        scene = log_in(*given.pop("engine"), **given)
    except (EngineEnded, Refused) as error:
        print(f"login_engine.tk: {error}", file=sys.stderr)
        return 1
    if scene is None:
        return 1
    print(json.dumps(scene, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
