"""The view as a login prompt of another program: its exit status and the scene that it writes."""

import fcntl
import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from flows import field, snapshot
from programs import FLOWS, ROOT, ability, has, same

SCENE = {"id": "home", "principal": "ada", "data": {"roles": ["a", {"b": 1.50}], "ä": "\n\""}, "values": {"name": "ada", "stay": False, "none": None},
         "proofs": [{"proof": "password", "at": 1000}]}  # fmt: skip
# Prints the standard output of the view and its status.
PROMPT = 'scene=$("$@"); echo "status=$? scene=$scene"'
ENTERED = "ada@example.com\tpassword\r"
ENTERED_LINES = "1 ada@example.com\n2 password\n!1\nw\n"

GRANTING = """#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit")
    | {jsonrpc: "2.0", id: $it.id, result: {outcome: "accepted", principal: "ada", secret: {token: "t1", more: [1.50, null]}}}'
done
"""


def lines_of(scene):
    """Parses the scene, which has to be one line."""
    assert scene.endswith("\n") and scene.count("\n") == 1, scene
    return json.loads(scene)


def script(programs, name, text):
    path = programs.folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@ability
def a_scene_in_a_variable_of_a_shell(programs):
    for way in ("instant", "acknowledged"):
        options = ["--once", "--json", "1", "--strict", "--transitions", way]
        with programs.in_shell(PROMPT, options, columns=200) as terminal:
            terminal.wait("[ ] Keep")
            terminal.press(ENTERED)
            terminal.wait("status=0")
            row = next(row for row in terminal.rows() if "status=0" in row)
            scene = json.loads(row.partition("scene=")[2])
            same({name: scene[name] for name in ("id", "principal")}, {"id": "home", "principal": "ada@example.com"})
            same(scene["values"]["email"], "ada@example.com")
            same(terminal.ended(), 0)


@ability
def a_scene_is_written_as_the_engine_sent_it(programs):
    engine = programs.saying(snapshot([field("name", editable=True)]), snapshot(scene=SCENE))
    run = programs.run(["--plain", "--once", "--json", "1"], "!1\n", engine, [])
    same((run.returncode, lines_of(run.stdout)), (0, SCENE))


@ability
def the_screen_is_restored_before_the_scene_is_written(programs):
    with programs.in_shell('"$@" 3>&1 >/dev/null', ["--once", "--json", "3"]) as terminal:
        terminal.wait("[ ] Keep")
        terminal.press(ENTERED)
        same(terminal.ended(), 0)
        screen, rest = terminal.written.rsplit(b"\x1b[?1049l", 1)
        assert b'{"' not in screen, screen
        same(lines_of(rest.decode().replace("\r", ""))["principal"], "ada@example.com")


@ability
def a_prompt_goes_through_alerts_to_the_first_scene(programs):
    talking = script(programs, "talking", """#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit") | $it.params.attempt as $attempt
    | ("Erstens", "Zweitens" | {jsonrpc: "2.0", method: "authenticator/notify",
        params: {$attempt, alert: {title: "Nachricht", messages: [{code: "said", text: .}]}}}),
      {jsonrpc: "2.0", id: $it.id, result: {outcome: "accepted", principal: "ada", data: {a: 1}}}'
done
""")  # fmt: skip
    for way in ("instant", "acknowledged"):
        options = ["--once", "--json", "1", "--flow", "staged", "--transitions", way]
        with programs.in_shell(PROMPT, options, ["--authenticator", talking], columns=120) as terminal:
            terminal.wait("Password")
            terminal.press("ada\tpassword\r")
            for text in ("Erstens", "Zweitens"):
                terminal.wait(text)
                terminal.press("\r")
            terminal.wait(lambda _: b'"principal":"ada"' in terminal.written)
            assert b"status=0" in terminal.written
            same(terminal.ended(), 0)
        run = programs.run(["--plain", *options], "1 ada\n2 password\n!1\nw\n!1\nw\n!1\nw\n", arguments=["--authenticator", talking])
        same((run.returncode, lines_of(run.stdout)["data"]), (0, {"a": 1}))
    # With --once the program ends where the flow would start again.
    run = programs.run(["--plain", "--once"], "1 ada@example.com\n2 ada\n!1\nw\n", arguments=["--authenticator", "demo", "--flow", FLOWS / "kiosk.json"])
    same(run.returncode, 0)
    has("== scene: ", run.stdout.split("\n"))
    assert "Enter: " not in run.stdout, run.stdout


