"""What an authenticator is asked: `authenticator/submit`, `authenticator/continue` and `authenticator/check`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from login_engine.authenticator.answers import Answer, Failure, Message


class Cancelled(Exception):
    """Nobody waits for this conversation any more. Raised by `Question.ask_blocking`; let it pass."""


class Asking(Protocol):
    """What a question needs of its conversation."""

    @property
    def is_cancelled(self) -> bool: ...
    async def ask(self, challenge: Answer | Failure) -> Question: ...
    def ask_blocking(self, challenge: Answer | Failure) -> Question: ...
    def notify(self, members: dict[str, Any]) -> None: ...


@dataclass(frozen=True)
class Question:
    """A question of the engine's. Its `repr` shows no values, context or secrets."""

    #: The number of the conversation: that of its first question.
    attempt: int
    #: What is asked for, such as `login`; in every question of a conversation.
    request: str
    #: What the user has entered, by `apiKey`: texts, booleans, JSON values of external items, `None` where nothing was chosen.
    values: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: The id of the link that was pressed.
    action: str | None = None
    #: Whether the time of `challenge(wait=...)` has passed without a user's action.
    poll: bool = False
    #: The `apiKey` of the item that is to be checked.
    item: str | None = None
    #: The number of an earlier question that this one repeats.
    retry_of: int | None = None
    #: What was accepted before on the way to this screen: `attempt`, `principal`, `data`, `proofs`.
    previous: Mapping[str, Any] | None = field(default=None, repr=False)
    #: The language of the session, as a language tag.
    locale: str = ""
    session: str = ""
    flow: str = ""
    #: The flow's screen where the conversation began.
    screen: str = ""
    #: The same for a question and its retries, and for no other question of any engine.
    key: str | None = None
    #: What the view said about the session, such as the client's address.
    context: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: What the view can do, such as `webauthn.get`.
    supports: tuple[str, ...] = ()
    #: What the view gives authenticators alone, such as the token of a remembered device.
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    _conversation: Asking | None = field(default=None, repr=False, compare=False)

    @classmethod
    def read(cls, params: Mapping[str, Any], conversation: Asking | None, request: str | None = None) -> Question:
        """A question as it stands on the wire. `authenticator/continue` has no request: it is that of the conversation."""
        return cls(
            attempt=params["attempt"], request=params.get("request", request or ""), values=params.get("values", {}),
            action=params.get("action"), poll=params.get("poll", False), item=params.get("item"), retry_of=params.get("retryOf"),
            previous=params.get("previous"), locale=params.get("locale", ""), session=params.get("session", ""),
            flow=params.get("flow", ""), screen=params.get("screen", ""), key=params.get("key"), context=params.get("context", {}),
            supports=tuple(params.get("supports", ())), secrets=params.get("secrets", {}), _conversation=conversation,
        )  # fmt: skip

    @property
    def value(self) -> Any:
        """The value that is to be checked."""
        return self.values.get(self.item or "")

    async def ask(self, challenge: Answer | Failure) -> Question:
        """In a coroutine: shows a challenge, and gives what the user does there. Is cancelled with the conversation."""
        return await self._asking.ask(challenge)

    def ask_blocking(self, challenge: Answer | Failure) -> Question:
        """In a function: the same. Holds the function's thread meanwhile. Raises `Cancelled` when nobody waits any more."""
        return self._asking.ask_blocking(challenge)

    def notify(self, message: Message) -> None:
        """Shows a message as the notice until the answer comes."""
        self._asking.notify({"message": message})

    def alert(self, *messages: Message, title: str | None = None) -> None:
        """Shows an alert that the user has to dismiss."""
        self._asking.notify({"alert": {"messages": list(messages), **({} if title is None else {"title": title})}})

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits any more; for functions that take long."""
        return self._asking.is_cancelled

    @property
    def _asking(self) -> Asking:
        if self._conversation is None:
            raise ValueError("a check has no conversation")
        return self._conversation


class Conversation:
    """One conversation with a user: the question that is open, and the one that is awaited."""

    def __init__(self, loop: asyncio.AbstractEventLoop, attempt: int, send: Any) -> None:
        self._loop, self._attempt, self._send = loop, attempt, send
        self._thread = threading.get_ident()
        self._awaited: asyncio.Future[Question] | None = None
        self._open: tuple[Any, str | None] | None = None
        self._has_challenged = False
        self.is_cancelled = False

    @property
    def is_waiting(self) -> bool:
        """Whether nothing goes on until the user does something."""
        return self._awaited is not None

    def open(self, id: Any, question: Question) -> bool:
        """Takes the next question; `False` where the last one is still being answered."""
        if self._open is not None:
            return False
        self._open = (id, question.key)
        if self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(question)
        self._awaited = None
        return True

    def answer(self, answer: Answer | Failure) -> str | None:
        """Answers the open question, and gives its key."""
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
