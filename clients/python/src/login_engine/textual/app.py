"""The app of `python -m login_engine.textual`."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from textual.app import App
from textual.binding import Binding

from login_engine import external
from login_engine.authenticator import Authenticator
from login_engine.engine import Engine, Session
from login_engine.errors import EngineEnded, Refused, SessionClosed, Unavailable
from login_engine.textual.browser import has_browser
from login_engine.textual.form import LoginForm
from login_engine.textual.keys import KeysInOrder
from login_engine.wire import Scene


class LoginApp(KeysInOrder, App[Scene]):
    """An app with only the form, until a person is logged in. `Ctrl-Q` and `Ctrl-C` quit."""

    CSS_PATH = "login.tcss"
    # If the terminal sends no signal for Ctrl-C, Textual would only show that another key quits.
    BINDINGS = [Binding("ctrl+c", "interrupt", show=False, priority=True)]
    AT_ONCE = KeysInOrder.AT_ONCE | {"ctrl+c"}
    ENABLE_COMMAND_PALETTE = False
    TITLE = "login-engine"

    def __init__(self, engine: Engine, params: dict[str, Any], externals: Mapping[str, external.Handler] | None = None) -> None:
        super().__init__()
        self.engine = engine
        #: The params of `session/open`.
        self.params = params
        self._externals = externals if externals is not None or has_browser() else {}
        self._handlers: dict[str, external.Handler] = {}
        self.session: Session | None = None
        #: The reason why there is no scene, unless the user left.
        self.failure: Exception | None = None
        #: The signal that ended the app; SIGINT also for Ctrl-C.
        self.signal: signal.Signals | None = None

    @property
    def is_ready_for_keys(self) -> bool:
        """Whether the form is fully drawn. Before that there may be no focus, or the focus may still move."""
        return any(form.is_drawn for form in self.screen_stack[0].query(LoginForm))

    async def on_mount(self) -> None:
        if threading.current_thread() is threading.main_thread():
            # Signals from other processes. On SIGINT, asyncio would end the app as if the person had left; the others would leave the form on the
            # screen.
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self._end, number)
        try:
            await self.engine.start()
            self._handlers = await external.prepare(self._externals, self.params)
            self.session = await self.engine.open(**self.params)
            known = (await self.engine.describe())["flows"]
        except (EngineEnded, Refused, OSError) as failure:
            self.failure = failure
            self.exit()
            return
        flow = next((flow for flow in known if flow["flow"] == (self.params.get("flow") or known[0]["flow"])), known[0])
        await self.mount(LoginForm(self.session, self.exit, self._leave, flow["locales"], self._handlers))

    async def on_unmount(self) -> None:
        external.close(self._handlers)
        if self.engine.is_running:
            if self.session and not self.session.closed:
                self.session.on_change = None
                await self.session.close()
            await self.engine.close()

    def action_interrupt(self) -> None:
        self._end(signal.SIGINT)

    def _end(self, number: signal.Signals) -> None:
        self.signal = number
        self.exit()

    def _leave(self, reason: str) -> None:
        self.failure = self.engine.ended or SessionClosed(reason)
        self.exit()


def log_in(
    *arguments: str,
    program: str | None = None,
    authenticator: Authenticator | None = None,
    strict: bool = False,
    externals: Mapping[str, external.Handler] | None = None,
    on_granted: Callable[[Any], None] | None = None,
    **params: Any,
) -> Scene | None:
    """Shows a form in the terminal until a person is logged in. Returns the scene, or `None` if the person left.

    Raises `Unavailable` unless standard input and standard error are a terminal. For the rest see `login_engine.tk.log_in`."""
    if not (os.isatty(0) and os.isatty(2)):
        raise Unavailable("no form can be shown: standard input and standard error have to be a terminal. On a graphical display, use login_engine.tk.")
    log: deque[str] = deque(maxlen=20)
    engine = Engine(*arguments, program=program, authenticator=authenticator, log=log.append, strict=strict)
    app = LoginApp(engine, params, externals)
    with _terminal_at_standard_output():
        scene = app.run()
    if app.signal:
        raise KeyboardInterrupt if app.signal == signal.SIGINT else SystemExit(128 + app.signal)
    if app.failure:
        if log:
            app.failure.add_note("\n".join(log))
        raise app.failure
    if scene is not None and on_granted and app.session:
        for grant in app.session.grants:
            on_granted(grant)
    return scene


@contextmanager
def _terminal_at_standard_output() -> Iterator[None]:
    """Makes standard output the terminal while Textual runs.

    Textual draws on standard error, but asks standard output for the size, which can be a pipe, as in a shell's `$(...)`.
    """
    if os.isatty(1):
        yield
        return
    before = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(before, 1)
        os.close(before)
