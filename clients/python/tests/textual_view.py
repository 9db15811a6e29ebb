"""Drives the view in the terminal like a person: keys as the terminal's driver sends them, and the content of the widgets."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playing import Drawing, View
from textual import events
from textual.app import App
from textual.containers import Vertical
from textual.keys import _character_to_key
from textual.widget import Widget
from textual.widgets import Button, Select, Static

import login_engine.textual
from login_engine.engine import Session
from login_engine.external import Handler
from login_engine.textual import LoginForm
from login_engine.textual.form import SIGNS, ActionButton, AlertScreen
from login_engine.textual.items import (
    CodeWidget,
    ExternalWidget,
    InputWidget,
    ItemWidget,
    LinkWidget,
    ReadOnlyWidget,
    SelectionWidget,
    SwitchWidget,
)
from login_engine.textual.keys import KeysInOrder, _is_through
from login_engine.wire import Item

SEVERITIES = {sign: severity for severity, sign in SIGNS.items()}
#: The number of lines for which an option is reached by arrow keys.
FEW = 12
#: The characters that terminals send for keys, if they have one.
CHARACTERS = {"tab": "\t", "enter": "\r", "backspace": "\x7f", "escape": "\x1b", "space": " "}


class Stage(KeysInOrder, App[None]):
    """An app that shows one form after another, unlike `LoginApp`: starting an app takes longer than a transcript."""

    CSS_PATH = Path(login_engine.textual.__file__).with_name("login.tcss")
    ENABLE_COMMAND_PALETTE = False

    @property
    def is_ready_for_keys(self) -> bool:
        return all(form.is_drawn for form in self.screen_stack[0].query(LoginForm))


class Form(LoginForm):
    """A form that reports each drawing."""

    def __init__(self, on_drawn: Callable[[], None], *arguments: Any) -> None:
        super().__init__(*arguments)
        self._on_drawn = on_drawn

    async def _draw(self) -> None:
        snapshot, sent, counted = self.session.snapshot, self.session.form.sent, self.session.form.counted
        await super()._draw()
        # Changes since then are drawn next.
        if (self.session.snapshot, self.session.form.sent, self.session.form.counted) == (snapshot, sent, counted):
            self._on_drawn()


class TextualView(View):
    # A key takes the app ten milliseconds, and so does a paste.
    longest_typed = 4

    def __init__(self, app: Stage) -> None:
        super().__init__()
        self.app = app
        self.form: Form | None = None

    async def run(self, work: Any) -> Any:
        return await work

    async def show(self, session: Session, locales: list[str], externals: Mapping[str, Handler]) -> None:
        self.form = Form(self._drew, session, lambda _: None, lambda _: None, locales, externals)
        await self.app.mount(self.form)

    def _drew(self) -> None:
        # A field's unreported text is compared once the key is handled.
        if not any(is_ahead(widget) for _, items in self._sections() for widget in items):
            self.compare()

    async def put_away(self) -> None:
        if self.form is not None:
            await self.form.remove()
            self.form = None
        assert self.app._exception is not None or len(self.app.screen_stack) == 1

    async def until(self, condition: Callable[[], Any], what: Callable[[], str]) -> None:
        begin = time.monotonic()

        def is_there() -> bool:
            return bool(condition() and (self.session.closed or self.app.is_ready_for_keys))

        is_still = False
        while not is_still:
            self._stop_at_failure()
            self.go_on_waiting(begin, what)
            if is_still := is_there():
                for screen in self.app.screen_stack:
                    await _is_through(screen)
                is_still = is_there()
            else:
                await asyncio.sleep(0.002)

    def _stop_at_failure(self) -> None:
        """Fails if the app has failed: such an app raises only when it is awaited, and handles no more messages."""
        if self.app._exception is not None:
            raise RuntimeError("the app has failed") from self.app._exception

    # MARK: Input

    async def key(self, key: str) -> None:
        if key == "clear":
            await self.key("end")
            key = "ctrl+u"
        # Textual's buttons ignore further presses for a moment.
        await self.until(lambda: not (key == "enter" and self.app.focused and self.app.focused.has_class("-active")), lambda: "the button stays pressed")
        if len(key) == 1:
            event: events.Event = events.Key(_character_to_key(key), key)
        else:
            event = events.Key(key, CHARACTERS.get(key))
        await self._give(event)

    async def paste(self, text: str) -> None:
        await self._give(events.Key("ctrl+shift+a", None))
        await self._give(events.Paste(text))

    async def _give(self, event: events.Event) -> None:
        self.app.post_message(event)
        begin = time.monotonic()
        # The app has to receive it first.
        await _is_through(self.app)
        while not self.app._keys.empty() or self.app._handling and not self.app._handling.done():
            self._stop_at_failure()
            self.go_on_waiting(begin, lambda: f"{event} is not handled")
            await asyncio.sleep(0)

    async def go_to(self, id: str) -> None:
        await self._go_to(lambda: self._focus_widgets().get(id), id)

    async def _go_to(self, find: Callable[[], Widget | None], name: str) -> None:
        """Focuses a widget directly, as a click does, because each Tab takes the app ten milliseconds. A new widget can take the focus only after layout."""
        is_late = time.monotonic() + 1

        def can_be_reached() -> bool:
            return find() in self.app.screen.focus_chain or time.monotonic() > is_late

        await self.until(can_be_reached, lambda: "")
        widget = find()
        assert widget in self.app.screen.focus_chain, f"Tab does not lead to {name}, but to {self.app.screen.focus_chain}"
        if self.app.focused is not widget:
            self.app.screen.set_focus(widget)
            await _is_through(self.app.screen)

    async def click(self, id: str) -> None:
        await self.go_to(id)
        await self.key("enter")

    async def choose(self, item: Item, option: str | None) -> None:
        await self.go_to(item["id"])
        select = self._focus_widgets()[item["id"]]
        assert isinstance(select, Select)
        wanted = Select.NULL if option is None else option
        await self.until(lambda: wanted in [value for _, value in select._options], lambda: f"there is no {option}")
        await self._choose(select, wanted)

    async def _choose(self, select: Select[str], value: Any) -> None:
        await self.key("enter")
        await self.key("home")
        index = [known for _, known in select._options].index(value)
        if index < FEW:
            for _ in range(index):
                await self.key("down")
        else:
            # Textual finds titles by their first letters if they are typed quickly.
            for character in str(next(title for title, known in select._options if known == value)):
                await self._give(events.Key(_character_to_key(character), character))
        await self.key("enter")
        await self.until(lambda: not select.expanded, lambda: "the list stays open")

    async def choose_locale(self, locale: str) -> None:
        assert self.form is not None
        select = self.form.query_one("#locale", Select)
        await self._go_to(lambda: select, "the languages")
        await self._choose(select, locale)
        # The menu is ahead until the engine answers.
        await self.until(lambda: self.session.closed or self.session.snapshot["locale"] == locale, lambda: f"{locale} is not shown")

    # MARK: Output

    def _sections(self) -> list[tuple[Static, list[ItemWidget]]]:
        assert self.form is not None
        sections: list[tuple[Static, list[ItemWidget]]] = []
        for container in self.form.query_one("#sections", Vertical).children:
            if container.display and container.children:
                title, *items = container.children
                assert isinstance(title, Static)
                sections.append((title, [item for item in items if isinstance(item, ItemWidget)]))
        return sections

    def _actions(self) -> list[tuple[ActionButton, bool]]:
        assert self.form is not None
        return [
            (button, place == "#buttons")
            for place in ("#buttons", "#links")
            for button in self.form.query_one(place, Vertical).children
            if isinstance(button, ActionButton)
        ]

    def _alert_buttons(self) -> list[ActionButton]:
        return list(self.app.screen.query(ActionButton)) if isinstance(self.app.screen, AlertScreen) else []

    def _focus_widgets(self) -> dict[str, Widget]:
        widgets: dict[str, Widget] = {button.action_id: button for button in [*self._alert_buttons(), *(button for button, _ in self._actions())]}
        return widgets | {item.item["id"]: item.focus_widget for _, items in self._sections() for item in items if item.focus_widget}

    def focused(self) -> str | None:
        return next((id for id, widget in self._focus_widgets().items() if widget is self.app.focused), None)

    def drawn(self) -> Drawing:
        form = self.form
        assert form is not None
        alert: Any = None
        if isinstance(self.app.screen, AlertScreen):
            texts = [str(static.content) for static in self.app.screen.query(Static) if not isinstance(static, Button)]
            alert = [texts[0] if len(texts) == 2 else "", texts[-1], [str(button.label) for button in self._alert_buttons()]]
        locale = next(iter(form.query("#locale").results(Select)), None)
        return {
            "title": str(form.query_one("#screen-title", Static).content),
            "locale": locale and locale.value,
            "isRightToLeft": form.has_class("rtl"),
            "sections": [[text_of(title), [self._item(item) for item in items]] for title, items in self._sections()],
            "notice": self._banner("#notice"),
            "error": self._banner("#error"),
            "actions": [
                [re.sub(r" \(\d+\)$", " (#)", str(button.label)), not button.disabled, is_primary] for button, is_primary in self._actions()
            ],
            "activity": not form.query_one("#activity").has_class("idle"),
            "alert": alert,
        }

    def _banner(self, name: str) -> Any:
        assert self.form is not None
        banner = self.form.query_one(name, Static)
        if not banner.display:
            return None
        sign, _, text = str(banner.content).partition(" ")
        assert banner.has_class(SEVERITIES[sign])
        return SEVERITIES[sign], text

    def _item(self, widget: ItemWidget) -> Drawing:
        texts = {"title": widget.title_text, "hint": widget.hint_text, "messages": widget.message_text}
        drawing: Drawing = {name: text_of(static) for name, static in texts.items()}
        match widget:
            case InputWidget():
                field, is_wrong = widget.input, widget.has_class("wrong")
                drawing |= {"value": field.value, "ghost": "" if field.value else str(field.placeholder), "masked": field.password}
                return drawing | {"field": "input", "enabled": not field.disabled, "wrong": is_wrong}
            case SelectionWidget():
                titles = {value: str(title) for title, value in widget.select._options}
                drawing |= {"value": "–" if widget.select.is_blank() else titles[widget.select.value]}
                drawing |= {"enabled": not widget.select.disabled, "wrong": widget.has_class("wrong"), "field": "selection"}
                titles.pop(Select.NULL, None)
                return drawing | {"options": None if "optionCount" in widget.item else list(titles.values())}
            case SwitchWidget():
                value = None if widget.has_class("never") else widget.box.value
                return drawing | {"title": str(widget.box.label), "field": "switch", "value": value, "enabled": not widget.box.disabled}
            case LinkWidget():
                return {"title": str(widget.button.label)[:-2], "field": "link", "messages": drawing["messages"]}
            case CodeWidget():
                return drawing | {"field": "code", "text": str(widget.text.label).removesuffix(" ✓")}
            case ExternalWidget() if widget.field is not None:
                label = str(widget.button.label)
                return {"title": label[:-2], "field": "external", "done": label[-1] == "✓", "enabled": not widget.button.disabled}
            case ReadOnlyWidget():
                return drawing | {"field": "value", "text": str(widget.text.content)}
        return drawing | {"field": None}


def is_ahead(widget: ItemWidget) -> bool:
    match widget:
        case InputWidget():
            return bool(widget.input.value != widget.known)
        case SelectionWidget():
            return bool((None if widget.select.is_blank() else widget.select.value) != widget.known)
        case SwitchWidget():
            return bool(widget.box.value) != bool(widget.known)
    return False


def text_of(static: Static) -> str:
    return str(static.content) if static.display else ""
