"""The acts of a person in a transcript, for views that are driven by keys and clicks. `transcript_view.py` sends the lines themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from transcript_view import steps

from login_engine import model
from login_engine.wire import Snapshot

#: Calls in a transcript that are not acts of a person: a view makes them by itself, or does not need them.
UNSEEN = ("session/options", "engine/describe", "engine/stats")

#: The reason why some transcripts are skipped.
EMPTIED = "has a refused edit of a secret that a person cannot make, which empties the field"


class Unplayable(Exception):
    """The reason why a person cannot do in a view what a transcript does."""


@dataclass(frozen=True)
class Shown:
    """The state that a transcript's view shows at some time; `None` without a snapshot. The transcript does not determine the members `unsaid`."""

    snapshot: Snapshot | None
    unsaid: frozenset[str] = frozenset()

    def is_shown_by(self, snapshot: Snapshot) -> bool:
        return self.snapshot is None or self._comparable(snapshot) == self._comparable(self.snapshot)

    def difference(self, snapshot: Snapshot) -> str:
        """Describes the first difference to a snapshot."""
        wanted, got = self._comparable(self.snapshot or snapshot), self._comparable(snapshot)
        return "; ".join(f"{name}: {got.get(name)} and not {wanted.get(name)}" for name in wanted if wanted.get(name) != got.get(name))

    def _comparable(self, snapshot: Snapshot) -> dict[str, Any]:
        members = model.without(snapshot, *self.unsaid)
        # Typing letter by letter makes more revisions, and revisions also number alerts.
        for name, numbered in (("focus", "since"), ("alert", "id")):
            if members.get(name):
                members[name] = model.without(members[name], numbered)
        return members


@dataclass(frozen=True)
class Act:
    """An act of a person, or of the program around the view (`look`)."""

    kind: Literal["edit", "press", "locale", "look"]
    params: Mapping[str, Any]
    #: The state before the act; `None` if the act follows the previous one at once.
    before: Shown | None
    #: Whether the engine refuses it; then it may be skipped if a person cannot do it.
    is_refused: bool

    @property
    def has_to_be(self) -> bool:
        return not self.is_refused and self.kind != "look"


@dataclass(frozen=True)
class Performance:
    #: The params of `session/open`.
    opening: Mapping[str, Any]
    #: Whether it closes its session, rather than only ending the input.
    closes: bool
    acts: list[Act]
    end: Shown
    #: Whether the session ends before the view closes it.
    is_closed: bool
    #: Whether input is checked while it is typed: then partial texts would be checked too, which the transcript does not cover.
    is_checked: bool
    #: Whether the view has to report updates as shown before further ones come.
    is_acknowledged: bool


def performance(transcript: Path) -> Performance:
    """Reads the acts of a transcript. Raises `Unplayable` if a person cannot do them in a view."""
    script = [(kind, step) for kind, step, _ in steps(transcript)]
    reader = _Reader(_refused(script))
    for kind, step in script:
        reader.read(kind, step)
    if reader.opening is None or reader.shown is None:
        raise Unplayable("shows nothing")
    return Performance(reader.opening, reader.closes, reader.acts, reader.shown, reader.is_closed, reader.is_checked, reader.is_acknowledged)


