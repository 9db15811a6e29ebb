"""Random events with the real engine, and this package as view and authenticator. Each update's commands are checked against its snapshot."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from login_engine import Engine, Session, model
from login_engine.authenticator import (
    Answer,
    Authenticator,
    Failure,
    Question,
    accepted,
    challenge,
    code,
    external,
    field,
    link,
    message,
    notice,
    rejected,
    screen,
    selection,
    switch,
    text,
    throttled,
)
from login_engine.wire import Item

ROOT = Path(__file__).resolve().parents[3]
FLOWS = [
    ROOT / "clients/other-flow.json",
    *(ROOT / f"protocol/transcripts/flows/{name}.json" for name in ("countries", "kiosk", "checked", "dates")),
]
TEXTS = ["", "a", "ada", "ada@example.com", "correct horse", "2000-02-29", "123456", "ä漢🇩🇪\n", "x" * 5000]
SCREENS = [
    screen("code", "Code", field("code", "Code", "oneTimeCode", required="Enter the code."), links={"resend": "Send it again"}),
    screen(
        "all", "Everything", text("t", "To read"), link("l", "Terms", "https://example.com/"), code("k", "Key", "otpauth://x", "qr"),
        field("name", "Name"), switch("yes", "Yes"), selection("one", "One", {"a": "A", "b": "B"}),
        external("e", "place", "Place", {"of": [1]}, otherwise=[field("e", "Place")]), submit="Go on", leave="Away",
    ),
]  # fmt: skip


def deciding(chance: random.Random) -> Authenticator:
    """Returns an authenticator that gives random answers."""
    authenticator = Authenticator("chance")

    def final(question: Question) -> Answer:
        return chance.choice(
            [
                accepted(question.session, data={"n": 1}, proofs=["pwd"], secret="token"),
                rejected("invalidCredentials"),
                rejected(items={"email": message("email.taken", "Taken."), "nowhere": ["No."]}),
                throttled(chance.choice([0.001, 0.02]), "Too early."),
                notice("Later.", chance.choice([None, "login"])),
            ]
        )

    @authenticator.request()
    async def anything(question: Question) -> Answer:
        await asyncio.sleep(chance.choice([0, 0, 0.001, 0.01]))
        for _ in range(chance.choice([0, 0, 1, 2])):
            question.notify("Soon.")
            if chance.random() < 0.3:
                question.alert("One thing.", message("b", "Another."), title=chance.choice([None, "Well"]))
        if chance.random() < 0.1:
            raise Failure("down", "Down.")
        while chance.random() < 0.6:
            shown = chance.choice(SCREENS)
            await question.ask(challenge(shown, wait=0.1) if chance.random() < 0.1 else challenge(shown))
            again: list[Answer | Failure] = [challenge(error="Wrong."), challenge(notice="Sent."), throttled(0.01), Failure("down", "Down.")]
            await question.ask(chance.choice(again))
        return final(question)

    @authenticator.check("signUp", "userName")
    def name(question: Question) -> Answer:
        return chance.choice([notice("Hm."), throttled(1)])

    return authenticator


class Walk:
    def __init__(self, engine: Engine, chance: random.Random, flows: dict[str, list[str]]) -> None:
        self.engine, self.chance, self.flows = engine, chance, flows
        self.sessions: list[Session] = []
        self.answers: list[asyncio.Future[Any]] = []
        self.did: Counter[str] = Counter()

    async def open(self) -> None:
        flow = self.chance.choice(list(self.flows))
        session = await self.engine.open(
            flow=flow, transitions=self.chance.choice(["instant", "instant", "acknowledged"]), detail=self.chance.choice(["full", "commands", "snapshot"]),
            locale=self.chance.choice([None, "de", "ar"]), supports=self.chance.choice([None, ["place"], ["restoreSecret", "place"]]),
            policy=self.chance.choice([None, "queue", "latest", "reject"]),
        )  # fmt: skip
        self.sessions.append(session)

    async def step(self) -> None:
        chance = self.chance
        session = chance.choice(self.sessions)
        items = [item["id"] for item in model.items(session.snapshot)] or ["nothing"]
        actions = [action["id"] for action in session.snapshot["actions"]] + ["nothing"]
        if session.snapshot["alert"]:
            actions += [action["id"] for action in session.snapshot["alert"]["actions"]] * 5
        kind = chance.choices(["edit", "press", "submit", "locale", "present", "reopen", "settle"], [60, 20, 5, 2, 10, 2, 1])[0]
        self.did[kind] += 1
        if kind == "edit":
            item = model.find_item(session.snapshot, chance.choice(items)) or {"id": "nothing"}
            self.answers.append(session.edit(item["id"], self.value(item)))
        elif kind == "press":
            self.answers.append(session.press(chance.choice(actions)))
        elif kind == "submit":
            item = model.find_item(session.snapshot, chance.choice(items)) or {"id": "nothing"}
            self.answers.append(asyncio.ensure_future(session.submit({item["id"]: self.value(item)})))
        elif kind == "locale":
            self.answers.append(asyncio.ensure_future(session.set_locale(chance.choice(["en", "de", "ar"]))))
        elif kind == "present":
            session.presented()
        elif kind == "reopen":
            self.sessions.remove(session)
            await session.close()
            await self.open()
        else:
            await self.compare(session)

    def value(self, item: Item) -> Any:
        if self.chance.random() < 0.03:
            return self.chance.choice([None, 7, "no such option", True, {}])
        match item.get("kind"):
            case "switch":
                return self.chance.choice([True, False])
            case "selection":
                options = [option["id"] for option in item["options"]]
                return self.chance.choice([None, *options])
            case "external":
                return self.chance.choice([None, {"at": [1.5]}, "here"])
        return self.chance.choice(TEXTS)

    async def compare(self, session: Session) -> None:
        """Compares the fields with the engine, once it has counted everything."""
        result = await self.engine.request("session/snapshot", session=session.name)
        form = session.form
        # Further updates may have arrived.
        if result.get("queued", 0) or not form.is_level or form.needs_snapshot or (form.revision, form.counted) != (result["revision"], result["events"]):
            return
        self.did["compared"] += 1
        assert form.snapshot == result["snapshot"]
        assert form.sent == result["events"]
        for item in model.items(form.snapshot):
            if "filled" in item:
                assert item["filled"] == (form.value(item) != "")
            else:
                assert form.value(item) == item.get("value")


async def walk(events: int, seed: int) -> Counter[str]:
    chance = random.Random(seed)
    flows = [argument for flow in FLOWS for argument in ("--flow", str(flow))]
    async with Engine(*flows, authenticator=deciding(chance), strict=True, log=lambda line: None) as engine:
        walk = Walk(engine, chance, {flow["flow"]: flow["screens"] for flow in (await engine.describe())["flows"]})
        for _ in range(8):
            await walk.open()
        for number in range(events):
            await walk.step()
            if number % 16 == 0:
                await asyncio.sleep(0)
            if number % 64 == 0:
                await engine.request("engine/describe")
        for session in walk.sessions:
            await walk.compare(session)
            await session.close()
        async with asyncio.timeout(120):
            outcomes = await asyncio.gather(*walk.answers, return_exceptions=True)
        walk.did.update(type(outcome).__name__ for outcome in outcomes)
    assert await engine.close() == 0
    return walk.did


def test_a_session_follows_random_events(pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    events: int = pytestconfig.getoption("--events")
    seed: int | None = pytestconfig.getoption("--seed")
    seed = random.randrange(1 << 32) if seed is None else seed
    with capsys.disabled():
        print(f" {events} random events, --seed {seed}", end=" ", flush=True)
    did = asyncio.run(walk(events, seed))
    assert set(did) == {"edit", "press", "submit", "locale", "present", "reopen", "settle", "compared", "dict", "Submitted", "NoneType", "Refused"}
    assert did["compared"] > events / 1000
