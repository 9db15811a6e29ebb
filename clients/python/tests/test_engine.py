"""Engines and sessions, with the real engine and its accounts."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import threading
from pathlib import Path

import pytest

import login_engine
from login_engine import Change, Engine, EngineEnded, Refused, SessionClosed, sync, wire
from login_engine.authenticator import Answer, Authenticator, Question, accepted

ROOT = Path(__file__).resolve().parents[3]
PERSON = {"email": "ada@example.com", "userName": "ada", "password": "correct horse"}


def test_a_person_signs_up_fails_tries_again_and_logs_in(tmp_path: Path) -> None:
    with sync.Engine("--accounts", str(tmp_path / "accounts"), strict=True) as engine:
        with engine.open(screen="setup") as new:
            for item, value in PERSON.items():
                new.edit(item, value)
            assert new.primary is not None
            new.press(new.primary)
            scene = new.wait_for(lambda shown: shown["scene"], timeout=60)["scene"]
            assert scene and scene["principal"] == "ada"
        session = engine.open(values={"email": "ada@example.com"})
        assert session.submit({"password": "wrong horse"}).outcome == "rejected"
        session.edit("password", "correct horse")
        result = session.submit()
        assert result.outcome == "accepted" and result.snapshot["scene"]
        assert engine.close() == 0


def test_a_refused_event_is_reported_and_undone() -> None:
    with sync.Engine(strict=True) as engine:
        session = engine.open(values={"email": "ada@example.com"})
        with pytest.raises(Refused) as refused:
            session.edit("email", "x" * 5000)
        assert (refused.value.name, refused.value.code) == ("limitExceeded", 10)
        assert session.form.is_level and session.snapshot["sections"][0]["items"][0]["value"] == "ada@example.com"
        with pytest.raises(Refused, match='no screen "nowhere"'):
            engine.open(screen="nowhere")
        with pytest.raises(Refused) as again:
            engine.open(session=session.name)
        assert again.value.name == "sessionExists"
        session.edit("email", "bob@example.com")


def test_a_line_that_the_engine_could_not_read_is_not_sent() -> None:
    with sync.Engine(strict=True) as engine:
        session = engine.open()
        for text in ("\ud800 horse", "x" * (1 << 20)):
            with pytest.raises(ValueError) as error:
                session.edit("password", text)
            assert "horse" not in str(error.value) and error.value.__cause__ is None
        with pytest.raises(ValueError):
            session.edit("remember", float("nan"))
        session.edit("email", "ada@example.com")
        assert session.form.is_level


def test_a_session_shows_another_language_and_all_options() -> None:
    flow = str(ROOT / "protocol/transcripts/flows/countries.json")
    with sync.Engine("--flow", flow, strict=True) as engine:
        session = engine.open()
        country = session.snapshot["sections"][0]["items"][1]
        assert (country["options"], len(session.options(country))) == ([], 249)
        standard = engine.open(flow="standard")
        standard.edit("password", "correct horse")
        standard.set_locale("de-AT")
        assert (standard.snapshot["locale"], standard.form.screens_shown) == ("de", 1)


def test_the_end_of_the_engine_is_reported_to_all_sessions_and_requests() -> None:
    async def story() -> None:
        authenticator = Authenticator()

        @authenticator.request("login")
        async def login(question: Question) -> Answer:
            await asyncio.sleep(60)
            return accepted()

        async with Engine(authenticator=authenticator) as engine:
            session = await engine.open(values={"email": "ada@example.com"})
            changes: list[Change] = []
            session.on_change = changes.append
            waiting = asyncio.create_task(session.wait_for(lambda shown: shown["scene"]))
            submitting = asyncio.create_task(session.submit({"password": "x"}))
            await session.wait_for(lambda shown: shown["activity"])
            os.kill(engine.process_id, signal.SIGKILL)
            for task in (waiting, submitting):
                with pytest.raises(EngineEnded, match="killed by SIGKILL"):
                    await task
            assert changes[-1].kind == "ended" and session.closed
            with pytest.raises(EngineEnded):
                await session.edit("email", "x")
            with pytest.raises(EngineEnded):
                await engine.open()
            assert await engine.close() == -signal.SIGKILL

    asyncio.run(story())


def test_a_program_that_is_not_an_engine_is_reported() -> None:
    with pytest.raises(EngineEnded, match="cannot start /nonexistent"):
        with sync.Engine(program="/nonexistent"):
            pass
    with pytest.raises(EngineEnded, match="status 2"):
        with sync.Engine("--no-such-option", log=lambda line: None) as engine:
            engine.open()


def test_the_engine_ends_an_idle_session() -> None:
    with sync.Engine("--idle-timeout", "0.2") as engine:
        session = engine.open()
        with pytest.raises(SessionClosed, match="idleTimeout"):
            session.wait_for(lambda shown: shown["scene"], timeout=60)


def test_a_wait_times_out() -> None:
    with sync.Engine() as engine:
        session = engine.open()
        with pytest.raises(TimeoutError):
            session.wait_for(lambda shown: shown["scene"], timeout=0.05)


def test_an_exception_in_on_change_does_no_harm() -> None:
    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context["exception"]))
        async with Engine(strict=True) as engine:
            session = await engine.open()
            session.on_change = lambda change: 1 / 0  # type: ignore[assignment]
            await session.edit("email", "ada@example.com")
            await session.edit("email", "bob@example.com")

    faults: list[BaseException] = []
    asyncio.run(story())
    assert [type(fault) for fault in faults] == [ZeroDivisionError] * 3  # The end is reported too.


def test_five_hundred_people_log_in_at_once() -> None:
    authenticator = Authenticator()

    @authenticator.request("login")
    async def login(question: Question) -> Answer:
        await asyncio.sleep(0.05)
        return accepted(question.values["email"])

    async def person(engine: Engine, number: int) -> str | None:
        async with await engine.open() as session:
            for length in (3, 8, 30):
                session.edit("email", f"person{number}@example.com"[:length])
            session.edit("password", "x")
            result = await session.submit()
            assert result.snapshot["scene"]
            return result.snapshot["scene"]["principal"]

    async def story() -> None:
        async with Engine(authenticator=authenticator, strict=True) as engine:
            people = await asyncio.gather(*(person(engine, number) for number in range(500)))
            assert people == [f"person{number}@example.com" for number in range(500)]
            assert (await engine.request("session/list"))["sessions"] == []

    asyncio.run(story())


def test_threads_share_an_engine() -> None:
    with sync.Engine(strict=True) as engine:
        names: list[str] = []

        def work() -> None:
            for _ in range(10):
                with engine.open() as session:
                    session.edit("email", "ada@example.com")
                    names.append(session.name)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(names)) == 80


def test_views_know_nothing_about_logging_in() -> None:
    """No id of a flow and no name of a state occurs in the code that follows sessions, except for ids that are also words of the protocol."""
    flows = [*ROOT.glob("protocol/flows/*.json"), ROOT / "clients/other-flow.json"]
    ids = {id for flow in flows for id in re.findall(r'"id":\s*"([^"]+)"', flow.read_text())}
    ids -= {"alert", "all", "code", "data", "error", "item", "message", "notice", "screen", "text", "title", "value"}
    states = ["requestPending", "requestFailed", "requestSucceeded", "unvalidated", "validated"]
    package = Path(login_engine.__file__).parent
    sources = [*package.glob("*.py"), *package.glob("tk/*.py"), *package.glob("textual/*.py")]
    assert len(ids) > 20 and len(sources) > 15
    for source in sources:
        quoted = set(re.findall(r"""["'](\w+)["']""", source.read_text()))
        assert not quoted & ids, (source, quoted & ids)
        assert not any(state in source.read_text() for state in states), source


def test_the_types_name_every_member_of_the_schema() -> None:
    """The types cover every member that the protocol's schema allows in the engine's messages."""
    schemas = json.loads((ROOT / "protocol/openrpc.json").read_text())["components"]["schemas"]
    for name in ("Snapshot", "Action", "Alert", "Scene", "Focus", "Message", "Option"):
        assert set(schemas[name]["properties"]) <= set(getattr(wire, name).__annotations__), name
    shown = [name for name, schema in schemas.items() if {"kind", "title"} <= set(schema.get("properties", {})) and "Challenge" not in name]
    assert len(shown) >= 7
    for name in shown:
        assert set(schemas[name]["properties"]) <= set(wire.Item.__annotations__), name
