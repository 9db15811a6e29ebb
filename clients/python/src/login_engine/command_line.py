"""The command line of the Tk and Textual views: a login prompt for programs, which ends once a person is logged in."""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from login_engine.engine import Engine
from login_engine.errors import EngineEnded, Refused, SessionClosed, Unavailable
from login_engine.wire import Scene, Snapshot

EPILOG = """Arguments after -- go to the engine. Standard output stays empty unless --json names it. Exit status: 0 if a person is logged in, 1 if
the person left, the login failed or something is missing, 2 for a wrong command line, 130 for Ctrl-C."""
#: The engine's exit status for a wrong command line.
USAGE = 2


def main(module: str, description: str, options: Sequence[str]) -> int:
    """Runs a view's `log_in` with the options of the command line, and returns the exit status.

    `module` is the name after `python -m`, and `options` are the options that only this view has.
    """
    parser = argparse.ArgumentParser(f"python -m {module}", description=description, epilog=EPILOG)
    for option in ("program", "flow", "screen", "locale", *options):
        parser.add_argument(f"--{option}")
    parser.add_argument("--transitions", choices=["instant", "acknowledged"])
    parser.add_argument("--json", metavar="FD", type=_writable, help="write the scene to this descriptor as one line of JSON, such as --json 1")
    parser.add_argument("--grants", action="store_true", help="with --json: also write what authenticators give the application")
    parser.add_argument("--no-input", action="store_true", help="show no form; fail if a person would have to enter something")
    parser.add_argument("engine", nargs="*", help="options of the engine, such as -- --accounts accounts.sqlite3")
    given = vars(parser.parse_args())
    output, is_granting, is_headless = given.pop("json"), given.pop("grants"), given.pop("no_input")
    if is_granting and output is None:
        parser.error("--grants needs --json")
    # Nothing else may write to standard output, not even a browser that a link opens: a shell's $(...) would wait for it.
    os.dup2(2, 1)
    try:
        scene, grants = (_log_in_alone if is_headless else _log_in)(module, given.pop("engine"), given)
        if scene is None:
            return 1
        if output is not None:
            with os.fdopen(output, "w", encoding="utf-8") as file:
                file.write(json.dumps({**scene, **({"grants": grants} if is_granting else {})}, ensure_ascii=False) + "\n")
        return 0
    except KeyboardInterrupt:
        return 130
    except (EngineEnded, Refused, SessionClosed, Unavailable, ImportError, OSError) as error:
        print(f"{module}: {error}", *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
        return USAGE if isinstance(error, EngineEnded) and error.status == USAGE else 1


def _writable(text: str) -> int:
    """Duplicates the given descriptor, so that programs that this one starts do not inherit it."""
    try:
        given = int(text)
        if (given == 1 or given > 2) and fcntl.fcntl(given, fcntl.F_GETFL) & os.O_ACCMODE in (os.O_WRONLY, os.O_RDWR):
            return os.dup(given)
    except (ValueError, OverflowError, OSError):
        pass
    raise argparse.ArgumentTypeError(f"{text} is not a descriptor open for writing: 1, or 3 and above")


def _log_in(module: str, arguments: list[str], given: dict[str, Any]) -> tuple[Scene | None, list[Any]]:
    grants: list[Any] = []
    log_in: Callable[..., Scene | None] = importlib.import_module(module).log_in
    scene = log_in(*arguments, **given, on_granted=grants.append)
    return scene, grants


def _log_in_alone(module: str, arguments: list[str], given: dict[str, Any]) -> tuple[Scene | None, list[Any]]:
    """Logs in without a person: the screen itself can start a request, and an authenticator can accept it without input."""
    params = {name: given[name] for name in ("flow", "screen", "locale")}

    def waits_for_nothing(snapshot: Snapshot) -> bool:
        return snapshot["alert"] is not None or not snapshot["activity"]

    async def run() -> tuple[Scene | None, list[Any]]:
        async with Engine(*arguments, program=given["program"]) as engine, await engine.open(**params) as session:
            # The snapshot does not show background requests while they are pending.
            while (await session.wait_for(waits_for_nothing))["scene"] is None and session.snapshot["alert"] is None:
                if not (await engine.request("engine/stats"))["attempts"]["open"]:
                    break
                await asyncio.sleep(0.05)
            snapshot = session.snapshot
            if snapshot["scene"] is None or snapshot["alert"] is not None:
                raise Unavailable("a person would have to enter something, which --no-input rules out")
            return snapshot["scene"], session.grants

    return asyncio.run(run())
