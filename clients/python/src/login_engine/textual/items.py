"""A widget for each kind of item, for the terminal. A widget exists as long as its item is on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Select, Static

from login_engine import view
from login_engine.textual.browser import has_browser
from login_engine.view import Presenter
from login_engine.wire import Item

#: The width of the quiet zone around a QR code: four modules, by ISO/IEC 18004.
QUIET = 4
#: The text of a field whose secret was not typed here.
UNKNOWN_SECRET = "••••••••"


class ItemWidget(Vertical):
    """An item with its title and messages. Subclasses add the field."""

    def __init__(self, item: Item, presenter: Presenter) -> None:
        super().__init__(classes="item")
        self.item, self.presenter = item, presenter
        #: The value that was last drawn or reported. Textual reports changes later than it draws them: until then the field is ahead.
        self.known: Any = None
        self.title_text, self.hint_text, self.message_text = Static(classes="title"), Static(classes="hint"), Static(classes="messages")
        self.field = self.make_field()

    def make_field(self) -> Widget | None:
        return None

    def compose(self) -> ComposeResult:
        yield self.title_text
        if self.field is not None:
            yield self.field
        yield self.hint_text
        yield self.message_text

    @property
    def focus_widget(self) -> Widget | None:
        """The widget that takes the focus."""
        return self.field

    @property
    def shown_title(self) -> str:
        return view.title(self.item)

    def show(self, item: Item, is_open: bool) -> None:
        """Draws the current state of the item. `is_open` says whether anything can be edited."""
        self.item = item
        for name in ("subdued", "prominent", "critical"):
            self.set_class(item.get("emphasis") == name, name)
        self.set_class(item.get("validity") == "invalid", "wrong")
        for shown, text in (
            (self.title_text, self.shown_title),
            (self.hint_text, view.clean(item.get("hint"))),
            (self.message_text, view.messages(item)),
        ):
            shown.update(Content(text))
            shown.display = bool(text)
        self.show_field(is_open and item.get("editable", True))

    def show_field(self, is_editable: bool) -> None:
        pass

    def keep_in_view(self) -> None:
        """Scrolls to the item if it has the focus. Textual would scroll to its field only, without title and messages."""
        if self.has_focus_within and self.outer_size.height <= self.screen.size.height:
            self.scroll_visible(animate=False)

    def on_descendant_focus(self) -> None:
        self.keep_in_view()


class InputWidget(ItemWidget):
    """A text field."""

    def make_field(self) -> Widget:
        self.input = Input()
        return self.input

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        event.stop()
        self.report()

    @on(Input.Submitted)
    def entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.report()
        self.presenter.press_primary()

    def report(self) -> None:
        self.known = self.input.value
        self.presenter.change(self.item, self.known)

    def show_field(self, is_editable: bool) -> None:
        value = self.presenter.session.form.value(self.item)
        with self.input.prevent(Input.Changed):
            self.input.password = view.is_masked(self.item)
            if self.known != (value or ""):
                self.known = self.input.value = value or ""
                self.input.cursor_position = len(self.input.value)
        is_unknown = value is None and "filled" in self.item
        self.input.placeholder = UNKNOWN_SECRET if is_unknown else view.placeholder(self.item)
        self.input.disabled = not is_editable


class ReadOnlyWidget(ItemWidget):
    """A value that the user entered before, as text."""

    def make_field(self) -> Widget:
        self.text = Static(classes="value")
        return self.text

    @property
    def focus_widget(self) -> None:
        return None

    def show_field(self, is_editable: bool) -> None:
        self.text.update(Content(view.clean(self.item.get("value")) or "–"))


class SelectionWidget(ItemWidget):
    """A choice of one of several options."""

    def make_field(self) -> Widget:
        self.select: Select[str] = Select([], prompt="–", allow_blank=True)
        self.drawn: list[tuple[str, str]] = []
        return self.select

    @on(Select.Changed)
    def chosen(self, event: Select.Changed) -> None:
        event.stop()
        value = self.select.value
        self.known = value if isinstance(value, str) else None
        self.presenter.change(self.item, self.known)

    def show_field(self, is_editable: bool) -> None:
        options = [(view.clean(option["title"]), option["id"]) for option in self.presenter.options(self.item)]
        value = self.presenter.session.form.value(self.item)
        with self.select.prevent(Select.Changed):
            is_new = options != self.drawn
            if is_new:
                self.drawn = options
                # Rich's `Text`, because Textual's type-to-search looks at no other titles.
                self.select.set_options((Text(title), id) for title, id in options)
            if is_new or self.known != value:
                self.known = value
                self.select.value = value if value in {id for _, id in options} else Select.NULL
        self.select.disabled = not is_editable


class Box(Checkbox):
    """A checkbox that is drawn empty when it is off (Textual only changes the colour), and in which Enter submits the form."""

    BINDINGS = [Binding("enter", "press_primary", show=False)]

    def __init__(self, press_primary: Callable[[], None]) -> None:
        super().__init__(compact=True)
        self.action_press_primary = press_primary

    def render(self) -> Content:
        self.BUTTON_INNER = "✓" if self.value else " "
        return super().render()


class SwitchWidget(ItemWidget):
    """A switch."""

    def make_field(self) -> Widget:
        self.box = Box(self.presenter.press_primary)
        return self.box

    @property
    def shown_title(self) -> str:
        return ""

    @on(Checkbox.Changed)
    def pressed(self, event: Checkbox.Changed) -> None:
        event.stop()
        self.known = self.box.value
        self.presenter.change(self.item, self.known)

    def show_field(self, is_editable: bool) -> None:
        value = self.presenter.session.form.value(self.item)
        self.box.label = Content(view.title(self.item))
        self.set_class(value is None, "never")
        with self.box.prevent(Checkbox.Changed):
            if self.known != value:
                self.known = value
                self.box.value = bool(value)
        self.box.disabled = not is_editable


class LinkWidget(ItemWidget):
    """A link to a page, opened in the browser. The address is shown, and copied if no browser can be opened."""

    def make_field(self) -> Widget:
        self.button = Button(classes="link", compact=True)
        return self.button

    @property
    def shown_title(self) -> str:
        return ""

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if not self.item["url"].startswith(("https://", "http://", "mailto:")):
            return
        if has_browser():
            self.app.open_url(self.item["url"])
        else:
            self.app.copy_to_clipboard(self.item["url"])
            self.button.label = Content(f"{view.clean(self.item['title'])} ✓")

    def show_field(self, is_editable: bool) -> None:
        self.button.label = Content(f"{view.clean(self.item['title'])} ↗")
        self.hint_text.update(Content(view.clean(self.item["url"])))
        self.hint_text.display = True


class CodeWidget(ItemWidget):
    """A text for another device, to scan or to copy."""

    def make_field(self) -> Widget:
        self.code, self.text = Static(classes="qr"), Button(classes="code", compact=True)
        return Vertical(self.code, self.text, classes="codes")

    @property
    def focus_widget(self) -> Widget:
        return self.text

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.app.copy_to_clipboard(self.item["text"] or "")
        self.text.label = Content(f"{view.clean(self.item['text'])} ✓")

    def show_field(self, is_editable: bool) -> None:
        text = self.item["text"] or ""
        modules = view.qr_code(text) if self.item.get("format") == "qr" else None
        self.code.display = modules is not None
        if modules is not None:
            self.code.update(Content(half_blocks(modules)))
        self.text.label = Content(view.clean(text))


class TextWidget(ItemWidget):
    """A text to read, and the fallback for unknown kinds: the title and the text."""

    @property
    def shown_title(self) -> str:
        text = self.item.get("text")
        return "\n".join(view.clean(line) for line in (self.item.get("title"), text if isinstance(text, str) else None) if line)


class ExternalWidget(TextWidget):
    """An action outside the form, such as in the browser. Without a handler for its type: the title and the text."""

    def make_field(self) -> Widget | None:
        if not self.presenter.can_do(self.item):
            return None
        self.button = Button(classes="link", compact=True)
        return self.button

    @property
    def shown_title(self) -> str:
        return "" if self.field else super().shown_title

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.presenter.do(self.item)

    def show_field(self, is_editable: bool) -> None:
        if self.field:
            self.button.label = Content(f"{view.title(self.item) or view.name(self.item)} {'↗' if self.item['value'] is None else '✓'}")
            self.button.disabled = not is_editable
            if not self.item.get("hint"):
                self.hint_text.update(Content(view.site(self.item)))
                self.hint_text.display = bool(view.site(self.item))


def half_blocks(modules: list[list[bool]]) -> str:
    """Draws a QR code with its quiet zone in half blocks, two rows of modules per line, for dark text on a light background."""
    width = len(modules) + 2 * QUIET
    rows = [[False] * width for _ in range(QUIET)]
    rows += [[False] * QUIET + row + [False] * QUIET for row in modules]
    rows += [[False] * width for _ in range(QUIET + len(rows) % 2)]
    signs = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    return "\n".join("".join(signs[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in zip(rows[::2], rows[1::2], strict=False))


Maker = Callable[[Item, Presenter], ItemWidget]


def maker_for(item: Item) -> type[ItemWidget]:
    """Returns the widget class for an item, by its kind."""
    if item["kind"] == "input" and item.get("readOnly"):
        return ReadOnlyWidget
    makers: dict[str, Any] = {
        "input": InputWidget, "selection": SelectionWidget, "switch": SwitchWidget, "link": LinkWidget, "code": CodeWidget,
        "external": ExternalWidget,
    }  # fmt: skip
    maker: type[ItemWidget] = makers.get(item["kind"], TextWidget)
    return maker
