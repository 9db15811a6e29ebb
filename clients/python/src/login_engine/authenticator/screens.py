"""Screens for challenges: protocol/flows.md, "A screen" and "An item". Further members of an item are given in the spelling of that page.

A title is a key of the flow's texts, or, if there is no such key, the text itself.
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
    """A screen of sections (`section`), or of items, which then make one section.

    :param submit: the title of the button; the default is that of the screen where the conversation began.
    :param links: titles by id. A press of a link is a question with that id as its `action`, and without values.
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
    """Items that belong together."""
    return {"id": id, "items": list(items), **({} if title is None else {"title": title})}


def field(id: str, title: str | None, type: str = "text", *, required: str | None = None, **members: Any) -> Definition:
    """A field to type into.

    :param type: `text`, `email`, `date`, or one of the secret `password`, `newPassword` and `oneTimeCode`.
    :param required: the message (a code or a text) for a field that was left empty.
    """
    return _item(id, "input", title, required, {"inputType": type, **members})


def selection(id: str, title: str | None, options: Mapping[str, str], *, required: str | None = None, **members: Any) -> Definition:
    """One of several options: titles by id."""
    listed = [{"id": option, "title": text} for option, text in options.items()]
    return _item(id, "selection", title, required, {"options": listed, **members})


def switch(id: str, title: str | None, *, required: str | None = None, **members: Any) -> Definition:
    """Yes or no; `required` means that it has to be on."""
    return _item(id, "switch", title, required, members)


def external(id: str, type: str, title: str | None = None, request: Any = None, *, required: str | None = None, **members: Any) -> Definition:
    """What only the platform of the view can do, such as `webauthn.get`; `otherwise` gives the items for other views."""
    return _item(id, "external", title, required, {"type": type, "request": request, **members})


def text(id: str, title: str, **members: Any) -> Definition:
    """A text to read."""
    return {"id": id, "kind": "text", "title": title, **members}


def link(id: str, title: str, url: str, **members: Any) -> Definition:
    """A page outside of the form."""
    return {"id": id, "kind": "link", "title": title, "url": url, **members}


def code(id: str, title: str | None, text: str, format: str = "plain", **members: Any) -> Definition:
    """A text for another device: to be read off (`plain`) or to be scanned (`qr`)."""
    return {"id": id, "kind": "code", "title": title, "text": text, "format": format, **members}


def _item(id: str, kind: str, title: str | None, required: str | None, members: Definition) -> Definition:
    item: Definition = {"id": id, "apiKey": id, "kind": kind, "title": title, **members}
    if required is not None:
        item["rules"] = [{"rule": "required", "message": required}, *item.get("rules", [])]
    return item
