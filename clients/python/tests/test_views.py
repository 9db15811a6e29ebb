"""Both views play the transcripts that a person can play in them, through `login-engine mock`, and take random keys and clicks, with the real engine.

One window, and one app in the terminal, show all sessions. `playing.py` says what is compared.
"""

from __future__ import annotations

import abc
import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from display import display
from person import Unplayable, performance
from playing import View, play
from random_person import walk
from textual_view import Stage, TextualView
from tk_view import TkView, at_once
from transcript_view import TRANSCRIPTS

#: The least number of transcripts that can be played in each view, so that none is lost unnoticed.
PLAYABLE = 210

Story = Callable[[View], Coroutine[Any, Any, Any]]


class Place(abc.ABC):
    """A place that shows a view, for one story after another."""

    @abc.abstractmethod
    def tell(self, story: Story) -> Any:
        """Runs a story with the view."""


class Window(Place):
    def __init__(self, view: TkView) -> None:
        self.view = view

    def tell(self, story: Story) -> Any:
        return at_once(story(self.view))


class Terminal(Place):
    """A Textual app, which belongs to one task from start to end."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.stories: asyncio.Queue[tuple[Story, asyncio.Future[Any]] | None] = asyncio.Queue()
        self.task = self.loop.create_task(self._run())

    def tell(self, story: Story) -> Any:
        result: asyncio.Future[Any] = self.loop.create_future()
        self.stories.put_nowait((story, result))
        return self.loop.run_until_complete(result)

    def close(self) -> None:
        self.stories.put_nowait(None)
        self.loop.run_until_complete(self.task)
        self.loop.close()

    async def _run(self) -> None:
        app = Stage()
        async with app.run_test(size=(100, 60)):
            view = TextualView(app)
            while entry := await self.stories.get():
                story, result = entry
                try:
                    result.set_result(await story(view))
                except Exception as error:
                    result.set_exception(error)


@contextmanager
def window() -> Iterator[Place]:
    with display() as environment:
        view = TkView(environment["DISPLAY"])
        try:
            yield Window(view)
        finally:
            view.destroy()


@contextmanager
def terminal() -> Iterator[Place]:
    place = Terminal()
    try:
        yield place
    finally:
        place.close()


@pytest.fixture(scope="module", autouse=True)
def no_browser() -> Iterator[None]:
    """Keeps a random person, who presses links too, from opening the browser of the person who runs the tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("webbrowser.open", lambda url, **_: True)
        yield


@pytest.fixture(scope="module", params=[window, terminal], ids=["tk", "textual"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    with request.param() as place:
        yield place


#: By view: how many transcripts were played, and the reasons for which others were not.
PLAYED: dict[Place, Counter[str]] = {}


def scripts() -> Iterator[tuple[Path, str]]:
    for transcript in TRANSCRIPTS:
        try:
            performance(transcript)
        except Unplayable as reason:
            yield transcript, str(reason)
        else:
            yield transcript, ""


REASONS = dict(scripts())
DOABLE = [path for path in TRANSCRIPTS if not REASONS[path]]


def is_long(config: pytest.Config) -> bool:
    events: int = config.getoption("--events")
    return events >= 100_000


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Selects the transcripts: all for a long run, otherwise every third."""
    if "transcript" in metafunc.fixturenames:
        part = DOABLE if is_long(metafunc.config) else DOABLE[::3]
        metafunc.parametrize("transcript", part, ids=lambda path: f"{path.parent.name}/{path.stem}")


def test_a_view_plays_a_transcript(place: Place, transcript: Path) -> None:
    reasons = PLAYED.setdefault(place, Counter())
    try:
        place.tell(lambda view: play(view, transcript))
        reasons["played"] += 1
    except Unplayable as reason:
        reasons[str(reason)] += 1


def test_a_view_has_played_enough_transcripts(place: Place, pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    reasons = PLAYED.get(place, Counter())
    wanted = DOABLE if is_long(pytestconfig) else DOABLE[::3]
    if sum(reasons.values()) < len(wanted):
        return  # Only some were selected.
    known = Counter(reason for reason in REASONS.values() if reason)
    with capsys.disabled():
        print(f"\n{reasons['played']} transcripts played of {len(DOABLE)}")
        for reason, count in (known + reasons).most_common():
            if reason != "played":
                print(f"{count} transcripts not played, because each of them {reason}")
    # The selection may contain all transcripts that cannot be played.
    assert reasons["played"] >= PLAYABLE - (len(DOABLE) - len(wanted))


def test_a_view_follows_a_random_person(place: Place, pytestconfig: pytest.Config, capsys: pytest.CaptureFixture[str]) -> None:
    # An event of a person is a key or a click, which takes longer than a line without a view.
    asked: int = pytestconfig.getoption("--events")
    events = asked if is_long(pytestconfig) else asked // 20
    seed: int | None = pytestconfig.getoption("--seed")
    seed = random.randrange(1 << 32) if seed is None else seed
    with capsys.disabled():
        print(f" {events} random keys and clicks, --seed {seed}", end=" ", flush=True)
    did = place.tell(lambda view: walk(view, events, random.Random(seed)))
    assert did["compared"] > events / 20
