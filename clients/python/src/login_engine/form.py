"""The state of a session without its engine: the user's input and the engine's updates. No bytes, time or processes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from login_engine import model
from login_engine.wire import Command, Item, Snapshot


class CommandsDiffer(Exception):
    """The commands of an update do not lead to its snapshot: a defect of the engine or of this package."""


class Form:
    """Tracks a session by the rules of protocol/updates.md, "Typing fast".

    Every edit and press is numbered. Until the engine has counted them all, the fields keep the user's input; from then on they show the
    engine's state, which undoes refused edits. Only this object knows the text of a secret, and only while the engine reports the secret as
    filled.

    :param strict: raises `CommandsDiffer` if an update's commands do not lead to its snapshot. Otherwise the snapshot takes precedence.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        #: The state that the engine shows, without edits that it has not counted yet: see `value`.
        self.snapshot: Snapshot = model.EMPTY
        self.revision = 0
        #: The number of edits, presses and submits that were sent, and of those that the engine has counted.
        self.sent = self.counted = 0
        #: The number of screens shown, and the same plus the number of changes of language.
        self.screens_shown = self.screens_drawn = 0
        self._is_unsure = self._is_update_queued = False
        #: Edits that the engine has not counted yet: number, item, value.
        self._under_way: list[tuple[int, str, Any]] = []
        self._last_press = 0
        #: By item: the number of its last edit, and the content of its field.
        self._drafts: dict[str, tuple[int, Any]] = {}
        #: The texts of secrets that the engine has accepted.
        self._secrets: dict[str, str] = {}

    # MARK: What the fields show

    def value(self, item: Item) -> Any:
        """Returns the content of an item's field: a text, an option's id, a boolean, ...; `None` if there is no value.

        For a secret, returns the text, or `None` if the engine has a secret that was not typed here."""
        if item["id"] in self._drafts:
            return self._drafts[item["id"]][1]
        return _held(item, None)

    @property
    def is_level(self) -> bool:
        """Whether the engine has counted everything that was sent."""
        return self.counted >= self.sent and self.revision > 0

    @property
    def is_typing_ahead(self) -> bool:
        """Whether edits wait to be counted and no press does: the edits may change the primary action."""
        return not self.is_level and self._last_press <= self.counted

    @property
    def needs_snapshot(self) -> bool:
        """Whether commands alone no longer determine the snapshot, so that `session/snapshot` has to be requested."""
        return self._is_unsure and self.is_level and not self._is_update_queued

    # MARK: What the user does

    def enter(self, item: str, value: Any) -> None:
        """Records an edit that is being sent."""
        self.sent += 1
        self._under_way.append((self.sent, item, value))
        self._drafts[item] = (self.sent, value)

    def press(self) -> None:
        """Records a press or a submit that is being sent."""
        self.sent += 1
        self._last_press = self.sent

    # MARK: What the engine says

    def update(self, params: Mapping[str, Any]) -> None:
        """Applies a `session/update`. One that repeats the last revision answers a refused event."""
        self._take(params["events"], is_refusal=params["revision"] == self.revision)
        self.revision = params["revision"]
        self._is_update_queued = False
        commands: Sequence[Command] = params.get("commands", ())
        snapshot: Snapshot | None = params.get("snapshot")
        before, self.snapshot = self.snapshot, model.apply(self.snapshot, commands)
        if snapshot is None:
            self._is_unsure |= not all(map(model.is_known, commands))
        else:
            if self.strict and "commands" in params and all(map(model.is_known, commands)):
                self._compare(snapshot)
            self.snapshot = snapshot
        is_other_screen = before.get("screen") != self.snapshot["screen"]
        is_other_language = not is_other_screen and before.get("locale") != self.snapshot["locale"]
        is_drawn = is_other_screen or is_other_language or any(command["command"] == "showScreen" for command in commands)
        is_new = is_drawn and not is_other_language
        self.screens_drawn += is_drawn
        self.screens_shown += is_new
        self._settle(is_new)

    def read(self, result: Mapping[str, Any]) -> None:
        """Applies the result of a `session/snapshot`, which counts everything that was sent before it.

        While updates wait for the view, the snapshot lacks the edits since then; the next update is awaited, and the snapshot requested again."""
        self._is_update_queued = result.get("queued", 0) > 0
        if self._is_update_queued:
            return
        self._take(result["events"], is_refusal=False)
        self.revision, self.snapshot = result["revision"], result["snapshot"]
        self._is_unsure = False
        self._settle(is_new=False)

    def forget(self) -> None:
        """Clears the user's input when the session ends."""
        self._drafts.clear()
        self._secrets.clear()
        self._under_way.clear()

    def _take(self, events: int, *, is_refusal: bool) -> None:
        """Records how many events the engine has counted. It accepted all of these edits, except the last event if that was refused."""
        self.counted = events
        for number, item, value in self._under_way:
            if is_refusal and number == events:
                if self._drafts.get(item, (0,))[0] == number:
                    self._drafts[item] = (number, self._secrets.get(item))
            elif number <= events:
                shown = model.find_item(self.snapshot, item)
                if shown is not None and "filled" in shown:
                    self._secrets[item] = value
                self.snapshot = model.enter(self.snapshot, item, value)
        self._under_way = [edit for edit in self._under_way if edit[0] > events]

    def _compare(self, snapshot: Snapshot) -> None:
        """Checks the result of the commands against the snapshot."""
        if not are_equal(self.snapshot, snapshot):
            raise CommandsDiffer(f"the commands of revision {self.revision} do not lead to its snapshot")

    def _settle(self, is_new: bool) -> None:
        """Updates the fields: the user's input where the user is ahead, otherwise the engine's state."""
        shown = {item["id"]: item for item in model.items(self.snapshot)}
        filled = {id for id, item in shown.items() if item.get("filled")}
        self._secrets = {id: text for id, text in self._secrets.items() if id in filled}
        if self.snapshot["scene"] is not None:
            self._drafts.clear()
        self._drafts = {
            id: (number, value if number > self.counted else _held(shown[id], value))
            for id, (number, value) in self._drafts.items()
            if id in filled or id in shown and not is_new
        }


def _held(item: Item, text: Any) -> Any:
    """Returns the content of an item's field after the engine has counted its edits; `text` is the content before."""
    if "filled" in item:
        return (text or None) if item["filled"] else ""
    return item.get("value")


def are_equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal. Python's `==` treats `True` as `1`."""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
