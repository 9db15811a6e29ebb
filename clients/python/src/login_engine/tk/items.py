"""A widget for each kind of item. A widget exists as long as its item is on the screen, so that the cursor stays in place."""

from __future__ import annotations

import tkinter
import webbrowser
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Any, Literal

from login_engine import view
from login_engine.tk.card import wrap
from login_engine.tk.style import COLOURS, Style
from login_engine.view import Presenter
from login_engine.wire import Item

Side = Literal["w", "e"]

#: The size of a module of a QR code, and the width of its quiet zone in modules, by ISO/IEC 18004.
MODULE, QUIET = 4, 4
#: The characters that end a line on any system.
LINE_ENDS = dict.fromkeys(map(ord, "\n\r\v\f\x85\u2028\u2029"))
#: The text of a field whose secret was not typed here.
UNKNOWN_SECRET = "••••••••"


def arrange(parent: tkinter.Misc, wanted: Sequence[tkinter.Widget]) -> bool:
    """Packs these widgets in this order, and leaves those that are already in place: a repacked widget briefly loses the focus.

    Returns whether anything has changed."""
    if parent.pack_slaves() == list(wanted):
        return False
    for child in parent.pack_slaves():
        child.pack_forget()
    for child in wanted:
        child.pack()
        # The tab order follows the stacking order.
        child.lift()
    return True


class ItemWidget(ttk.Frame):
    """An item with its title and messages. Subclasses add the field."""

    #: Whether the field has the full width of the form.
    is_wide = True

    def __init__(self, parent: tkinter.Misc, item: Item, presenter: Presenter, style: Style) -> None:
        super().__init__(parent)
        self.item, self.presenter, self.style = item, presenter, style
        self.title_label = self.text(font=style.label)
        self.field = self.make_field()
        self.hint_label = self.text(font=style.small, foreground=COLOURS.subdued)
        self.message_label = self.text(font=style.small)

    def text(self, **options: Any) -> ttk.Label:
        label = ttk.Label(self, **options)
        wrap(label)
        return label

    def make_field(self) -> tkinter.Widget | None:
        return None

    @property
    def focus_widget(self) -> tkinter.Widget | None:
        """The widget that takes the focus."""
        return self.field

    @property
    def shown_title(self) -> str:
        return view.title(self.item)

    def show(self, item: Item, is_open: bool) -> None:
        """Draws the current state of the item. `is_open` says whether anything can be edited."""
        self.item = item
        side: Side = "e" if self.presenter.session.snapshot["direction"] == "rtl" else "w"
        emphasis = item.get("emphasis", "normal")
        self.title_label.configure(
            text=self.shown_title,
            foreground={"subdued": COLOURS.subdued, "critical": COLOURS.error}.get(emphasis, COLOURS.text),
            font=self.style.label if self.field or emphasis in ("prominent", "critical") else self.style.body,
        )
        is_wrong = item.get("validity") == "invalid"
        self.message_label.configure(text=view.messages(item), foreground=COLOURS.error if is_wrong else COLOURS.subdued)
        self.hint_label.configure(text=view.clean(item.get("hint")))
        self.show_field(is_open and item.get("editable", True), is_wrong, side)
        shown: list[tkinter.Widget] = []
        for child in (self.title_label, self.field, self.hint_label, self.message_label):
            if isinstance(child, ttk.Label):
                child.configure(justify="right" if side == "e" else "left", anchor=side)
            if child is not None and (not isinstance(child, ttk.Label) or child["text"]):
                shown.append(child)
        arrange(self, shown)
        for child in shown:
            is_wide = isinstance(child, ttk.Label) or child is self.field and self.is_wide
            child.pack_configure(anchor=side, fill=tkinter.X if is_wide else tkinter.NONE, pady=(0, 3))

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        pass


