"""A session without its engine: what the user has entered, and what the engine has said. Bytes, time and processes are elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from login_engine import model
from login_engine.wire import Command, Item, Snapshot


class CommandsDiffer(Exception):
    """The commands of an update do not lead to its snapshot: a defect of the engine, or of this package."""


class Form:
    """Follows a session by the rules of protocol/updates.md, "Typing fast" and "session/refused".

    Every edit and press is numbered. While the engine has counted fewer, the user is ahead, and the fields keep what was typed; from then on
    they show what the engine says. The text of a secret is only known here, and only while the engine says that it is filled.

    :param acknowledged: whether the session's updates wait for the view (`transitions`).
    :param strict: raises `CommandsDiffer` where an update's commands do not lead to its snapshot, which otherwise counts.
    """

    def __init__(self, *, acknowledged: bool = False, strict: bool = False) -> None:
        self.acknowledged, self.strict = acknowledged, strict
        #: What the engine shows. Edits that the engine has not counted yet are not in it: see `value`.
        self.snapshot: Snapshot = model.EMPTY
        self.revision = 0
        #: How many edits, presses and submits were sent, and how many of them the engine has counted.
        self.sent = self.counted = 0
        #: Grows with each screen that is shown, but not with another language; the other with both.
        self.screens_shown = self.screens_drawn = 0
        #: What the last refusal said, until the next edit or press.
        self.refusal: str | None = None
        self._is_lost = self._is_unsure = self._is_update_queued = False
        #: What the last update has counted. Refusals are counted at once, but in an acknowledged session updates wait.
        self._shown = 0
        self._under_way: list[tuple[int, str, Any]] = []
        self._last_edits: dict[str, int] = {}
        self._last_press = 0
        self._drafts: dict[str, tuple[int, Any]] = {}
        self._counted_secrets: dict[str, str] = {}

    # MARK: What the fields show

    def value(self, item: Item) -> Any:
        """What the field of an item holds: a text, an option's id, a boolean, ...; `None` where there is no value.

        For a secret, the text; `None` where the engine has one that was not typed here."""
        if item["id"] in self._drafts:
            return self._drafts[item["id"]][1]
        if "filled" in item:
            return None if item["filled"] else ""
        return item.get("value")

    @property
    def is_level(self) -> bool:
        """Whether the engine has counted everything that was sent."""
        return self.counted >= self.sent and self.revision > 0

    @property
    def is_typing_ahead(self) -> bool:
        """Whether edits wait to be counted, and no press: the primary action may be another one after them."""
        return not self.is_level and self._last_press <= self.counted

    @property
    def needs_snapshot(self) -> bool:
        """Whether commands alone do not tell any more what the engine shows: ask for `session/snapshot`."""
        return not self._is_update_queued and (self._is_lost or self._is_unsure and self.is_level)

    # MARK: What the user does

    def enter(self, item: str, value: Any) -> None:
        """An edit is being sent."""
        self._count()
        self._under_way.append((self.sent, item, value))
        self._last_edits[item] = self.sent
        self._drafts[item] = (self.sent, value)

    def press(self) -> None:
        """A press or a submit is being sent."""
        self._count()
        self._last_press = self.sent

    def _count(self) -> None:
        self.sent += 1
        self.refusal = None

    # MARK: What the engine says

    def update(self, params: Mapping[str, Any]) -> None:
        """Takes a `session/update`."""
        self.revision = params["revision"]
        self._shown = params["events"]
        self._is_update_queued = False
        self._accept(self._shown)
        commands: Sequence[Command] = params["commands"]
        before, self.snapshot = self.snapshot, model.apply(self.snapshot, commands)
        is_drawn = any(command["command"] == "showScreen" for command in commands)
        is_new = is_drawn and not self._is_other_language(before)
        self.screens_drawn += is_drawn
        self.screens_shown += is_new
        snapshot: Snapshot | None = params.get("snapshot")
        if snapshot is None:
            self._is_lost |= not all(map(model.is_known, commands))
            # Which edits the engine had taken when it wrote an update that waited is not known here.
            self._is_unsure |= self.acknowledged and self._shown < self.sent
        else:
            if self.strict and all(map(model.is_known, commands)):
                self._compare(snapshot)
            self.snapshot = snapshot
        self._settle(is_new)

    def refuse(self, events: int, error: Mapping[str, Any], commands: Sequence[Command]) -> None:
        """Takes a `session/refused`, or the same in an error response: undoes the edit."""
        self.refusal = error["message"]
        if events < self.counted or events == 0:
            return  # What came before has told already how the item is.
        refused = [(item, value) for number, item, value in self._under_way if number == events]
        self._under_way = [entry for entry in self._under_way if entry[0] != events]
        self._accept(events)
        for item, value in refused:
            # A secret that was emptied is empty, and no command says so.
            if value == "" and "filled" in (model.find_item(self.snapshot, item) or {}):
                self.snapshot = model.enter(self.snapshot, item, value)
        self.snapshot = model.apply(self.snapshot, commands)
        self._drafts = {item: draft for item, draft in self._drafts.items() if draft[0] != events}
        for command in commands:
            item = command.get("item", "")
            if item in self._drafts and self._drafts[item][0] > events:
                continue  # A later edit decides.
            if command.get("filled") and item in self._counted_secrets:
                self._drafts[item] = (events, self._counted_secrets[item])
            elif "value" in command:
                self._drafts[item] = (events, command["value"])
        self._settle(is_new=False)

    def read(self, result: Mapping[str, Any]) -> None:
        """Takes the result of a `session/snapshot`, in which all that was sent before is counted.

        While updates wait for the view, the snapshot is one without the edits since: then the next update is awaited, and the snapshot asked for again."""
        self._is_update_queued = result.get("queued", 0) > 0
        if self._is_update_queued:
            return
        self.revision, self._shown = result["revision"], result["events"]
        self._is_lost = self._is_unsure = False
        self._accept(self._shown)
        self.snapshot = result["snapshot"]
        self._settle(is_new=False)

    def forget(self) -> None:
        """The session is over."""
        self._drafts.clear()
        self._counted_secrets.clear()
        self._under_way.clear()

    def _accept(self, events: int) -> None:
        """The engine has counted so many; what was not refused by now was accepted."""
        self.counted = max(self.counted, events)
        for number, item, value in self._under_way:
            if number <= self.counted:
                shown = model.find_item(self.snapshot, item)
                if shown is not None and "filled" in shown:
                    self._counted_secrets[item] = value
                self.snapshot = model.enter(self.snapshot, item, value)
        self._under_way = [entry for entry in self._under_way if entry[0] > self.counted]

    def _compare(self, snapshot: Snapshot) -> None:
        """Holds the commands to the snapshot, but for the values of items that the user is ahead with."""
        ahead = {item: number for item, number in self._last_edits.items() if number > self._shown}

        def comparable(shown: Snapshot) -> Any:
            sections = [
                {**section, "items": [model.without(item, "value", "filled") if item["id"] in ahead else item for item in section["items"]]}
                for section in shown["sections"]
            ]
            return {**shown, "sections": sections}

        if not are_equal(comparable(self.snapshot), comparable(snapshot)):
            raise CommandsDiffer(f"the commands of revision {self.revision} do not lead to its snapshot")

    def _is_other_language(self, before: Snapshot) -> bool:
        after = self.snapshot
        return before.get("screen") == after["screen"] and before.get("locale") != after["locale"]

    def _settle(self, is_new: bool) -> None:
        """Decides which drafts still stand: those that no update has counted, and those of secrets that are filled."""
        shown = {item["id"]: item for item in model.items(self.snapshot)}
        filled = {id for id, item in shown.items() if item.get("filled")}
        self._counted_secrets = {id: text for id, text in self._counted_secrets.items() if id in filled}
        if self.snapshot["scene"] is not None:
            self._drafts.clear()
        self._drafts = {
            id: (number, value)
            for id, (number, value) in self._drafts.items()
            if id in filled or number > self._shown and not is_new and id in shown
        }


def are_equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same. Python's `==` takes `True` for `1`."""
    return one == other and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
