"""A login form as a Textual widget, and the alerts over it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, LoadingIndicator, Select, Static

from login_engine import view
from login_engine.engine import Session
from login_engine.external import Handler
from login_engine.textual.items import ItemWidget, maker_for
from login_engine.view import Presenter
from login_engine.wire import Action, Alert, Message, Scene, Snapshot

SIGNS = {"error": "✕", "warning": "!", "success": "✓", "info": "i"}


class ActionButton(Button):
    """An action of the screen or of an alert."""

    def __init__(self, action: Action, classes: str) -> None:
        super().__init__(Content(view.clean(action["title"])), classes=classes, compact="link" in classes)
        self.action_id = action["id"]


class AlertScreen(ModalScreen[None]):
    """An alert over the form, which has to be dismissed first."""

    BINDINGS = [("escape", "dismiss_alert", "")]

    def __init__(self, alert: Alert, presenter: Presenter) -> None:
        super().__init__()
        self.alert, self.presenter = alert, presenter
        self._is_over = False

    async def leave(self) -> None:
        """Closes the alert: at once, or when no screen of the surrounding program lies over it any more."""
        if self.is_running and self in self.app.screen_stack[-1:]:
            await self.dismiss()
        else:
            self._is_over = True

    def on_screen_resume(self) -> None:
        # Called once more while the screen closes.
        if self._is_over:
            self._is_over = False
            self.dismiss()

    def compose(self) -> ComposeResult:
        with Vertical(classes="alert"):
            if title := self.alert.get("title"):
                yield Static(Content(view.clean(title)), classes="head")
            yield Static(Content(view.clean(self.alert["text"])))
            for action in self.alert["actions"]:
                yield ActionButton(action, "destructive" if action["role"] == "destructive" else "primary")

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        assert isinstance(event.button, ActionButton)
        self.presenter.press(event.button.action_id)

    def action_dismiss_alert(self) -> None:
        self.presenter.press_alert()


class LoginForm(VerticalScroll):
    """Draws a session, whatever its screens are, and sends the user's input.

    :param on_scene: called with the scene once the user is logged in; the scene replaces the form.
    :param on_end: called with the reason when the session or the engine has ended.
    :param locales: the languages to choose from; empty for no choice.
    :param externals: handlers of external items, by type: see `login_engine.external`.
    """

    can_focus = False

    def __init__(
        self,
        session: Session,
        on_scene: Callable[[Scene], None],
        on_end: Callable[[str], None],
        locales: list[str] | None = None,
        externals: Mapping[str, Handler] | None = None,
    ) -> None:
        super().__init__()
        self.session, self._on_scene, self._locales = session, on_scene, locales or []
        self._changed = asyncio.Event()
        self.presenter = Presenter(session, self._changed.set, on_end, externals)
        self._items: dict[str, ItemWidget] = {}
        self._sections: dict[str, tuple[Vertical, Static]] = {}
        self._actions: dict[str, ActionButton] = {}
        self._screens_shown = 0
        self._has_scene = False
        self._is_idle = False
        self._drawn: Snapshot | None = None
        self._alert: AlertScreen | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="card"):
            with Horizontal(classes="header"):
                yield Static(classes="head", id="screen-title")
                if len(self._locales) > 1:
                    options = [(locale, locale) for locale in self._locales]
                    locale = self.session.snapshot["locale"]
                    yield Select(options, value=locale, allow_blank=False, compact=True, id="locale")
            yield LoadingIndicator(id="activity")
            yield Vertical(id="sections")
            yield Static(id="notice", classes="banner")
            yield Static(id="error", classes="banner")
            yield Vertical(id="buttons")
            yield Vertical(id="links")

    @property
    def is_drawn(self) -> bool:
        """Whether the form shows the current state."""
        return self._is_idle and not self._changed.is_set()

    @property
    def _is_going(self) -> bool:
        """Whether the form is being removed, possibly while its session continues. No widgets can be mounted any more."""
        # An app that exits detaches its widgets. When only the form is removed, Textual marks all its widgets first; the mark is private.
        return not self.is_attached or self._pruning

    def on_mount(self) -> None:
        self.run_worker(self._keep_drawing(), exclusive=True)
        self.set_interval(0.25, self._count)
        self._changed.set()

    def on_resize(self) -> None:
        self._keep_in_view()

    def _keep_in_view(self) -> None:
        for item in self._items.values():
            item.keep_in_view()

    async def on_unmount(self) -> None:
        # Without its form, an alert could not be answered.
        if self._alert is not None:
            await self._alert.leave()

    # MARK: What the user does

    @on(Button.Pressed)
    def pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if isinstance(event.button, ActionButton):
            if event.button.has_class("link"):
                self.presenter.press(event.button.action_id)
            else:
                self.presenter.press_primary()

    @on(Select.Changed, "#locale")
    def chosen(self, event: Select.Changed) -> None:
        event.stop()
        if event.value != self.session.snapshot["locale"]:
            self.session.request_locale(str(event.value))

    # MARK: Drawing

    async def _keep_drawing(self) -> None:
        """Draws after each change. Changes during a drawing are drawn next."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._is_idle = False
            if view.has_form(self.session) and not self.session.closed:
                try:
                    await self._draw()
                except Exception:
                    # The form is being removed, and the missing widget went first.
                    if not self._is_going:
                        raise
            if self._is_going:
                return
            self._is_idle = view.has_form(self.session)

    async def _draw(self) -> None:
        snapshot = self.session.snapshot
        if snapshot["scene"] is not None and not self._has_scene and snapshot["alert"] is None:
            self._has_scene = True
            self._on_scene(snapshot["scene"])
        self._has_scene = snapshot["scene"] is not None
        if self._screens_shown != self.session.form.screens_shown:
            self._screens_shown = self.session.form.screens_shown
            await self._clear()
        self.set_class(snapshot["direction"] == "rtl", "rtl")
        self.query_one("#screen-title", Static).update(Content(view.clean(snapshot["title"])))
        for select in self.query("#locale").results(Select):
            with select.prevent(Select.Changed):
                select.value = snapshot["locale"]
        self.query_one("#activity").set_class(not snapshot["activity"], "idle")
        await self._draw_sections()
        self._draw_banner("#notice", snapshot["notice"], "info")
        self._draw_banner("#error", snapshot["error"], "error")
        await self._draw_actions()
        await self._draw_alert()
        if self._drawn is not snapshot:
            # New messages may have moved the focused item. Textual does not report every change of a size after scrolling.
            self._drawn = snapshot
            self.call_after_refresh(self._keep_in_view)
        # Changes since then are drawn next. Their focus may be on an item that does not exist yet.
        if self.session.snapshot is snapshot:
            self._follow_focus()
            if self.session.is_acknowledged:
                self.call_after_refresh(self.session.presented)

    async def _draw_sections(self) -> None:
        sections = self.session.snapshot["sections"]
        places = {item["id"]: (section["id"], maker_for(item)) for section in sections for item in section["items"]}
        for id, widget in list(self._items.items()):
            if places.get(id, ("", None))[1] is not type(widget) or self._sections[places[id][0]][0] is not widget.parent:
                await self._items.pop(id).remove()
        for id in [id for id in self._sections if id not in {section["id"] for section in sections}]:
            await self._sections.pop(id)[0].remove()
        parent = self.query_one("#sections", Vertical)
        is_open = self.session.snapshot["alert"] is None
        for index, section in enumerate(sections):
            if section["id"] not in self._sections:
                title = Static(classes="section-title")
                container = Vertical(title, classes="section")
                self._sections[section["id"]] = (container, title)
                await parent.mount(container, before=index if index < len(parent.children) else None)
            container, title = self._sections[section["id"]]
            title.update(Content(view.clean(section.get("title"))))
            title.display = bool(section.get("title"))
            container.display = bool(section["items"] or section.get("title"))
            for place, item in enumerate(section["items"], start=1):
                if item["id"] not in self._items:
                    widget = self._items[item["id"]] = maker_for(item)(item, self.presenter)
                    await container.mount(widget, before=place if place < len(container.children) else None)
                self._items[item["id"]].show(item, is_open)

    def _draw_banner(self, id: str, message: Message | None, default: str) -> None:
        banner = self.query_one(id, Static)
        banner.display = message is not None
        if message is not None:
            kind = view.severity(message, default)
            banner.set_classes(f"banner {kind}")
            banner.update(Content(f"{SIGNS[kind]} {view.clean(message['text'])}"))

    async def _draw_actions(self) -> None:
        actions = self.session.snapshot["actions"]
        is_open = self.session.snapshot["alert"] is None
        if list(self._actions) != [action["id"] for action in actions]:
            for button in self._actions.values():
                await button.remove()
            self._actions.clear()
            for action in actions:
                is_primary = action["role"] == "primary"
                button = self._actions[action["id"]] = ActionButton(action, "primary" if is_primary else "link")
                await self.query_one("#buttons" if is_primary else "#links", Vertical).mount(button)
        for action in actions:
            self._actions[action["id"]].label = Content(self.presenter.label(action))
            self._actions[action["id"]].disabled = not (action["enabled"] and is_open)

    async def _draw_alert(self) -> None:
        alert = self.session.snapshot["alert"]
        if self._alert is not None and (alert is None or alert["id"] != self._alert.alert["id"]):
            await self._alert.leave()
            self._alert = None
        if alert is not None and self._alert is None and not self._is_going:
            self._alert = AlertScreen(alert, self.presenter)
            await self.app.push_screen(self._alert)

    def _follow_focus(self) -> None:
        target = self.presenter.next_focus()
        if target is None:
            return
        widget: Widget | None = self._items[target].focus_widget if target in self._items else self._actions.get(target)
        if widget is not None:
            # The form's screen may still lie under a closing alert. Focus again after the messages that are queued now, because a field that was
            # briefly locked loses the focus late, but not after later events, such as a Tab.
            self.screen.set_focus(widget)
            self.screen.call_later(self.screen.set_focus, widget)

    def _count(self) -> None:
        if self.presenter.is_counting:
            self._changed.set()

    async def _clear(self) -> None:
        await self.query_one("#sections", Vertical).remove_children()
        for button in self._actions.values():
            await button.remove()
        self._items.clear()
        self._sections.clear()
        self._actions.clear()
        self.scroll_home(animate=False)
