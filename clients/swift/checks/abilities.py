"""What the view can do in a terminal, each thing driven in a pseudo-terminal with the real engine where that can say it."""

import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

from flows import code, field, flow, saying, snapshot
from terminal import Terminal

ROOT = Path(__file__).resolve().parents[3]
TRANSCRIPTS = ROOT / "protocol/transcripts"
HYPERLINK = re.compile(rb"\x1b\]8;id=page;([^\x1b]*)\x1b\\(?:\x1b\[[0-9;]*m)*([^\x1b]*)")
# All that the view itself may write that is no text.
SEQUENCE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|\]8;(?:id=page)?;[\x21-\x7e]*\x1b\\)")

everything = []


def ability(function):
    everything.append(function)
    return function


class Programs:
    """The two programs, and a folder for files."""

    def __init__(self, engine, view, folder):
        self.engine, self.view, self.folder = engine, view, folder

    def terminal(self, flow=None, engine=None, authenticator="demo", **members):
        """The view in a terminal, with the real engine or with another one."""
        command = [self.view, "--engine", engine or self.engine]
        if not engine:
            command += ["--strict", "--", "--authenticator", authenticator]
            if isinstance(flow, dict):
                path = self.folder / "flow.json"
                path.write_text(json.dumps(flow))
                flow = path
            command += ["--flow", flow] if flow else []
        return Terminal(command, **members)

    def shows(self, *snapshots, **members):
        return self.terminal(engine=saying(self.folder, *snapshots), **members)

    def lines(self, typed, flow=None, engine=None):
        """What the view prints with --plain."""
        command = [self.view, "--plain", "--engine", engine or self.engine]
        command += [] if engine else ["--strict", "--", "--authenticator", "demo", "--flow", flow]
        run = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)
        return run.stdout

    def decoded(self, terminal):
        """What a decoder reads off the screen, or nothing."""
        path = self.folder / "screen.pgm"
        path.write_bytes(terminal.picture())
        run = subprocess.run(["zbarimg", "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", path], capture_output=True)
        return run.stdout.decode().removesuffix("\n")


def same(got, wanted):
    assert got == wanted, f"got {got!r} instead of {wanted!r}"


def has(text, rows):
    assert any(text in row for row in rows), f"no {text!r} in\n" + "\n".join(rows)


def lacks(text, rows):
    assert not any(text in row for row in rows), f"{text!r} in\n" + "\n".join(rows)


def row_of(text, terminal):
    return next(number for number, row in enumerate(terminal.rows()) if text in row)


# MARK: links


@ability
def links_can_be_opened_by_the_terminal(programs):
    with programs.terminal(ROOT / "clients/other-flow.json") as terminal:
        terminal.wait("[ ]")
        terminal.press("\x1b[A\x1b[A\r")
        terminal.wait("Mehr dazu")
        url = "https://beispiel.at/daten?wozu=fragebogen"
        has(f"Mehr dazu: {url}", terminal.rows())
        same(HYPERLINK.findall(terminal.written)[0], (url.encode(), f"Mehr dazu: {url}".encode()))
        same(terminal.quit(), 0)


@ability
def a_link_over_several_rows_is_one(programs):
    url = "https://example.com/" + "way/" * 40
    item = {"id": "far", "kind": "link", "title": "Far", "url": url}
    with programs.shows(snapshot([item])) as terminal:
        terminal.wait("[ Do it ]")
        parts = HYPERLINK.findall(terminal.written)
        same({target.decode() for target, _ in parts}, {url})
        same(b"".join(text for _, text in parts).decode(), "Far:" + url)
        assert len(parts) > 2, parts


@ability
def no_link_where_the_terminal_would_draw_it(programs):
    for name in ("linux", "dumb", None):
        with programs.terminal(ROOT / "clients/other-flow.json", TERM=name) as terminal:
            terminal.wait("[ ]")
            terminal.press("\x1b[A\x1b[A\r")
            terminal.wait("Mehr dazu: https://")
            assert b"\x1b]" not in terminal.written, name


@ability
def an_address_that_could_command_the_terminal_is_a_text(programs):
    urls = ["https://a.example/\x1b]0;owned\x07", "https://a.example/\x1b\\\x1b[31m", "https://ä.example/", "javascript:alert(1)",
            "file:///etc/passwd", "https://a.example/ b", "https://a.example/\x9c", "https://a.example/" + "x" * 3000]  # fmt: skip
    items = [{"id": f"n{number}", "kind": "link", "title": None, "url": url} for number, url in enumerate(urls)]
    with programs.shows(snapshot(items), rows=120) as terminal:
        terminal.wait("[ Do it ]")
        same(HYPERLINK.findall(terminal.written), [])
        has("javascript:alert(1)", terminal.rows())
        commands_nothing(terminal)


