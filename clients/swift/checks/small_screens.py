"""New messages are visible even in a small terminal."""

from pathlib import Path

from flows import field, snapshot
from programs import ability, same

# Columns and rows.
SIZES = [(72, 24), (40, 12), (40, 10), (30, 8)]


def words(terminal):
    """All text inside the card, in one line."""
    rows = (row.split("│")[1].strip() for row in terminal.rows() if row.startswith("│"))
    return " ".join(" ".join(rows).replace("✗", "").replace("»", "").replace("!", "").split())


@ability
def a_wrong_password_is_reported_visibly_on_a_small_screen(programs):
    for columns, rows in SIZES:
        for way in ("instant", "acknowledged"):
            # Each run has accounts of its own, so that no login is throttled.
            file = f"{programs.folder}/accounts-{columns}-{rows}-{way}"
            accounts = f"'{Path(programs.engine).parent}/login-accounts' --file '{file}' --hash-cost 1"
            with programs.terminal(authenticator=accounts, options=["--transitions", way], columns=columns, rows=rows) as terminal:
                terminal.wait("›")
                terminal.press("wrong@example.com\tpassword\r")
                terminal.wait("✗")
                terminal.wait(lambda _: "email address or the password is wrong." in words(terminal))
                # The focused field is visible as well.
                terminal.wait("› ••••••••")
                terminal.press("x")
                terminal.wait(lambda _: not any("✗" in row for row in terminal.rows()))
                same(terminal.quit(), 0)


@ability
def the_error_of_a_field_is_visible_on_a_small_screen(programs):
    for columns, rows in SIZES:
        with programs.terminal(options=["--flow", "standard", "--screen", "setup"], columns=columns, rows=rows) as terminal:
            terminal.wait("›")
            terminal.press("\t\t12345\x1b[A\t")
            terminal.wait("› •••••")
            terminal.wait(lambda _: "Use at least 9 characters." in words(terminal))
            same(terminal.quit(), 0)


@ability
def a_notice_is_visible_on_a_small_screen(programs):
    for columns, rows in SIZES:
        with programs.terminal(columns=columns, rows=rows) as terminal:
            terminal.wait("›")
            terminal.press("notice@example.com\tpassword\r")
            terminal.wait(lambda _: "This is a notice." in words(terminal))
            same(terminal.quit(), 0)


@ability
def an_error_longer_than_a_small_screen_can_be_read(programs):
    text = "\n".join(f"line {number}." for number in range(1, 41))
    shown = snapshot([field("name", editable=True, value="")], error={"code": "x", "text": text})
    for rows in range(8, 14):
        with programs.shows(shown, rows=rows, columns=40) as terminal:
            terminal.wait("[ Do it ]")
            terminal.press("\t")
            terminal.wait(lambda _: not any("[ Do it ]" in row for row in terminal.rows()))
            terminal.wait("✗ line 1.")
            terminal.press("\x1b[6~" * 9)
            terminal.wait("[ Do it ]")
            terminal.press("\x1b[5~")
            terminal.wait("line 3")
            same(terminal.quit(), 0)


@ability
def a_form_with_an_error_can_be_scrolled_to_its_ends_on_a_small_screen(programs):
    items = [field(f"item {number}", editable=True, value="") for number in range(20)]
    with programs.shows(snapshot(items, error={"code": "x", "text": "All is wrong."}), rows=12, columns=40) as terminal:
        terminal.wait("[ Do it ]")
        terminal.press("\t")
        terminal.wait("item 0")
        terminal.wait("✗ All is wrong.")
        terminal.press("\x1b[6~" * 12)
        terminal.wait("[ Do it ]")
        terminal.wait("✗ All is wrong.")
        terminal.press("\x1b[5~" * 12)
        terminal.wait("item 0")
        terminal.wait("✗ All is wrong.")
        same(terminal.quit(), 0)