class _Reader:
    def __init__(self, refused: set[tuple[str, Any]]) -> None:
        self.refused = refused
        self.opening: Mapping[str, Any] | None = None
        self.acts: list[Act] = []
        self.shown: Shown | None = None
        self.events = self.revision = 0
        self.has_come = self.is_over = self.closes = self.is_closed = self.is_checked = self.is_acknowledged = False

    def read(self, kind: str, step: Any) -> None:
        if kind in ("raw", "rawBase16", "signal"):
            raise Unplayable("writes lines that are not calls, or sends a signal")
        if kind == "ask":
            self.is_checked |= step["ask"].get("method") == "authenticator/check"
        elif kind == "end":
            self.is_over = True
        elif kind == "out":
            self.hear(step["out"], step.get("ignore", []))
        elif kind == "in":
            for call in calls(step["in"]):
                self.call(call)

    def hear(self, out: Any, ignored: list[str]) -> None:
        if not isinstance(out, dict):
            raise Unplayable("makes several calls in one line")
        method, params = out.get("method", ""), out.get("params", {})
        if method.startswith("authenticator/"):
            raise Unplayable("decides logins itself")
        if method == "session/update" and not self.is_over:
            pointers = [pointer.split("/")[1:] for pointer in ignored]
            unsaid = frozenset(pointer[2] for pointer in pointers if pointer[:2] == ["params", "snapshot"] and len(pointer) > 2)
            self.shown, self.has_come = Shown(params.get("snapshot"), unsaid), True
            self.revision = params["revision"]
        elif method == "session/closed" and not self.is_over:
            self.is_over = self.is_closed = True

    def call(self, call: Mapping[str, Any]) -> None:
        method, params = call.get("method"), call.get("params", {})
        if method == "session/open" and self.opening is None and isinstance(params, dict):
            self.opening = params
            self.is_acknowledged = params.get("transitions") == "acknowledged"
            if params.get("policy") == "reject":
                raise Unplayable("types before the view has drawn, which is refused")
        elif method == "session/close" and self.opening is not None:
            self.is_over = self.closes = True
        elif method in ("session/edit", "session/press", "session/locale", "session/snapshot") and not self.is_over:
            if self.opening is None or not isinstance(params, dict) or params.get("session") != self.opening.get("session"):
                raise Unplayable("makes calls that no view makes, or opens several sessions")
            self.act(method, params, call.get("id"))
        elif method == "session/presented" and self.opening is not None:
            # Or the flow requires it.
            self.is_acknowledged |= "transitions" not in self.opening
        elif method not in UNSEEN and (method != "session/snapshot" or not self.is_over):
            raise Unplayable("makes calls that no view makes, or opens several sessions")

    def act(self, method: str, params: Mapping[str, Any], id: Any) -> None:
        kinds: dict[str, Literal["edit", "press", "locale", "look"]] = {
            "session/edit": "edit", "session/press": "press", "session/locale": "locale", "session/snapshot": "look",
        }  # fmt: skip
        kind = kinds[method]
        self.events += kind in ("edit", "press")
        is_refused = (("event", self.events) if id is None and kind in ("edit", "press") else ("id", id)) in self.refused
        if not is_refused and params.get("revision", self.revision) != self.revision:
            raise Unplayable("acts on a screen that is no longer shown, or not yet")
        if ("emptied", id) in self.refused and self.shown and self.shown.snapshot and self.shown.snapshot["activity"]:
            raise Unplayable(EMPTIED)
        self.acts.append(Act(kind, params, self.shown if self.has_come else None, is_refused))
        # An act that may be skipped does not shorten the wait before the next one.
        self.has_come &= not self.acts[-1].has_to_be
        # An accepted edit may change nothing but the value, and then no update reports it.
        if kind == "edit" and not is_refused and self.shown and self.shown.snapshot and "item" in params:
            edited = model.enter(self.shown.snapshot, params["item"], params.get("value"))
            self.shown = Shown(edited, self.shown.unsaid)


def calls(line: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(line, dict) or "method" not in line:
        raise Unplayable("makes several calls in one line, or writes something that is not a call")
    yield line


def _refused(script: list[tuple[str, Any]]) -> set[tuple[str, Any]]:
    """Returns the ids of calls that the engine refuses, and the numbers of notifications that it refuses. `("emptied", id)` means that the screen
    has changed since: a refused edit empties a secret."""
    refused: set[tuple[str, Any]] = set()
    has_changed, revision = False, 0
    for kind, step in script:
        out = step.get("out") if kind == "out" else None
        if kind == "in":
            has_changed = False
        elif isinstance(out, dict) and "error" in out and isinstance(out.get("id"), int | str):
            refused |= {("id", out["id"]), ("emptied", out["id"])} if has_changed else {("id", out["id"])}
        elif isinstance(out, dict) and out.get("method") == "session/refused":
            refused.add(("event", out["params"]["error"]["data"].get("events")))
        elif isinstance(out, dict) and out.get("method") == "session/update":
            has_changed |= out["params"]["revision"] != revision
            revision = out["params"]["revision"]
    return refused