def commands_nothing(terminal):
    rest = SEQUENCE.sub(b"", terminal.written).decode(errors="replace")
    found = re.search("[\x00-\x06\x08\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", rest)
    assert not found, f"{found[0]!r} reaches the terminal"


@ability
def no_text_commands_the_terminal(programs):
    evil = "\x1b[31m\x1b]0;owned\x07\x9b1m\u202e\u2066\x08\x7f\r"
    message = {"code": "x", "text": evil + "said", "politeness": "assertive"}
    options = [{"id": "o", "title": evil + "option"}]
    items = [
        {"id": "a", "kind": "input", "inputType": "text", "title": evil + "input", "placeholder": evil, "hint": evil + "hint",
         "value": evil + "value", "editable": True, "validity": "invalid", "messages": [message]},
        {"id": "b", "kind": "selection", "title": evil + "pick", "options": options, "value": "o", "editable": True},
        {"id": "c", "kind": "switch", "title": evil + "switch", "value": True, "editable": True},
        {"id": "d", "kind": "text", "title": evil + "text"},
        {"id": "e", "kind": "code", "title": evil + "code", "text": evil + "key", "format": "plain"},
        {"id": "f", "kind": "code", "title": evil + "picture", "text": evil + "key", "format": "qr"},
        {"id": "g", "kind": evil, "title": evil + "other", "text": evil},
    ]  # fmt: skip
    shown = snapshot(items, title=evil + "Heading", error=message, notice=message)
    for direction in ("ltr", "rtl"):
        with programs.shows(shown | {"direction": direction}, rows=120) as terminal:
            terminal.wait("[ Do it ]")
            for word in ("Heading", "input", "value", "hint", "pick", "option", "switch", "text", "code", "key", "picture", "said"):
                has(word, terminal.rows())
            commands_nothing(terminal)
    alert = {"id": 1, "title": evil + "alarm", "text": evil + "all\nof it", "messages": [message], "actions": [
        {"id": "ok", "title": evil + "answer", "role": "dismiss", "enabled": True}]}  # fmt: skip
    with programs.shows(snapshot(items, alert=alert)) as terminal:
        terminal.wait("answer")
        commands_nothing(terminal)
    with programs.shows(snapshot(scene={"id": evil, "principal": evil, "data": {evil: evil}, "values": {}})) as terminal:
        terminal.wait("principal")
        commands_nothing(terminal)


# MARK: codes

LEVEL_L = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929, 1003, 1091, 1171,
           1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068]  # fmt: skip


@ability
def codes_of_every_size_can_be_scanned(programs):
    draw = random.Random(17)
    letters = [chr(letter) for letter in range(33, 127)]
    for version, most in enumerate(LEVEL_L, 1):
        # The first and the last length of each version; the protocol's texts have at most 2,048 bytes.
        for length in sorted({1 if version == 1 else LEVEL_L[version - 2] + 1, min(most, 2048)}):
            text = "".join(draw.choice(letters) for _ in range(length))
            side = 17 + 4 * version + 8
            rows, columns = (side + 1) // 2 + -(-length // side) + 12, max(72, side + 6)
            # The definition is read by the real engine as long as it takes such a text.
            with programs.terminal(flow([code("key", text)]), rows=rows, columns=columns) as terminal:
                terminal.wait("[ Do it ]")
                same(programs.decoded(terminal), text)


@ability
def codes_hold_any_text(programs):
    for text in ("otpauth://totp/Example:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Example", "Größe, 漢字 and 😀", "0" * 64):
        with programs.terminal(flow([code("key", text)]), rows=50) as terminal:
            terminal.wait("[ Do it ]")
            same(programs.decoded(terminal), text)
            has(text[:40], terminal.rows())


