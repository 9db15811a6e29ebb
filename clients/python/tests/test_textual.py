"""The view in Textual: driven by keys through a pseudo-terminal, and by its pilot. Pictures are saved if `$LOGIN_ENGINE_PICTURES` is set."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from other_site import ADDED, browser, other_site
from patience import PATIENCE, decided_by_password
from terminal import Terminal
from textual.app import App
from textual.pilot import Pilot, WaitForScreenTimeout
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from login_engine import Engine
from login_engine.textual import LoginApp, LoginForm
from login_engine.textual.items import LinkWidget

ROOT = Path(__file__).resolve().parents[3]
OVER_SSH = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "DISPLAY": ":10"}


# In a pseudo-terminal.

Opener = Callable[..., Terminal]
TEXTUAL = ("-m", "login_engine.textual", "--json", "1")


@pytest.fixture
def terminal_of() -> Iterator[Opener]:
    """Opens terminals, and closes them at the end of the test."""
    with ExitStack() as stack:

        def opened(*arguments: str, **options: Any) -> Terminal:
            terminal = Terminal(*arguments, **options)
            stack.callback(terminal.close)
            return terminal

        yield opened


def test_a_person_signs_up_fails_tries_again_and_logs_in(tmp_path: Path, terminal_of: Opener) -> None:
    accounts = ("--", "--accounts", str(tmp_path / "accounts"))
    terminal = terminal_of(*TEXTUAL, "--screen", "setup", *accounts)
    terminal.wait_until_still("Create an account")
    terminal.type("ada@example.com\tada\tshort\r")
    terminal.wait_for("at least 9 characters")
    terminal.type("\x7f" * 5 + "correct horse")
    terminal.wait_for("at least 9 characters", gone=True)
    terminal.type("\r")
    status, output = terminal.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")

    terminal = terminal_of(*TEXTUAL, *accounts)
    terminal.wait_until_still("Log in")
    terminal.type("ada@example.com\twrong horse\r")
    terminal.wait_for("✕ The email address or the password is wrong.")
    terminal.wait_until_still("Try Again")
    terminal.type("correct horse\t \r")
    status, output = terminal.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")
    assert True in json.loads(output)["values"].values()
    assert b"horse" not in terminal.drawn
    assert b"\x1b[?1049l" in terminal.drawn


def test_a_login_fits_into_80_columns_and_24_lines(terminal_of: Opener) -> None:
    terminal = terminal_of(*TEXTUAL, "--", *decided_by_password(), size=(80, 24))
    terminal.wait_until_still("Log in")
    terminal.type("ada@example.com\twrong horse\r")
    terminal.wait_until_still("Try Again")
    parts = ("Log in", "ada@example.com", "Password", "••••", "Keep me", "✕ The email", "Try Again", "Create an account", "Forgot your")
    for text in (*parts, f"╭{'─' * 62}╮", f"╰{'─' * 62}╯"):
        assert text in terminal.text, terminal.text


@pytest.mark.parametrize("height", [24, 12, 8])
def test_the_focused_item_is_in_view_with_its_title_and_messages(tmp_path: Path, terminal_of: Opener, height: int) -> None:
    terminal = terminal_of(*TEXTUAL, "--screen", "setup", "--", "--accounts", str(tmp_path / "accounts"), size=(80, height))
    terminal.wait_until_still("Email")
    terminal.type("ada@example.com\tada\tshort")
    terminal.wait_until_still("•••••")
    terminal.type("\r")
    terminal.wait_until_still("Use at least 9")
    assert "Password *" in terminal.text and "•••••" in terminal.text, terminal.text
    # All other items can be reached.
    terminal.type("\x1b[Z\x1b[Z")
    terminal.wait_until_still("Email *")
    assert "ada@example.com" in terminal.text
    terminal.type("\t\t\t")
    terminal.wait_until_still("I already have an account")
    # A smaller terminal still shows it.
    terminal.type("\x1b[Z")
    terminal.resize(80, 6)
    terminal.wait_until_still("Password *")
    assert "•••••" in terminal.text and "Use at least 9" in terminal.text, terminal.text


SIZES = [(80, 24), (1, 1), (120, 40), (80, 3), (20, 24), (79, 23)]


@pytest.mark.parametrize("is_early", [False, True])
def test_no_key_is_lost_while_the_terminal_changes_its_size(terminal_of: Opener, is_early: bool) -> None:
    terminal = terminal_of(*TEXTUAL, "--", *decided_by_password(), size=(80, 24))
    if is_early:
        terminal.read(60)
    else:
        terminal.wait_until_still("Log in")
    address = "".join(chr(ord("a") + number % 26) for number in range(150)) + "@example.com"
    for number, key in enumerate(f"{address}x\x7f\tcorrect horse\r"):
        terminal.type(key)
        terminal.resize(*SIZES[number % len(SIZES)])
        terminal.read(0)
    status, output = terminal.end()
    assert status == 0 and json.loads(output)["values"]["email"] == address


def test_keys_typed_before_the_form_wait_for_it(terminal_of: Opener) -> None:
    terminal = terminal_of(*TEXTUAL, "--", *decided_by_password())
    terminal.read(60)
    terminal.type("ada@example.com\tcorrect horsee\x7f\r")
    status, output = terminal.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")


def test_keys_typed_before_the_program_wait_for_it(terminal_of: Opener) -> None:
    terminal = terminal_of(*TEXTUAL, "--", *decided_by_password())
    # Until the program sets up the terminal, Enter is a line feed.
    terminal.type("ada@example.com\tcorrect horse\r")
    status, output = terminal.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")


def test_a_person_is_asked_for_a_code_and_leaves(tmp_path: Path, terminal_of: Opener) -> None:
    terminal = terminal_of(*TEXTUAL, "--", *decided_by_password())
    terminal.wait_until_still("Log in")
    terminal.type("ada@example.com\tcode\r")
    terminal.wait_for("One more step")
    terminal.wait_until_still("Six digits, from your app.")
    terminal.type("1\r")
    terminal.wait_for("That is not the code.")
    terminal.type("\x11")
    assert terminal.end()[0] == 1


def test_a_person_visits_another_site_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal_of: Opener) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.setenv("BROWSER", browser(tmp_path))
    with other_site() as site:
        terminal = terminal_of(*TEXTUAL, "--", *decided_by_password(site))
        terminal.wait_until_still("Log in")
        terminal.type("ada@example.com\tpage\r")
        terminal.wait_until_still("Go to your provider * ↗")
        # The user can read the host before going there.
        assert site.removeprefix("http://").removesuffix("/") in terminal.text
        terminal.type("\r")
        status, output = terminal.end()
    assert (status, json.loads(output)["data"]) == (0, {"added": ADDED})


def test_a_form_reports_that_the_engine_has_ended(terminal_of: Opener) -> None:
    terminal = terminal_of(*TEXTUAL, "--", "--authenticator", "demo")
    terminal.wait_until_still("Log in")
    [engine] = [int(pid) for pid in Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children").read_text().split()]
    os.kill(engine, 9)
    status, said = terminal.end()
    assert status == 1 and b"killed by SIGKILL" in terminal.drawn


def test_texts_cannot_control_the_terminal(tmp_path: Path, terminal_of: Opener) -> None:
    flow = json.loads((ROOT / "clients/other-flow.json").read_text())
    for strings in flow["strings"].values():
        for key in strings:
            strings[key] = "\x1b[31m\x07\x9b1m\u202e[bold]" + strings[key]
    flow["flow"] = "befehl"
    (tmp_path / "flow.json").write_text(json.dumps(flow))
    terminal = terminal_of(*TEXTUAL, "--", "--flow", str(tmp_path / "flow.json"), "--authenticator", "demo")
    terminal.wait_for("[31m1m[bold]")
    terminal.type("\x11")
    terminal.end()
    drawn = re.sub(rb"\x1b\]22;default\x07", b"", terminal.drawn)  # Textual's own sequence for the mouse pointer.
    assert b"\x07" not in drawn and "\x9b".encode() not in terminal.drawn and "\u202e".encode() not in terminal.drawn


# Driven by the pilot.


def drive(story: Callable[[LoginApp, Pilot[Any]], Any], *arguments: str, size: tuple[int, int] = (80, 40), **params: Any) -> LoginApp:
    async def run() -> LoginApp:
        app = LoginApp(Engine(*arguments, strict=True, log=lambda line: None), params)
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: isinstance(app.focused, Input))
            await story(app, pilot)
        return app

    return asyncio.run(run())


async def until(pilot: Pilot[Any], condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.02)
    await settled(pilot)


async def settled(pilot: Pilot[Any]) -> None:
    """Waits until the app has handled all messages, so that the focus has settled."""
    while True:
        try:
            return await pilot.pause(0.1)
        except WaitForScreenTimeout:
            # The pilot waits for 30 seconds, even for widgets that ended with the app.
            if pilot.app.return_value is not None:
                return


NAMES = {"@": "at", ".": "full_stop", " ": "space", "-": "minus", "\t": "tab", "\n": "enter"}


async def keys(pilot: Pilot[Any], text: str) -> None:
    try:
        await pilot.press(*(NAMES.get(character, character) for character in text))
    except WaitForScreenTimeout:
        # The keys are pressed by then.
        await settled(pilot)


def set_place(monkeypatch: pytest.MonkeyPatch, place: dict[str, str]) -> None:
    """Sets the environment variables that say where the terminal is."""
    for name in ("SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in place.items():
        monkeypatch.setenv(name, value)


def save(app: LoginApp, path: Path) -> None:
    # Otherwise programs other than browsers drop spaces at the start of a line.
    path.write_text(app.export_screenshot(simplify=True).replace("<text ", '<text xml:space="preserve" '))


def shown(app: LoginApp) -> Any:
    assert app.session is not None
    return app.session.snapshot


def test_a_form_draws_a_failure(pictures: Path) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\twrong\n")
        await until(pilot, lambda: shown(app)["error"])
        save(app, pictures / "textual-wrong-password.svg")

    drive(story, *decided_by_password(), size=(72, 30))


def test_a_form_draws_every_kind_of_item(pictures: Path) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\tall\n")
        await until(pilot, lambda: len(app.query("Select")) == 2 and isinstance(app.focused, Input))
        await keys(pilot, "Ada Lovelace\t1815-12-10\t\nw\n\t ")
        await until(pilot, lambda: app.query("Checkbox").first().value)  # type: ignore[attr-defined]
        save(app, pictures / "textual-form.svg")
        assert "Here would be a map." in app.export_screenshot().replace("&#160;", " ")
        # Enter submits the form, in a checkbox too.
        await keys(pilot, "\n")
        await until(pilot, lambda: app.return_value)

    app = drive(story, *decided_by_password(), size=(72, 72))
    assert app.return_value and app.return_value["data"] == {"name": "Ada Lovelace", "born": "1815-12-10", "town": "c", "terms": True}


def test_the_focus_follows_a_screen_that_arrives_while_another_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    draw, draw_actions = LoginForm._draw, LoginForm._draw_actions
    drawn: list[str] = []

    async def draw_noted(form: LoginForm) -> None:
        screen = form.session.snapshot["screen"]
        await draw(form)
        drawn.append(screen)

    async def draw_slowly(form: LoginForm) -> None:
        await draw_actions(form)
        while form.session.snapshot["activity"]:
            await asyncio.sleep(0.01)

    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\tcode\n")
        await until(pilot, lambda: "code" in drawn)
        assert isinstance(app.focused, Input)

    monkeypatch.setattr(LoginForm, "_draw", draw_noted)
    monkeypatch.setattr(LoginForm, "_draw_actions", draw_slowly)
    drive(story, *decided_by_password())


@asynccontextmanager
async def form_under_alert() -> AsyncIterator[tuple[App[None], Pilot[None], LoginForm]]:
    """Creates a form in a program of its own, with an alert over it."""
    app: App[None] = App()
    async with Engine(*decided_by_password(flow="coordinators"), strict=True, log=lambda line: None) as engine, app.run_test() as pilot:
        form = LoginForm(await engine.open(screen="login"), lambda scene: None, lambda reason: None)
        await app.mount(form)
        await until(pilot, lambda: isinstance(app.focused, Input))
        await keys(pilot, "\n")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        yield app, pilot, form


def test_an_alert_is_removed_with_its_form() -> None:
    async def run() -> None:
        async with form_under_alert() as (app, pilot, form):
            await form.remove()
            await until(pilot, lambda: len(app.screen_stack) == 1)

    asyncio.run(run())


@pytest.mark.parametrize("goes_with_form", [True, False])
def test_an_alert_that_ends_leaves_the_screen_above_it(goes_with_form: bool) -> None:
    async def run() -> None:
        async with form_under_alert() as (app, pilot, form):
            above: Screen[None] = Screen()
            await app.push_screen(above)
            if goes_with_form:
                await form.remove()
            else:
                form.presenter.press_alert()
                await until(pilot, lambda: form.session.snapshot["alert"] is None and form.is_drawn)
            assert app.screen is above
            app.pop_screen()
            await until(pilot, lambda: len(app.screen_stack) == 1)

    asyncio.run(run())


def test_a_form_can_be_removed_while_it_is_drawn() -> None:
    may_go = asyncio.Event()

    class Lingering(Static):
        async def on_unmount(self) -> None:
            await may_go.wait()

    async def run() -> None:
        app: App[None] = App()
        async with Engine("--authenticator", "demo", strict=True, log=lambda line: None) as engine, app.run_test() as pilot:
            form = LoginForm(await engine.open(), lambda scene: None, lambda reason: None)
            await app.mount(form)
            await until(pilot, lambda: form.is_drawn)
            # The last parts of the form still exist when its title is gone.
            await form.query_one("#links").mount(Lingering())
            removed = form.remove()
            try:
                async with asyncio.timeout(PATIENCE):
                    while form.query("#screen-title"):
                        await asyncio.sleep(0.01)
                    assert form.query("#links")
                    [item, *_] = form.session.snapshot["sections"][0]["items"]
                    await form.session.edit(item["id"], "a")
                    await app.workers.wait_for_complete()
            finally:
                may_go.set()
            await removed
            assert app.is_running

    asyncio.run(run())


@pytest.mark.parametrize("transitions", ["instant", "acknowledged"])
def test_an_alert_is_shown_over_the_form(pictures: Path, transitions: str) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "\n")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        save(app, pictures / "textual-alert.svg")
        await keys(pilot, "x\n")
        await until(pilot, lambda: len(app.screen_stack) == 1 and isinstance(app.focused, Input))
        await keys(pilot, "a@b.cc\tcorrect horse\n")
        await until(pilot, lambda: app.return_value)

    app = drive(
        story, *decided_by_password(flow="coordinators"), size=(72, 30), screen="login", transitions=transitions
    )
    assert app.return_value and app.return_value["principal"] == "ada"


def test_a_redirect_goes_to_another_site_and_back(pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\tpage\n")
        await until(pilot, lambda: isinstance(app.focused, Button) and "provider" in str(app.focused.label))
        save(app, pictures / "textual-redirect.svg")
        await keys(pilot, "\n")
        await until(pilot, lambda: app.return_value)

    # `webbrowser` reads $BROWSER once.
    command = shlex.split(browser(tmp_path).removesuffix(" %s"))
    monkeypatch.setattr("webbrowser.open", lambda url: subprocess.run([*command, url], check=True))
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    with other_site() as site:
        app = drive(story, *decided_by_password(site), size=(72, 30))
    assert app.return_value and app.return_value["data"] == {"added": ADDED}


def test_a_form_draws_nothing_once_the_app_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = LoginForm._draw

    async def end_and_draw(form: LoginForm) -> None:
        form.app.exit()
        await draw(form)

    async def run() -> None:
        app = LoginApp(Engine(*decided_by_password(), strict=True, log=lambda line: None), {})
        async with app.run_test() as pilot:
            await until(pilot, lambda: not app.is_running)

    monkeypatch.setattr(LoginForm, "_draw", end_and_draw)
    asyncio.run(run())


@pytest.mark.parametrize("place", [OVER_SSH, {}])
def test_a_form_offers_no_redirect_if_no_browser_can_return(monkeypatch: pytest.MonkeyPatch, place: dict[str, str]) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        assert app.session is not None and app.session.form.is_level

    set_place(monkeypatch, place)
    app = drive(story, *decided_by_password())
    assert app.params["supports"] == ["restoreSecret"] and "context" not in app.params


@pytest.mark.parametrize(("place", "is_opened"), [(OVER_SSH, False), ({}, False), ({"DISPLAY": ":0"}, True)])
def test_a_link_is_opened_or_its_address_copied(monkeypatch: pytest.MonkeyPatch, place: dict[str, str], is_opened: bool) -> None:
    opened: list[str] = []

    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\tall\n")
        await until(pilot, lambda: len(app.query("Select")) == 2 and isinstance(app.focused, Input))
        [link] = app.query(LinkWidget)
        link.button.focus()
        await keys(pilot, "\n")
        await until(pilot, lambda: opened or str(link.button.label).endswith("✓"))
        assert (opened, app.clipboard) == (([link.item["url"]], "") if is_opened else ([], link.item["url"]))

    monkeypatch.setattr("webbrowser.open", lambda url, **_: opened.append(url))
    set_place(monkeypatch, place)
    drive(story, *decided_by_password())


def test_a_form_counts_down_and_waits(pictures: Path) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\tlate\n")
        await until(pilot, lambda: any("(2)" in str(button.label) for button in app.query("Button.primary").results(Button)))
        save(app, pictures / "textual-countdown.svg")
        await until(pilot, lambda: shown(app)["retryAt"] is None)
        await keys(pilot, "wait\n")
        await until(pilot, lambda: shown(app)["activity"] and shown(app)["screen"] == "phone")
        save(app, pictures / "textual-waiting.svg")
        await until(pilot, lambda: app.return_value)

    assert drive(story, *decided_by_password(), size=(72, 30)).return_value


def test_a_form_changes_its_language_and_keeps_the_input(pictures: Path) -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\thorse")
        await pilot.press("shift+tab", "shift+tab", "enter", "up", "enter")
        await until(pilot, lambda: shown(app)["locale"] == "de")
        save(app, pictures / "textual-german.svg")
        await keys(pilot, "\t\t\n")
        await until(pilot, lambda: app.return_value)

    app = drive(story, *decided_by_password(), size=(72, 30))
    assert app.return_value and app.return_value["data"] == {"asked": "de"}


def test_a_form_grows_and_shrinks() -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        before = len(app.query(".item"))
        await keys(pilot, "\t\t\t\t ")
        await until(pilot, lambda: len(app.query(".item")) > before)
        await keys(pilot, " ")
        await until(pilot, lambda: len(app.query(".item")) == before)

    drive(story, "--authenticator", "demo", flow="dynamic")


def test_a_person_chooses_from_a_long_list() -> None:
    async def story(app: LoginApp, pilot: Pilot[Any]) -> None:
        await keys(pilot, "a@b.cc\t")
        await until(pilot, lambda: len(app.query(".item Select").first()._options) > 249)  # type: ignore[attr-defined]
        await keys(pilot, "\nGerma\n")
        await until(pilot, lambda: [item["value"] for section in shown(app)["sections"] for item in section["items"]][1])
        assert shown(app)["sections"][0]["items"][1]["options"][0]["title"] == "Germany"

    drive(story, "--flow", str(ROOT / "protocol/transcripts/flows/countries.json"), "--authenticator", "demo")
