"""A thin bar that moves while a request is pending."""

from __future__ import annotations

import tkinter

from login_engine.tk.style import COLOURS

HEIGHT, STEP, INTERVAL_MS = 3, 6, 16


class ActivityBar(tkinter.Canvas):
    def __init__(self, parent: tkinter.Misc) -> None:
        super().__init__(parent, height=HEIGHT, background=COLOURS.card, highlightthickness=0)
        self._bar = self.create_rectangle(0, 0, 0, 0, fill=COLOURS.accent, width=0)
        self._left, self._timer = 0, ""

    def show(self, is_active: bool) -> None:
        if is_active and not self._timer:
            self._move()
        elif not is_active and self._timer:
            self.after_cancel(self._timer)
            self._left, self._timer = 0, ""
            self.coords(self._bar, 0, 0, 0, 0)

    def _move(self) -> None:
        width = max(1, self.winfo_width())
        length = width // 3
        self._left = (self._left + STEP) % (width + length)
        self.coords(self._bar, self._left - length, 0, self._left, HEIGHT)
        self._timer = self.after(INTERVAL_MS, self._move)
