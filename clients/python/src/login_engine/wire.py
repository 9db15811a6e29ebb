"""What the engine says, typed as it stands on the wire: protocol/updates.md. Members that a later version adds are there as well."""

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
    """One item of a form. Which members there are depends on the kind."""

    id: str
    #: `input`, `selection`, `switch`, `text`, `link`, `code`, `external`, or a kind of a later version.
    kind: str
    title: str
    inputType: str
    placeholder: str
    value: Any
    #: Only of secrets, which never have a value.
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
    """When a throttle ends: `at` in milliseconds since 1970 (UTC), and the whole duration."""

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
    """A factor by which the person has proved who they are, and when, in milliseconds since 1970."""

    factor: str
    at: int


class Scene(TypedDict):
    """What the application shows in place of the form."""

    id: str
    principal: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    values: dict[str, Any]
    proofs: NotRequired[list[Proof]]


class Focus(TypedDict):
    """What should have the keyboard, and the revision since which."""

    on: str
    since: int


class Snapshot(TypedDict):
    """All that a view shows."""

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


#: One command: `command` names it, the other members depend on that.
Command = dict[str, Any]
