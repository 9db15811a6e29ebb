"""Output to the terminal: hyperlinks, and no escape sequences from texts."""

import re

from flows import snapshot
from programs import OTHER, ability, has, same

HYPERLINK = re.compile(rb"\x1b\]8;id=page;([^\x1b]*)\x1b\\(?:\x1b\[[0-9;]*m)*([^\x1b]*)")
# The escape sequences that the view itself writes.
SEQUENCE = re.compile(rb"\x1b(?:\[[0-9;?]*[A-Za-z]|\]8;(?:id=page)?;[\x21-\x7e]*\x1b\\)")


@ability
def links_can_be_opened_by_the_terminal(programs):
    with programs.terminal(OTHER) as terminal:
        terminal.wait("[ ]")
        terminal.press("\x1b[A\x1b[A\r")
        terminal.wait("Mehr dazu")
        url = "https://beispiel.at/daten?wozu=fragebogen"
        has(f"Mehr dazu: {url}", terminal.rows())
        same(HYPERLINK.findall(terminal.written)[0], (url.encode(), f"Mehr dazu: {url}".encode()))
        same(terminal.quit(), 0)


@ability
def a_link_over_several_rows_is_one_link(programs):
    url = "https://example.com/" + "way/" * 40
    item = {"id": "far", "kind": "link", "title": "Far", "url": url}
    with programs.shows(snapshot([item])) as terminal:
        terminal.wait("[ Do it ]")
        parts = HYPERLINK.findall(terminal.written)
        same({target.decode() for target, _ in parts}, {url})
        same(b"".join(text for _, text in parts).decode(), "Far:" + url)
        assert len(parts) > 2, parts


@ability
def the_linux_console_gets_no_link_sequences(programs):
    with programs.terminal(OTHER, TERM="linux") as terminal:
        terminal.wait("[ ]")
        terminal.press("\x1b[A\x1b[A\r")
        terminal.wait("Mehr dazu: https://")
        assert b"\x1b]" not in terminal.written


@ability
def a_url_that_could_command_the_terminal_is_shown_as_text(programs):
    urls = ["https://a.example/\x1b]0;owned\x07", "https://a.example/\x1b\\\x1b[31m", "https://ä.example/", "javascript:alert(1)",
            "file:///etc/passwd", "https://a.example/ b", "https://a.example/\x9c", "https://a.example/" + "x" * 3000]  # fmt: skip
    items = [{"id": f"n{number}", "kind": "link", "url": url} for number, url in enumerate(urls)]
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
    message = {"code": "x", "text": evil + "said"}
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
