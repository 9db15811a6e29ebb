"""A login form as a Tk widget."""

from __future__ import annotations

import tkinter
from collections.abc import Callable, Mapping
from functools import partial
from tkinter import ttk
from typing import Literal

from login_engine import view
from login_engine.engine import Session
from login_engine.external import Handler
from login_engine.tk.activity import ActivityBar
from login_engine.tk.card import CardView, wrap
from login_engine.tk.items import ItemWidget, arrange, maker_for
from login_engine.tk.style import COLOURS, SIGNS, Style
from login_engine.view import Presenter
from login_engine.wire import Action, Item, Message, Scene

Side = Literal["left", "right"]


class LoginFrame(tkinter.Frame):
    """Draws a session, whatever its screens are, and sends the user's input.

    :param on_scene: called with the scene once the user is logged in; the scene replaces the form.
    :param on_end: called with the reason when the session or the engine has ended.
    :param locales: the languages to choose from; empty for no menu.
    :param externals: handlers of external items, by type: see `login_engine.external`.
    """

    def __init__(
        self,
        parent: tkinter.Misc,
        session: Session,
        on_scene: Callable[[Scene], None],
        on_end: Callable[[str], None],
        locales: list[str] | None = None,
        externals: Mapping[str, Handler] | None = None,
    ) -> None:
        super().__init__(parent, background=COLOURS.page)
        self.session, self._on_scene = session, on_scene
        self.presenter = Presenter(session, self.draw, on_end, externals)
        self._style = Style(self)
        self._items: dict[str, ItemWidget] = {}
        self._sections: dict[str, tuple[ttk.Frame, ttk.Label]] = {}
        self._actions: dict[str, ttk.Button] = {}
        self._screens_shown = 0
        self._has_scene = False
        self._timer: str | None = None
        self._make(locales or [])
        if view.has_form(session):
            self.draw()

    def _make(self, locales: list[str]) -> None:
        self._form = CardView(self, self._style.width)
        self._form.pack(fill="both", expand=True)
        self.bind_all("<FocusIn>", self._focused)
        for event, units in (("<Button-4>", -5), ("<Button-5>", 5)):
            self.bind_all(event, partial(self._scroll, units))
        self._activity = ActivityBar(self._form.card)
        self._activity.pack(fill="x")
        inner = self._form.inner
        self._head = ttk.Frame(inner)
        self._head.pack(fill="x", pady=(0, 14))
        self._title = ttk.Label(self._head, font=self._style.title)
        wrap(self._title)
        self._menu: tkinter.Menubutton | None = None
        if len(locales) > 1:
            self._menu = self._make_menu(locales)
        self._body = ttk.Frame(inner)
        self._body.pack(fill="x")
        # An empty frame would keep the height of its former content.
        self._strut = ttk.Frame(self._body, width=1, height=1)
        self._notice, self._error = self._make_banner(inner), self._make_banner(inner)
        self._buttons = ttk.Frame(inner)
        self._buttons.pack(fill="x", pady=(10, 0))
        self._links = ttk.Frame(inner)
        self._links.pack(fill="x", pady=(10, 0))
        self._alert = CardView(self, self._style.width - 80)
        self._alert_id: int | None = None

    def _make_menu(self, locales: list[str]) -> tkinter.Menubutton:
        button = tkinter.Menubutton(
            self._head, background=COLOURS.card, activebackground=COLOURS.page, foreground=COLOURS.subdued, font=self._style.small,
            takefocus=True, relief="flat", padx=6, pady=2, highlightthickness=1, highlightbackground=COLOURS.card, highlightcolor=COLOURS.accent,
        )  # fmt: skip
        menu = tkinter.Menu(button, tearoff=False, font=self._style.body)
        for locale in locales:
            menu.add_command(label=locale, command=partial(self.session.request_locale, locale))
        button.configure(menu=menu)
        return button

    def _make_banner(self, parent: tkinter.Misc) -> tkinter.Label:
        banner = tkinter.Label(parent, font=self._style.body, justify="left", anchor="w", padx=12, pady=10)
        wrap(banner, 2 * 12)
        return banner

    # MARK: Drawing

    def draw(self) -> None:
        """Draws the current state of the session."""
        snapshot = self.session.snapshot
        if snapshot["scene"] is not None and not self._has_scene and snapshot["alert"] is None:
            self._has_scene = True
            self._on_scene(snapshot["scene"])
        self._has_scene = snapshot["scene"] is not None
        if not self.winfo_exists():
            return
        if self._screens_shown != self.session.form.screens_shown:
            self._screens_shown = self.session.form.screens_shown
            self._clear()
        side: Side = "right" if snapshot["direction"] == "rtl" else "left"
        if self._menu is not None:
            # Packed first, so that a long title leaves room for it.
            self._menu.configure(text=f"{snapshot['locale']} ▾")
            self._menu.pack(side="left" if side == "right" else "right", anchor="n")
        self._title.configure(text=view.clean(snapshot["title"]), justify=side, anchor="e" if side == "right" else "w")
        self._title.pack(side=side, fill="x", expand=True)
        self._draw_sections(side)
        self._draw_banner(self._notice, snapshot["notice"], "info", side)
        self._draw_banner(self._error, snapshot["error"], "error", side)
        self._draw_actions(side)
        self._activity.show(snapshot["activity"])
        self._draw_alert()
        self._follow_focus()
        if self.presenter.is_counting and self._timer is None:
            self._timer = self.after(250, self._count)
        if self.session.is_acknowledged:
            # After Tk has drawn, which it does when it is idle.
            self.after_idle(lambda: self.after(60, self.session.presented))

    def _draw_sections(self, side: Side) -> None:
        sections = self.session.snapshot["sections"]
        items = {item["id"]: item for section in sections for item in section["items"]}
        for id in [id for id, widget in self._items.items() if id not in items or not isinstance(widget, self._kind(items[id]))]:
            self._items.pop(id).destroy()
        for id in [id for id in self._sections if id not in {section["id"] for section in sections}]:
            for part in self._sections.pop(id):
                part.destroy()
        is_open = self.session.snapshot["alert"] is None
        shown: list[tkinter.Widget] = []
        for section in sections:
            if section["id"] not in self._sections:
                frame = ttk.Frame(self._body)
                self._sections[section["id"]] = (frame, ttk.Label(frame, font=self._style.bold))
                wrap(self._sections[section["id"]][1])
            frame, label = self._sections[section["id"]]
            label.configure(text=view.clean(section.get("title")), justify=side, anchor="e" if side == "right" else "w")
            widgets: list[tkinter.Widget] = [label] if label["text"] else []
            for item in section["items"]:
                widget = self._items.get(item["id"])
                if widget is None or widget.master is not frame:
                    if widget is not None:
                        widget.destroy()
                    widget = self._items[item["id"]] = maker_for(item)(frame, item, self.presenter, self._style)
                widget.show(item, is_open)
                widgets.append(widget)
            arrange(frame, widgets)
            for child in widgets:
                child.pack_configure(fill="x", pady=(4, 8) if child is label else (0, 8))
            if widgets:
                shown.append(frame)
        arrange(self._body, [self._strut, *shown])
        for container in shown:
            container.pack_configure(fill="x", pady=(0 if container is shown[0] else 8, 0))

    @staticmethod
    def _kind(item: Item) -> type:
        maker = maker_for(item)
        assert isinstance(maker, type)
        return maker

    def _draw_banner(self, banner: tkinter.Label, message: Message | None, default: str, side: Side) -> None:
        if message is None:
            banner.pack_forget()
            return
        kind = view.severity(message, default)
        text = view.clean(message["text"])
        banner.configure(
            text=f"{SIGNS[kind]}  {text}" if side == "left" else f"{text}  {SIGNS[kind]}", justify=side, anchor="w" if side == "left" else "e",
            foreground=getattr(COLOURS, kind), background=getattr(COLOURS, f"{kind}_tint"),
        )  # fmt: skip
        banner.pack(fill="x", pady=(6, 0), before=self._buttons)

    def _draw_actions(self, side: Side) -> None:
        actions = self.session.snapshot["actions"]
        is_open = self.session.snapshot["alert"] is None
        for id in [id for id in self._actions if id not in {action["id"] for action in actions}]:
            self._actions.pop(id).destroy()
        placed: dict[bool, list[ttk.Button]] = {True: [], False: []}
        for action in actions:
            is_primary = action["role"] == "primary"
            button = self._actions.get(action["id"])
            if button is None:
                button = self._actions[action["id"]] = self._make_button(action)
            button.configure(text=self.presenter.label(action))
            # A disabled button keeps its place in the tab order: pressing it shows what is missing.
            button.state(["!disabled" if action["enabled"] and is_open else "disabled"])
            placed[is_primary].append(button)
        arrange(self._buttons, placed[True])
        arrange(self._links, placed[False])
        for button in placed[True]:
            button.pack_configure(fill="x")
        for button in placed[False]:
            button.pack_configure(anchor="e" if side == "right" else "w")

    def _make_button(self, action: Action) -> ttk.Button:
        if action["role"] == "primary":
            button = ttk.Button(self._buttons, style="Primary.TButton", command=self.presenter.press_primary)
            button.bind("<Return>", lambda _: self.presenter.press_primary())
        else:
            button = ttk.Button(self._links, style="Link.TButton", command=lambda: self.presenter.press(action["id"]), cursor="hand2")
            button.bind("<Return>", lambda _: button.invoke())
        return button

    def _draw_alert(self) -> None:
        alert = self.session.snapshot["alert"]
        if alert is None:
            self._alert.place_forget()
            self._alert_id = None
            return
        if alert["id"] == self._alert_id:
            return
        self._alert_id = alert["id"]
        card = self._alert.inner
        for child in card.winfo_children():
            child.destroy()
        for text, font, space in ((alert.get("title"), self._style.title, 10), (alert["text"], self._style.body, 18)):
            if text:
                label = ttk.Label(card, text=view.clean(text), font=font)
                wrap(label)
                label.pack(fill="x", pady=(0, space))
        for action in alert["actions"]:
            style = "Destructive.TButton" if action["role"] == "destructive" else "Primary.TButton"
            button = ttk.Button(card, text=view.clean(action["title"]), style=style, command=partial(self.presenter.press, action["id"]))
            for key in ("<Return>", "<Escape>"):
                button.bind(key, lambda _: self.presenter.press_alert())
            button.pack(fill="x")
            button.focus_set()
        self._alert.place(relwidth=1, relheight=1)
        self._alert.lift()

    def _follow_focus(self) -> None:
        target = self.presenter.next_focus()
        if target is None:
            return
        widget = self._items[target].focus_widget if target in self._items else self._actions.get(target)
        if widget is not None:
            widget.focus_set()

    def _count(self) -> None:
        self._timer = None
        if self.presenter.is_counting and not self.session.closed:
            self._draw_actions("right" if self.session.snapshot["direction"] == "rtl" else "left")
            self._timer = self.after(250, self._count)

    def _clear(self) -> None:
        for widget in self._items.values():
            widget.destroy()
        for frame, _ in self._sections.values():
            frame.destroy()
        for button in self._actions.values():
            button.destroy()
        self._items, self._sections, self._actions = {}, {}, {}
        self._form.scroll_home()

    # MARK: The place

    def _scroll(self, units: int, _: object) -> None:
        (self._alert if self._alert.winfo_manager() else self._form).scroll(units)

    def _focused(self, event: tkinter.Event[tkinter.Misc]) -> None:
        # The open list of a selection is internal to Tk: there is no widget object for it, only a name. Tk scrolls it into view itself.
        widget = event.widget
        # The parents of the widget get the event as well.
        if str(widget) != str(self.tk.call("focus")):
            return
        for place in (self._form, self._alert):
            if isinstance(widget, tkinter.Misc) and str(widget).startswith(f"{place.card}."):
                place.show(next((item for item in self._items.values() if str(widget).startswith(f"{item}.")), widget))
