"""An asyncio event loop within Tk's, on the same thread."""

from __future__ import annotations

import asyncio
import selectors
import signal
import threading
import tkinter
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

#: The interval at which asyncio's timers run. Input from pipes is handled at once.
INTERVAL_MS = 20
#: The number of steps to run at once when callbacks schedule one another.
STEPS = 8


class Pump:
    """Runs an asyncio loop whenever Tk's loop is idle."""

    def __init__(self, root: tkinter.Misc) -> None:
        self._root = root
        selector = selectors.DefaultSelector()
        self.loop = asyncio.SelectorEventLoop(selector)
        self._descriptor = getattr(selector, "fileno", lambda: None)()
        if self._descriptor is not None:
            root.tk.createfilehandler(self._descriptor, tkinter.READABLE, lambda *_: self._step())
        self._timer = root.after(INTERVAL_MS, self._tick)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs Tk's loop until the coroutine is done, and returns its result. Ctrl-C cancels it and raises `KeyboardInterrupt`."""
        task = self.loop.create_task(work)
        task.add_done_callback(lambda _: self._root.quit())
        # Python would raise KeyboardInterrupt in whatever code runs then, such as a callback, whose exceptions Tk only prints.
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
        """Closes the loop."""
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
