"""The package `login_engine.authenticator`: line by line, and with the real engine."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from login_engine.authenticator import (
    Answer,
    Authenticator,
    Cancelled,
    Failure,
    Question,
    Service,
    accepted,
    challenge,
    code,
    field,
    invalid,
    link,
    message,
    notice,
    proof,
    rejected,
    screen,
    section,
    selection,
    switch,
    text,
    throttled,
    valid,
)
from login_engine.sync import Engine

CODE = screen("code", "One more step", field("code", "Code", "oneTimeCode", required="Enter the code."), links={"resend": "Send it again"})


class Wire:
    """The engine's side of a service."""

    def __init__(self, authenticator: Authenticator) -> None:
        self.lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.service = Service(authenticator, self.lines.put_nowait)

    def ask(self, attempt: int, request: str = "login", key: str | None = None, **params: Any) -> None:
        params = {"attempt": attempt, "request": request, "values": {}, "key": key or f"k{attempt}", **params}
        self.service.receive({"jsonrpc": "2.0", "id": attempt, "method": "authenticator/submit", "params": params})

    def go_on(self, id: int, attempt: int, **params: Any) -> None:
        params = {"attempt": attempt, "values": {}, "key": f"k{id}", **params}
        self.service.receive({"jsonrpc": "2.0", "id": id, "method": "authenticator/continue", "params": params})

    def cancel(self, attempt: int) -> None:
        self.service.receive({"jsonrpc": "2.0", "method": "authenticator/cancel", "params": {"attempt": attempt}})

    async def line(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.lines.get(), 10)

    async def outcome(self, id: int) -> str:
        line = await self.line()
        assert line["id"] == id
        return str(line["result"]["outcome"]) if "result" in line else str(line["error"]["data"]["code"])


def play(authenticator: Authenticator, story: Callable[[Wire], Any]) -> None:
    async def run() -> None:
        wire = Wire(authenticator)
        await story(wire)
        await wire.service.close()
        assert wire.lines.empty(), wire.lines.get_nowait()

    asyncio.run(run())


def deciding(handler: Any, request: str | None = "login") -> Authenticator:
    authenticator = Authenticator("test", "1")
    authenticator.request(request)(handler)
    return authenticator


def as_function(question: Question) -> Answer:
    answer = question.ask_blocking(challenge(CODE))
    while answer.values["code"] != "1":
        answer = question.ask_blocking(challenge(error="No."))
    return accepted("ada")


def as_generator(question: Question) -> Generator[Answer, Question, Answer]:
    answer = yield challenge(CODE)
    while answer.values["code"] != "1":
        answer = yield challenge(error="No.")
    return accepted("ada")


async def as_coroutine(question: Question) -> Answer:
    answer = await question.ask(challenge(CODE))
    while answer.values["code"] != "1":
        answer = await question.ask(challenge(error="No."))
    return accepted("ada")


HANDLERS = pytest.mark.parametrize("handler", [as_function, as_generator, as_coroutine])


@HANDLERS
def test_a_handler_asks_until_the_answer_is_right(handler: Any) -> None:
    async def story(wire: Wire) -> None:
        wire.ask(1)
        assert await wire.outcome(1) == "challenge"
        wire.go_on(2, 1, values={"code": "0"})
        assert (await wire.line())["result"] == {"outcome": "challenge", "error": "No."}
        wire.go_on(3, 1, values={"code": "1"})
        assert await wire.outcome(3) == "accepted"
        wire.go_on(4, 1, values={"code": "1"})
        assert await wire.outcome(4) == "rejected"

    play(deciding(handler), story)


@HANDLERS
def test_an_authenticator_has_many_conversations_at_once(handler: Any) -> None:
    async def story(wire: Wire) -> None:
        for attempt in range(1, 101):
            wire.ask(attempt)
        for _ in range(100):
            assert (await wire.line())["result"]["outcome"] == "challenge"
        for attempt in range(100, 0, -1):
            wire.go_on(1000 + attempt, attempt, values={"code": "1"})
            assert await wire.outcome(1000 + attempt) == "accepted"

    play(deciding(handler), story)


def test_a_handler_learns_that_its_conversation_is_cancelled() -> None:
    ended: list[str] = []

    def function(question: Question) -> Answer:
        try:
            question.ask_blocking(challenge(CODE))
            return accepted()
        except Cancelled:
            ended.append("function")
            assert question.is_cancelled
            raise

    def generator(question: Question) -> Generator[Answer, Question, Answer]:
        try:
            yield challenge(CODE)
        finally:
            ended.append("generator")
        return accepted()

    async def coroutine(question: Question) -> Answer:
        try:
            await question.ask(challenge(CODE))
        finally:
            ended.append("coroutine")
        return accepted()

    async def story(wire: Wire) -> None:
        for attempt, name in enumerate(["function", "generator", "coroutine"], start=1):
            wire.ask(attempt, name)
            assert await wire.outcome(attempt) == "challenge"
            wire.cancel(attempt)
            wire.go_on(10 + attempt, attempt, values={"code": "1"})
            assert await wire.outcome(10 + attempt) == "rejected"
            async with asyncio.timeout(60):
                while name not in ended:
                    await asyncio.sleep(0.01)

    authenticator = Authenticator()
    authenticator.request("function")(function)
    authenticator.request("generator")(generator)
    authenticator.request("coroutine")(coroutine)
    play(authenticator, story)
    assert sorted(ended) == ["coroutine", "function", "generator"]


