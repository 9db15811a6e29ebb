"""An engine and its sessions, in asyncio."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from login_engine.authenticator import Authenticator, Service
from login_engine.errors import EngineEnded, Refused, SessionClosed
from login_engine.form import Form
from login_engine.transport import Transport
from login_engine.wire import Command, Item, Option, Snapshot

#: The longest line that an engine reads by default (`--max-line-bytes`).
MAXIMUM_LINE_BYTES = 1 << 20


@dataclass(frozen=True)
class Change:
    """An event of a session, whose snapshot and fields already reflect it."""

    #: `ended` means that the engine itself has ended.
    kind: Literal["update", "refused", "granted", "closed", "ended"]
    #: The commands of an `update`, unless the session's `detail` is `snapshot`.
    commands: Sequence[Command] = ()
    #: The reason: the engine's message for `refused`, a text for `closed` and `ended`.
    reason: str | None = None


@dataclass(frozen=True)
class Submitted:
    """The result of a submit: protocol/README.md, `session/submit`."""

    #: `accepted`, `rejected`, `failed`, `throttled`, `challenge`, `notice`, `invalid`, `cancelled`, `closed`, or `None` if no authenticator was asked.
    outcome: str | None
    snapshot: Snapshot
    revision: int


class Engine:
    """A running engine. Use it in `async with`, which starts and ends the engine.

    :param arguments: the engine's options, such as `"--accounts", "accounts.sqlite3"`.
    :param program: the path of `login-engine`. Default: the result of `login_engine.programs.find`.
    :param authenticator: decides logins in this process (`--authenticator frontend`).
    :param log: called with each line of the engine's log, which otherwise goes to this process's standard error.
    :param strict: raises `CommandsDiffer` if commands do not lead to their snapshot. For tests.
    """

    def __init__(
        self,
        *arguments: str,
        program: str | None = None,
        authenticator: Authenticator | None = None,
        log: Callable[[str], None] | None = None,
        strict: bool = False,
    ) -> None:
        if authenticator is not None and not any(argument.endswith("frontend") for argument in arguments):
            arguments = ("--authenticator", "frontend", *arguments)
        self._arguments, self._program, self._log, self._strict = arguments, program, log, strict
        self._authenticator = authenticator
        self._sessions: dict[str, Session] = {}
        self._numbers = itertools.count(1)
        self._pending: dict[int, tuple[asyncio.Future[Any], Session | None]] = {}
        self._ended: EngineEnded | None = None
        self._fault: Exception | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def start(self) -> None:
        """Starts the engine. Raises `EngineEnded` if that fails."""
        self._loop = asyncio.get_running_loop()
        self._transport = await Transport.spawn(*self._arguments, program=self._program, log=self._log)
        self._service = Service(self._authenticator, self._send) if self._authenticator else None
        self._reader = asyncio.create_task(self._read())

    async def close(self, timeout: float = 10) -> int:
        """Ends the engine's input and waits for the exit: pending logins finish first. Returns the exit status.

        :param timeout: the number of seconds after which the engine is killed.
        """
        self._transport.end_input()
        status = await self._transport.wait(timeout)
        await self._reader
        if self._fault:
            raise self._fault
        return status

    @property
    def process_id(self) -> int:
        return self._transport.process_id

    @property
    def is_running(self) -> bool:
        """Whether the engine was started and has not ended."""
        return hasattr(self, "_transport") and self._ended is None

    @property
    def ended(self) -> EngineEnded | None:
        """The way in which the engine ended; `None` while it runs."""
        return self._ended

    async def describe(self) -> dict[str, Any]:
        """Returns the result of `engine/describe`: versions, flows and their languages, limits, features, authenticators."""
        return dict(await self.request("engine/describe"))

    async def open(self, *, session: str | None = None, on_change: Callable[[Change], None] | None = None, **params: Any) -> Session:
        """Opens a session, and returns once its first snapshot is there.

        :param session: a name of the caller's choice. Default: a new one.
        :param on_change: see `Session.on_change`.
        :param params: the params of `session/open`: `flow`, `screen`, `locale`, `values`, `transitions`, `policy`, `detail`, `context`, `secrets`,
            `supports`. Those that are `None` are omitted, except that `transitions` defaults to `instant` and `detail` to `full`.
        """
        params["transitions"] = params.get("transitions") or "instant"
        params["detail"] = params.get("detail") or "full"
        is_acknowledged = params["transitions"] == "acknowledged"
        opened = Session(self, session or self._new_name(), Form(strict=self._strict), is_acknowledged=is_acknowledged)
        opened.on_change = on_change
        if opened.name not in self._sessions:
            self._sessions[opened.name] = opened
        given = {name: value for name, value in params.items() if value is not None}
        try:
            await self._request("session/open", {"session": opened.name, **given}, None)
        except (Refused, EngineEnded):
            self._forget(opened)
            raise
        return opened

    async def request(self, method: str, **params: Any) -> Any:
        """Returns the result of any request. Raises `Refused`, and `EngineEnded` if the engine ends before it answers."""
        answer = self._request(method, params, None)
        await self._transport.drain()
        return await answer

    async def drain(self) -> None:
        """Waits until the engine has read nearly all that was written. For programs that write a lot."""
        await self._transport.drain()

    # MARK: Lines

    def _new_name(self) -> str:
        return next(name for name in map("session-{}".format, self._numbers) if name not in self._sessions)

    def _forget(self, session: Session) -> None:
        if self._sessions.get(session.name) is session:
            del self._sessions[session.name]

    def _send(self, message: Mapping[str, Any]) -> None:
        self._transport.write(encode(message))

    def _request(self, method: str, params: Mapping[str, Any], session: Session | None) -> asyncio.Future[Any]:
        """Writes a request at once. Callers that do not need the answer need not await it."""
        answer: asyncio.Future[Any] = self._loop.create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        id = next(self._numbers)
        line = encode({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        if self._ended:
            answer.set_exception(self._ended)
            return answer
        self._pending[id] = (answer, session)
        self._transport.write(line)
        return answer

    async def _read(self) -> None:
        try:
            async for line in self._transport.lines():
                self._receive(json.loads(line))
        except Exception as error:
            self._fault = error
            self._transport.terminate()
            async for _ in self._transport.lines():
                pass
        status = await self._transport.wait()
        self._ended = EngineEnded(status)
        for answer, _ in self._pending.values():
            if not answer.done():
                answer.set_exception(self._ended)
        self._pending.clear()
        for session in list(self._sessions.values()):
            session._end("ended", str(self._ended))
        if self._service:
            await self._service.close(is_lost=True)

    def _receive(self, message: Any) -> None:
        if isinstance(message, list):
            for entry in message:
                self._receive(entry)
            return
        method, params = message.get("method"), message.get("params", {})
        if method is None:
            self._answered(message)
        elif method.startswith("authenticator/") and self._service:
            self._service.receive(message)
        elif "id" in message:
            error = {"code": -32601, "message": "This view has no such method."}
            self._send({"jsonrpc": "2.0", "id": message["id"], "error": error})
        elif session := self._sessions.get(params.get("session")):
            session._receive(method, params)

    def _answered(self, message: dict[str, Any]) -> None:
        answer, session = self._pending.pop(message.get("id") or 0, (None, None))
        if answer is None:
            return
        error = message.get("error")
        if session is not None:
            # Here, in the order of the lines: a task that awaits the answer may only run after later lines.
            session._answered(answer, message)
        if answer.done():
            return
        if error is not None:
            answer.set_exception(Refused(error))
        else:
            answer.set_result(message["result"])


class Session:
    """A login form that a view shows. Created by `Engine.open`.

    `edit` and `press` write at once. Awaiting their result waits for the engine's answer, and raises `Refused`. The form undoes a refused
    edit in either case.
    """

    def __init__(self, engine: Engine, name: str, form: Form, *, is_acknowledged: bool = False) -> None:
        self._engine, self.name, self.form = engine, name, form
        #: Whether updates wait until the view reports the last one with `presented` (`transitions`).
        self.is_acknowledged = is_acknowledged
        #: Called with each `Change`, in the event loop.
        self.on_change: Callable[[Change], None] | None = None
        #: The values that authenticators granted the application (`session/granted`). Keep them out of logs.
        self.grants: list[Any] = []
        #: The reason for which the session ended; `None` before that.
        self.closed: str | None = None
        self._waiting: set[asyncio.Future[None]] = set()
        self._presented = 0
        self._reading: asyncio.Future[Any] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._engine.ended:
            await self.close()

    @property
    def snapshot(self) -> Snapshot:
        """The state that the engine shows. It is never changed in place, so callers may keep it."""
        return self.form.snapshot

    @property
    def primary(self) -> str | None:
        """The id of the button, which says what the button does now."""
        return next((action["id"] for action in self.snapshot["actions"] if action["role"] == "primary"), None)

    # MARK: What the user does

    def edit(self, item: str, value: Any) -> asyncio.Future[Any]:
        """Sets the whole new value of an item: a text, an option's id or `None`, a boolean, the JSON value of an external item."""
        answer = self._event("session/edit", item=item, value=value)
        self.form.enter(item, value)
        return answer

    def press(self, action: str) -> asyncio.Future[Any]:
        """Presses an action of the snapshot or of its alert, by its id."""
        answer = self._event("session/press", action=action)
        self.form.press()
        return answer

    async def submit(self, values: Mapping[str, Any] | None = None, action: str | None = None) -> Submitted:
        """Enters several values and presses the button (or `action`), all or nothing, and waits for the result."""
        given = {"values": values, "action": action}
        answer = self._event("session/submit", **{name: value for name, value in given.items() if value is not None})
        self.form.press()
        result = await answer
        return Submitted(result.get("outcome"), result["snapshot"], result["revision"])

    async def set_locale(self, locale: str) -> None:
        """Switches the session to another language of its flow."""
        await self.request_locale(locale)

    def request_locale(self, locale: str) -> asyncio.Future[Any]:
        """Does the same, and writes the request at once."""
        return self._request("session/locale", locale=locale)

    async def options(self, item: Item) -> list[Option]:
        """Returns all options of a selection, including those that the snapshot leaves out (`optionCount`)."""
        if "optionCount" not in item:
            return item["options"]
        options: list[Option] = (await self.request_options(item["id"]))["options"]
        return options

    def request_options(self, item: str) -> asyncio.Future[Any]:
        """Requests the options, and writes the request at once."""
        return self._request("session/options", item=item)

    def presented(self) -> None:
        """In a session with `transitions` `acknowledged`: reports that the last update is shown, so that the next one can come."""
        if self._presented < self.form.revision and not self.closed:
            self._presented = self.form.revision
            self._request("session/presented", revision=self._presented)

    async def close(self) -> None:
        """Closes the session, which discards its secrets and cancels a pending login."""
        if not self.closed:
            await self._request("session/close")
            self._end("closed", "The session was closed.")

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs a coroutine in the session's event loop. Callable from another loop on the same thread too, such as Tk's."""
        return self._engine._loop.create_task(work)

    # MARK: Waiting

    async def wait_for(self, condition: Callable[[Snapshot], Any], timeout: float | None = None) -> Snapshot:
        """Waits until the engine has counted all edits and presses and the condition holds, and returns the snapshot.

        Raises `SessionClosed`, `EngineEnded`, and `TimeoutError` after `timeout` seconds."""
        async with asyncio.timeout(timeout):
            while not (self.form.is_level and condition(self.snapshot)):
                if self._engine.ended:
                    raise self._engine.ended
                if self.closed:
                    raise SessionClosed(self.closed)
                change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.add(change)
                try:
                    await change
                finally:
                    self._waiting.discard(change)
        return self.snapshot

    # MARK: What the engine says

    def _event(self, method: str, **params: Any) -> asyncio.Future[Any]:
        if self.form.revision:
            params["revision"] = self.form.revision
        return self._request(method, **params)

    def _request(self, method: str, **params: Any) -> asyncio.Future[Any]:
        return self._engine._request(method, {"session": self.name, **params}, self)

    def _receive(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "session/update":
                self.form.update(params)
                self._changed(Change("update", params.get("commands", ())))
            case "session/refused":
                self._changed(Change("refused", reason=params["error"]["message"]))
            case "session/granted":
                self.grants.append(params["secret"])
                self._changed(Change("granted"))
            case "session/closed":
                self._end("closed", f"The session has ended: {params['reason']}.")

    def _answered(self, answer: asyncio.Future[Any], message: Mapping[str, Any]) -> None:
        error = message.get("error")
        if error is not None and "events" in error.get("data", {}):
            self._changed(Change("refused", reason=error["message"]))
        if answer is self._reading:
            self._reading = None
            if error is None:
                self.form.read(message["result"])
                self._changed(Change("update"))

    def _end(self, kind: Literal["closed", "ended"], reason: str) -> None:
        if not self.closed:
            self.closed = reason
            self.form.forget()
            self._engine._forget(self)
            self._changed(Change(kind, reason=reason))

    def _changed(self, change: Change) -> None:
        if self.form.needs_snapshot and self._reading is None and not self.closed:
            self._reading = self._request("session/snapshot")
        for future in list(self._waiting):
            if not future.done():
                future.set_result(None)
        if self.on_change:
            try:
                self.on_change(change)
            except Exception as error:
                self._engine._loop.call_exception_handler({"message": "on_change failed", "exception": error})


def encode(message: Mapping[str, Any]) -> bytes:
    """Encodes a line for the engine. Raises `ValueError`, which quotes no values, if the engine could not read the line."""
    try:
        line = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise ValueError("a text has a lone surrogate") from None
    if len(line) > MAXIMUM_LINE_BYTES:
        raise ValueError(f"a line for the engine has at most {MAXIMUM_LINE_BYTES} bytes")
    return line
