"""The answers of an authenticator: protocol/authenticators.md, "Answers" and "Challenges". Times are in seconds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

#: A message for the user: a text, or the result of `message`.
Message = str | dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """The answer to one question. Create it with the functions of this module.

    Its `repr` shows no members, because some are secret.
    """

    outcome: str
    members: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def result(self) -> dict[str, Any]:
        """The answer in wire format."""
        return {"outcome": self.outcome, **self.members}


class Failure(Exception):
    """A temporary failure that decided nothing, such as an unreachable directory. The user can try again.

    Raise it, or use it as an answer within a conversation (`yield`, `ask`); the conversation continues when the user tries again.

    :param code: letters, digits, `.`, `-` and `_`. The user sees the flow's text for `network.` followed by this code.
    :param text: what the user sees if the flow has no such text. Never put a secret in it.
    """

    def __init__(self, code: str | None = None, text: str = "The request could not be carried out.") -> None:
        super().__init__(code or text)
        self.code, self.text = code, text

    @property
    def error(self) -> dict[str, Any]:
        """The error in wire format."""
        return {"code": 1, "message": self.text, **({"data": {"code": self.code}} if self.code else {})}


def message(code: str | None = None, text: str | None = None, *, severity: str | None = None, **params: Any) -> Message:
    """Returns a message: the flow's text for `code`, with `{name}` filled in from `params`, or else `text`.

    :param severity: the style of the message: `info`, `success`, `warning` or `error`.
    """
    return _without_none(code=code, text=text, severity=severity, params=params or None)


def proof(factor: str, at: float | None = None) -> dict[str, Any]:
    """Returns a factor by which the person proved who they are.

    :param factor: a value of RFC 8176, such as `pwd`, or another name of letters, digits, `.`, `-` and `_`.
    :param at: when the person proved it, in seconds since 1970. Default: the time at which the engine reads the answer.
    """
    return _without_none(factor=factor, at=_milliseconds(at))


def accepted(
    principal: str | None = None,
    *,
    data: dict[str, Any] | None = None,
    proofs: Iterable[str | dict[str, Any]] | None = None,
    secret: Any = None,
    message: Message | None = None,
    retry_after: float | None = None,
) -> Answer:
    """Accepts the login, or reports that a link's request was carried out.

    :param principal: the person's identity.
    :param data: further data for the application. Views receive them too, so they must not contain tokens.
    :param proofs: how the person proved who they are: names of factors (RFC 8176) such as `pwd`, `otp` and `hwk`, or results of `proof`.
    :param secret: any JSON value for the application only, such as tokens. It is delivered once, as `session/granted`.
    :param message: shown as the notice, unless the request was the form's submit.
    :param retry_after: for how long a link's request is then disabled.
    """
    proof_list = None if proofs is None else [proof(entry) if isinstance(entry, str) else entry for entry in proofs]
    return _answer(
        "accepted",
        principal=principal, data=data, proofs=proof_list, secret=secret, message=message, retryAfterMs=_milliseconds(retry_after),
    )  # fmt: skip


def rejected(
    reason: str | None = None, *, message: Message | None = None, items: Mapping[str, Message | list[Message]] | None = None
) -> Answer:
    """Rejects the login, and ends the conversation.

    :param reason: a code, such as `invalidCredentials`.
    :param items: messages by the `apiKey` of the item that each concerns.
    """
    return _answer("rejected", reason=reason, message=message, items=_item_messages(items))


def throttled(retry_after: float, message: Message | None = None) -> Answer:
    """Rejects an attempt that came too early. The next one is enabled after `retry_after` seconds, or by an edit."""
    return _answer("throttled", retryAfterMs=_milliseconds(retry_after), message=message)


def notice(message: Message, screen: str | None = None) -> Answer:
    """Decides nothing, and shows the message on the flow's screen with the id `screen`. Also an answer to a check."""
    return _answer("notice", message=message, screen=screen)


def challenge(
    screen: dict[str, Any] | None = None,
    *,
    error: Message | None = None,
    notice: Message | None = None,
    items: Mapping[str, Message | list[Message]] | None = None,
    wait: float | None = None,
    expires_in: float | None = None,
) -> Answer:
    """Asks for more input, or waits for something, before the login is decided.

    :param screen: the result of `login_engine.authenticator.screen`. Without it the same screen is shown again, with empty secrets.
    :param error: reports that the input was wrong; the user can try again.
    :param notice: a message that is not a failure. Repeat it in each answer for as long as users are to see it.
    :param items: messages by the `apiKey` of an item of this screen.
    :param wait: the user can enter nothing, and the next question (with `poll`) comes after this many seconds (0.1 to 3,600).
    :param expires_in: the number of seconds after which the conversation is cancelled.
    """
    waiting = None if wait is None else {"pollAfterMs": _milliseconds(wait)}
    return _answer(
        "challenge",
        screen=screen, error=error, notice=notice, items=_item_messages(items), wait=waiting, expiresInMs=_milliseconds(expires_in),
    )  # fmt: skip


def valid() -> Answer:
    """The answer to a check that finds nothing to report."""
    return _answer("valid")


def invalid(message: Message) -> Answer:
    """The answer to a check that finds the value wrong. The message says why."""
    return _answer("invalid", message=message)


def _answer(outcome: str, **members: Any) -> Answer:
    return Answer(outcome, _without_none(**members))


def _without_none(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _item_messages(items: Mapping[str, Message | list[Message]] | None) -> dict[str, list[Message]] | None:
    if items is None:
        return None
    return {key: said if isinstance(said, list) else [said] for key, said in items.items()}