def test_a_lost_answer_is_repeated_without_running_the_handler_twice() -> None:
    calls: list[int] = []

    def handler(question: Question) -> Answer:
        calls.append(question.attempt)
        return rejected("invalidCredentials") if question.values.get("wrong") else accepted(f"number {question.attempt}")

    async def story(wire: Wire) -> None:
        wire.ask(1, key="k")
        first = await wire.line()
        wire.ask(2, key="k", retryOf=1)
        assert (await wire.line())["result"] == first["result"]
        wire.ask(3, key="other", values={"wrong": True})
        assert await wire.outcome(3) == "rejected"
        wire.ask(4, key="other", values={"wrong": True}, retryOf=3)
        assert await wire.outcome(4) == "rejected"

    play(deciding(handler), story)
    assert calls == [1, 3, 4]


def test_a_retry_waits_for_the_first_attempt_that_is_still_running() -> None:
    go_on, calls = threading.Event(), []

    def handler(question: Question) -> Answer:
        calls.append(question.attempt)
        go_on.wait(10)
        return accepted("ada")

    async def story(wire: Wire) -> None:
        wire.ask(1, key="k")
        await asyncio.sleep(0.05)
        wire.cancel(1)
        wire.ask(2, key="k", retryOf=1)
        await asyncio.sleep(0.05)
        go_on.set()
        assert await wire.outcome(2) == "accepted"

    play(deciding(handler), story)
    assert calls == [1]


def test_a_failure_within_a_conversation_allows_a_retry() -> None:
    def handler(question: Question) -> Generator[Answer | Failure, Question, Answer]:
        answer = yield challenge(CODE)
        answer = yield Failure("directoryDown", "The directory is down.")
        answer = yield throttled(2)
        return accepted(answer.values["code"])

    async def story(wire: Wire) -> None:
        wire.ask(1)
        assert await wire.outcome(1) == "challenge"
        wire.go_on(2, 1)
        assert await wire.outcome(2) == "directoryDown"
        wire.go_on(3, 1, retryOf=2)
        assert (await wire.line())["result"] == {"outcome": "throttled", "retryAfterMs": 2000}
        wire.go_on(4, 1, values={"code": "ada"})
        assert (await wire.line())["result"] == {"outcome": "accepted", "principal": "ada"}

    play(deciding(handler), story)


@pytest.mark.parametrize("said", [None, "yes", throttled(1), rejected()])
def test_an_invalid_answer_becomes_a_failure(said: Any) -> None:
    def handler(question: Question) -> Any:
        yield said

    async def story(wire: Wire) -> None:
        wire.ask(1)
        assert await wire.outcome(1) == "authenticatorFailed"

    play(deciding(handler), story)


def test_the_text_of_an_exception_is_never_written(capfd: pytest.CaptureFixture[str]) -> None:
    def handler(question: Question) -> Answer:
        return accepted(str(int(question.values["password"])))

    async def story(wire: Wire) -> None:
        wire.ask(1, values={"password": "correct horse"})
        line = await wire.line()
        assert line["error"]["data"] == {"code": "authenticatorFailed"}
        assert "horse" not in str(line)

    play(deciding(handler), story)
    said = capfd.readouterr().err
    assert "ValueError at " in said and "test_authenticator.py" in said and "in handler" in said and "horse" not in said


def test_the_repr_of_a_question_or_an_answer_has_no_values() -> None:
    question = Question.read({"attempt": 1, "request": "login", "values": {"password": "horse"}, "secrets": {"t": "horse"}}, None)
    assert "horse" not in repr(question) and "horse" not in repr(accepted(secret="horse"))


def test_messages_come_before_the_answer() -> None:
    async def coroutine(question: Question) -> Answer:
        question.notify(message("calling", "We are calling {name}.", name="Ada"))
        return accepted()

    def function(question: Question) -> Answer:
        question.alert("One.", "Two.", title="Well")
        return accepted()

    async def story(wire: Wire) -> None:
        wire.ask(1, "coroutine")
        said = {"code": "calling", "text": "We are calling {name}.", "params": {"name": "Ada"}}
        assert (await wire.line())["params"] == {"attempt": 1, "message": said}
        assert await wire.outcome(1) == "accepted"
        wire.ask(2, "function")
        assert (await wire.line())["params"] == {"attempt": 2, "alert": {"messages": ["One.", "Two."], "title": "Well"}}
        assert await wire.outcome(2) == "accepted"

    authenticator = Authenticator()
    authenticator.request("coroutine")(coroutine)
    authenticator.request("function")(function)
    play(authenticator, story)


