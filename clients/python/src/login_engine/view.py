"""What views share, whatever they draw with: which words to draw, where the keyboard goes, when Enter presses, how long to wait."""

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

#: Controls, which could command a terminal, and overrides of the direction, which could rearrange the view's own lines.
_UNSHOWN = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
del _UNSHOWN[0x0A]

#: How a date is written, in every language.
DATE_FORM = "YYYY-MM-DD"


def clean(text: str | None) -> str:
    """A text as it may be drawn."""
    return (text or "").translate(_UNSHOWN)


def title(item: Item) -> str:
    """The title of an item, with a mark where a value is required."""
    text = clean(item.get("title"))
    return f"{text} *" if text and item.get("required") else text


def name(item: Item) -> str:
    """What an item is called where it has to have a name."""
    return clean(item.get("title") or item.get("placeholder") or item.get("inputType") or item["kind"])


def placeholder(item: Item) -> str:
    """What an empty field shows."""
    return clean(item.get("placeholder")) or (DATE_FORM if item.get("inputType") == "date" else "")


def messages(item: Item) -> str:
    """The messages of an item, one a line."""
    return "\n".join(clean(message["text"]) for message in item.get("messages", []))


def site(item: Item) -> str:
    """Which site an external item leads to, so that a user sees whether it is the right one; empty where it leads to none."""
    url = page_of(item.get("request"))
    return clean(urlsplit(url).netloc.rpartition("@")[2]) if url else ""


def is_masked(item: Item) -> bool:
    """Whether what is typed is hidden. One-time codes are secret, but shown; unknown secrets are hidden."""
    return "filled" in item and item.get("inputType") != "oneTimeCode"


def severity(message: Message, default: str) -> str:
    """How a message looks: `info`, `success`, `warning` or `error`."""
    given = message.get("severity")
    return given if given in ("info", "success", "warning", "error") else default


def qr_code(text: str) -> list[list[bool]] | None:
    """A QR code's modules, dark ones true, without the quiet zone of four modules.

    `None` where segno (the extra `qr`) is not installed, or the text is too long."""
    with contextlib.suppress(ImportError, ValueError):
        import segno

        return [[bool(module) for module in row] for row in segno.make_qr(text, error="m").matrix]
    return None


class Presenter:
    """Between a session and the widgets that draw it.

    :param draw: is called when there is something to draw; `end` when the session or the engine has ended, with the reason.
    :param externals: what can be done with external items, by their types.
    """

    def __init__(
        self, session: Session, draw: Callable[[], None], end: Callable[[str], None], externals: Mapping[str, Handler] | None = None
    ) -> None:
        self.session, self._draw, self._end = session, draw, end
        self.externals = externals or {}
        #: What is being done with an external item, and on which screen.
        self._doing: tuple[asyncio.Task[None], int] | None = None
        session.on_change = self._changed
        self._focus_since = 0
        self._is_enter_held = False
        self._retries: dict[str, tuple[Any, float]] = {}
        self._options: dict[str, list[Option]] = {}
        self._options_of = 0

    # MARK: What the user does

    def change(self, item: Item, value: Any) -> None:
        """Reports an edit, unless the field already held that. A text that cannot be sent (a lone surrogate, a megabyte) is not taken."""
        if value != self.session.form.value(item) or type(value) is not type(self.session.form.value(item)):
            try:
                self.session.edit(item["id"], value)
            except ValueError:
                self._draw()

    def press(self, action: str) -> None:
        """Reports a press."""
        self.session.press(action)

    def press_primary(self) -> None:
        """Enter was pressed, or the button. Waits until the engine has counted the edits before: the button may be another one after them."""
        if self.session.form.is_typing_ahead:
            self._is_enter_held = True
        elif self.session.primary and self.session.snapshot["alert"] is None:
            self.press(self.session.primary)

    def press_alert(self) -> None:
        """Dismisses the alert, if there is one."""
        if alert := self.session.snapshot["alert"]:
            self.press(alert["actions"][0]["id"])

    def can_do(self, item: Item) -> bool:
        """Whether this is an external item of a type that can be done here."""
        return item["kind"] == "external" and item["type"] in self.externals

    def do(self, item: Item) -> None:
        """Begins, or begins again, what an external item asks for. Its value is reported with a press, unless the screen has gone by then."""
        self._stop_doing()
        screen = self.session.form.screens_shown

        async def run() -> None:
            try:
                value = await self.externals[item["type"]](item.get("request"))
            except (OSError, ValueError) as error:
                value = {"error": str(error)}
            # From here on nothing is to be stopped.
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
        """The item or action that the keyboard has to go to now, once; `None` leaves it where it is."""
        focus = self.session.snapshot["focus"]
        if focus is None or focus["since"] <= self._focus_since:
            return None
        self._focus_since = focus["since"]
        return focus["on"]

    def label(self, action: Action) -> str:
        """The title of an action, with the seconds that it still has to wait."""
        left = self.seconds_left(action)
        return clean(action["title"]) + (f" ({left})" if left else "")

    def seconds_left(self, action: Action) -> int:
        """How long a throttle still disables an action, counted from when it came: this machine's clock may be another than the engine's."""
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
        """Whether some action waits for its time: draw again every second."""
        actions = self.session.snapshot["actions"]
        return self.session.snapshot["retryAt"] is not None or any(action.get("retryAt") for action in actions)

    def options(self, item: Item) -> list[Option]:
        """The options of a selection. Those of a long list are asked for, and drawn when they have come."""
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
    """The action with this id, on the screen or in the alert."""
    alert = session.snapshot["alert"]
    return next((action for action in [*session.snapshot["actions"], *(alert["actions"] if alert else [])] if action["id"] == id), None)


def has_form(session: Session) -> bool:
    """Whether there is anything to draw yet."""
    return session.snapshot is not model.EMPTY
