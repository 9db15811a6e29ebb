"""Draws a snapshot as an HTML form for browsers without JavaScript, and parses the posted form."""

import re

from .connection import code
from .markup import Markup, element, page
from .tabs import items

INPUT_MODES = {"text": "text", "ascii": "text", "email": "email", "number": "numeric", "phone": "tel", "url": "url"}
AUTOFILL = {"email": "email", "password": "current-password", "newPassword": "new-password", "oneTimeCode": "one-time-code"}
#: The prefix of fields that hold values, so that no item's id collides with another field.
VALUE = "value."
#: The number of options up to which a selection is drawn as a list.
LONGEST_LIST = 6


def has_field(item):
    return item["kind"] in ("input", "selection", "switch") and item["editable"]


def values(snapshot, posted, options):
    """Returns the values of a posted form, for `session/submit`. A secret left empty does not change. `options` has the complete long lists."""
    given = {}
    for item in filter(has_field, items(snapshot)):
        text = posted.get(VALUE + item["id"])
        if item["kind"] == "switch":
            # Browsers do not post an unchecked box; one that was never set stays unset.
            if text is not None or item["value"]:
                given[item["id"]] = text is not None
        elif isinstance(text, str) and item["kind"] == "selection":
            given[item["id"]] = text or None
        elif isinstance(text, str) and (text or not item.get("filled")):
            given[item["id"]] = text
    return given


def draw(snapshot, words, address, own, options, ticket, prefix, brand, target):
    """Returns the page of a snapshot. `own` are further fields to post, such as the token that proves that the form is this page's own."""
    if snapshot["scene"] is not None:
        content = [element("p", words["in"]), element(
            "form", hidden("ticket", ticket), target and hidden("next", target), button(words["continue"]), method="post", action=prefix + "/enter")]
    else:
        content = form(snapshot, words, address, own, options)
    # A page that waits reloads itself, but not while the user may be typing.
    waits = snapshot["activity"] and not any(map(has_field, items(snapshot)))
    refresh = element("meta", http_equiv="refresh", content="3") if waits else None
    card = element("section", snapshot["activity"] and element("div", class_="activity"), element("h1", snapshot["title"]), *content, class_="card")
    return page(snapshot["title"], refresh, card, locale=snapshot["locale"], direction=snapshot["direction"], prefix=prefix, brand=brand)


def form(snapshot, words, address, own, options):
    alert, primary = snapshot["alert"], next((action for action in snapshot["actions"] if action["role"] == "primary"), None)
    messages = [
        snapshot["error"] and element("p", snapshot["error"]["text"], class_="message error", role="alert"),
        snapshot["notice"] and element("p", snapshot["notice"]["text"], class_="message notice", role="status"),
        alert and element("p", alert.get("title") and element("strong", alert["title"], "\n"), alert["text"], class_="message error", role="alert"),
    ]
    own = [hidden(name, value) for name, value in own.items()]
    if alert:
        return [*messages, element("form", *own, [press(action) for action in alert["actions"]], method="post", action=address)]
    focus = (snapshot["focus"] or {}).get("on")
    links = [press(action, class_="link", disabled=not action["enabled"]) for action in snapshot["actions"] if action["role"] != "primary"]
    # Enter presses the first button, so the flow's links come after it.
    fields = element(
        "form",
        *own,
        [section(each, words, options, focus) for each in snapshot["sections"]],
        primary and main_button(snapshot, primary),
        # Separated by spaces, for browsers without CSS.
        links and element("div", [(link, " ") for link in links], class_="links"),
        method="post", action=address, novalidate=True,
    )
    return [*messages, fields, snapshot["activity"] and element("p", words["wait"], role="status")]


def hidden(name, value):
    return element("input", type="hidden", name=name, value=value)


def button(title, **attributes):
    return element("button", title, **{"type": "submit", "id": "primary", **attributes})


def press(action, **attributes):
    return element("button", action["title"], type="submit", name="action", value=action["id"], **attributes)


def main_button(snapshot, primary):
    """The main button, without a name: posted values may change what the button does. Giving up has to be explicit."""
    named = {"name": "action", "value": primary["id"]} if snapshot["activity"] else {}
    return button(primary["title"], disabled=snapshot["retryAt"] is not None, **named)


