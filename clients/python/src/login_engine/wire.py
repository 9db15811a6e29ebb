"""The types of the engine's messages: protocol/updates.md. Objects keep members that later versions add."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Message(TypedDict):
    """A text for the user, and a stable code for programs."""

    code: str
    text: str
    params: NotRequired[dict[str, Any]]
    severity: NotRequired[str]


class Option(TypedDict):
    id: str
    title: str


class Item(TypedDict, total=False):
    """One item of a form. Its members depend on its kind."""

    id: str
    #: `input`, `selection`, `switch`, `text`, `link`, `code`, `external`, or a kind of a later version.
    kind: str
    title: str
    inputType: str
    placeholder: str
    value: Any
    #: Only in secrets, which never have a value.
    filled: bool
    editable: bool
    readOnly: bool
    required: bool
    validity: Literal["unknown", "valid", "invalid"]
    messages: list[Message]
    hint: str
    emphasis: str
    keyboard: str
    enterKey: str
    autofill: str
    minLength: int
    maxLength: int
    pattern: str
    options: list[Option]
    optionCount: int
    url: str
    text: str
    format: str
    type: str
    request: Any


class Section(TypedDict):
    id: str
    items: list[Item]
    title: NotRequired[str]


class RetryAt(TypedDict):
    """The end of a throttle in milliseconds since 1970 (UTC), and its whole duration."""

    at: int
    afterMs: int


class Action(TypedDict):
    id: str
    title: str
    #: `primary` (the button), `link`, and in an alert `dismiss` or `destructive`.
    role: str
    enabled: bool
    retryAt: NotRequired[RetryAt | None]


class Alert(TypedDict):
    id: int
    title: NotRequired[str]
    text: str
    messages: list[Message]
    actions: list[Action]


class Proof(TypedDict):
    """A factor by which the person proved who they are, and the time in milliseconds since 1970."""

    factor: str
    at: int


class Scene(TypedDict):
    """The result of a login, which the application shows in place of the form."""

    id: str
    principal: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    values: dict[str, Any]
    proofs: NotRequired[list[Proof]]


class Focus(TypedDict):
    """The item or action that should have the focus, and the revision since which it should."""

    on: str
    since: int


class Snapshot(TypedDict):
    """The complete state that a view shows."""

    screen: str
    state: str
    title: str
    locale: str
    direction: Literal["ltr", "rtl"]
    sections: list[Section]
    actions: list[Action]
    activity: bool
    error: Message | None
    notice: Message | None
    alert: Alert | None
    scene: Scene | None
    retryAt: RetryAt | None
    focus: Focus | None


#: One command: `command` names it, and determines the other members.
Command = dict[str, Any]