@ability
def a_code_of_an_authenticator_can_be_scanned(programs):
    # The real conversation that asks for it, played by the mock.
    steps = map(json.loads, (TRANSCRIPTS / "challenge/codes.jsonl").read_text().splitlines())
    asked = [step["answer"]["result"]["screen"] for step in steps if step.get("answer", {}).get("result", {}).get("screen")]
    items = asked[0]["sections"][0]["items"]
    wanted = next(item["text"] for item in items if item["kind"] == "code" and item["format"] == "qr")
    script = programs.folder / "asking"
    answer = json.dumps({"jsonrpc": "2.0", "id": 0, "result": {"outcome": "challenge", "screen": asked[0]}})
    script.write_text(f"""#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" --argjson answer '{answer}' 'select($it.method == "authenticator/submit") | $answer + {{id: $it.id}}'
done
""")
    script.chmod(0o755)
    with programs.terminal(authenticator=str(script), rows=50) as terminal:
        terminal.wait("[ ]")
        terminal.press("ada@example.com\tcorrect horse\r")
        terminal.wait("JBSW Y3DP EHPK 3PXP")
        same(programs.decoded(terminal), wanted)
        terminal.press("123456")
        terminal.wait("123456")
        same(terminal.quit(), 0)


@ability
def without_colours_the_light_modules_are_drawn(programs):
    with programs.terminal(flow([code("key", "no colours")]), rows=40, NO_COLOR="1") as terminal:
        terminal.wait("[ Do it ]")
        assert b"\x1b[30;47m" not in terminal.written
        same(programs.decoded(terminal), "no colours")


@ability
def a_terminal_that_is_too_small_shows_the_text(programs):
    text = "https://example.com/" + "x" * 30
    for rows, columns in ((24, 42), (15, 72)):
        with programs.terminal(flow([code("key", text)]), rows=rows, columns=columns) as terminal:
            terminal.wait("[ Do it ]")
            lacks("█", terminal.rows())
            has("https://example.com/", terminal.rows())
            has("QR code", [" ".join(row.strip("│ ") for row in terminal.rows())])
    with programs.terminal(flow([code("key", text)]), rows=23, columns=43) as terminal:
        terminal.wait("[ Do it ]")
        terminal.press("\x1b[5~\x1b[5~")
        terminal.wait(lambda _: programs.decoded(terminal) == text)


@ability
def a_plain_code_keeps_its_blanks(programs):
    with programs.terminal(flow([code("key", "AB  CD   EF", "plain")])) as terminal:
        terminal.wait("[ Do it ]")
        has("AB  CD   EF", terminal.rows())
        lacks("█", terminal.rows())


@ability
def lines_have_the_text_of_a_code(programs):
    path = programs.folder / "plain.json"
    path.write_text(json.dumps(flow([code("key", "AB  CD")])))
    has("key: AB  CD", programs.lines("q\n", path).split("\n"))


# MARK: focus


@ability
def the_focus_goes_where_the_engine_says(programs):
    with programs.terminal() as terminal:
        terminal.wait("[ ]")
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Email", terminal) + 1)
        terminal.press("wrong@example.com\tpassword\t ")
        terminal.wait("[x]")
        terminal.press("\r")
        terminal.wait("✗")
        # To the secret, after a failure that blames nobody.
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Password", terminal) + 1)
        terminal.press("\x15\x1b[Z")
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Email", terminal) + 1)
        terminal.press("x\x15\r")
        terminal.wait(lambda _: sum(row.startswith("│   !") for row in terminal.rows()) == 2)
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Email", terminal) + 1)
        same(terminal.quit(), 0)


@ability
def lines_say_where_the_focus_goes(programs):
    path = ROOT / "clients/other-flow.json"
    printed = programs.lines("1 wrong@example.com\n2 password\n!1\nw\nq\n", path)
    focus = [line for line in printed.split("\n") if line.startswith("focus: ")]
    same(focus, ["focus: 1", "focus: 2"])


# MARK: countdowns


def counts_down(terminal, beside):
    """Waits until a number of seconds beside a title has gone down twice."""
    seen = []

    def look(_):
        found = re.search(re.escape(beside) + r" (\d+) s", "\n".join(terminal.rows()))
        if found and int(found[1]) not in seen:
            seen.append(int(found[1]))
        return len(seen) == 3

    terminal.wait(look)
    same(seen, list(range(seen[0], seen[0] - 3, -1)))
    assert seen[0] <= 5, seen


@ability
def a_throttle_is_counted_down(programs):
    with programs.terminal() as terminal:
        terminal.wait("[ ]")
        terminal.press("throttled@example.com\tpassword\r")
        terminal.wait("( Try Again )")
        counts_down(terminal, "( Try Again )")
        terminal.wait("[ Try Again ]")
        lacks(" s ", [row for row in terminal.rows() if "Try Again" in row])