@ability
def a_prompt_that_the_user_leaves_writes_nothing(programs):
    for keys, status in [("\x04", 1), ("\x03", 130), ("ada\x03", 130), ("ada\x04", 1)]:
        with programs.in_shell(PROMPT, ["--once", "--json", "1"]) as terminal:
            terminal.wait("[ ] Keep")
            terminal.press(keys)
            same(terminal.ended(), 0)
            rest = terminal.written.rsplit(b"\x1b[?1049l", 1)[1].decode()
            same(rest, f"status={status} scene=\r\n")
    for keys, status in [("q\r", 1), ("\x04", 1)]:
        with programs.in_shell(PROMPT, ["--once", "--json", "1", "--plain"]) as terminal:
            terminal.wait("focus: 1")
            terminal.press(keys)
            same(terminal.ended(), 0)
            rest = terminal.written.rsplit(b"focus: 1\r\n\r\n", 1)[1].decode()
            same(rest.removeprefix("q\r\n"), f"status={status} scene=\r\n")
    # Without --once the program is no prompt, so quitting is no failure.
    for keys in ("\x03", "\x04"):
        with programs.terminal() as terminal:
            terminal.wait("[ ] Keep")
            terminal.press(keys)
            same(terminal.ended(), 0)
    run = programs.run(["--plain", "--once"], "q\n")
    same((run.returncode, [line for line in run.stderr.split("\n") if line.startswith("login-terminal:")]), (1, []))


@ability
def a_prompt_that_ends_without_a_login_gives_the_reason(programs):
    for engine, arguments, typed, why in [
        (None, ["--authenticator", "demo"], "", "the input has ended"), ("/bin/false", [], None, "the engine has stopped"),
        ("/nonexistent", [], None, "cannot start"), (None, ["--authenticator", "demo", "--idle-timeout", "1"], None, "The session was ended: idleTimeout"),
    ]:  # fmt: skip
        # An input that does not end.
        reader, writer = os.pipe()
        members = {"stdin": reader} if typed is None else {}
        run = programs.run(["--plain", "--once", "--json", "1"], typed or "", engine, arguments, **members)
        os.close(reader), os.close(writer)
        assert run.returncode == 1 and not run.stdout and f"login-terminal: {why}" in run.stderr, (why, run)


@ability
def a_prompt_ends_with_the_number_of_a_signal(programs):
    for options in (["--plain"], [], ["--no-input"]):
        for number in (signal.SIGINT, signal.SIGTERM):
            # The engine is silent, so that nothing ends by itself.
            engine = script(programs, "silent", "#!/bin/bash\nwhile read -r _; do :; done\n")
            with programs.terminal(engine=engine, options=["--once", *options]) as terminal:
                mask = 1 << (number - 1)
                terminal.wait(lambda _, mask=mask: mask & caught(terminal.process.pid))
                terminal.process.send_signal(number)
                same(terminal.ended(), 128 + number)


def caught(process):
    """The signals that a process handles."""
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))


