"""Handles keys in the order in which they were typed."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from textual import events
from textual.app import App
from textual.message_pump import MessagePump


class KeysInOrder(App[Any]):
    """An app that handles a key only when the one before is fully handled.

    Textual sends a key to the widget that has the focus on arrival, and passes keys that are not text, such as Tab, Backspace and Enter, through
    all its parents before they act. So the letters of a password that arrive directly after a Tab, as over a slow connection, would go to the
    field before, and be shown there.
    """

    #: Keys that do not wait for earlier ones.
    AT_ONCE = frozenset({"ctrl+q"})

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._keys: asyncio.Queue[events.Event] = asyncio.Queue()
        self._handling: asyncio.Task[None] | None = None

    @property
    def is_ready_for_keys(self) -> bool:
        """Whether a key can be handled now. Until then all keys except those of `AT_ONCE` wait."""
        return True

    async def on_event(self, event: events.Event) -> None:
        is_typed = isinstance(event, events.Key | events.Paste) and not event.is_forwarded
        if not is_typed or isinstance(event, events.Key) and event.key in self.AT_ONCE:
            await super().on_event(event)
            return
        if isinstance(event, events.Key) and event.key == "ctrl+j":
            # An Enter typed before the program set up the terminal arrives as a line feed.
            event = events.Key("enter", "\r")
        self._keys.put_nowait(event)
        if self._handling is None or self._handling.done():
            self._handling = asyncio.create_task(self._handle_keys())

    async def _handle_keys(self) -> None:
        while not self._keys.empty() and self.is_running:
            event = self._keys.get_nowait()
            while self.is_running and not self.is_ready_for_keys:
                await asyncio.sleep(0.01)
            passes: list[MessagePump] = list(self.focused.ancestors_with_self) if self.focused else [self.screen, self]
            await super().on_event(event)
            for pump in passes:
                await _is_through(pump)


async def _is_through(pump: MessagePump) -> None:
    """Waits until a widget has handled all messages in its queue, or has ended."""
    done = asyncio.Event()
    if not pump.call_later(done.set):
        return
    while pump.is_running and not done.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), 0.5)
