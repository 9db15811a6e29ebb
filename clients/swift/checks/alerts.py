"""Alerts whose text is longer than the terminal."""

from flows import field, snapshot
from programs import ROOT, ability, has, same

TEXT = "\n".join(f"line {number}." for number in range(1, 41))
ALERT = {"id": 1, "title": "Alarm", "text": TEXT, "messages": [], "actions": [{"id": "ok", "title": "Good", "role": "dismiss", "enabled": True}]}


def press_and_draw(terminal, keys):
    """Presses keys, then waits for a complete redraw that shows their effect."""
    drawn = terminal.written.count(b"\x1b[2J")
    terminal.press(keys + "\x0c")
    terminal.wait(lambda _: terminal.written.count(b"\x1b[2J") > drawn)


@ability
def an_alert_can_be_scrolled_to_its_ends_and_no_further(programs):
    for columns in (20, 72):
        with programs.shows(snapshot(alert=ALERT), rows=12, columns=columns) as terminal:
            terminal.wait("line 1.")
            for beyond in ("\x1b[A", "\x1b[5~", "\x1b[A\x1b[A\x1b[A"):
                press_and_draw(terminal, beyond)
                terminal.wait("Alarm")
                # Scrolling beyond the beginning had no effect: one row down hides the title.
                terminal.press("\x1b[B")
                terminal.wait(lambda _: not any("Alarm" in row for row in terminal.rows()))
                terminal.press("\x1b[A")
                terminal.wait("Alarm")
            terminal.press("\x1b[6~" * 9)
            terminal.wait("line 40.")
            terminal.press("\x1b[A" * 60)
            terminal.wait("Alarm")
            same(terminal.quit(), 0)


@ability
def an_alert_over_a_scrolled_form_begins_with_its_first_row(programs):
    items = [field(f"item {number}", editable=True) for number in range(20)]
    for moved in ("\x1b[6~", "\x1b[5~"):
        with programs.shows(snapshot(items), snapshot(items, alert=ALERT), rows=12) as terminal:
            terminal.wait("Do it")
            terminal.press(moved + "\r")
            terminal.wait("Alarm")
            has("line 1.", terminal.rows())
            same(terminal.quit(), 0)


@ability
def an_alert_can_be_answered_after_scrolling(programs):
    with programs.terminal(ROOT / "protocol/flows/coordinators.json", rows=12, columns=20) as terminal:
        for beyond in ("\x1b[A", "\x1b[5~", "\x1b[6~"):
            terminal.wait("Email")
            terminal.press("\r")
            terminal.wait("Invalid")
            press_and_draw(terminal, beyond)
            terminal.press("\r")
            terminal.wait(lambda _: not any("┏" in row for row in terminal.rows()))
        same(terminal.quit(), 0)