class InputWidget(ItemWidget):
    """A text field."""

    def make_field(self) -> tkinter.Widget:
        self.variable = tkinter.StringVar(self)
        self.variable.trace_add("write", lambda *_: self.typed())
        self.is_showing = False
        self.entry = ttk.Entry(self, textvariable=self.variable, style="Login.TEntry", font=self.style.body, width=1)
        self.entry.bind("<Return>", lambda _: self.presenter.press_primary())
        self.entry.bind("<Control-a>", self.select_all)
        self.entry.bind("<FocusOut>", lambda _: self.entry.selection_clear())
        self.ghost = tkinter.Label(self.entry, font=self.style.body, foreground="#8a94a8", background=COLOURS.card, cursor="xterm")
        self.ghost.bind("<Button-1>", lambda _: self.entry.focus_set())
        return self.entry

    def select_all(self, _: object) -> str:
        self.entry.selection_range(0, "end")
        return "break"

    def typed(self) -> None:
        if not self.is_showing:
            self.drop_line_ends()
            self.presenter.change(self.item, self.variable.get())
        self.show_ghost()

    def drop_line_ends(self) -> None:
        """Removes line ends, as browsers do. Tk keeps those of pasted text, and draws nothing for them."""
        text = self.variable.get()
        plain = text.translate(LINE_ENDS)
        if plain != text:
            cursor = len(text[: self.entry.index("insert")].translate(LINE_ENDS))
            self.is_showing = True
            self.variable.set(plain)
            self.is_showing = False
            self.entry.icursor(cursor)

    def show_ghost(self) -> None:
        """Shows the placeholder over an empty field."""
        text = view.placeholder(self.item)
        if self.presenter.session.form.value(self.item) is None and "filled" in self.item:
            text = UNKNOWN_SECRET
        is_right = str(self.entry["justify"]) == "right"
        if self.variable.get() or not text:
            self.ghost.place_forget()
        else:
            self.ghost.configure(text=text, background=COLOURS.page if self.entry.instate(["disabled"]) else COLOURS.card)
            self.ghost.place(relx=1 if is_right else 0, x=-10 if is_right else 10, rely=0.5, anchor="e" if is_right else "w")

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        value = self.presenter.session.form.value(self.item) or ""
        if self.variable.get() != value:
            self.is_showing = True
            self.variable.set(value)
            self.is_showing = False
            self.entry.icursor("end")
        self.entry.configure(
            show="•" if view.is_masked(self.item) else "",
            justify="right" if side == "e" else "left",
            style="Wrong.Login.TEntry" if is_wrong else "Login.TEntry",
        )
        self.entry.state(["!disabled" if is_editable else "disabled"])
        self.show_ghost()


class ReadOnlyWidget(ItemWidget):
    """A value that the user entered before, as text."""

    def make_field(self) -> tkinter.Widget:
        return self.text(font=self.style.body)

    @property
    def focus_widget(self) -> None:
        return None

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        assert isinstance(self.field, ttk.Label)
        self.field.configure(text=view.clean(self.item.get("value")) or "–")


class SelectionWidget(ItemWidget):
    """A choice of one of several options. Typing a letter selects the next option that begins with it."""

    def make_field(self) -> tkinter.Widget:
        self.box = ttk.Combobox(self, state="readonly", style="Login.TCombobox", font=self.style.body, height=12, width=1)
        self.box.bind("<<ComboboxSelected>>", lambda _: self.chosen())
        self.box.bind("<Key>", self.pressed)
        self.box.bind("<Return>", lambda _: self.presenter.press_primary())
        self.ids: list[str | None] = []
        return self.box

    def chosen(self) -> None:
        self.box.selection_clear()
        self.presenter.change(self.item, self.ids[self.box.current()])

    def pressed(self, event: tkinter.Event[tkinter.Misc]) -> None:
        if not event.char.isalnum() or self.box.instate(["disabled"]):
            return
        titles = [str(text).casefold() for text in self.box["values"]]
        start = self.box.current() + 1
        for index in [*range(start, len(titles)), *range(start)]:
            if titles[index].startswith(event.char.casefold()):
                self.box.current(index)
                self.chosen()
                return

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        options = self.presenter.options(self.item)
        value = self.presenter.session.form.value(self.item)
        # The selection can be cleared only if a value is not required.
        none: list[str | None] = [] if self.item.get("required") else [None]
        self.ids = [*none, *(option["id"] for option in options)]
        self.box["values"] = ["–" for _ in none] + [view.clean(option["title"]) for option in options]
        if value in self.ids:
            self.box.current(self.ids.index(value))
        else:
            self.box.set("–")
        self.box.selection_clear()
        self.box.configure(style="Wrong.Login.TCombobox" if is_wrong else "Login.TCombobox", justify="right" if side == "e" else "left")
        self.box.state(["!disabled", "readonly"] if is_editable else ["disabled"])


class SwitchWidget(ItemWidget):
    """A switch that is on, off or never set."""

    is_wide = False

    def make_field(self) -> tkinter.Widget:
        self.button = ttk.Checkbutton(self, style="Login.TCheckbutton", command=self.pressed, takefocus=True)
        self.button.bind("<Return>", lambda _: self.presenter.press_primary())
        return self.button

    @property
    def shown_title(self) -> str:
        return ""

    def pressed(self) -> None:
        self.presenter.change(self.item, not self.presenter.session.form.value(self.item))

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        value = self.presenter.session.form.value(self.item)
        self.button.configure(text=view.title(self.item))
        self.button.state(["alternate" if value is None else "!alternate", "selected" if value else "!selected"])
        self.button.state(["!disabled" if is_editable else "disabled"])