def test_the_most_specific_handler_decides() -> None:
    authenticator = Authenticator("test", "1")
    for name, flow in (("login", "staff"), ("login", None), (None, "staff")):
        authenticator.request(name, flow=flow)(lambda question, said=f"{name} {flow}": accepted(said))

    async def story(wire: Wire) -> None:
        for attempt, (request, flow, said) in enumerate(
            [("login", "staff", "login staff"), ("login", "other", "login None"), ("setup", "staff", "None staff")], start=1
        ):
            wire.ask(attempt, request, flow=flow)
            assert (await wire.line())["result"]["principal"] == said
        wire.ask(9, "setup", flow="other")
        assert await wire.outcome(9) == "unsupportedRequest"
        wire.service.receive({"jsonrpc": "2.0", "id": "describe", "method": "authenticator/describe", "params": {}})
        assert (await wire.line())["result"] == {"name": "test", "version": "1"}
        wire.service.receive({"jsonrpc": "2.0", "id": 10, "method": "authenticator/other", "params": {}})
        assert (await wire.line())["error"]["code"] == -32601

    play(authenticator, story)


def test_checks_are_answered() -> None:
    authenticator = deciding(as_coroutine)

    @authenticator.check("signUp", "userName")
    def name(question: Question) -> Answer:
        return invalid(message("taken", "Taken.")) if question.value == "ada" else valid()

    async def story(wire: Wire) -> None:
        for id, (value, outcome) in enumerate([("ada", "invalid"), ("bob", "valid")], start=1):
            params = {"attempt": id, "request": "signUp", "item": "userName", "values": {"userName": value}}
            wire.service.receive({"jsonrpc": "2.0", "id": id, "method": "authenticator/check", "params": params})
            assert await wire.outcome(id) == outcome
        wire.service.receive({"jsonrpc": "2.0", "id": "describe", "method": "authenticator/describe", "params": {}})
        assert (await wire.line())["result"]["requests"] == ["login", "signUp"]

    play(authenticator, story)


# With the engine.

SCRIPT = """
from login_engine.authenticator import *
authenticator = Authenticator("staff directory", "3.1")
CODE = screen("code", "One more step", section("code", text("t", "Look at your app."), link("l", "Help", "https://example.com/"),
    code("k", "Key", "otpauth://totp/x", "qr"), title="Code"), section("more", field("code", "Code", "oneTimeCode", required="Enter the code."),
    selection("where", "Where", {"a": "Here", "b": "There"}), switch("trust", "Trust this device")), links={"resend": "Again"}, submit="Check", leave="Back")

@authenticator.request("login")
def login(question):
    print("this goes to standard error")
    if question.values["password"] != "correct horse":
        return rejected("invalidCredentials")
    answer = yield challenge(CODE, expires_in=60)
    while answer.action or answer.values["code"] != "123456":
        answer = yield challenge(notice="Sent.") if answer.action else challenge(error=message("code.wrong", "No."), items={"code": "No."})
    yield challenge(screen("phone", "Approve it on your phone"), wait=0.1)
    return accepted(question.values["email"], data={"trust": answer.values["trust"]}, proofs=["pwd", proof("otp", 1.5)], secret={"token": "t0ken"})

authenticator.run()
"""


def test_a_short_program_decides_logins(tmp_path: Path) -> None:
    log: list[str] = []
    program = tmp_path / "staff.py"
    program.write_text(SCRIPT)
    with Engine("--authenticator", f"{sys.executable} {program}", log=log.append, strict=True) as engine:
        session = engine.open(values={"email": "ada@example.com"})
        assert session.submit({"password": "wrong"}).outcome == "rejected"
        assert session.submit({"password": "correct horse"}).outcome == "challenge", (session.snapshot["error"], log)
        assert [section.get("title") for section in session.snapshot["sections"]] == ["Code", None]
        assert session.submit({"code": "1"}).snapshot["error"]["code"] == "code.wrong"  # type: ignore[index]
        assert session.submit(action="resend").snapshot["notice"]["text"] == "Sent."  # type: ignore[index]
        assert session.submit({"code": "123456", "where": "b", "trust": True}).snapshot["screen"] == "phone"
        scene = session.wait_for(lambda shown: shown["scene"], timeout=60)["scene"]
        assert scene and (scene["principal"], scene["data"], [proof["factor"] for proof in scene["proofs"]]) == ("ada@example.com", {"trust": True}, ["pwd", "otp"])
        assert scene["proofs"][0]["at"] > scene["proofs"][1]["at"] == 1500
        assert session.grants == [{"token": "t0ken"}]
        assert engine.describe()["authenticators"][0]["name"] == "staff directory"
        assert engine.close() == 0
    assert any("this goes to standard error" in line for line in log)


def test_an_authenticator_runs_in_the_same_program() -> None:
    authenticator = Authenticator()

    @authenticator.request("login")
    def login(question: Question) -> Answer:
        question.ask_blocking(challenge(CODE))
        return notice("Bye.")

    with Engine(authenticator=authenticator, strict=True) as engine:
        session = engine.open(values={"email": "ada@example.com"})
        assert session.submit({"password": "x"}).outcome == "challenge"
        assert session.submit({"code": "1"}).outcome == "notice"
        other = engine.open(values={"email": "ada@example.com"})
        assert other.submit({"password": "x"}).outcome == "challenge"
        assert engine.close() == 0
