"""The window, driven by keys under Xvfb. Pictures are saved if `$LOGIN_ENGINE_PICTURES` is set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tkinter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tkinter import ttk
from typing import Any

import pytest
from display import Window, display
from other_site import ADDED, browser, other_site
from patience import PATIENCE, decided_by_password

from login_engine import Engine
from login_engine.tk import LoginFrame, Pump
from login_engine.tk.card import CardView

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    with display() as environment:
        yield environment


Opener = Callable[..., Window]


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens windows, and closes them at the end of the test."""
    with ExitStack() as stack:

        def opened(screen: dict[str, str], folder: Path, *arguments: str) -> Window:
            window = Window(screen, folder / f"trace-{len(list(folder.iterdir()))}", *arguments)
            stack.callback(window.close)
            window.wait_for('"method":"session/open"')
            window.wait_until(lambda it: len(it["focus"]) > 1)
            return window

        yield opened


def test_a_person_signs_up_fails_tries_again_and_logs_in(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
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
    # The focus is at the password again.
    window.press("ctrl+a")
    window.type("correct horse")
    window.press("Tab", "space", "Return")
    status, output, errors = window.end()
    scene = json.loads(output)
    assert (status, scene["principal"], errors) == (0, "ada", "")
    assert True in scene["values"].values()
    assert "horse" not in window.trace.read_text()


#: Puts a text on the clipboard, and reports when it is there.
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


def test_a_field_pastes_without_line_ends(screen: dict[str, str], tmp_path: Path, opened: Opener) -> None:
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
    # With a line end the new password would be refused.
    paste("correct horse\n")
    window.press("Return")
    status, output, errors = window.end()
    scene = json.loads(output)
    assert (status, scene["principal"], scene["data"]["email"], errors) == (0, "ada", "ada@example.com", "")


def test_a_form_asks_for_a_code(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", *decided_by_password())
    window.type("ada@example.com\tcode\n")
    window.wait_for('"outcome":"challenge"')
    window.type("1\n")
    window.wait_for("requestFailed")
    window.picture(pictures / "tk-code.png")
    window.type("123456\n")
    status, output, _ = window.end()
    assert (status, json.loads(output)["principal"]) == (0, "ada")


def test_a_form_draws_every_kind_of_item(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
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


def test_a_form_waits_and_counts_down(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
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
def test_an_alert_replaces_the_form(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener, transitions: str) -> None:
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


def test_a_form_changes_its_language(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", *decided_by_password())
    window.type("ada@example.com\thorse")
    window.press("shift+Tab", "shift+Tab", "space")
    window.wait_until(lambda it: "menu" in it["focus"].rpartition(".")[2])
    window.press("Down", "Down", "Return")
    window.wait_for('"method":"session/locale"')
    window.picture(pictures / "tk-german.png")
    # The password is kept.
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


def test_a_redirect_goes_to_another_site_and_back(screen: dict[str, str], tmp_path: Path, pictures: Path, opened: Opener) -> None:
    with other_site() as site:
        window = opened({**screen, "BROWSER": browser(tmp_path)}, tmp_path, "--", *decided_by_password(site))
        window.type("ada@example.com\tpage\n")
        window.wait_for('"screen":"elsewhere"')
        window.picture(pictures / "tk-redirect.png")
        window.press("Return")
        status, output, errors = window.end()
    assert (status, json.loads(output)["data"], errors) == (0, {"added": ADDED}, "")


def test_a_window_reports_that_the_engine_has_ended(screen: dict[str, str], tmp_path: Path, opened: Opener) -> None:
    window = opened(screen, tmp_path, "--", "--authenticator", "demo")
    children = Path(f"/proc/{window.process.pid}/task/{window.process.pid}/children").read_text().split()
    os.kill(int(children[0]), 9)
    status, output, errors = window.end()
    assert (status, output) == (1, "") and "killed by SIGKILL" in errors


def test_a_window_reports_that_there_is_no_engine(screen: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "login_engine.tk", "--program", "/nonexistent"], env=screen, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1 and "cannot start /nonexistent" in done.stderr


# In this process, to measure widgets.


@contextmanager
def form_in(place: dict[str, str], size: tuple[int, int], scaling: float, *arguments: str, **params: Any) -> Iterator[LoginFrame]:
    """Creates a form in a window of this size; `scaling` is the number of pixels per point of its fonts."""
    root = tkinter.Tk(screenName=place["DISPLAY"])
    pump, engine = Pump(root), Engine(*arguments, strict=True, log=lambda line: None)
    try:
        root.tk.call("tk", "scaling", scaling)
        root.geometry(f"{size[0]}x{size[1]}")
        pump.loop.run_until_complete(engine.start())
        session = pump.loop.run_until_complete(engine.open(**params))
        form = LoginFrame(root, session, lambda _: None, lambda _: None, ["en", "de"])
        form.pack(fill="both", expand=True)
        yield form
    finally:
        if engine.is_running:
            pump.loop.run_until_complete(engine.close())
        pump.stop()
        root.destroy()


def wait(form: LoginFrame, condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        form.tk.dooneevent(0)
    form.update()


def placed(widget: tkinter.Misc) -> tuple[int, int, int, int]:
    left, top = widget.winfo_rootx(), widget.winfo_rooty()
    return left, top, left + widget.winfo_width(), top + widget.winfo_height()


def is_within(inner: tkinter.Misc, outer: tkinter.Misc) -> bool:
    (left, top, right, bottom), frame = placed(inner), placed(outer)
    return frame[0] <= left and frame[1] <= top and right <= frame[2] and bottom <= frame[3]


def descendants(widget: tkinter.Misc) -> Iterator[tkinter.Misc]:
    for child in widget.winfo_children():
        if child.winfo_ismapped():
            yield child
            yield from descendants(child)


def assert_whole(form: LoginFrame, view: CardView) -> None:
    """Checks that nothing of a card is cut off: texts fit, all parts are within the card, and each edge can be scrolled to."""
    form.update()
    [canvas] = [child for child in view.winfo_children() if isinstance(child, tkinter.Canvas)]
    parts = list(descendants(view.card))
    assert len(parts) > 3
    for part in parts:
        if isinstance(part, ttk.Label | tkinter.Label | ttk.Button | ttk.Checkbutton):
            text = str(part.cget("text"))
            # A wrapped line may end in a space beyond the edge.
            space = part.tk.call("font", "measure", part.cget("font"), " ") if isinstance(part, ttk.Label) else 0
            assert part.winfo_width() >= part.winfo_reqwidth() - int(space) and part.winfo_height() >= part.winfo_reqheight(), text
        # The field cuts off the placeholder over it, as it would its own text.
        assert is_within(part, view.card) or isinstance(part.master, ttk.Entry), part
    is_narrow = view.card.winfo_width() <= canvas.winfo_width()
    for across in (0, 1):
        for down in (0, 1):
            canvas.xview_moveto(across)
            canvas.yview_moveto(down)
            form.update()
            (left, top, right, bottom), frame = placed(view.card), placed(canvas)
            assert (frame[0] <= left if across == 0 else right <= frame[2]) and (frame[1] <= top if down == 0 else bottom <= frame[3])
            assert not is_narrow or frame[0] <= left and right <= frame[2]
    bars = [child for child in view.winfo_children() if isinstance(child, ttk.Scrollbar) and child.winfo_ismapped()]
    fits = is_narrow and view.card.winfo_height() <= canvas.winfo_height()
    assert len(bars) == (0 if fits else 1 if is_narrow else 2)


POINT = 96 / 72


@pytest.mark.parametrize("scaling", [POINT, 1.5 * POINT, 2.5 * POINT])
@pytest.mark.parametrize("size", [(560, 680), (360, 320)])
@pytest.mark.parametrize("name", ["login", "setup"])
def test_a_card_is_not_cut_off(screen: dict[str, str], name: str, size: tuple[int, int], scaling: float) -> None:
    with form_in(screen, size, scaling, "--authenticator", "demo", screen=name) as form:
        wait(form, lambda: form.winfo_width() == size[0])
        assert_whole(form, form._form)
        if scaling == POINT:
            assert is_narrow(form)
        for section in form.session.snapshot["sections"]:
            for item in section["items"]:
                if item["kind"] == "input":
                    form.session.edit(item["id"], "unknown@example.com" if item.get("inputType") == "email" else "wrong horse battery")
        wait(form, lambda: form.session.form.is_level)
        form.presenter.press_primary()
        wait(form, lambda: form.session.snapshot["error"] or form.session.snapshot["scene"])
        assert_whole(form, form._form)
        if scaling == POINT:
            assert is_narrow(form)


def is_narrow(form: LoginFrame) -> bool:
    return form._form.card.winfo_width() <= form._form.winfo_width()


@pytest.mark.parametrize("size", [(560, 680), (360, 320)])
def test_a_card_with_every_kind_of_item_is_not_cut_off(screen: dict[str, str], size: tuple[int, int]) -> None:
    with form_in(screen, size, POINT, *decided_by_password()) as form:
        form.session.edit("email", "ada@example.com")
        form.session.edit("password", "all")
        wait(form, lambda: form.session.form.is_level)
        form.presenter.press_primary()
        form.winfo_toplevel().focus_force()
        wait(form, lambda: form.session.snapshot["screen"] == "all" and form.focus_get() is form._items["name"].focus_widget)
        # The focus is at the first field, so nothing has to be scrolled.
        if size[1] == 680:
            assert form._title.winfo_rooty() > form.winfo_rooty()
        assert_whole(form, form._form)


@pytest.mark.parametrize("size", [(560, 680), (360, 320), (360, 120)])
def test_an_alert_is_not_cut_off(screen: dict[str, str], size: tuple[int, int]) -> None:
    with form_in(screen, size, 1.5 * POINT, *decided_by_password(flow="coordinators"), screen="login") as form:
        wait(form, lambda: form.winfo_width() == size[0])
        form.presenter.press_primary()
        wait(form, lambda: form._alert.winfo_ismapped() and form._alert.card.winfo_height() > 10)
        assert_whole(form, form._alert)


def test_a_card_follows_the_size_of_its_window(screen: dict[str, str]) -> None:
    with form_in(screen, (560, 680), POINT, "--authenticator", "demo") as form:
        for size in ((360, 320), (900, 700), (480, 200), (560, 680)):
            form.winfo_toplevel().geometry(f"{size[0]}x{size[1]}")
            wait(form, lambda size=size: (form.winfo_width(), form.winfo_height()) == size)  # type: ignore[misc]
            assert_whole(form, form._form)
            (left, _, right, _), frame = placed(form._form.card), placed(form._form.card.master)
            assert abs((left - frame[0]) - (frame[2] - right)) <= 1


def test_the_focused_item_is_in_view(screen: dict[str, str]) -> None:
    with form_in(screen, (360, 200), POINT, "--authenticator", "demo", screen="setup") as form:
        form.winfo_toplevel().focus_force()
        wait(form, lambda: form.winfo_height() == 200)
        for widget in [*form._items.values(), *reversed(form._items.values())]:
            assert widget.focus_widget is not None
            widget.focus_widget.focus_force()
            wait(form, lambda widget=widget: form.focus_get() is widget.focus_widget)  # type: ignore[misc]
            assert is_within(widget, widget.nametowidget(str(form._form.card.master)))