@ability
def a_held_link_is_counted_down(programs):
    script = programs.folder / "sending"
    script.write_text("""#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" 'select($it.method == "authenticator/submit") | {jsonrpc: "2.0", id: $it.id,
    result: {outcome: "accepted", retryAfterMs: 4000, message: {text: "It is on its way."}}}'
done
""")
    script.chmod(0o755)
    links = [{"id": "send", "title": "Send it", "request": "sendCode"}]
    with programs.terminal(flow([field("code")], links=links), authenticator=str(script)) as terminal:
        terminal.wait("Send it")
        terminal.press("\x1b[A\r")
        terminal.wait("It is on its way.")
        counts_down(terminal, "Send it")
        terminal.wait(lambda _: not re.search(r"Send it \d", "\n".join(terminal.rows())))
        same(terminal.quit(), 0)


@ability
def a_clock_that_is_wrong_does_not_matter(programs):
    button = {"id": "do", "title": "Do it", "role": "primary", "enabled": False}
    with programs.shows(snapshot(retryAt={"at": 1000, "afterMs": 4000}, actions=[button])) as terminal:
        terminal.wait("( Do it )")
        counts_down(terminal, "( Do it )")
        terminal.wait(lambda _: " s " not in terminal.rows()[row_of("( Do it )", terminal)])


@ability
def lines_say_how_long_it_is_too_early(programs):
    path = ROOT / "clients/other-flow.json"
    printed = programs.lines("1 throttled@example.com\n2 password\n!1\nw\nq\n", path)
    assert re.search(r"^!1 .* \(button, disabled, in [1-5] s\)$", printed, re.MULTILINE), printed


# MARK: dates


@ability
def a_date_is_easy_to_enter(programs):
    with programs.terminal(TRANSCRIPTS / "flows/sign-up.json") as terminal:
        terminal.wait("Date of birth")
        terminal.press("\t\t")
        terminal.wait("› YYYY-MM-DD")
        for keys, shown in [
            ("199", "199Y-MM-DD"), ("9", "1999-MM-DD"), ("02", "1999-02-DD"), ("08", "1999-02-08"), ("\x7f", "1999-02-0D"),
            ("\x7f", "1999-02-DD"), ("\x7f", "1999-0M-DD"), ("\x15", "YYYY-MM-DD"), ("1999/2/8", "1999-02-8D"), ("\x15", "YYYY-MM-DD"),
            ("\x1b[200~19990208\x1b[201~", "1999-02-08"), ("\x15", "YYYY-MM-DD"), ("١٩٩٩٠٢٠٨", "1999-02-08"),
            ("\x15", "YYYY-MM-DD"), ("soon", "soon"), ("\x15", "YYYY-MM-DD"),
        ]:  # fmt: skip
            terminal.press(keys)
            terminal.wait(f"› {shown}")
        terminal.press("20990101")
        terminal.wait("› 2099-01-01")
        terminal.wait("│   !")
        same(terminal.quit(), 0)


# MARK: languages


@ability
def rows_begin_on_the_right_where_the_language_does(programs):
    items = [
        field("דואר", placeholder="p"), field("סיסמה", inputType="password"),
        {"id": "stay", "apiKey": "stay", "kind": "switch", "title": "זכור אותי.", "value": False},
        {"id": "which", "apiKey": "which", "kind": "selection", "title": "עיר", "value": "a", "options": [{"id": "a", "title": "חיפה"}]},
    ]  # fmt: skip
    for number, item in enumerate(items):
        item["id"] = f"i{number}"
        item["apiKey"] = f"i{number}"
    strings = {"heading": "כניסה", "do": "להיכנס", "p": "name@example.com"}
    with programs.terminal(flow(items, strings, locale="he")) as terminal:
        terminal.wait("להיכנס")
        rows = terminal.rows()
        assert rows[0].endswith(" כניסה ─╮"), rows[0]
        has("name@example.com ‹ │", rows)
        has("זכור אותי. [ ]   │", rows)
        has("▾ חיפה   │", rows)
        has("[ להיכנס ]   │", rows)
        row = row_of("name@example.com", terminal)
        same(terminal.screen.cursor.y, row)
        terminal.press("ada")
        terminal.wait("ada ‹ │")
        # Beside what runs from left to right stands the cursor on the right, and else on the left.
        same(terminal.screen.buffer[row][terminal.screen.cursor.x - 1].data, "a")
        terminal.press("\x15שלום")
        terminal.wait("שלום")
        terminal.wait(lambda _: terminal.screen.buffer[row][terminal.screen.cursor.x + 1].data == "ש")
        for row in terminal.rows()[1:]:
            assert not row or row[-1] in "│╯" or "Ctrl-C" in row, row
        # A terminal that puts letters in order keeps a full stop at the end of the sentence.
        assert "\u200fזכור אותי.\u200f".encode() in terminal.written
        same(terminal.quit(), 0)