class LinkWidget(ItemWidget):
    """A link to a page, opened in the browser."""

    is_wide = False

    def make_field(self) -> tkinter.Widget:
        self.button = ttk.Button(self, style="Link.TButton", command=self.pressed, cursor="hand2")
        self.button.bind("<Return>", lambda _: self.pressed())
        return self.button

    @property
    def shown_title(self) -> str:
        return ""

    def pressed(self) -> None:
        if self.item["url"].startswith(("https://", "http://", "mailto:")):
            webbrowser.open(self.item["url"])

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        self.button.configure(text=f"{view.clean(self.item['title'])} ↗")


class CodeWidget(ItemWidget):
    """A text for another device, to scan or to copy."""

    def make_field(self) -> tkinter.Widget:
        frame = ttk.Frame(self)
        self.canvas = tkinter.Canvas(frame, highlightthickness=0, background="white")
        self.variable = tkinter.StringVar(self)
        self.entry = ttk.Entry(frame, textvariable=self.variable, state="readonly", style="Login.TEntry", font=self.style.code, width=1)
        copy = ttk.Button(frame, text="❐", style="Link.TButton", command=self.copy, width=3)
        copy.bind("<Return>", lambda _: self.copy())
        copy.pack(side="right", anchor="s", pady=(0, 5))
        self.entry.pack(side="bottom", fill="x", expand=True)
        self.drawn = ""
        return frame

    @property
    def focus_widget(self) -> tkinter.Widget:
        return self.entry

    def copy(self) -> None:
        self.clipboard_clear()
        self.clipboard_append(self.item["text"] or "")
        self.entry.focus_set()
        self.entry.selection_range(0, "end")

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        text = self.item["text"] or ""
        self.variable.set(text)
        modules = view.qr_code(text) if self.item.get("format") == "qr" else None
        if modules is None:
            self.canvas.pack_forget()
        elif self.drawn != text:
            size = (len(modules) + 2 * QUIET) * MODULE
            self.canvas.configure(width=size, height=size)
            self.canvas.delete("all")
            for y, row in enumerate(modules):
                for x, is_dark in enumerate(row):
                    if is_dark:
                        left, top = (x + QUIET) * MODULE, (y + QUIET) * MODULE
                        self.canvas.create_rectangle(left, top, left + MODULE, top + MODULE, fill="black", width=0)
            self.canvas.pack(side="top")
        self.drawn = text


class TextWidget(ItemWidget):
    """A text to read, and the fallback for unknown kinds: the title and the text."""

    @property
    def shown_title(self) -> str:
        text = self.item.get("text")
        return "\n".join(view.clean(line) for line in (self.item.get("title"), text if isinstance(text, str) else None) if line)


class ExternalWidget(TextWidget):
    """An action outside the form, such as in the browser. Without a handler for its type: the title and the text."""

    is_wide = False

    def make_field(self) -> tkinter.Widget | None:
        if not self.presenter.can_do(self.item):
            return None
        self.button = ttk.Button(self, style="Link.TButton", command=self.pressed, cursor="hand2")
        self.button.bind("<Return>", lambda _: self.pressed())
        return self.button

    @property
    def shown_title(self) -> str:
        return "" if self.field else super().shown_title

    def pressed(self) -> None:
        if self.button.instate(["!disabled"]):
            self.presenter.do(self.item)

    def show_field(self, is_editable: bool, is_wrong: bool, side: Side) -> None:
        if self.field:
            self.button.configure(text=f"{view.title(self.item) or view.name(self.item)} {'↗' if self.item['value'] is None else '✓'}")
            self.button.state(["!disabled" if is_editable else "disabled"])
            if not self.item.get("hint"):
                self.hint_label.configure(text=view.site(self.item))


Maker = Callable[[tkinter.Misc, Item, Presenter, Style], ItemWidget]


def maker_for(item: Item) -> Maker:
    """Returns the widget class for an item, by its kind."""
    if item["kind"] == "input" and item.get("readOnly"):
        return ReadOnlyWidget
    makers: dict[str, Maker] = {
        "input": InputWidget, "selection": SelectionWidget, "switch": SwitchWidget, "link": LinkWidget, "code": CodeWidget,
        "external": ExternalWidget,
    }  # fmt: skip
    return makers.get(item["kind"], TextWidget)
