"""The first screen, as HTML in the page itself: it is there before any script, and works without one.

A flow's first screen is the same for everybody, so it is asked for once per language and kept, and a visit alone opens no session."""

from __future__ import annotations

import itertools
from typing import Any

from . import drawing
from .brand import Brand
from .engine import Refused
from .markup import Markup, element

#: The number of screens kept. Languages and screens come from the addresses and headers of browsers.
MAXIMUM = 64


class FirstScreens:
    """:param opening: params for each session, such as the flow."""

    def __init__(self, engine: Any, opening: dict[str, str]) -> None:
        self._engine, self._opening = engine, opening
        self._snapshots: dict[tuple[str, str], Any] = {}
        self._numbers = itertools.count(1)
        self._engine_id = ""

    async def snapshot(self, locale: str, screen: str, engine_id: str) -> dict[str, Any] | None:
        """Returns the snapshot of a new session; None if it cannot be shown as it is, for example because it makes a request at once."""
        if engine_id != self._engine_id:
            # Another engine may have another flow.
            self._snapshots, self._engine_id = {}, engine_id
        key = (locale, screen)
        if key not in self._snapshots:
            if len(self._snapshots) >= MAXIMUM:
                del self._snapshots[next(iter(self._snapshots))]
            self._snapshots[key] = await self._open(locale, screen)
        shown: dict[str, Any] | None = self._snapshots[key]
        return shown

    async def _open(self, locale: str, screen: str) -> dict[str, Any] | None:
        name = f"first-{next(self._numbers)}"
        asked = {name: value for name, value in (("locale", locale), ("screen", screen)) if value}
        try:
            await self._engine.request("session/open", session=name, transitions="instant", **self._opening, **asked)
            shown: dict[str, Any] = (await self._engine.request("session/snapshot", session=name))["snapshot"]
            await self._engine.request("session/close", session=name)
        except Refused:
            return None
        items = [item for section in shown["sections"] for item in section["items"]]
        is_plain = not shown["activity"] and not shown["alert"] and not any("optionCount" in item for item in items)
        return shown if is_plain else None


def drawn(index: str, snapshot: dict[str, Any], words: dict[str, str], brand: Brand, more: dict[str, str]) -> str:
    """Returns the page with the first screen in it. `more` are further fields to post."""
    hidden = [drawing.hidden(name, value) for name, value in more.items() if value]
    sections = [drawing.section(section, words, {}, "") for section in snapshot["sections"]]
    primary = next((action for action in snapshot["actions"] if action["role"] == "primary"), None)
    links = [drawing.press(action, class_="link", form="form") for action in snapshot["actions"] if action["role"] != "primary" and action["enabled"]]
    parts = {
        '<html lang="en">': f'<html lang="{snapshot["locale"]}" dir="{snapshot["direction"]}">',
        "<title>…</title>": element("title", brand.titled(snapshot["title"])),
        # The script takes this mark away once it has taken over.
        '<section id="card"': '<section id="card" data-first',
        '<h1 id="title"></h1>': element("h1", snapshot["title"], id="title"),
        '<div id="sections"></div>': Markup("".join(hidden)) + element("div", sections, id="sections"),
        '<button id="primary" type="submit" hidden><span id="label"></span>':
            Markup('<button id="primary" type="submit">') + element("span", primary and primary["title"], id="label"),
        '<div id="links" class="links" hidden></div>': element("div", links, id="links", class_="links") if links else '<div id="links" class="links" hidden></div>',
    }
    if not primary:
        del parts['<button id="primary" type="submit" hidden><span id="label"></span>']
    for empty, filled in parts.items():
        index = index.replace(empty, filled)
    return index
