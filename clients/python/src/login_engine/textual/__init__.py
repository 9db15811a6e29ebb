"""A login form in the terminal: `python -m login_engine.textual`, or in a program `scene = log_in("--accounts", "accounts.sqlite3")`.

Needs the extra `textual`: `pip install 'login-engine[textual]'`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from textual.app import App

from login_engine import external
from login_engine.authenticator import Authenticator
from login_engine.engine import Engine, Session
from login_engine.errors import EngineEnded, Refused
from login_engine.textual.browser import has_browser
from login_engine.textual.form import LoginForm
from login_engine.textual.keys import KeysInOrder
from login_engine.wire import Scene

__all__ = ["LoginApp", "LoginForm", "log_in"]


class LoginApp(KeysInOrder, App[Scene]):
    """The form alone, until somebody is in. `Ctrl-Q` quits."""

    CSS_PATH = "login.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "login-engine"

    def __init__(self, engine: Engine, params: dict[str, Any], externals: Mapping[str, external.Handler] | None = None) -> None:
        super().__init__()
        self.engine = engine
        #: Those of `session/open`.
        self.params = params
        self._externals = externals if externals is not None or has_browser() else {}
        self._handlers: dict[str, external.Handler] = {}
        self.session: Session | None = None
        #: Why there is no scene, if not because the user has left.
        self.failure: Exception | None = None

    @property
    def is_ready_for_keys(self) -> bool:
        """Whether the form is drawn as it is now: before that the keyboard may be nowhere, or where it will not stay."""
        return any(form.is_drawn for form in self.screen_stack[0].query(LoginForm))

    async def on_mount(self) -> None:
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

    def _leave(self, _: str) -> None:
        self.failure = self.engine.ended
        self.exit()


def log_in(
    *arguments: str,
    program: str | None = None,
    authenticator: Authenticator | None = None,
    strict: bool = False,
    externals: Mapping[str, external.Handler] | None = None,
    **params: Any,
) -> Scene | None:
    """Shows a form in the terminal until somebody is in, and gives the scene, or `None` where the user has left. See `login_engine.tk.log_in`."""
    log: deque[str] = deque(maxlen=20)
    engine = Engine(*arguments, program=program, authenticator=authenticator, log=log.append, strict=strict)
    app = LoginApp(engine, params, externals)
    scene = app.run()
    if app.failure:
        app.failure.add_note("\n".join(log))
        raise app.failure
    return scene
