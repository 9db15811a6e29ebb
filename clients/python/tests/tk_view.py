"""Drives the window like a person: keys and clicks as Tk events, and the content of the widgets."""

from __future__ import annotations

import re
import time
import tkinter
from collections.abc import Callable, Coroutine, Mapping
from tkinter import ttk
from typing import Any

from playing import Drawing, View

from login_engine.engine import Session
from login_engine.external import Handler
from login_engine.tk import LoginFrame, Pump
from login_engine.tk.items import CodeWidget, ExternalWidget, InputWidget, ItemWidget, LinkWidget, ReadOnlyWidget, SelectionWidget, SwitchWidget
from login_engine.tk.style import SIGNS
from login_engine.wire import Item

SEVERITIES = {sign: severity for severity, sign in SIGNS.items()}
#: Keys by their X11 names. Other characters are pasted.
KEYS = {
    "tab": "Tab", "enter": "Return", "backspace": "BackSpace", "end": "End", "escape": "Escape", "left": "Left", "down": "Down",
    " ": "space", "!": "exclam", '"': "quotedbl", "#": "numbersign", "$": "dollar", "%": "percent", "&": "ampersand", "'": "apostrophe",
    "(": "parenleft", ")": "parenright", "*": "asterisk", "+": "plus", ",": "comma", "-": "minus", ".": "period", "/": "slash", ":": "colon",
    ";": "semicolon", "<": "less", "=": "equal", ">": "greater", "?": "question", "@": "at", "[": "bracketleft", "\\": "backslash",
    "]": "bracketright", "^": "asciicircum", "_": "underscore", "`": "grave", "{": "braceleft", "|": "bar", "}": "braceright", "~": "asciitilde",
}  # fmt: skip


