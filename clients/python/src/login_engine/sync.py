"""An engine and its sessions without asyncio, for scripts and threads. Like `login_engine.engine`, but each call blocks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar

from login_engine import engine
from login_engine.authenticator import Authenticator
from login_engine.engine import Submitted
from login_engine.form import Form
from login_engine.wire import Item, Option, Snapshot

T = TypeVar("T")


class Engine:
    """A running engine. Use it in `with`; any thread may call it. For the parameters see `login_engine.Engine`."""

    def __init__(
        self,
        *arguments: str,
        program: str | None = None,
        authenticator: Authenticator | None = None,
        log: Callable[[str], None] | None = None,
        strict: bool = False,
    ) -> None:
        self._engine = engine.Engine(*arguments, program=program, authenticator=authenticator, log=log, strict=strict)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="login-engine", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._run(self._engine.start())
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self, timeout: float = 10) -> int | None:
        """Ends the engine's input and waits for the exit: pending logins finish first. Returns the exit status, once."""
        if not self._thread.is_alive():
            return None
        try:
            return self._run(self._engine.close(timeout))
        finally:
            self._stop()

    def describe(self) -> dict[str, Any]:
        """Returns the result of `engine/describe`."""
        return self._run(self._engine.describe())

    def open(self, *, session: str | None = None, **params: Any) -> Session:
        """Opens a session, and returns once its first snapshot is there. For the parameters see `login_engine.Engine.open`."""
        return Session(self, self._run(self._engine.open(session=session, **params)))

    def request(self, method: str, **params: Any) -> Any:
        """Returns the result of any request."""
        return self._run(self._engine.request(method, **params))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _call(self, function: Callable[..., asyncio.Future[T]], *arguments: Any) -> T:
        """Calls a function that writes a request, and waits for the engine's response."""

        async def work() -> T:
            return await function(*arguments)

        return self._run(work())

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Session:
    """A login form. Created by `Engine.open`. An event that the engine refuses is undone and raises `Refused`."""

    def __init__(self, engine: Engine, session: engine.Session) -> None:
        self._engine, self._session = engine, session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._engine._engine.ended:
            self.close()

    @property
    def name(self) -> str:
        return self._session.name

    @property
    def form(self) -> Form:
        return self._session.form

    @property
    def snapshot(self) -> Snapshot:
        """The state that the engine shows."""
        return self._session.snapshot

    @property
    def primary(self) -> str | None:
        """The id of the button, which says what the button does now."""
        return self._session.primary

    @property
    def grants(self) -> list[Any]:
        """The values that authenticators granted the application. Keep them out of logs."""
        return self._session.grants

    def edit(self, item: str, value: Any) -> None:
        """Sets the whole new value of an item."""
        self._engine._call(self._session.edit, item, value)

    def press(self, action: str) -> None:
        """Presses an action of the snapshot or of its alert, by its id. To get the result, use `wait_for`, or `submit` instead."""
        self._engine._call(self._session.press, action)

    def submit(self, values: Mapping[str, Any] | None = None, action: str | None = None) -> Submitted:
        """Enters several values, presses the button (or `action`), and waits for the result."""
        return self._engine._run(self._session.submit(values, action))

    def set_locale(self, locale: str) -> None:
        """Switches the session to another language of its flow."""
        self._engine._run(self._session.set_locale(locale))

    def options(self, item: Item) -> list[Option]:
        """Returns all options of a selection."""
        return self._engine._run(self._session.options(item))

    def presented(self) -> None:
        """With acknowledged transitions: reports that the last update is shown."""
        self._engine._loop.call_soon_threadsafe(self._session.presented)

    def wait_for(self, condition: Callable[[Snapshot], Any], timeout: float | None = None) -> Snapshot:
        """Waits until the engine has counted all edits and presses and the condition holds, and returns the snapshot."""
        return self._engine._run(self._session.wait_for(condition, timeout))

    def close(self) -> None:
        """Closes the session, which discards its secrets and cancels a pending login."""
        self._engine._run(self._session.close())
