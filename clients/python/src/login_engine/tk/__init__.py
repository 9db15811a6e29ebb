"""A login window: `python -m login_engine.tk`, or in a program `scene = log_in("--accounts", "accounts.sqlite3")`."""

from __future__ import annotations

import tkinter
from collections.abc import Mapping
from typing import Any

from login_engine import external, view
from login_engine.authenticator import Authenticator
from login_engine.engine import Engine
from login_engine.tk.frame import LoginFrame
from login_engine.tk.pump import Pump
from login_engine.wire import Scene

__all__ = ["LoginFrame", "Pump", "log_in"]


def log_in(
    *arguments: str,
    program: str | None = None,
    authenticator: Authenticator | None = None,
    title: str | None = None,
    size: tuple[int, int] = (560, 680),
    strict: bool = False,
    externals: Mapping[str, external.Handler] | None = None,
    **params: Any,
) -> Scene | None:
    """Shows a window until somebody is in, and gives the scene (`principal`, `data`, `values`, ...), or `None` where the window was closed.

    Raises `EngineEnded` where the engine cannot be started, or ends by itself.

    :param arguments: the engine's options.
    :param program: the path of `login-engine`; the default is `$LOGIN_ENGINE`, or `login-engine` on the path.
    :param authenticator: decides logins in this process.
    :param title: of the window; the default is the title of the screen.
    :param externals: what this program can do with external items, by their types; the default is a `redirect` in the user's browser.
    :param params: those of `session/open`: `flow`, `screen`, `locale`, `values`, `context`, `transitions`, ...
    """
    root = tkinter.Tk()
    root.geometry(f"{size[0]}x{size[1]}")
    root.minsize(360, 320)
    pump = Pump(root)
    engine = Engine(*arguments, program=program, authenticator=authenticator, strict=strict)
    scenes: list[Scene] = []
    handlers: dict[str, external.Handler] = {}

    def leave(_: object = None) -> None:
        root.quit()

    def welcome(scene: Scene) -> None:
        scenes.append(scene)
        root.quit()

    try:
        pump.loop.run_until_complete(engine.start())
        handlers = pump.loop.run_until_complete(external.prepare(externals, params))
        session = pump.loop.run_until_complete(engine.open(**params))
        known = pump.loop.run_until_complete(engine.describe())["flows"]
        flow = next((flow for flow in known if flow["flow"] == (params.get("flow") or known[0]["flow"])), known[0])
        frame = LoginFrame(root, session, welcome, leave, flow["locales"], handlers)
        frame.pack(fill="both", expand=True)
        root.title(title or view.clean(session.snapshot["title"]))
        root.protocol("WM_DELETE_WINDOW", leave)
        root.mainloop()
        if not engine.ended:
            pump.loop.run_until_complete(session.close())
            pump.loop.run_until_complete(engine.close())
        elif not scenes:
            raise engine.ended
        return scenes[0] if scenes else None
    finally:
        external.close(handlers)
        if engine.is_running:
            pump.loop.run_until_complete(engine.close())
        pump.stop()
        root.destroy()