@ability
def a_wrong_command_line_of_a_prompt_is_refused(programs):
    with open("/dev/null") as reading:
        number = reading.fileno()
        for options, members in [
            (["--once", "--json", "97"], {}), (["--once", "--json", "2"], {}), (["--once", "--json", "0"], {}), (["--once", "--json", "x"], {}),
            (["--once", "--json", "-1"], {}), (["--once", "--json", str(number)], {"pass_fds": [number]}), (["--json", "1"], {}),
            (["--once", "--grants"], {}), (["--relay", "--once"], {}),
        ]:  # fmt: skip
            options = [*options, "--plain", "--engine", "/bin/false"]
            run = subprocess.run([programs.view, *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, **members)
            assert run.returncode == 2 and not run.stdout and run.stderr.startswith("login-terminal: "), (options, run)
    run = subprocess.run(["sh", "-c", '"$@" >&-', "sh", programs.view, "--once", "--json", "1"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "not open for writing" in run.stderr, run


@ability
def lines_for_people_are_separate_from_the_scene(programs):
    run = programs.run(["--plain", "--once", "--json", "1"], ENTERED_LINES)
    same((run.returncode, lines_of(run.stdout)["principal"]), (0, "ada@example.com"))
    assert "== Log in" in run.stderr and "== principal: ada@example.com" in run.stderr, run.stderr
    # The scene goes to another descriptor, and standard output is for people.
    path = programs.folder / "scene"
    with path.open("w") as file:
        options = ["--plain", "--once", "--json", str(file.fileno())]
        run = programs.run(options, ENTERED_LINES, pass_fds=[file.fileno()])
    same((run.returncode, lines_of(path.read_text())["principal"]), (0, "ada@example.com"))
    assert "== Log in" in run.stdout and '{"' not in run.stdout, run.stdout


@ability
def a_scene_that_cannot_be_written_fails_the_prompt(programs):
    reader, writer = os.pipe()
    os.close(reader)
    run = programs.run(["--plain", "--once", "--json", str(writer)], ENTERED_LINES, pass_fds=[writer])
    os.close(writer)
    assert run.returncode == 1 and "cannot write the scene: Broken pipe" in run.stderr, run


@ability
def a_scene_is_written_whole_to_a_slow_reader(programs):
    authenticator = script(programs, "long", """#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit")
    | {jsonrpc: "2.0", id: $it.id, result: {outcome: "accepted", data: {long: [range(40) | "x" * 1500]}}}'
done
""")  # fmt: skip
    reader, writer = os.pipe()
    # The smallest possible pipe.
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    got = []

    def read():
        time.sleep(0.3)
        while piece := os.read(reader, 1 << 16):
            got.append(piece)

    thread = threading.Thread(target=read)
    thread.start()
    options = ["--plain", "--once", "--json", str(writer)]
    run = programs.run(options, ENTERED_LINES, arguments=["--authenticator", authenticator], pass_fds=[writer])
    os.close(writer)
    thread.join()
    os.close(reader)
    same((run.returncode, len("".join(lines_of(b"".join(got).decode())["data"]["long"]))), (0, 60_000))


@ability
def grants_are_written_only_with_their_option(programs):
    granting = script(programs, "granting", GRANTING)
    typed = ENTERED_LINES
    for way in ("instant", "acknowledged"):
        options = ["--plain", "--once", "--json", "1", "--transitions", way]
        run = programs.run([*options, "--grants"], typed, arguments=["--authenticator", granting])
        same((run.returncode, lines_of(run.stdout)["grants"]), (0, [{"token": "t1", "more": [1.5, None]}]))
        assert "t1" not in run.stderr, run.stderr
        run = programs.run(options, typed, arguments=["--authenticator", granting])
        same((run.returncode, "t1" in run.stdout + run.stderr, "grants" in lines_of(run.stdout)), (0, False, False))
    run = programs.run(["--plain", "--once", "--json", "1", "--grants"], typed)
    same(lines_of(run.stdout)["grants"], [])


@ability
def the_engine_gets_no_descriptor_of_the_view(programs):
    heard = programs.folder / "heard"
    engine = script(programs, "listing", f"#!/bin/sh\nls -l /proc/$$/fd >'{heard}'\n")
    scene, other = programs.folder / "the-scene", programs.folder / "something-else"
    with scene.open("w") as one, other.open("w") as two:
        pair = [one.fileno(), two.fileno()]
        for options in (["--once", "--json", str(pair[0])], []):
            programs.run(["--plain", *options], "", engine, [], pass_fds=pair)
            listed = heard.read_text()
            assert "-> " in listed and "the-scene" not in listed and "something-else" not in listed, listed


# MARK: Without a user


@ability
def without_input_an_error_says_that_a_user_has_to_log_in(programs):
    for members in ({"stdin": subprocess.DEVNULL}, {"stdin": subprocess.PIPE}):
        run = programs.run(["--no-input", "--json", "1"], **members)
        assert run.returncode == 1 and not run.stdout, run
        assert re.search(r"^login-terminal: a person has to log in \(Log in\): .*--no-input", run.stderr, re.MULTILINE), run.stderr
    # Even without standard streams.
    command = ["bash", "-c", '"$@" <&- >&- 2>&-', "bash", programs.view, "--no-input", "--engine", programs.engine, "--", "--authenticator", "demo"]
    same(subprocess.run(command, timeout=60).returncode, 1)
    with programs.terminal(options=["--no-input"]) as terminal:
        same(terminal.ended(), 1)
        assert b"\x1b" not in terminal.written, terminal.written


@ability
def without_input_a_session_that_needs_no_user_is_awaited(programs):
    # The flow has an initial request, whose answer is delayed.
    loading = script(programs, "loading", """#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit") | {jsonrpc: "2.0", id: $it.id, result: {outcome: "accepted", principal: "it"}}' |
    { sleep 0.3; cat; }
done
""")  # fmt: skip
    for way in ("instant", "acknowledged"):
        options = ["--no-input", "--json", "1", "--flow", "loader", "--transitions", way]
        run = programs.run(options, arguments=["--authenticator", loading], stdin=subprocess.DEVNULL)
        same((run.returncode, run.returncode or lines_of(run.stdout)["principal"]), (0, "it"))
    rejecting = script(programs, "rejecting", Path(loading).read_text().replace('"accepted", principal: "it"', '"rejected"'))
    # The rejection is shown in an alert, which only a user can answer.
    run = programs.run(["--no-input", "--flow", "loader"], arguments=["--authenticator", rejecting], stdin=subprocess.DEVNULL)
    assert run.returncode == 1 and "a person has to log in" in run.stderr, run
    # So does an alert that is shown while the answer is awaited.
    talking = script(programs, "talking", """#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit") | {jsonrpc: "2.0", method: "authenticator/notify",
    params: {attempt: $it.params.attempt, alert: {title: "News", messages: [{code: "said", text: "Read this."}]}}}'
done
""")  # fmt: skip
    run = programs.run(["--no-input", "--flow", "loader"], arguments=["--authenticator", talking], stdin=subprocess.DEVNULL)
    assert run.returncode == 1 and "a person has to log in" in run.stderr, run


# MARK: The example


@ability
def the_example_of_a_login_prompt_works(programs):
    text = (ROOT / "clients/swift/README.md").read_text()
    example = re.search(r"^## A login prompt for your program$.*?^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
    folders = [Path(programs.view).parent, Path(programs.engine).parent]
    beside = programs.folder / "programs"
    beside.mkdir()
    (beside / "login-terminal").symlink_to(programs.view)
    environment = {"PATH": ":".join(map(str, [beside, folders[1], os.environ["PATH"]])), "XDG_DATA_HOME": str(programs.folder), "HOME": str(programs.folder)}
    add = ["login-accounts", "add", "--email", "ada@example.com", "--user-name", "ada", "--minimum-password-length", "9"]
    subprocess.run(add, input="correct horse\n", text=True, check=True, capture_output=True, env=os.environ | environment, timeout=60)
    for keys, said in [("ada@example.com\tcorrect horse\r", "Hello, ada!"), ("\x04", None)]:
        with programs.in_shell(example, **environment) as terminal:
            terminal.wait("[ ] Keep")
            terminal.press(keys)
            same(terminal.ended(), 0 if said else 1)
            assert not said or said.encode() in terminal.written