def section(section, words, options, focus):
    drawn = [field(item, words, options.get(item["id"]), item["id"] == focus) for item in section["items"]]
    return element("fieldset", section.get("title") and element("legend", section["title"]), element("div", drawn, class_="items"))


def field(item, words, options, has_focus):
    control_id, emphasis = "item-" + item["id"], item.get("emphasis")
    if item["kind"] not in ("input", "selection", "switch"):
        return element("div", reading(item, words), class_="reading", data_emphasis=emphasis)
    described = f"{control_id}-hint {control_id}-rule {control_id}-messages"
    common = {
        "id": control_id, "name": VALUE + item["id"], "aria_describedby": described, "autofocus": has_focus, "disabled": not item["editable"],
        "aria_label": None if "title" in item else item.get("placeholder") or item["kind"],
        "aria_required": item.get("required") and "true", "aria_invalid": item.get("validity") == "invalid" and "true",
    }
    mark = item.get("required") and element("span", "*", class_="mark", aria_hidden="true")
    caption = "title" in item and element("label", item["title"], mark, class_="caption", for_=control_id)
    if item["kind"] == "switch":
        control = element("div", element("input", type="checkbox", role="switch", checked=bool(item["value"]), **common), caption, class_="switch")
        caption = None
    elif item["kind"] == "selection":
        control = selection(item, words, options or item["options"], common)
    elif item.get("readOnly"):
        control = element("output", item["value"], class_="value", id=control_id)
    else:
        control = input_field(item, common)
    hint = item.get("hint") and element("p", item["hint"], class_="hint", id=control_id + "-hint")
    least = item.get("minLength") if item.get("inputType") == "newPassword" and not hint else None
    rule = element("p", least and words["least"].replace("{count}", str(least)), class_="rule", id=control_id + "-rule")
    messages = element("ul", [element("li", message["text"]) for message in item.get("messages", [])], class_="messages", id=control_id + "-messages")
    return element("div", caption, control, hint, element("div", rule, messages, class_="notes"), class_="field", data_emphasis=emphasis, data_validity=item.get("validity"))


def input_field(item, common):
    kind, secret = item["inputType"], "filled" in item
    masked = kind in ("password", "newPassword") or secret and kind != "oneTimeCode"
    is_date = kind == "date" and re.fullmatch(r"(\d{4}-\d{2}-\d{2})?", item["value"] or "")
    placeholder = "••••••••" if item.get("filled") else item.get("placeholder") or ("YYYY-MM-DD" if kind == "date" else None)
    return element(
        "input", type="password" if masked else "date" if is_date else "text", value=None if secret else item["value"], placeholder=placeholder,
        autocomplete=item.get("autofill") or AUTOFILL.get(kind), inputmode=INPUT_MODES.get(item.get("keyboard")), enterkeyhint=item.get("enterKey"), **common,
    )


def selection(item, words, options, common):
    # As in fields.ts: a short list of which one is wanted can be read at once.
    is_list = item.get("required") and len(options) <= LONGEST_LIST
    listed = options if is_list else [{"id": "", "title": item.get("placeholder") or words["none"]}, *options]
    chosen = [element("option", option["title"], value=option["id"], selected=option["id"] == (item["value"] or "")) for option in listed]
    return element("select", chosen, size=max(len(options), 2) if is_list else None, **common)


def reading(item, words):
    """Draws an item to read. An external item shows its text: without JavaScript a page supports none of the types."""
    if item["kind"] == "link" and re.match(r"(https?|mailto):", item["url"]):
        return element("p", element("a", item.get("title") or item["url"], href=item["url"], target="_blank", rel="noopener noreferrer"))
    texts = [item.get("title"), item.get("text") if item["kind"] != "code" else None]
    drawn = [element("p", text) for text in texts if text]
    if item["kind"] == "code":
        if item["format"] == "qr":
            picture = code(item["text"])
            path = element("path", d=picture["path"], stroke="currentColor")
            view = f"0 0 {picture['size']} {picture['size']}"
            drawn.append(element("div", element("svg", path, viewBox=view, role="img", aria_label=words["scan"]), class_="picture"))
        text = element("code", item["text"], dir="ltr")
        drawn.append(element("details", element("summary", words["asText"]), text) if item["format"] == "qr" else text)
    return element("div", drawn, class_="code") if item["kind"] == "code" else Markup("".join(drawn))