# MARK: what else items and messages say


@ability
def hints_are_shown(programs):
    with programs.terminal(TRANSCRIPTS / "flows/accessible.json", rows=40) as terminal:
        terminal.wait("It opens the door.")
        same(row_of("The others see it.", terminal), row_of("Name", terminal) + 3)
    printed = programs.lines("q\n", TRANSCRIPTS / "flows/accessible.json").split("\n")
    same(printed.index("   The others see it."), next(n for n, line in enumerate(printed) if line.startswith("1. ")) + 1)


@ability
def what_is_read_only_is_a_text(programs):
    with programs.terminal(ROOT / "clients/other-flow.json", rows=50) as terminal:
        terminal.wait("[ ]")
        terminal.press("\x1b[A\x1b[A\r")
        terminal.wait("Enter: Absenden")
        lacks("› Nr. 7", terminal.rows())
        same(terminal.rows()[row_of("Nr. 7", terminal) + 1].strip("│ "), "")


@ability
def a_message_looks_as_it_is_meant(programs):
    def item(name, validity, severity):
        message = {"code": name, "text": name} | ({"severity": severity} if severity else {})
        return {"id": name, "kind": "input", "inputType": "text", "title": None, "placeholder": None, "value": "x", "editable": True,
                "validity": validity, "messages": [message]}  # fmt: skip

    items = [item("free", "valid", "success"), item("note", "valid", "info"), item("look", "valid", "warning"),
             item("bad", "invalid", "error"), item("plain", "invalid", None), item("remark", "valid", None)]  # fmt: skip
    with programs.shows(snapshot(items), rows=40) as terminal:
        terminal.wait("[ Do it ]")
        for shown, colour in [("✓ free", "green"), ("i note", "default"), ("! look", "default"), ("✗ bad", "red"), ("! plain", "red"),
                              ("! remark", "default")]:  # fmt: skip
            has(shown, terminal.rows())
            row = row_of(shown, terminal)
            same(terminal.screen.buffer[row][terminal.rows()[row].index(shown)].fg, colour)


@ability
def what_should_interrupt_rings_the_bell(programs):
    with programs.terminal() as terminal:
        terminal.wait("[ ]")
        terminal.press("notice@example.com\tpassword\r")
        terminal.wait("This is a notice.")
        same(terminal.screen.bells, 0)
        terminal.press("\x1b[Z\x1b[Z\x1b[Z\x15wrong@example.com\r")
        terminal.wait("✗")
        same(terminal.screen.bells, 1)
        terminal.press("x")
        terminal.wait(lambda _: not any("✗" in row for row in terminal.rows()))
        same(terminal.screen.bells, 1)
        same(terminal.quit(), 0)


@ability
def what_should_interrupt_is_said_first(programs):
    printed = programs.lines("1 wrong@example.com\n2 password\n!1\nw\nq\n", ROOT / "clients/other-flow.json")
    last = printed.strip().split("\n\n")[-1].split("\n")
    assert last[0].startswith("error: ") and last[1].startswith("== "), last


@ability
def what_is_longer_than_the_screen_can_be_read(programs):
    words = [f"sentence{number}." for number in range(200)]
    items = [{"id": "terms", "kind": "text", "title": "terms"}, field("name")]
    with programs.terminal(flow(items, {"terms": "\n".join(words)})) as terminal:
        terminal.wait("› ")
        lacks("sentence0.", terminal.rows())
        terminal.wait("PgUp, PgDn: read")
        read = set()
        while "sentence0." not in read:
            first = terminal.rows()[1]
            read |= {word for row in terminal.rows() for word in re.findall(r"sentence\d+\.", row)}
            terminal.press("\x1b[5~")
            # Until the whole frame is drawn.
            terminal.wait(lambda _: terminal.rows()[1] != first or "sentence0." in first)
            while terminal.read(0.1):
                pass
        same(sorted(set(words) - read), [])
        has("sentence0.", terminal.rows())
        terminal.press("x")
        terminal.wait("› x")
        same(terminal.quit(), 0)


def check(engine, view, words):
    """Pairs of what is checked and what is wrong with it, or None."""
    for function in everything:
        name = function.__name__.replace("_", " ")
        if words and not any(word in name for word in words):
            continue
        problem = None
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(Programs(engine, view, Path(folder)))
            except (AssertionError, StopIteration, OSError, subprocess.TimeoutExpired) as error:
                problem = str(error) or repr(error)
        yield name, problem
