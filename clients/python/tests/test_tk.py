"""The window, used under Xvfb with a keyboard. Pictures go to `$LOGIN_ENGINE_PICTURES`, or nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from display import Window, display
from other_site import ADDED, browser, other_site
from patience import decided_by_password

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    with display() as environment:
        yield environment


Opener = Callable[..., Window]


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens windows, and closes them whatever happens."""
    with ExitStack() as stack:

        def opened(screen: dict[str, str], folder: Path, *arguments: str) -> Window:
            window = Window(screen, folder / f"trace-{len(list(folder.iterdir()))}", *arguments)
            stack.callback(window.close)
            window.wait_for('"method":"session/open"')
            window.wait_until(lambda it: len(it["focus"]) > 1)
            return window

        yield opened


def test_signs_up_fails_tries_again_and_logs_in(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    accounts = ("--", "--accounts", str(tmp_path / "accounts"))
    window = opened(screen, tmp_path, "--screen", "setup", *accounts)
    window.type("ada@example.com")
    window.press("Tab")
    window.type("ada")
    window.press("Tab")
    window.type("short")
    window.press("Return")
    window.wait_for("setItem")
    window.picture(pictures / "tk-sign-up.png")
    window.press("ctrl+a", "BackSpace")
    window.type("correct horse")
    window.press("Return")
    status, output, errors = window.end()
    assert (status, json.loads(output)["principal"], errors) == (0, "ada", "")

    window = opened(screen, tmp_path, *accounts)
    window.type("ada@example.com")
    window.press("Tab")
    window.type("wrong horse")
    window.press("Return")
    window.wait_for("requestFailed")
    window.picture(pictures / "tk-wrong-password.png")
    # The keyboard is at the password again.
    window.press("ctrl+a")
    window.type("correct horse")
    window.press("Tab", "space", "Return")
    status, output, errors = window.end()
    scene = json.loads(output)
    assert (status, scene["principal"], errors) == (0, "ada", "")
    assert True in scene["values"].values()
    assert "horse" not in window.trace.read_text()


#: Has something in the clipboard, and says when.
CLIPBOARD = """
import sys, tkinter
root = tkinter.Tk()
root.withdraw()
root.clipboard_clear()
root.clipboard_append(sys.argv[1])
root.update()
print("ready", flush=True)
root.mainloop()
"""


def test_pastes_without_line_ends(screen: dict[str, str], tmp_path: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--screen", "setup", "--", "--accounts", str(tmp_path / "accounts"))

    def paste(text: str) -> None:
        clipboard = subprocess.Popen([sys.executable, "-c", CLIPBOARD, text], env=screen, stdout=subprocess.PIPE, text=True)
        try:
            assert clipboard.stdout and clipboard.stdout.readline() == "ready\n"
            window.press("ctrl+v")
            window.wait_for('"method":"session/edit"')
        finally:
            clipboard.kill()
            clipboard.communicate()

    paste("ada@example.com\r\n")
    window.press("Tab")
    paste("ad\na")
    window.press("Tab")
    # A new password with a line end would be refused.
    paste("correct horse\n")
    window.press("Return")
    status, output, errors = window.end()
    scene = json.loads(output)
    assert (status, scene["principal"], scene["data"]["email"], errors) == (0, "ada", "ada@example.com", "")


def test_asks_for_a_code(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", *decided_by_password())
    window.type("ada@example.com\tcode\n")
    window.wait_for('"outcome":"challenge"')
    window.type("1\n")
    window.wait_for("requestFailed")
    window.picture(pictures / "tk-code.png")
    window.type("123456\n")
    status, output, _ = window.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")


def test_draws_every_kind_of_item(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", *decided_by_password())
    window.type("ada@example.com\tall\n")
    window.wait_for('"outcome":"challenge"')
    window.picture(tmp_path / "drawn.png")
    window.type("Ada Lovelace\t1815-12-10\t")
    window.type("w")
    window.press("Tab", "space")
    window.picture(pictures / "tk-form.png")
    window.press("Tab", "Tab", "Tab", "Tab", "Tab")
    window.picture(pictures / "tk-codes.png")
    window.press("shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab", "Return")
    status, output, _ = window.end()
    assert (status, json.loads(output)["data"]) == (0, {"name": "Ada Lovelace", "born": "1815-12-10", "town": "c", "terms": True})


def test_waits_and_counts_down(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", *decided_by_password())
    window.type("ada@example.com\tlate\n")
    window.wait_for("requestFailed")
    window.picture(pictures / "tk-countdown.png")
    window.wait_for('"timer":"throttle"')
    window.press("ctrl+a")
    window.type("wait\n")
    window.wait_for('"screen":"phone"')
    subprocess.run(["import", "-window", "root", str(pictures / "tk-waiting.png")], env=screen, check=True)
    status, output, _ = window.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")


@pytest.mark.parametrize("transitions", ["instant", "acknowledged"])
def test_shows_an_alert_instead_of_the_form(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener, transitions: str) -> None:
    window = opened(
        screen, tmp_path, "--screen", "login", "--transitions", transitions, "--", *decided_by_password(flow="coordinators")
    )
    form = window.picture(tmp_path / "form.png")
    window.press("Return")
    window.wait_for("showAlert")
    assert window.picture(pictures / "tk-alert.png") != form
    window.type("x")
    window.press("Return")
    window.wait_for("hideAlert")
    window.type("ada@example.com\tcorrect horse\n")
    status, output, errors = window.end()
    assert (status, json.loads(output)["principal"], errors) == (0, "ada", "")


def test_speaks_another_language(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", *decided_by_password())
    window.type("ada@example.com\thorse")
    window.press("shift+Tab", "shift+Tab", "space")
    window.wait_until(lambda it: "menu" in it["focus"].rpartition(".")[2])
    window.press("Down", "Down", "Return")
    window.wait_for('"method":"session/locale"')
    window.picture(pictures / "tk-german.png")
    # The password is still there.
    window.press("Tab", "Return")
    status, output, errors = window.end()
    assert (status, json.loads(output)["data"], errors) == (0, {"asked": "de"}, "")


def test_a_form_grows_and_shrinks(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--flow", "dynamic", "--", "--authenticator", "demo")
    before = window.picture(tmp_path / "before.png")
    window.press("Tab", "Tab", "Tab", "Tab", "space")
    window.wait_for("insertItem")
    assert window.picture(pictures / "tk-dynamic.png") != before
    window.press("space")
    window.wait_for("removeItem")
    window.process.terminate()
    window.process.wait()


def test_goes_to_another_site_and_back(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    with other_site() as site:
        window = opened({**screen, "BROWSER": browser(tmp_path)}, tmp_path, "--", *decided_by_password(site))
        window.type("ada@example.com\tpage\n")
        window.wait_for('"screen":"elsewhere"')
        window.picture(pictures / "tk-redirect.png")
        window.press("Return")
        status, output, errors = window.end()
    assert (status, json.loads(output)["data"], errors) == (0, {"added": ADDED}, "")


def test_says_that_the_engine_has_ended(screen: dict[str, str], tmp_path: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", "--authenticator", "demo")
    children = Path(f"/proc/{window.process.pid}/task/{window.process.pid}/children").read_text().split()
    os.kill(int(children[0]), 9)
    status, output, errors = window.end()
    assert (status, output) == (1, "") and "killed by SIGKILL" in errors


def test_says_that_there_is_no_engine(screen: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "login_engine.tk", "--program", "/nonexistent"], env=screen, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1 and "cannot start /nonexistent" in done.stderr
