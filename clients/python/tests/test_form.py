"""The rules for typing ahead and for refusals, without an engine."""

from __future__ import annotations

from typing import Any

import pytest

from login_engine import CommandsDiffer, Form, model
from login_engine.wire import Item


def screen(**members: Any) -> dict[str, Any]:
    items = [
        {"id": "name", "kind": "input", "inputType": "text", "title": "Name", "value": "", "editable": True},
        {"id": "secret", "kind": "input", "inputType": "password", "title": "Secret", "filled": False, "editable": True},
    ]
    return {
        "command": "showScreen", "screen": "one", "state": "initial", "title": "One", "locale": "en", "direction": "ltr",
        "sections": [{"id": "all", "items": items}], "actions": [{"id": "go", "title": "Go", "role": "primary", "enabled": True}], **members,
    }  # fmt: skip


def opened(**options: Any) -> Form:
    form = Form(**options)
    form.update({"revision": 1, "events": 0, "commands": [screen()]})
    return form


def item(form: Form, id: str) -> Item:
    found = model.find_item(form.snapshot, id)
    assert found is not None
    return found


def value(form: Form, id: str) -> Any:
    return form.value(item(form, id))


def update(form: Form, events: int, *commands: dict[str, Any]) -> None:
    form.update({"revision": form.revision + 1, "events": events, "commands": list(commands)})


def refuse(form: Form, events: int, *commands: dict[str, Any]) -> None:
    form.update({"revision": form.revision, "events": events, "commands": list(commands)})


def test_a_field_keeps_what_was_typed_until_the_engine_has_counted_it() -> None:
    form = opened()
    form.enter("name", "a")
    form.enter("name", "ad")
    update(form, 1)
    assert (value(form, "name"), item(form, "name")["value"], form.is_level) == ("ad", "a", False)
    update(form, 2, {"command": "setItem", "item": "name", "value": "AD"})
    assert (value(form, "name"), form.is_level) == ("AD", True)


def test_an_edit_of_an_item_without_a_value_does_not_change_the_snapshot() -> None:
    form = Form()
    link = {"id": "terms", "kind": "link", "title": "Terms", "link": "https://example.com/"}
    form.update({"revision": 1, "events": 0, "commands": [screen(sections=[{"id": "all", "items": [link]}])]})
    form.enter("terms", "a")
    refuse(form, 1)
    assert item(form, "terms") == link


def test_only_the_field_knows_the_text_of_a_secret() -> None:
    form = opened()
    form.enter("secret", "horse")
    update(form, 1)
    assert (value(form, "secret"), item(form, "secret")["filled"], "horse" in str(form.snapshot)) == ("horse", True, False)
    update(form, 1, {"command": "setItem", "item": "secret", "filled": False})
    assert value(form, "secret") == ""


def test_a_secret_that_was_entered_elsewhere_has_no_text() -> None:
    form = opened()
    form.press()
    update(form, 1, {"command": "setItem", "item": "secret", "filled": True})
    assert value(form, "secret") is None


def test_a_refused_edit_is_undone() -> None:
    form = opened()
    form.enter("name", "a")
    update(form, 1)
    form.enter("name", "x" * 5000)
    refuse(form, 2, {"command": "setItem", "item": "name", "value": "a"})
    assert (value(form, "name"), form.is_level) == ("a", True)


def test_a_later_edit_overrides_a_refusal() -> None:
    form = opened()
    form.enter("name", "wrong")
    form.enter("name", "right")
    refuse(form, 1, {"command": "setItem", "item": "name", "value": ""})
    assert value(form, "name") == "right"
    update(form, 2)
    assert (value(form, "name"), item(form, "name")["value"]) == ("right", "right")


def test_a_refused_secret_is_emptied_or_restored() -> None:
    form = opened()
    form.enter("secret", "horse")
    update(form, 1)
    form.press()
    form.enter("secret", "horses")
    refuse(form, 3, {"command": "setItem", "item": "secret", "filled": True})
    assert value(form, "secret") == "horse"
    form.enter("secret", "horses")
    update(form, 4, {"command": "setItem", "item": "secret", "filled": False})
    assert value(form, "secret") == ""


