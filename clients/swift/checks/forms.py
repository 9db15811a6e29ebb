"""Parts of a form other than plain fields: focus, countdowns, dates, languages, hints and the severity of messages."""

import re

from flows import field, flow, snapshot
from programs import FLOWS, OTHER, ability, has, lacks, row_of, same

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
        # To the secret, after a failure that names no item.
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Password", terminal) + 1)
        terminal.press("\x15\x1b[Z")
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Email", terminal) + 1)
        terminal.press("x\x15\r")
        terminal.wait(lambda _: sum(row.startswith("│   !") for row in terminal.rows()) == 2)
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("Email", terminal) + 1)
        same(terminal.quit(), 0)


@ability
def lines_print_the_focus(programs):
    path = OTHER
    printed = programs.lines("1 wrong@example.com\n2 password\n!1\nw\nq\n", path)
    focus = [line for line in printed.split("\n") if line.startswith("focus: ")]
    same(focus, ["focus: 1", "focus: 2"])


# MARK: countdowns


def counts_down(terminal, beside):
    """Waits until the number of seconds next to a title has decreased twice."""
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
def the_throttle_of_a_link_is_counted_down(programs):
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
def a_wrong_clock_does_not_affect_countdowns(programs):
    button = {"id": "do", "title": "Do it", "role": "primary", "enabled": False}
    with programs.shows(snapshot(retryAt={"at": 1000, "afterMs": 4000}, actions=[button])) as terminal:
        terminal.wait("( Do it )")
        counts_down(terminal, "( Do it )")
        terminal.wait(lambda _: " s " not in terminal.rows()[row_of("( Do it )", terminal)])


@ability
def lines_print_the_seconds_of_a_throttle(programs):
    path = OTHER
    printed = programs.lines("1 throttled@example.com\n2 password\n!1\nw\nq\n", path)
    assert re.search(r"^!1 .* \(button, disabled, in [1-5] s\)$", printed, re.MULTILINE), printed


# MARK: dates


@ability
def a_date_is_easy_to_enter(programs):
    with programs.terminal(FLOWS / "sign-up.json") as terminal:
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
def rows_of_right_to_left_languages_begin_on_the_right(programs):
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
        # The cursor is drawn last.
        terminal.wait(lambda _: terminal.screen.cursor.y == row_of("name@example.com", terminal))
        rows = terminal.rows()
        assert rows[0].endswith(" כניסה ─╮"), rows[0]
        has("name@example.com ‹ │", rows)
        has("זכור אותי. [ ]   │", rows)
        has("▾ חיפה   │", rows)
        has("[ להיכנס ]   │", rows)
        row = row_of("name@example.com", terminal)
        terminal.press("ada")
        # The cursor is on the right of left-to-right text, and on the left of right-to-left text.
        terminal.wait(lambda _: terminal.screen.buffer[row][terminal.screen.cursor.x - 1].data == "a" and "ada ‹ │" in terminal.rows()[row])
        terminal.press("\x15שלום")
        terminal.wait("שלום")
        terminal.wait(lambda _: terminal.screen.buffer[row][terminal.screen.cursor.x + 1].data == "ש")
        for row in terminal.rows()[1:]:
            assert not row or row[-1] in "│╯" or "Ctrl-C" in row, row
        # The marks keep a full stop at the end of the sentence in a terminal that reorders letters.
        assert "\u200fזכור אותי.\u200f".encode() in terminal.written
        same(terminal.quit(), 0)


# MARK: other parts of items and messages


@ability
def hints_are_shown(programs):
    with programs.terminal(FLOWS / "accessible.json", rows=40) as terminal:
        terminal.wait("It opens the door.")
        same(row_of("The others see it.", terminal), row_of("Name", terminal) + 3)
    printed = programs.lines("q\n", FLOWS / "accessible.json").split("\n")
    same(printed.index("   The others see it."), next(n for n, line in enumerate(printed) if line.startswith("1. ")) + 1)


@ability
def a_read_only_item_is_drawn_as_text(programs):
    with programs.terminal(OTHER, rows=50) as terminal:
        terminal.wait("[ ]")
        terminal.press("\x1b[A\x1b[A\r")
        terminal.wait("Enter: Absenden")
        lacks("› Nr. 7", terminal.rows())
        same(terminal.rows()[row_of("Nr. 7", terminal) + 1].strip("│ "), "")


@ability
def a_message_is_drawn_by_its_severity(programs):
    def item(name, validity, severity):
        message = {"code": name, "text": name} | ({"severity": severity} if severity else {})
        return {"id": name, "kind": "input", "inputType": "text", "value": "x", "editable": True,
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
def an_interrupting_message_rings_the_bell(programs):
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
def an_interrupting_message_is_printed_first(programs):
    printed = programs.lines("1 wrong@example.com\n2 password\n!1\nw\nq\n", OTHER)
    last = printed.strip().split("\n\n")[-1].split("\n")
    assert last[0].startswith("error: ") and last[1].startswith("== "), last


@ability
def content_longer_than_the_screen_can_be_read(programs):
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
            # Wait until the whole frame is drawn.
            terminal.wait(lambda _: terminal.rows()[1] != first or "sentence0." in first)
            while terminal.read(0.1):
                pass
        same(sorted(set(words) - read), [])
        has("sentence0.", terminal.rows())
        terminal.press("x")
        terminal.wait("› x")
        same(terminal.quit(), 0)