def at_once(work: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine that never waits for an event loop, because Tk's own loop runs inside each step."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the coroutine waits for another event loop")


class Form(LoginFrame):
    """A form that reports each drawing."""

    def __init__(self, on_drawn: Callable[[], None], *arguments: Any) -> None:
        self._on_drawn = on_drawn
        super().__init__(*arguments)

    def draw(self) -> None:
        super().draw()
        if self.winfo_exists():
            self._on_drawn()


class TkView(View):
    longest_typed = 60

    def __init__(self, screen: str) -> None:
        super().__init__()
        self.root = tkinter.Tk(screenName=screen)
        self.root.geometry("560x680")
        self.pump = Pump(self.root)
        # These failures would only be printed.
        self.pump.loop.set_exception_handler(lambda _, context: self.wrong.append(f"{context['message']}: {context.get('exception')!r}"))
        self.root.report_callback_exception = lambda kind, error, trace: self.wrong.append(f"{kind.__name__}: {error}")
        self.root.update()
        self.root.focus_force()
        self.form: Form | None = None

    def destroy(self) -> None:
        self.pump.stop()
        self.root.destroy()

    async def run(self, work: Any) -> Any:
        return self.pump.loop.run_until_complete(work)

    async def show(self, session: Session, locales: list[str], externals: Mapping[str, Handler]) -> None:
        self.form = None
        # A list that was open when the last form closed has taken the focus away.
        self.root.focus_force()
        form = Form(self._drew, self.root, session, lambda _: None, lambda _: None, locales, externals)
        form.pack(fill="both", expand=True)
        self.form = form
        self.root.update()
        self.compare()

    async def put_away(self) -> None:
        if self.form is not None:
            self.form.destroy()
            self.form = None

    def _drew(self) -> None:
        if self.form is not None:
            self.compare()

    async def until(self, condition: Callable[[], Any], what: Callable[[], str]) -> None:
        begin = time.monotonic()
        while not condition():
            self.go_on_waiting(begin, what)
            self.root.tk.dooneevent(0)
        # Idle callbacks, such as those that focus a widget once it exists.
        self.root.update()

    # MARK: Input

    async def key(self, key: str) -> None:
        if key == "clear":
            self._event("<Control-a>")
            self._event("<KeyPress>", keysym="BackSpace")
        elif len(key) == 1 and not key.isascii():
            self._paste(key)
        else:
            self._event("<KeyPress>", keysym=KEYS.get(key, key))
        self.root.update_idletasks()

    async def paste(self, text: str) -> None:
        self._event("<Control-a>")
        self._paste(text)

    def _paste(self, text: str) -> None:
        self.root.clipboard_clear()
        self.root.clipboard_append(text)
        self._event("<<Paste>>")

    def _event(self, sequence: str, **details: Any) -> None:
        widget = self.root.tk.call("focus") or "."
        self.root.tk.call("event", "generate", widget, sequence, *[word for name, value in details.items() for word in (f"-{name}", value)])

    async def go_to(self, id: str) -> None:
        if re.search(r"popdown|#?menu$", str(self.root.tk.call("focus"))):
            # The list of a selection or of the languages is still open.
            self._event("<KeyPress>", keysym="Escape")
            self.root.update()
        begin = str(self.root.tk.call("focus"))
        for _ in range(200):
            if self.focused() == id:
                return
            self._event("<KeyPress>", keysym="Tab")
            if str(self.root.tk.call("focus")) == begin:
                break
        assert self.focused() == id, f"Tab does not lead from {begin} to {id}, but to {self.root.tk.call('focus')}"

    async def click(self, id: str) -> None:
        self.root.update_idletasks()
        widget = self._alert_buttons().get(id) or self._focus_widgets()[id]
        x, y = widget.winfo_width() // 2, widget.winfo_height() // 2
        for event in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>", "<Leave>"):
            # The press may have removed the widget.
            if widget.winfo_exists():
                widget.event_generate(event, x=x, y=y)

    async def choose(self, item: Item, option: str | None) -> None:
        await self.go_to(item["id"])
        box = self._focus_widgets()[item["id"]]
        widget = box.master
        assert isinstance(widget, SelectionWidget)
        await self.until(lambda: option in widget.ids, lambda: f"there is no {option} in {widget.ids}")
        self._event("<KeyPress>", keysym="Down")
        self.root.update()
        assert box.winfo_exists(), f"{item['id']} has gone"
        popdown = self.root.tk.call("ttk::combobox::PopdownWindow", box)
        listed = f"{popdown}.f.l"
        index = widget.ids.index(option)
        self.root.tk.call(listed, "selection", "clear", 0, "end")
        self.root.tk.call(listed, "selection", "set", index)
        self.root.tk.call(listed, "activate", index)
        self.root.tk.call("event", "generate", listed, "<KeyPress>", "-keysym", "Return")
        self.root.update()

    async def choose_locale(self, locale: str) -> None:
        assert self.form is not None and self.form._menu is not None
        menu = self.form._menu.nametowidget(self.form._menu["menu"])
        assert isinstance(menu, tkinter.Menu)
        for index in range(int(menu.index("end") or 0) + 1):
            if menu.entrycget(index, "label") == locale:
                menu.invoke(index)

    # MARK: Output

    def _items(self) -> list[tuple[ttk.Label | None, list[ItemWidget]]]:
        """Returns the sections and their items, as they are packed."""
        assert self.form is not None
        sections: list[tuple[ttk.Label | None, list[ItemWidget]]] = []
        for frame in self.form._body.pack_slaves():
            if frame is not self.form._strut:
                children = frame.pack_slaves()
                label = next((child for child in children if isinstance(child, ttk.Label)), None)
                sections.append((label, [child for child in children if isinstance(child, ItemWidget)]))
        return sections

    def _alert_buttons(self) -> dict[str, tkinter.Widget]:
        assert self.form is not None
        alert = self.session.snapshot["alert"]
        if not alert or not self.form._alert.winfo_manager():
            return {}
        card = self.form._alert.inner
        buttons = [child for child in card.winfo_children() if isinstance(child, ttk.Button)]
        return {action["id"]: button for action, button in zip(alert["actions"], buttons, strict=True)}

    def _focus_widgets(self) -> dict[str, tkinter.Widget]:
        assert self.form is not None
        widgets = {item.item["id"]: item.focus_widget for _, items in self._items() for item in items if item.focus_widget is not None}
        return {**widgets, **self.form._actions}

    def focused(self) -> str | None:
        name = str(self.root.tk.call("focus"))
        return next((id for id, widget in [*self._alert_buttons().items(), *self._focus_widgets().items()] if str(widget) == name), None)

    def drawn(self) -> Drawing:
        form = self.form
        assert form is not None
        alert: Any = None
        if form._alert.winfo_manager():
            card = form._alert.inner
            labels = [str(child["text"]) for child in card.winfo_children() if isinstance(child, ttk.Label)]
            answers = [str(child["text"]) for child in card.winfo_children() if isinstance(child, ttk.Button)]
            alert = [labels[0] if len(labels) == 2 else "", labels[-1], answers]
        is_right = form._title.pack_info()["side"] == "right"
        buttons = [(button, True) for button in form._buttons.pack_slaves()] + [(button, False) for button in form._links.pack_slaves()]
        return {
            "title": str(form._title["text"]),
            "locale": form._menu and str(form._menu["text"]).removesuffix(" ▾"),
            "isRightToLeft": is_right,
            "sections": [[str(label["text"]) if label else "", [self._item(item) for item in items]] for label, items in self._items()],
            "notice": self._banner(form._notice, is_right),
            "error": self._banner(form._error, is_right),
            "actions": [
                [re.sub(r" \(\d+\)$", " (#)", str(button["text"])), button.instate(["!disabled"]), is_primary]
                for button, is_primary in buttons
                if isinstance(button, ttk.Button)
            ],
            "activity": bool(form._activity._timer),
            "alert": alert,
        }

    @staticmethod
    def _banner(banner: tkinter.Label, is_right: bool) -> Any:
        if not banner.winfo_manager():
            return None
        text = str(banner["text"])
        sign, text = (text[-1], text[:-3]) if is_right else (text[0], text[3:])
        return SEVERITIES[sign], text

    def _item(self, widget: ItemWidget) -> Drawing:
        packed = widget.pack_slaves()

        def text(label: ttk.Label) -> str:
            return str(label["text"]) if label in packed else ""

        drawing: Drawing = {"title": text(widget.title_label), "hint": text(widget.hint_label), "messages": text(widget.message_label)}
        if widget.field is not None and widget.field not in packed:
            return drawing | {"field": "hidden"}
        match widget:
            case InputWidget():
                entry = widget.entry
                style, is_enabled = str(entry["style"]), entry.instate(["!disabled"])
                ghost = str(widget.ghost["text"]) if widget.ghost.winfo_manager() else ""
                drawing |= {"value": entry.get(), "ghost": ghost, "masked": bool(entry["show"])}
                return drawing | {"field": "input", "enabled": is_enabled, "wrong": style.startswith("Wrong.")}
            case SelectionWidget():
                box = widget.box
                drawing |= {"value": box.get(), "enabled": box.instate(["!disabled"]), "wrong": str(box["style"]).startswith("Wrong.")}
                titles = list(box["values"])[0 if widget.item.get("required") else 1 :]
                return drawing | {"field": "selection", "options": None if "optionCount" in widget.item else titles}
            case SwitchWidget():
                button = widget.button
                value = None if button.instate(["alternate"]) else button.instate(["selected"])
                return drawing | {"title": str(button["text"]), "field": "switch", "value": value, "enabled": button.instate(["!disabled"])}
            case LinkWidget():
                return {"title": str(widget.button["text"]).removesuffix(" ↗"), "field": "link", "messages": drawing["messages"]}
            case CodeWidget():
                return drawing | {"field": "code", "text": widget.entry.get()}
            case ExternalWidget() if widget.field is not None:
                label = str(widget.button["text"])
                return {"title": label[:-2], "field": "external", "done": label[-1] == "✓", "enabled": widget.button.instate(["!disabled"])}
            case ReadOnlyWidget():
                assert isinstance(widget.field, ttk.Label)
                return drawing | {"field": "value", "text": str(widget.field["text"])}
        return drawing | {"field": None}
