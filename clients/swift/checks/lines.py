"""The line mode: its answers, and its echo of typed text at a terminal."""

from flows import field, flow, snapshot
from programs import OTHER, ability, has, lacks, same


def answer(printed, before):
    """The output that the last line added to the output of the lines before it."""
    assert printed.startswith(before), (before, printed)
    return printed[len(before) :].strip()


@ability
def each_line_without_effect_is_answered(programs):
    alert = {"id": 1, "title": "Alarm", "text": "", "messages": [], "actions": [{"id": "ok", "title": "Good", "role": "dismiss", "enabled": True}]}
    locked = [field("name", editable=False, value="x")]
    engines = {
        "alert": programs.saying(snapshot([field("name", editable=True)], alert=alert)), "locked": programs.saying(snapshot(locked)),
        "scene": programs.saying(snapshot(scene={"id": "end", "values": {}})),
    }  # fmt: skip
    for engine, lines, beginning, contains in [
        (None, [""], "not understood", "N TEXT"), (None, [" "], "not understood", "N TEXT"), (None, ["9"], "not understood", "N TEXT"),
        (None, ["!9"], "not understood", "!N"), (None, ["!"], "not understood", "!N"), (None, ["hello"], "not understood", "N TEXT"),
        (None, ["0 x"], "not understood", "N TEXT"), (None, ["q q"], "not understood", "q: quit"), (None, ["w"], "nothing done", "under way"),
        (None, ["3 x"], "not understood", "switch"), (None, ["1 ada", "1 ada"], "nothing done", "has that value"),
        ("alert", ["1 x"], "not understood", "answer the alert"), ("alert", [""], "not understood", "answer the alert"),
        ("alert", ["!2"], "not understood", "answer the alert"), ("locked", ["1 y"], "nothing done", "locked"), ("locked", ["1"], "nothing done", "locked"),
        ("scene", ["1"], "not understood", "Enter: "), ("scene", ["x"], "not understood", "Enter: "),
    ]:  # fmt: skip
        # Run without and with the last line, and compare the outputs.
        typed = ["".join(f"{line}\n" for line in some) for some in (lines[:-1], lines)]
        runs = [programs.lines(text, OTHER, engine and engines[engine]) for text in typed]
        said = answer(runs[1], runs[0])
        assert said.startswith(beginning + ": ") and contains in said and "\n" not in said, f"{lines}: {said!r}"


@ability
def an_invalid_line_is_not_printed_again(programs):
    lacks("geheim", programs.lines("geheim\n!geheim\n9 geheim\n", OTHER).split("\n"))


@ability
def an_item_without_a_title_has_a_name_in_lines(programs):
    def item(name, **members):
        return {"id": name, "kind": "input", "inputType": "text", "editable": True, "placeholder": "Such"} | members

    items = [
        item("a", value=""), item("b", inputType="password", filled=False), item("c", inputType="date", value=""), item("d", kind="switch", value=False),
        item("e", kind="selection", value=None, options=[]), item("f", readOnly=True, value="fixed"), item("g", title="Named", value=""),
    ]  # fmt: skip
    printed = programs.lines("q\n", engine=programs.saying(snapshot(items))).split("\n")
    for line in ("1. text: (empty, such as Such)", "2. secret: (empty, hidden)", "3. date: (empty, such as Such)", "4. switch: [ ]",
                 "5. choice: – (one of 0)", "fixed", "6. Named: (empty, such as Such)"):  # fmt: skip
        assert line in printed, (line, printed)


@ability
def the_line_mode_is_used_without_a_known_terminal(programs):
    for name in ("dumb", None, ""):
        with programs.terminal(OTHER, TERM=name) as terminal:
            terminal.wait("== Anmelden")
            assert b"\x1b" not in terminal.written, name
            terminal.press("q\r")
            same(terminal.ended(), 0)


# MARK: At a terminal


@ability
def a_secret_on_the_line_of_its_number_is_not_echoed(programs):
    with programs.terminal(options=["--plain"], rows=60) as terminal:
        terminal.wait("2. Password")
        # A terminal with echo would show the secret before a line could be read.
        for key in "2 geheim":
            terminal.press(key)
        terminal.send(b"x\x7f")
        terminal.press("\r")
        terminal.wait("2. Password: (filled, hidden)")
        has("2", [row for row in terminal.rows() if row == "2"])
        # Erase the line up to the secret and type another: only text before a secret is shown.
        terminal.press("1 x\x15" + "2 ganz" + "\x7f" * 6 + "1 ada@example.com\r")
        terminal.wait("1. Email: ada@example.com")
        has("1 ada@example.com", terminal.rows())
        for part in (b"geh", b"eim", b"ganz", b"gan"):
            assert part not in terminal.written, part
        terminal.press("!1\r")
        terminal.wait("== principal: ada@example.com")
        terminal.press("\x04")
        same(terminal.ended(), 0)


@ability
def a_secret_is_not_echoed_while_the_screen_changes_or_where_the_output_is_a_pipe(programs):
    command = '"$@" | cat'
    with programs.in_shell(command, ["--plain"]) as terminal:
        terminal.wait("2. Password")
        terminal.press("2 geheim\r2\r")
        terminal.wait("value:")
        terminal.press("offen\r1 ada\r")
        terminal.wait("1. Email: ada")
        for part in (b"geheim", b"offen"):
            assert part not in terminal.written, part
        terminal.press("q\r")
        same(terminal.ended(), 0)


@ability
def a_typed_line_can_be_edited(programs):
    with programs.terminal(flow([field("name")]), options=["--plain"], rows=60) as terminal:
        terminal.wait("1. name")
        for typed, shown in [("1 adx\x7fa", "1 ada"), ("1 漢字\x7fb", "1 漢b"), ("x\x151 c", "1 c"), ("1 e\u0301\x7fd", "1 d"), ("1 f\x1b[D\tg", "1 fg")]:
            terminal.press(typed + "\r")
            terminal.wait(f"1. name: {shown[2:]}")
            assert shown in terminal.rows(), (shown, terminal.rows())
        # Replies of the terminal are not part of a line.
        terminal.send(b"1 h\x1b]11;rgb:0/0/0\x1b\\\x1b[<0;1;1Mi\r")
        terminal.wait("1. name: hi")
        same(terminal.quit(), 130)
