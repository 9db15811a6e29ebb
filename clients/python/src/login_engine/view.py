"""The parts of a view that do not depend on its toolkit: texts, focus, Enter, countdowns and external items."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from login_engine import model
from login_engine.engine import Change, Session
from login_engine.external import Handler, page_of
from login_engine.wire import Action, Item, Message, Option

#: Control characters, which could control a terminal, and bidirectional controls, which could reorder the view's own lines.
_UNSHOWN = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
del _UNSHOWN[0x0A]

#: The format of dates, in every language.
DATE_FORM = "YYYY-MM-DD"


def clean(text: str | None) -> str:
    """Removes the characters that must not be drawn from a text."""
    return (text or "").translate(_UNSHOWN)


def title(item: Item) -> str:
    """Returns the title of an item, with a mark if a value is required."""
    text = clean(item.get("title"))
    return f"{text} *" if text and item.get("required") else text


def name(item: Item) -> str:
    """Returns a name for an item that may have no title."""
    return clean(item.get("title") or item.get("placeholder") or item.get("inputType") or item["kind"])


def placeholder(item: Item) -> str:
    """Returns the text that an empty field shows."""
    return clean(item.get("placeholder")) or (DATE_FORM if item.get("inputType") == "date" else "")


def messages(item: Item) -> str:
    """Returns the messages of an item, one per line."""
    return "\n".join(clean(message["text"]) for message in item.get("messages", []))


def site(item: Item) -> str:
    """Returns the host to which an external item leads, so that the user can check it; empty if it leads to none."""
    url = page_of(item.get("request"))
    return clean(urlsplit(url).netloc.rpartition("@")[2]) if url else ""


def is_masked(item: Item) -> bool:
    """Whether the field hides its text. One-time codes are secret but shown; secrets of unknown types are hidden."""
    return "filled" in item and item.get("inputType") != "oneTimeCode"


def severity(message: Message, default: str) -> str:
    """Returns the style of a message: `info`, `success`, `warning` or `error`."""
    given = message.get("severity")
    return given if given in ("info", "success", "warning", "error") else default


def qr_code(text: str) -> list[list[bool]] | None:
    """Returns the modules of a QR code, `True` for dark ones, without the quiet zone of four modules.

    `None` if segno (the extra `qr`) is not installed, or the text is too long."""
    with contextlib.suppress(ImportError, ValueError):
        import segno

        return [[bool(module) for module in row] for row in segno.make_qr(text, error="m").matrix]
    return None


class Presenter:
    """Connects a session to the widgets that draw it.

    :param draw: called when there is something to draw.
    :param end: called with the reason when the session or the engine has ended.
    :param externals: handlers of external items, by type.
    """

    def __init__(
        self, session: Session, draw: Callable[[], None], end: Callable[[str], None], externals: Mapping[str, Handler] | None = None
    ) -> None:
        self.session, self._draw, self._end = session, draw, end
        self.externals = externals or {}
        #: The running action of an external item, and its screen.
        self._doing: tuple[asyncio.Task[None], int] | None = None
        session.on_change = self._changed
        self._focus_since = 0
        self._is_enter_held = False
        self._retries: dict[str, tuple[Any, float]] = {}
        self._options: dict[str, list[Option]] = {}
        self._options_of = 0

    # MARK: What the user does

    def change(self, item: Item, value: Any) -> None:
        """Sends an edit, unless the value is unchanged. Undoes an edit that cannot be sent (a lone surrogate, a megabyte)."""
        if value != self.session.form.value(item) or type(value) is not type(self.session.form.value(item)):
            try:
                self.session.edit(item["id"], value)
            except ValueError:
                self._draw()

    def press(self, action: str) -> None:
        """Sends a press."""
        self.session.press(action)

    def press_primary(self) -> None:
        """Presses the button, once the engine has counted the earlier edits: they may change what the button does."""
        if self.session.form.is_typing_ahead:
            self._is_enter_held = True
        elif self.session.primary and self.session.snapshot["alert"] is None:
            self.press(self.session.primary)

    def press_alert(self) -> None:
        """Dismisses the alert, if there is one."""
        if alert := self.session.snapshot["alert"]:
            self.press(alert["actions"][0]["id"])

    def can_do(self, item: Item) -> bool:
        """Whether this is an external item with a handler."""
        return item["kind"] == "external" and item["type"] in self.externals

    def do(self, item: Item) -> None:
        """Starts or restarts an external item's action. Then sends its value and a press, unless the screen has changed."""
        self._stop_doing()
        screen = self.session.form.screens_shown

        async def run() -> None:
            try:
                value = await self.externals[item["type"]](item.get("request"))
            except (OSError, ValueError) as error:
                value = {"error": str(error)}
            # The action is over, so nothing can stop it any more.
            self._doing = None
            known = model.find_item(self.session.snapshot, item["id"])
            if known is not None and known.get("editable") and screen == self.session.form.screens_shown:
                self.change(known, value)
                self.press_primary()

        self._doing = (self.session.start(run()), screen)

    def _stop_doing(self) -> None:
        if self._doing:
            self._doing[0].cancel()
            self._doing = None

    # MARK: What to draw

    def next_focus(self) -> str | None:
        """Returns the item or action to focus now, once per change; `None` leaves the focus where it is."""
        focus = self.session.snapshot["focus"]
        if focus is None or focus["since"] <= self._focus_since:
            return None
        self._focus_since = focus["since"]
        return focus["on"]

    def label(self, action: Action) -> str:
        """Returns the title of an action, with the seconds until it is enabled."""
        left = self.seconds_left(action)
        return clean(action["title"]) + (f" ({left})" if left else "")

    def seconds_left(self, action: Action) -> int:
        """Returns for how long a throttle still disables an action.

        Counted from the arrival of the update, because this machine's clock may differ from the engine's.
        """
        retry = self.session.snapshot["retryAt"] if action["role"] == "primary" else action.get("retryAt")
        if retry is None:
            self._retries.pop(action["id"], None)
            return 0
        known = self._retries.get(action["id"])
        if known is None or known[0] != retry:
            known = self._retries[action["id"]] = (retry, time.monotonic() + retry["afterMs"] / 1000)
        return max(1, math.ceil(known[1] - time.monotonic()))

    @property
    def is_counting(self) -> bool:
        """Whether an action counts down, so that the view has to be drawn every second."""
        actions = self.session.snapshot["actions"]
        return self.session.snapshot["retryAt"] is not None or any(action.get("retryAt") for action in actions)

    def options(self, item: Item) -> list[Option]:
        """Returns the options of a selection. Requests those of a long list, and draws again when they arrive."""
        if "optionCount" not in item:
            return item["options"]
        if self._options_of != self.session.form.screens_drawn:
            self._options, self._options_of = {}, self.session.form.screens_drawn
        if item["id"] not in self._options:
            self._options[item["id"]] = item["options"]
            shown = self._options_of
            answer = self.session.request_options(item["id"])

            def take(done: Any) -> None:
                if not done.cancelled() and done.exception() is None and shown == self._options_of:
                    self._options[item["id"]] = done.result()["options"]
                    self._draw()

            answer.add_done_callback(take)
        return self._options[item["id"]]

    # MARK: What the engine says

    def _changed(self, change: Change) -> None:
        if self._doing and (self._doing[1] != self.session.form.screens_shown or change.kind in ("closed", "ended")):
            self._stop_doing()
        if change.kind in ("closed", "ended"):
            self._end(change.reason or "")
            return
        if change.kind == "granted":
            return
        if self._is_enter_held and not self.session.form.is_typing_ahead:
            self._is_enter_held = False
            self.press_primary()
        self._draw()


def find_action(session: Session, id: str) -> Action | None:
    """Returns the action with this id, on the screen or in the alert."""
    alert = session.snapshot["alert"]
    return next((action for action in [*session.snapshot["actions"], *(alert["actions"] if alert else [])] if action["id"] == id), None)


def has_form(session: Session) -> bool:
    """Whether the session has a snapshot to draw."""
    return session.snapshot is not model.EMPTY