def test_a_new_screen_discards_the_input_for_the_old_one() -> None:
    form = opened()
    form.press()
    form.enter("name", "late")
    update(form, 1, screen())
    assert (value(form, "name"), form.screens_shown) == ("", 2)
    refuse(form, 2, {"command": "setItem", "item": "name", "value": ""})
    assert value(form, "name") == ""


def test_another_language_keeps_the_input() -> None:
    form = opened()
    form.enter("secret", "horse")
    update(form, 1)
    form.enter("name", "ada")
    german = screen(locale="de", title="Eins")
    german["sections"][0]["items"][1]["filled"] = True
    update(form, 1, german)
    assert (value(form, "secret"), value(form, "name"), form.screens_shown, form.screens_drawn) == ("horse", "ada", 1, 2)


def test_enter_waits_for_edits_and_not_for_presses() -> None:
    form = opened()
    assert not form.is_typing_ahead
    form.enter("name", "a")
    assert form.is_typing_ahead
    form.press()
    assert not form.is_typing_ahead


def test_commands_that_do_not_lead_to_the_snapshot_are_reported() -> None:
    form = opened(strict=True)
    snapshot = {**form.snapshot, "title": "Two"}
    with pytest.raises(CommandsDiffer):
        form.update({"revision": 2, "events": 0, "commands": [], "snapshot": snapshot})
    form = opened()
    form.update({"revision": 2, "events": 0, "commands": [], "snapshot": snapshot})
    assert form.snapshot["title"] == "Two"


def test_true_is_not_equal_to_one() -> None:
    form = opened(strict=True)
    with pytest.raises(CommandsDiffer):
        form.update({"revision": 2, "events": 0, "commands": [], "snapshot": {**form.snapshot, "activity": 0}})


def test_an_unknown_command_requires_the_snapshot() -> None:
    form = opened()
    update(form, 0, {"command": "showConfetti"})
    assert form.needs_snapshot
    form.read({"revision": 2, "events": 0, "snapshot": {**form.snapshot, "title": "Two"}})
    assert (form.needs_snapshot, form.snapshot["title"]) == (False, "Two")


def test_snapshots_alone_are_enough() -> None:
    shown = opened().snapshot
    form = Form(strict=True)
    form.update({"revision": 1, "events": 0, "snapshot": shown})
    form.enter("name", "a")
    form.enter("secret", "horse")
    form.update({"revision": 2, "events": 1, "snapshot": model.enter(shown, "name", "a")})
    assert (value(form, "name"), value(form, "secret"), form.is_level) == ("a", "horse", False)
    form.update({"revision": 2, "events": 2, "snapshot": model.enter(shown, "name", "a")})
    assert (value(form, "secret"), form.is_level, form.screens_shown) == ("", True, 1)


def test_the_count_of_a_refusal_stays_while_older_updates_come() -> None:
    form = opened()
    form.enter("name", "a")
    form.enter("name", "ab")
    form.enter("nothing", "b")
    refuse(form, 3)
    assert (value(form, "name"), form.is_level) == ("ab", True)
    update(form, 1, {"command": "setItem", "item": "name", "value": "a"})
    assert (value(form, "name"), form.is_level) == ("ab", False)
    update(form, 3, {"command": "setItem", "item": "name", "value": "AB"})
    assert (value(form, "name"), form.is_level) == ("AB", True)
    # The commands alone lead there.
    assert (item(form, "name")["value"], form.needs_snapshot) == ("AB", False)


def test_a_snapshot_from_before_a_queued_update_is_ignored() -> None:
    form = opened()
    former = form.snapshot
    form.enter("name", "a")
    form.enter("nothing", "b")
    update(form, 0, {"command": "ofALaterVersion"})
    refuse(form, 2)
    assert form.needs_snapshot
    form.read({"revision": 2, "queued": 1, "events": 0, "snapshot": former})
    assert (value(form, "name"), form.needs_snapshot) == ("a", False)
    update(form, 2)
    assert form.needs_snapshot


def test_returned_snapshots_do_not_change() -> None:
    form = opened()
    before = form.snapshot
    text = str(before)
    form.enter("name", "a")
    update(form, 1, {"command": "removeItem", "item": "secret"}, {"command": "setAction", "action": "go", "enabled": False})
    assert str(before) == text != str(form.snapshot)
