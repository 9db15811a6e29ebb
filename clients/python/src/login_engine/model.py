"""Applies commands to snapshots: protocol/commands.md. Snapshots are immutable: functions return new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from login_engine.wire import Command, Item, Snapshot

_Members = dict[str, Any]

_OVERLAYS = {
    "hideError": ("error", None), "hideNotice": ("notice", None), "hideAlert": ("alert", None),
    "showActivity": ("activity", True), "hideActivity": ("activity", False),
}  # fmt: skip
_MEMBERS = {
    "setState": "state", "showError": "error", "showNotice": "notice", "showAlert": "alert", "showScene": "scene",
    "setRetryAt": "retryAt", "setFocus": "focus",
}  # fmt: skip
_NOTHING_YET = {"activity": False, "error": None, "notice": None, "alert": None, "scene": None, "retryAt": None, "focus": None}
_STRUCTURAL = {"showScreen", "setItem", "setAction", "replaceAction", "insertSection", "removeSection", "insertItem", "removeItem"}

#: The snapshot of a view before a session is open.
EMPTY = cast(Snapshot, {"sections": [], "actions": [], **_NOTHING_YET})


def is_known(command: Command) -> bool:
    """Whether `apply` knows the command. After an unknown one the snapshot has to be read."""
    name = command["command"]
    return name in _OVERLAYS or name in _MEMBERS or name in _STRUCTURAL


def apply(snapshot: Snapshot, commands: Iterable[Command]) -> Snapshot:
    """Returns the snapshot that the commands lead to. Unknown commands are ignored."""
    members = cast(_Members, snapshot)
    for command in commands:
        members = _apply(members, command)
    return cast(Snapshot, members)


def enter(snapshot: Snapshot, item: str, value: Any) -> Snapshot:
    """Returns the snapshot after an edit that the engine has counted. Secrets show only whether they are filled. Items without a value do not change."""

    def edit(of: _Members) -> _Members:
        if "filled" in of:
            return {**of, "filled": value != ""}
        return {**of, "value": value} if "value" in of else of

    return cast(Snapshot, _change_item(cast(_Members, snapshot), item, edit))


def items(snapshot: Snapshot) -> Iterator[Item]:
    """All items, in the order in which they are shown."""
    for section in snapshot["sections"]:
        yield from section["items"]


def find_item(snapshot: Snapshot, id: str) -> Item | None:
    """Returns the item with this id, if it is on the screen."""
    return next((item for item in items(snapshot) if item["id"] == id), None)


def _apply(snapshot: _Members, command: Command) -> _Members:
    name = command["command"]
    if name in _OVERLAYS:
        member, value = _OVERLAYS[name]
        return {**snapshot, member: value}
    if name in _MEMBERS:
        return {**snapshot, _MEMBERS[name]: command[_MEMBERS[name]]}
    match name:
        case "showScreen":
            return {**without(command, "command"), **_NOTHING_YET}
        case "setItem":
            return _change_item(snapshot, command["item"], lambda item: {**item, **without(command, "command", "item")})
        case "setAction":
            changed = without(command, "command", "action")
            return _change_action(snapshot, command["action"], lambda action: {**action, **changed})
        case "replaceAction":
            return _change_action(snapshot, command["action"], lambda _: command["newAction"])
        case "insertSection":
            return {**snapshot, "sections": _inserted(snapshot["sections"], command["index"], command["newSection"])}
        case "removeSection":
            return {**snapshot, "sections": _removed(snapshot["sections"], command["section"])}
        case "insertItem":

            def insert(section: _Members) -> _Members:
                if section["id"] != command["section"]:
                    return section
                return {**section, "items": _inserted(section["items"], command["index"], command["newItem"])}

            return _change_sections(snapshot, insert)
        case "removeItem":
            return _change_sections(snapshot, lambda section: {**section, "items": _removed(section["items"], command["item"])})
    return snapshot


def _change_sections(snapshot: _Members, change: Callable[[_Members], _Members]) -> _Members:
    return {**snapshot, "sections": [change(section) for section in snapshot["sections"]]}


def _change_item(snapshot: _Members, id: str, change: Callable[[_Members], _Members]) -> _Members:
    return _change_sections(snapshot, lambda section: {**section, "items": _changed(section["items"], id, change)})


def _change_action(snapshot: _Members, id: str, change: Callable[[_Members], _Members]) -> _Members:
    return {**snapshot, "actions": _changed(snapshot["actions"], id, change)}


def _changed(entries: list[_Members], id: str, change: Callable[[_Members], _Members]) -> list[_Members]:
    return [change(entry) if entry["id"] == id else entry for entry in entries]


def _inserted(entries: list[_Members], index: int, entry: _Members) -> list[_Members]:
    return [*entries[:index], entry, *entries[index:]]


def _removed(entries: list[_Members], id: str) -> list[_Members]:
    return [entry for entry in entries if entry["id"] != id]


def without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Returns the members except those named."""
    return {name: value for name, value in members.items() if name not in names}
