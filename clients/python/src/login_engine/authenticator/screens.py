"""Screens for challenges: protocol/flows.md, "A screen" and "An item". Further members of an item are spelled as on that page.

A title is a key of the flow's texts or, if the flow has no such key, the text itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Definition = dict[str, Any]


def screen(
    id: str,
    title: str,
    *contents: Definition,
    submit: str | None = None,
    links: Mapping[str, str] | None = None,
    leave: str | None = None,
) -> Definition:
    """A screen of sections (`section`), or of items, which then form one section.

    :param submit: the title of the button. Default: that of the button on the screen where the conversation began.
    :param links: titles by id. Pressing a link sends a question that has the id as its `action`, and no values.
    :param leave: the title of the link that goes back; the default is the flow's text for `challenge.leave`.
    """
    if any("items" in content for content in contents):
        sections = list(contents)
    else:
        sections = [section(id, *contents)]
    definition: Definition = {"id": id, "title": title, "sections": sections}
    if submit is not None:
        definition["actions"] = {"submit": {"id": "submit", "title": submit}}
    if links:
        definition["links"] = [{"id": link, "title": text} for link, text in links.items()]
    if leave is not None:
        definition["leave"] = {"id": "leave", "title": leave}
    return definition


def section(id: str, *items: Definition, title: str | None = None) -> Definition:
    """A group of items."""
    return {"id": id, "items": list(items), **({} if title is None else {"title": title})}


def field(id: str, title: str | None, type: str = "text", *, required: str | None = None, **members: Any) -> Definition:
    """A text field.

    :param type: `text`, `email`, `date`, or one of the secret `password`, `newPassword` and `oneTimeCode`.
    :param required: the message (a code or a text) for a field that is left empty.
    """
    return _item(id, "input", title, required, {"inputType": type, **members})


def selection(id: str, title: str | None, options: Mapping[str, str], *, required: str | None = None, **members: Any) -> Definition:
    """A choice of one of several options, which are titles by id."""
    listed = [{"id": option, "title": text} for option, text in options.items()]
    return _item(id, "selection", title, required, {"options": listed, **members})


def switch(id: str, title: str | None, *, required: str | None = None, **members: Any) -> Definition:
    """A switch. `required` means that it has to be on."""
    return _item(id, "switch", title, required, members)


def external(id: str, type: str, title: str | None = None, request: Any = None, *, required: str | None = None, **members: Any) -> Definition:
    """An action of the view's platform, such as `webauthn.get`. `otherwise` lists the items for views without it."""
    return _item(id, "external", title, required, {"type": type, "request": request, **members})


def text(id: str, title: str, **members: Any) -> Definition:
    """A text for the user to read."""
    return {"id": id, "kind": "text", "title": title, **members}


def link(id: str, title: str, url: str, **members: Any) -> Definition:
    """A link to a page outside the form."""
    return {"id": id, "kind": "link", "title": title, "url": url, **members}


def code(id: str, title: str | None, text: str, format: str = "plain", **members: Any) -> Definition:
    """A text for another device, to type (`plain`) or to scan (`qr`)."""
    return {"id": id, "kind": "code", "title": title, "text": text, "format": format, **members}


def _item(id: str, kind: str, title: str | None, required: str | None, members: Definition) -> Definition:
    item: Definition = {"id": id, "apiKey": id, "kind": kind, "title": title, **members}
    if required is not None:
        item["rules"] = [{"rule": "required", "message": required}, *item.get("rules", [])]
    return item
