"""A person who presses anything in a view, with the real engine and an authenticator that gives random answers."""

from __future__ import annotations

import json
import random
from collections import Counter

from playing import View
from test_walk import FLOWS, TEXTS, deciding

from login_engine import model
from login_engine.engine import Engine, Session

KEYS = {"tab": 14, "enter": 8, "space": 8, "backspace": 6, "end": 2, "left": 2, "clear": 2, "escape": 1, "down": 3}
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789@.- äß漢"
LIKELY = {"email": "ada@example.com", "password": "correct horse", "newPassword": "correct horse", "oneTimeCode": "123456", "date": "2000-02-29"}
#: After this many events the person closes the form and opens another.
PATIENCE_OF_A_PERSON = 150


async def walk(view: View, events: int, chance: random.Random) -> Counter[str]:
    did: Counter[str] = Counter()
    while did["events"] < events:
        await Visit(view, chance, did).make(min(PATIENCE_OF_A_PERSON, events - did["events"]))
    return did


class Visit:
    """One session, from start to end."""

    def __init__(self, view: View, chance: random.Random, did: Counter[str]) -> None:
        self.view, self.chance, self.did, self.said = view, chance, did, list[str]()
        flows = [argument for flow in FLOWS for argument in ("--flow", str(flow))]
        self.engine = Engine(*flows, authenticator=deciding(chance), log=self.said.append, strict=True)
        self.last = "nothing"

    async def make(self, events: int) -> None:
        flow = self.chance.choice([json.loads(flow.read_text())["flow"] for flow in FLOWS])

        async def open_session() -> Session:
            return await self.engine.open(
                flow=flow, transitions=self.chance.choice(["instant", "instant", "acknowledged"]),
                detail=self.chance.choice(["full", "commands", "snapshot"]), locale=self.chance.choice([None, "de", "ar"]),
                supports=self.chance.choice([None, ["place"], ["restoreSecret", "place"]]),
            )  # fmt: skip

        async def somewhere(_: object) -> object:
            return self.chance.choice([{"at": [1.5]}, "here", None])

        self.view.externals = {"place": somewhere}
        await self.view.start(self.engine, open_session, self.view.externals, flow)
        try:
            await self.settle()
            for _ in range(events):
                self.did["events"] += 1
                self.view.has_acted()
                await self.act_or_be_late()
                # An act takes several keys, and an update between two of them may have moved the focus before the last one.
                self.view.has_acted()
                await self.settle()
                self.view.check()
        except AssertionError as error:
            raise AssertionError(f"after {self.last}: {error}; {self.said[-3:]}") from error
        finally:
            await self.view.close()

    async def act_or_be_late(self) -> None:
        form, before = self.view.session.form, self.view.session.form.revision
        self.view.may_be_late = lambda: form.revision != before
        try:
            await self.act()
        except (AssertionError, KeyError):
            # The target may be gone by now; anything else is a failure.
            if form.revision == before:
                raise
            self.did["late"] += 1
        finally:
            self.view.may_be_late = lambda: False

    async def act(self) -> None:
        chance, snapshot = self.chance, self.view.session.snapshot
        kind = chance.choices(["letter", "key", "paste", "fill", "click", "choose", "locale"], [30, 30, 4, 12, 12, 6, 1])[0]
        self.did[kind] += 1
        if kind == "letter":
            self.last = f"the letter {chance.choice(LETTERS)}"
            await self.view.key(self.last[-1])
        elif kind == "key":
            self.last = chance.choices(list(KEYS), list(KEYS.values()))[0]
            await self.view.key(self.last)
        elif kind == "paste":
            await self.paste(chance.choice(TEXTS))
        elif kind == "fill":
            await self.fill()
        elif kind == "click":
            actions = snapshot["alert"]["actions"] if snapshot["alert"] else snapshot["actions"]
            enabled = [action["id"] for action in actions if action["enabled"]]
            if enabled:
                self.last = f"a click on {chance.choice(enabled)}"
                await self.view.click(self.last.removeprefix("a click on "))
        elif kind == "choose":
            items = [item for item in model.items(snapshot) if item["kind"] == "selection" and item.get("editable") and not snapshot["alert"]]
            item = chance.choice(items) if items else None
            options: list[str | None] = [option["id"] for option in item["options"]] + [None] * (not item.get("required")) if item else []
            if item and options:
                option = chance.choice(options)
                self.last = f"the choice of {option} in {item['id']}"
                await self.view.choose(item, option)
        elif len(self.view.locales) > 1 and not snapshot["alert"]:
            self.last = "another language"
            await self.view.choose_locale(chance.choice(self.view.locales))

    async def fill(self) -> None:
        """Enters likely values, to get beyond the first screen."""
        snapshot = self.view.session.snapshot
        items = [item for item in model.items(snapshot) if item["kind"] == "input" and item.get("editable") and not snapshot["alert"]]
        if items:
            item = self.chance.choice(items)
            await self.view.go_to(item["id"])
            await self.paste(LIKELY.get(item["inputType"], "ada.lovelace"))

    async def paste(self, text: str) -> None:
        item = model.find_item(self.view.session.snapshot, self.view.focused() or "")
        if item is not None and item["kind"] == "input" and text.isprintable():
            self.last = f"{len(text)} letters pasted into {item['id']}"
            await self.view.paste(text)

    async def settle(self) -> None:
        """Compares the view with the engine."""
        session = self.view.session
        assert not session.closed and not self.engine.ended
        result = await self.view.run(self.engine.request("session/snapshot", session=session.name))
        # If the view reports what it has drawn, the person waits for that only sometimes.
        waits = not session.is_acknowledged or self.chance.random() < 0.2
        await self.view.until(lambda: session.form.is_level or not waits, lambda: f"{session.form.counted} of {session.form.sent} events")
        self.view.compare()
        form = session.form
        # Further updates may have arrived.
        if form.is_level and not result.get("queued") and not form.needs_snapshot and (form.revision, form.counted) == (result["revision"], result["events"]):
            assert form.snapshot == result["snapshot"]
            self.view.compare_focus()
            self.did["compared"] += 1
