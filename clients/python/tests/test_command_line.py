"""The package and both views on the command line, as programs use them."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from display import Window, display
from patience import PATIENCE, decided_by_password
from terminal import Terminal

import login_engine

ROOT = Path(__file__).resolve().parents[3]
VIEWS = ("tk", "textual")
LOG_IN = "ada@example.com\tcorrect horse"


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    with display() as environment:
        yield environment


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def environment(**changes: str | None) -> dict[str, str]:
    """Returns the environment of a program without a display."""
    return {name: value for name, value in {**os.environ, "DISPLAY": None, **changes}.items() if value is not None}


def run(*arguments: str, python: str = sys.executable, **options: Any) -> subprocess.CompletedProcess[str]:
    options = {"env": environment(), "stdin": subprocess.DEVNULL, "capture_output": True, **options}
    return subprocess.run([python, "-m", *arguments], text=True, timeout=PATIENCE, **options)


def lacking(folder: Path, module: str) -> dict[str, str]:
    """Returns an environment in which a module cannot be imported."""
    (folder / f"{module}.py").write_text(f"raise ModuleNotFoundError('No module named {module}', name={module!r})\n")
    return environment(PYTHONPATH=os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))


def known(folder: Path, seconds: float, kind: str = "cover") -> list[str]:
    """Returns the options of an engine whose first screen logs in by itself after this time."""
    flow = json.loads((ROOT / "protocol/flows/loader.json").read_text())
    flow["screens"][0]["begins"] = [{"request": "known", "as": kind, "success": {"scene": "home"}}]
    path = folder / "known.json"
    path.write_text(json.dumps({**flow, "flow": "known", "transitions": "instant"}))
    authenticator = [sys.executable, str(Path(__file__).with_name("known_authenticator.py")), str(seconds)]
    return ["--", "--flow", str(path), "--authenticator", " ".join(authenticator)]


# The package.


def test_the_package_lists_what_is_installed() -> None:
    done = run("login_engine")
    assert (done.returncode, done.stderr) == (0, "")
    assert os.environ["LOGIN_ENGINE"] in done.stdout and "protocol 1." in done.stdout
    assert "python -m login_engine.tk:" in done.stdout and "python -m login_engine.textual:" in done.stdout
    for view in ("tk", "textual"):
        assert re.search(rf"^python -m login_engine\.{view}: .*; all requirements are installed$", done.stdout, re.M)


def test_the_package_lists_what_is_missing(tmp_path: Path) -> None:
    done = run("login_engine", env={**lacking(tmp_path, "tkinter"), "LOGIN_ENGINE": "/nonexistent"})
    assert done.returncode == 0
    assert "LOGIN_ENGINE names /nonexistent" in done.stdout and "apt-get install python3-tk" in done.stdout


def test_an_unknown_argument_is_a_wrong_command_line() -> None:
    done = run("login_engine", "login")
    assert (done.returncode, done.stdout) == (2, "") and "unrecognized" in done.stderr


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copies the package, so that programs can be put into it."""
    package = Path(login_engine.__file__).parent
    shutil.copytree(package, tmp_path / "site/login_engine", ignore=shutil.ignore_patterns("__pycache__", "bin"))
    return tmp_path / "site/login_engine"


