"""Questions to an authenticator: `authenticator/submit`, `authenticator/continue` and `authenticator/check`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from login_engine.authenticator.answers import Answer, Failure, Message


class Cancelled(Exception):
    """The conversation was cancelled. Raised by `Question.ask_blocking`; do not catch it."""


class Asking(Protocol):
    """The part of a conversation that a question uses."""

    @property
    def is_cancelled(self) -> bool: ...
    async def ask(self, challenge: Answer | Failure) -> Question: ...
    def ask_blocking(self, challenge: Answer | Failure) -> Question: ...
    def notify(self, members: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class Question:
    """A question from the engine. Its `repr` shows no values, context or secrets."""

    #: The number of the conversation, which is that of its first question.
    attempt: int
    #: The name of the request, such as `login`. All questions of a conversation have it.
    request: str
    #: The user's input, by `apiKey`: texts, booleans, JSON values of external items, `None` where nothing was chosen.
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: The id of the link that was pressed.
    action: str | None = None
    #: Whether the time of `challenge(wait=...)` has passed without an action of the user.
    poll: bool = False
    #: The `apiKey` of the item to check.
    item: str | None = None
    #: The number of the earlier question that this one repeats.
    retry_of: int | None = None
    #: The earlier answer that led to this screen: `attempt`, `principal`, `data`, `proofs`.
    previous: Mapping[str, Any] | None = field(default=None, repr=False)
    #: The language of the session, as a language tag.
    locale: str = ""
    session: str = ""
    flow: str = ""
    #: The flow's screen where the conversation began.
    screen: str = ""
    #: A key that a question shares with its retries, and with no other question of any engine.
    key: str | None = None
    #: What the view said about the session, such as the client's address.
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: The capabilities of the view, such as `webauthn.get`.
    supports: tuple[str, ...] = ()
    #: Values from the view that only authenticators receive, such as the token of a remembered device.
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    _conversation: Asking | None = field(default=None, repr=False, compare=False)

    @classmethod
    def read(cls, params: Mapping[str, Any], conversation: Asking | None, request: str | None = None) -> Question:
        """Reads a question in wire format. `authenticator/continue` names no request, so the conversation's is passed."""
        return cls(
            attempt=params["attempt"], request=params.get("request", request or ""), values=params.get("values", {}),
            action=params.get("action"), poll=params.get("poll", False), item=params.get("item"), retry_of=params.get("retryOf"),
            previous=params.get("previous"), locale=params.get("locale", ""), session=params.get("session", ""),
            flow=params.get("flow", ""), screen=params.get("screen", ""), key=params.get("key"), context=params.get("context", {}),
            supports=tuple(params.get("supports", ())), secrets=params.get("secrets", {}), _conversation=conversation,
        )  # fmt: skip

    @property
    def value(self) -> Any:
        """The value to check."""
        return self.values.get(self.item or "")

    async def ask(self, challenge: Answer | Failure) -> Question:
        """Shows a challenge, and returns the user's next question. For coroutines. Cancelled with the conversation."""
        return await self._asking.ask(challenge)

    def ask_blocking(self, challenge: Answer | Failure) -> Question:
        """Does the same in a function, and blocks its thread meanwhile. Raises `Cancelled` when the conversation is cancelled."""
        return self._asking.ask_blocking(challenge)

    def notify(self, message: Message) -> None:
        """Shows a message as the notice until the request is answered."""
        self._asking.notify({"message": message})

    def alert(self, *messages: Message, title: str | None = None) -> None:
        """Shows an alert that the user has to dismiss."""
        self._asking.notify({"alert": {"messages": list(messages), **({} if title is None else {"title": title})}})

    @property
    def is_cancelled(self) -> bool:
        """Whether the conversation was cancelled. Functions that run for long should check it."""
        return self._asking.is_cancelled

    @property
    def _asking(self) -> Asking:
        if self._conversation is None:
            raise ValueError("a check has no conversation")
        return self._conversation


class Conversation:
    """A conversation with a user: the open question, and the question that it awaits."""

    def __init__(self, loop: asyncio.AbstractEventLoop, attempt: int, send: Any) -> None:
        self._loop, self._attempt, self._send = loop, attempt, send
        self._thread = threading.get_ident()
        self._awaited: asyncio.Future[Question] | None = None
        self._open: tuple[Any, str | None] | None = None
        self._has_challenged = False
        self.is_cancelled = False

    @property
    def is_waiting(self) -> bool:
        """Whether the conversation waits for the user."""
        return self._awaited is not None

    def open(self, id: Any, question: Question) -> bool:
        """Opens the next question. Returns `False` if the last one is not answered yet."""
        if self._open is not None:
            return False
        self._open = (id, question.key)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(question)
        self._awaited = None
        return True

    def answer(self, answer: Answer | Failure) -> str | None:
        """Answers the open question, and returns its key."""
        if self._open is None:
            return None
        (id, key), self._open = self._open, None
        body = {"error": answer.error} if isinstance(answer, Failure) else {"result": answer.result}
        self._send({"jsonrpc": "2.0", "id": id, **body})
        return key

    async def ask(self, challenge: Answer | Failure) -> Question:
        goes_on = isinstance(challenge, Failure) or challenge.outcome == "throttled"
        if not (isinstance(challenge, Answer) and challenge.outcome == "challenge" or goes_on and self._has_challenged):
            raise ValueError("this answer ends the conversation: return it")
        self._has_challenged = True
        self._awaited = self._loop.create_future()
        self.answer(challenge)
        return await self._awaited

    def ask_blocking(self, challenge: Answer | Failure) -> Question:
        future = asyncio.run_coroutine_threadsafe(self._ask_or_none(challenge), self._loop)
        question = future.result()
        if question is None:
            raise Cancelled
        return question

    async def _ask_or_none(self, challenge: Answer | Failure) -> Question | None:
        if self.is_cancelled:
            return None
        try:
            return await self.ask(challenge)
        except asyncio.CancelledError:
            return None

    def cancel(self) -> None:
        self.is_cancelled, self._open = True, None
        if self._awaited is not None:
            self._awaited.cancel()

    def notify(self, members: dict[str, Any]) -> None:
        line = {"jsonrpc": "2.0", "method": "authenticator/notify", "params": {"attempt": self._attempt, **members}}
        if threading.get_ident() == self._thread:
            self._send(line)
        else:
            self._loop.call_soon_threadsafe(self._send, line)
