"""An authenticator: functions that decide requests, and the process around them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

from login_engine.authenticator.answers import Answer, Failure
from login_engine.authenticator.questions import Question
from login_engine.authenticator.service import Line, Service

#: Decides a question: a function (called in its own thread), a generator that yields challenges and receives questions
#: (each step in a thread), or a coroutine (in the event loop).
Handler = Callable[[Question], Answer | Failure | Generator[Answer | Failure, Question, Answer | Failure] | Awaitable[Answer | Failure]]

H = TypeVar("H", bound=Handler)


class Authenticator:
    """Decides requests with the functions that `request` and `check` register.

    :param name: the name of this authenticator in the engine's description.
    :param threads: how many functions run at once, including those that wait in `ask_blocking`. Further questions wait.
    :param remembers: how many answers to completed requests are kept, so that a retry after a lost answer gets the same one.
    """

    def __init__(self, name: str | None = None, version: str | None = None, *, threads: int = 1000, remembers: int = 1000) -> None:
        self.name, self.version, self.threads, self.remembers = name, version, threads, remembers
        self._handlers: dict[tuple[str | None, str | None], Handler] = {}
        self._checkers: dict[tuple[str, str], Handler] = {}

    def request(self, name: str | None = None, *, flow: str | None = None) -> Callable[[H], H]:
        """Registers a handler for a request, of all flows or of one. Without a name it handles every request that has no other handler."""

        def register(handler: H) -> H:
            self._handlers[name, flow] = handler
            return handler

        return register

    def check(self, request: str, item: str) -> Callable[[H], H]:
        """Registers a handler that checks an item (by its `apiKey`) while the user types.

        It answers `valid`, `invalid` or `notice`, and cannot be a generator.
        """

        def register(handler: H) -> H:
            self._checkers[request, item] = handler
            return handler

        return register

    def handler(self, request: str, flow: str | None) -> Handler | None:
        """Returns the handler of a request."""
        for key in ((request, flow), (request, None), (None, flow), (None, None)):
            if key in self._handlers:
                return self._handlers[key]
        return None

    def checker(self, request: str, item: str) -> Handler | None:
        """Returns the handler that checks an item."""
        return self._checkers.get((request, item))

    @property
    def description(self) -> Line:
        """The result of `authenticator/describe`."""
        description: Line = {}
        if self.name is not None:
            description["name"] = self.name
        if self.version is not None:
            description["version"] = self.version
        if all(name is not None for name, _ in self._handlers):
            requests = {name for name, _ in self._handlers} | {name for name, _ in self._checkers}
            description["requests"] = sorted(name for name in requests if name is not None)
        return description

    def run(self) -> None:
        """Serves an engine on standard input and output until the input ends. The output of handlers goes to standard error."""
        output = os.dup(1)
        os.dup2(2, 1)
        asyncio.run(self._serve(output))
        # Abandoned functions must not keep the process alive.
        sys.stderr.flush()
        os._exit(0)

    async def _serve(self, output: int) -> None:
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def send(line: Line) -> None:
            rest = memoryview(json.dumps(line, allow_nan=False, separators=(",", ":")).encode() + b"\n")
            while rest:
                rest = rest[os.write(output, rest) :]

        service = Service(self, send)

        def read() -> None:
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(service.receive, json.loads(line))
            loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=read, daemon=True).start()
        await ended.wait()
        await service.close()