def program(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(os.environ["LOGIN_ENGINE"])
    return path


def test_the_program_comes_from_the_variable_or_the_package_or_the_path(installed: Path, tmp_path: Path) -> None:
    def found(**changes: str | None) -> str:
        path = os.pathsep.join([str(tmp_path / "path"), "/usr/bin"])
        return run("login_engine", env=environment(PYTHONPATH=str(installed.parent), PATH=path, **changes)).stdout

    assert "No program login-engine was found. Install the package login-engine, or set LOGIN_ENGINE" in found(LOGIN_ENGINE=None)
    on_path = program(tmp_path / "path/login-engine")
    assert f"{on_path}, on the path: login-engine" in found(LOGIN_ENGINE=None)
    own = program(installed / "bin/login-engine")
    assert f"{own}, in this package: login-engine" in found(LOGIN_ENGINE=None)
    assert f"{own}, in this package: login-engine" in found(LOGIN_ENGINE="")
    named = program(tmp_path / "named/engine")
    assert f"{named}, named by LOGIN_ENGINE: login-engine" in found(LOGIN_ENGINE=str(named))


def test_a_view_starts_the_packages_own_program(installed: Path, tmp_path: Path) -> None:
    own = program(installed / "bin/login-engine")
    place = environment(PYTHONPATH=str(installed.parent), LOGIN_ENGINE=None, PATH="/usr/bin")
    done = run("login_engine.tk", "--no-input", *known(tmp_path, 0), env=place)
    assert (done.returncode, done.stderr) == (0, "")
    own.unlink()
    done = run("login_engine.tk", "--no-input", *known(tmp_path, 0), env=place)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "cannot start login-engine" in done.stderr and "Install the package login-engine, or set LOGIN_ENGINE" in done.stderr


# The command line.


@pytest.mark.parametrize("view", VIEWS)
def test_a_descriptor_that_is_not_writable_is_a_wrong_command_line(view: str, tmp_path: Path) -> None:
    with open(os.devnull) as readable:
        for given in ("99", str(readable.fileno()), "-1", "out", "99999999999"):
            done = run(f"login_engine.{view}", "--json", given, pass_fds=[readable.fileno()])
            assert (done.returncode, done.stdout) == (2, "")
            assert f"{given} is not a descriptor open for writing" in done.stderr
    done = run(f"login_engine.{view}", "--json", "1", stdout=subprocess.DEVNULL, capture_output=False, preexec_fn=lambda: os.close(1))
    assert done.returncode == 2


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("arguments", [["--grants"], ["--once"], ["--transitions", "slow"], ["--no-input", "--", "--no-such-option"]])
def test_other_wrong_command_lines_are_refused(view: str, arguments: list[str]) -> None:
    done = run(f"login_engine.{view}", *arguments)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", ["cover", "beside"])
def test_a_session_without_input_can_reach_its_scene_by_itself(view: str, kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "lacking"
    folder.mkdir()
    lacking(folder, "tkinter")
    done = run(f"login_engine.{view}", "--no-input", "--json", "1", *known(tmp_path, 0.5, kind), env=lacking(folder, "textual"))
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    scene = json.loads(done.stdout)
    assert (scene.pop("proofs")[0]["factor"], scene) == ("swk", {"id": "home", "principal": "ada", "data": {"shift": "nîght"}, "values": {}})


@pytest.mark.parametrize("view", VIEWS)
def test_a_form_is_a_failure_without_input(view: str) -> None:
    done = run(f"login_engine.{view}", "--no-input", "--json", "1", "--", *decided_by_password())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"login_engine.{view}: a person would have to enter something, which --no-input rules out\n"


@pytest.mark.parametrize("view", VIEWS)
def test_grants_are_written_if_requested(view: str, tmp_path: Path) -> None:
    done = run(f"login_engine.{view}", "--no-input", "--json", "1", "--grants", *known(tmp_path, 0))
    assert json.loads(done.stdout)["grants"] == [{"token": "t0ken"}]
    done = run(f"login_engine.{view}", "--no-input", *known(tmp_path, 0))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_window_needs_tk_and_a_display(tmp_path: Path) -> None:
    for place, said in (
        (lacking(tmp_path, "tkinter"), "needs Tk for Python: apt-get install python3-tk"),
        (environment(), "DISPLAY has to name a display"),
        (environment(DISPLAY=":4711"), "DISPLAY has to name a display"),
    ):
        done = run("login_engine.tk", env=place)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert said in done.stderr


def test_a_form_in_the_terminal_needs_textual_and_a_terminal(tmp_path: Path) -> None:
    for place, said in ((lacking(tmp_path, "textual"), "needs Textual: pip install 'textual>=8,<9' segno"), (environment(), "have to be a terminal")):
        done = run("login_engine.textual", env=place)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert said in done.stderr


# On a display.

Opener = Callable[..., Window]


@pytest.fixture
def window_of(screen: dict[str, str], tmp_path: Path, stack: ExitStack) -> Opener:
    def opened(*arguments: str, **options: Any) -> Window:
        window = Window(screen, tmp_path / f"trace-{len(list(tmp_path.iterdir()))}", *arguments, **options)
        stack.callback(window.close)
        window.wait_for('"method":"session/open"')
        window.wait_until(lambda it: len(it["focus"]) > 1)
        return window

    return opened


def engine_of(process: int) -> int:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            if Path(f"/proc/{child}/exe").resolve() == Path(os.environ["LOGIN_ENGINE"]).resolve():
                return int(child)
        time.sleep(0.05)
    raise AssertionError("there is no engine")


def files_of(process: int) -> list[str]:
    return [os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()]


def test_a_window_writes_the_scene_to_a_descriptor_that_its_engine_does_not_inherit(window_of: Opener) -> None:
    read, write = os.pipe()
    pipe = os.readlink(f"/proc/self/fd/{write}")
    window = window_of("--grants", "--", *decided_by_password(), json=write)
    os.close(write)
    assert pipe in files_of(window.process.pid) and pipe not in files_of(engine_of(window.process.pid))
    window.type(LOG_IN + "\n")
    status, output, errors = window.end()
    with os.fdopen(read) as file:
        scene = json.loads(file.read())
    assert (status, output, errors) == (0, "", "")
    assert (scene["principal"], scene["grants"]) == ("ada", [])


def test_a_window_writes_nothing_without_a_descriptor(window_of: Opener) -> None:
    window = window_of("--", *decided_by_password(), json=None)
    # Nor do programs that the window starts, such as a browser.
    standard = [os.readlink(f"/proc/{window.process.pid}/fd/{number}") for number in (1, 2)]
    assert standard[0] == standard[1]
    window.type(LOG_IN + "\n")
    assert window.end() == (0, "", "")


class ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent, padded to the size of XEvent."""

    _fields_ = [
        ("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 24),
    ]  # fmt: skip


def ask_to_close(screen: dict[str, str], window: int) -> None:
    """Asks a window to close, as a window manager does: ICCCM, 4.2.8.1."""
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype, x.XInternAtom.restype = ctypes.c_void_p, ctypes.c_ulong
    x.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x.XCloseDisplay.argtypes = [ctypes.c_void_p]
    place = x.XOpenDisplay(screen["DISPLAY"].encode())
    names = [x.XInternAtom(place, name, False) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")]
    event = ClientMessage(type=33, window=window, message_type=names[0], format=32, data=(ctypes.c_long * 5)(names[1]))
    assert x.XSendEvent(place, window, False, 0, ctypes.byref(event))
    x.XCloseDisplay(place)


def test_a_window_that_is_closed_ends_with_status_1(window_of: Opener, screen: dict[str, str]) -> None:
    window = window_of("--title", "Who is there?", "--", *decided_by_password())
    command = ["xdotool", "search", "--onlyvisible", "--name", "Who is there"]
    [found] = subprocess.run(command, env=screen, capture_output=True, text=True, check=True).stdout.split()
    ask_to_close(screen, int(found))
    assert window.end() == (1, "", "")


def test_an_interrupted_window_ends_with_status_130(window_of: Opener) -> None:
    window = window_of("--", *decided_by_password())
    engine = engine_of(window.process.pid)
    # Ctrl-C in a terminal signals the whole process group.
    os.killpg(window.process.pid, signal.SIGINT)
    assert window.end() == (130, "", "")
    assert not Path(f"/proc/{engine}").exists()


def test_a_window_reports_that_its_engine_has_ended(window_of: Opener) -> None:
    window = window_of("--", "--authenticator", "demo")
    os.kill(engine_of(window.process.pid), signal.SIGKILL)
    assert window.end() == (1, "", "login_engine.tk: the engine has ended: killed by SIGKILL\n")


def test_a_window_reports_that_its_session_has_ended(window_of: Opener) -> None:
    window = window_of("--", "--authenticator", "demo", "--idle-timeout", "1")
    status, output, errors = window.end()
    assert (status, output) == (1, "") and "idleTimeout" in errors


# In a terminal.

TerminalOpener = Callable[..., Terminal]


@pytest.fixture
def terminal_of(stack: ExitStack) -> TerminalOpener:
    def opened(*arguments: str, **options: Any) -> Terminal:
        terminal = Terminal("-m", "login_engine.textual", *arguments, **options)
        stack.callback(terminal.close)
        terminal.wait_until_still("Log in")
        return terminal

    return opened


def test_a_form_is_drawn_in_the_terminal_while_a_shell_captures_the_scene(terminal_of: TerminalOpener) -> None:
    read, write = os.pipe()
    pipe = os.readlink(f"/proc/self/fd/{write}")
    terminal = terminal_of("--json", "1", "--", *decided_by_password(), size=(100, 50), output=write)
    os.close(write)
    # The card is centred in the terminal, although standard output is not a terminal.
    assert next(line for line in terminal.screen.display if "╭" in line).index("╭") == (100 - 64) // 2
    assert pipe in files_of(terminal.process.pid) and pipe not in files_of(engine_of(terminal.process.pid))
    terminal.type(LOG_IN + "\r")
    assert terminal.end()[0] == 0
    with os.fdopen(read) as file:
        output = file.read()
    assert output.count("\n") == 1 and json.loads(output)["principal"] == "ada"
    assert b"principal" not in terminal.drawn


def test_a_program_can_have_a_standard_output_other_than_the_terminal(stack: ExitStack) -> None:
    read, write = os.pipe()
    program = "import sys; from login_engine.textual import log_in; print(log_in(*sys.argv[1:])['principal'])"
    terminal = Terminal("-c", program, *decided_by_password(), size=(100, 50), output=write)
    stack.callback(terminal.close)
    os.close(write)
    terminal.wait_until_still("Log in")
    assert next(line for line in terminal.screen.display if "╭" in line).index("╭") == (100 - 64) // 2
    terminal.type(LOG_IN + "\r")
    assert terminal.end()[0] == 0
    with os.fdopen(read) as file:
        assert file.read() == "ada\n"


def test_a_form_in_the_terminal_writes_nothing_without_a_descriptor(terminal_of: TerminalOpener) -> None:
    read, write = os.pipe()
    terminal = terminal_of("--", *decided_by_password(), output=write)
    os.close(write)
    terminal.type(LOG_IN + "\r")
    assert terminal.end()[0] == 0
    with os.fdopen(read) as file:
        assert file.read() == ""
    assert b"principal" not in terminal.drawn


@pytest.mark.parametrize(
    ("how", "status"), [("\x03", 130), ("\x11", 1), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["Ctrl-C", "Ctrl-Q", "SIGINT", "SIGTERM", "SIGHUP"],
)
def test_the_terminal_is_restored_when_the_person_leaves(terminal_of: TerminalOpener, how: str | signal.Signals, status: int) -> None:
    terminal = terminal_of("--json", "1", "--", *decided_by_password())
    engine = engine_of(terminal.process.pid)
    assert not terminal.is_echoing and b"\x1b[?1049l" not in terminal.drawn
    terminal.type("ada@exam")
    if isinstance(how, str):
        terminal.type(how)
    else:
        terminal.process.send_signal(how)
    assert terminal.end()[0] == status
    assert terminal.is_echoing
    after = terminal.drawn.decode().partition("\x1b[?1049l")[2]
    assert after and not re.search(r"[A-Za-z]{3}", re.sub(r"\x1b\[[?0-9;<]*[a-z]", "", after)), after
    assert not Path(f"/proc/{engine}").exists()
