"""The window of `python -m login_engine.tk`."""

from __future__ import annotations

import asyncio
import tkinter
from collections.abc import Callable, Mapping
from typing import Any

from login_engine import external, view
from login_engine.authenticator import Authenticator
from login_engine.engine import Engine, Session
from login_engine.errors import SessionClosed, Unavailable
from login_engine.tk.frame import LoginFrame
from login_engine.tk.pump import Pump
from login_engine.wire import Scene


def log_in(
    *arguments: str,
    program: str | None = None,
    authenticator: Authenticator | None = None,
    title: str | None = None,
    size: tuple[int, int] = (560, 680),
    strict: bool = False,
    externals: Mapping[str, external.Handler] | None = None,
    on_granted: Callable[[Any], None] | None = None,
    **params: Any,
) -> Scene | None:
    """Shows a window until a person is logged in. Returns the scene (`principal`, `data`, `values`, ...), or `None` if the window was closed.

    Raises `EngineEnded` if the engine cannot be started or ends by itself, `Refused` if it refuses to open the session, `SessionClosed` if it
    ends the session, `Unavailable` if there is no display, and `KeyboardInterrupt` on Ctrl-C.

    :param arguments: the engine's options.
    :param program: the path of `login-engine`. Default: the result of `login_engine.programs.find`.
    :param authenticator: decides logins in this process.
    :param title: the title of the window. Default: the title of the screen.
    :param externals: handlers of external items, by type. Default: a `redirect` in the user's browser.
    :param on_granted: called with each value that an authenticator grants the application (`session/granted`), before this returns.
    :param params: the params of `session/open`: `flow`, `screen`, `locale`, `values`, `context`, `transitions`, ...
    """
    root = _open(size)
    pump = Pump(root)
    engine = Engine(*arguments, program=program, authenticator=authenticator, strict=strict)

    async def show() -> Scene | None:
        handlers: dict[str, external.Handler] = {}
        session: Session | None = None
        over: asyncio.Future[Scene | None] = asyncio.get_running_loop().create_future()

        def end(scene: Scene | None) -> None:
            if not over.done():
                over.set_result(scene)

        def fail(reason: str) -> None:
            if not over.done():
                over.set_exception(engine.ended or SessionClosed(reason))

        try:
            await engine.start()
            handlers = await external.prepare(externals, params)
            session = await engine.open(**params)
            known = (await engine.describe())["flows"]
            flow = next((flow for flow in known if flow["flow"] == (params.get("flow") or known[0]["flow"])), known[0])
            frame = LoginFrame(root, session, end, fail, flow["locales"], handlers)
            frame.pack(fill="both", expand=True)
            root.title(title or view.clean(session.snapshot["title"]))
            root.protocol("WM_DELETE_WINDOW", lambda: end(None))
            root.deiconify()
            scene = await over
            if on_granted:
                for grant in session.grants:
                    on_granted(grant)
            return scene
        finally:
            root.withdraw()
            external.close(handlers)
            if engine.is_running:
                if session and not session.closed:
                    session.on_change = None
                    await session.close()
                await engine.close()

    try:
        return pump.run(show())
    finally:
        pump.stop()
        root.destroy()


def _open(size: tuple[int, int]) -> tkinter.Tk:
    """Creates a window that is not shown yet."""
    try:
        root = tkinter.Tk()
    except tkinter.TclError as error:
        raise Unavailable(f"no window can be shown: {error}. DISPLAY has to name a display; in a terminal, use login_engine.textual.") from error
    root.withdraw()
    root.geometry(f"{size[0]}x{size[1]}")
    root.minsize(360, 320)
    return root
