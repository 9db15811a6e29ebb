"""An asyncio event loop inside Tk's, on the same thread."""

from __future__ import annotations

import asyncio
import selectors
import signal
import threading
import tkinter
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

#: How often timers of asyncio are looked at. What comes through pipes is seen at once.
INTERVAL_MS = 20
#: So many steps of callbacks that wake one another are taken at once.
STEPS = 8


class Pump:
    """Lets an asyncio loop run whenever Tk's has nothing else to do."""

    def __init__(self, root: tkinter.Misc) -> None:
        self._root = root
        selector = selectors.DefaultSelector()
        self.loop = asyncio.SelectorEventLoop(selector)
        self._descriptor = getattr(selector, "fileno", lambda: None)()
        if self._descriptor is not None:
            root.tk.createfilehandler(self._descriptor, tkinter.READABLE, lambda *_: self._step())
        self._timer = root.after(INTERVAL_MS, self._tick)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Lets Tk's loop run until this is through, and gives what it gives. Raises `KeyboardInterrupt` at Ctrl-C, which cancels it."""
        task = self.loop.create_task(work)
        task.add_done_callback(lambda _: self._root.quit())
        # Python would raise KeyboardInterrupt in whatever runs then, such as a callback, whose exceptions Tk only prints.
        is_main = threading.current_thread() is threading.main_thread()
        if is_main:
            self.loop.add_signal_handler(signal.SIGINT, task.cancel)
        try:
            self._root.mainloop()
        finally:
            if is_main:
                self.loop.remove_signal_handler(signal.SIGINT)
        if task.cancelled():
            raise KeyboardInterrupt
        return task.result()

    def stop(self) -> None:
        """Ends the loop."""
        self._root.after_cancel(self._timer)
        if self._descriptor is not None:
            self._root.tk.deletefilehandler(self._descriptor)
        self.loop.close()

    def _tick(self) -> None:
        self._step()
        self._timer = self._root.after(INTERVAL_MS, self._tick)

    def _step(self) -> None:
        if not self.loop.is_running():
            self.loop.run_until_complete(self._turns())

    async def _turns(self) -> None:
        for _ in range(STEPS):
            await asyncio.sleep(0)
