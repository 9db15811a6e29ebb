"""A card in the middle of a frame: as wide as the frame allows, and with scroll bars if it does not fit."""

from __future__ import annotations

import tkinter
from collections.abc import Callable, Iterator
from tkinter import ttk

from login_engine.tk.style import COLOURS

#: The space around a card, in wide and in narrow windows.
MARGIN, NARROW_MARGIN = 16, 8
#: The padding at the sides of a card, in wide and in narrow windows, and the width up to which a window is narrow.
PADDING, NARROW_PADDING, NARROW = 32, 16, 400
BORDER = 1
#: The distance of one step of the mouse wheel.
STEP = 8


class CardView(tkinter.Frame):
    """A frame whose content goes into `inner`, and fills its width.

    :param width: the width of the card if there is room.
    """

    def __init__(self, parent: tkinter.Misc, width: int) -> None:
        super().__init__(parent, background=COLOURS.page)
        self._width = width
        self._canvas = tkinter.Canvas(self, background=COLOURS.page, highlightthickness=0, xscrollincrement=STEP, yscrollincrement=STEP)
        down, across = ttk.Scrollbar(self, command=self._canvas.yview), ttk.Scrollbar(self, orient="horizontal", command=self._canvas.xview)
        self._canvas.configure(yscrollcommand=_shown_where_needed(down), xscrollcommand=_shown_where_needed(across))
        self._canvas.grid(row=0, column=0, sticky="nsew")
        down.grid(row=0, column=1, sticky="ns")
        across.grid(row=1, column=0, sticky="ew")
        self.rowconfigure(0, weight=1)
        self.columnconfigure(0, weight=1)
        self.card = tkinter.Frame(
            self._canvas, background=COLOURS.card, highlightbackground=COLOURS.line, highlightcolor=COLOURS.line, highlightthickness=BORDER
        )
        self.inner = ttk.Frame(self.card)
        self.inner.pack(side="bottom", fill="both", expand=True)
        self._place = self._canvas.create_window(0, 0, window=self.card, anchor="nw")
        self._canvas.bind("<Configure>", lambda _: self._lay_out())
        self.card.bind("<Configure>", lambda _: self._lay_out())

    def _lay_out(self) -> None:
        width, height = self._canvas.winfo_width(), self._canvas.winfo_height()
        margin = MARGIN if width >= self._width + 2 * MARGIN else NARROW_MARGIN
        wide = min(self._width, width - 2 * margin)
        padding = PADDING if wide >= NARROW else NARROW_PADDING
        wide = max(wide, self._least_width() + 2 * (padding + BORDER))
        self.inner.configure(padding=(padding, 20, padding, 28))
        high = self.card.winfo_reqheight()
        left, top = max(margin, (width - wide) // 2), max(margin, (height - high) // 3)
        self._canvas.coords(self._place, left, top)
        self._canvas.itemconfigure(self._place, width=wide)
        self._canvas.configure(scrollregion=(0, 0, max(width, left + wide + margin), max(height, top + high + margin)))

    def _least_width(self) -> int:
        """Returns the least width of the card: texts wrap and fields shrink, but buttons and QR codes do not."""
        fixed = (ttk.Button, ttk.Checkbutton, tkinter.Canvas)
        return max((widget.winfo_reqwidth() for widget in _within(self.inner) if isinstance(widget, fixed)), default=0)

    def scroll(self, units: int) -> None:
        self._canvas.yview_scroll(units, "units")

    def scroll_home(self) -> None:
        self._canvas.xview_moveto(0)
        self._canvas.yview_moveto(0)

    def show(self, widget: tkinter.Misc) -> None:
        """Scrolls until the widget is visible, or its top if it is too large."""
        self.update_idletasks()
        canvas, (_, _, width, height) = self._canvas, map(int, str(self._canvas["scrollregion"]).split())
        left = int(canvas.canvasx(widget.winfo_rootx() - canvas.winfo_rootx()))
        top = int(canvas.canvasy(widget.winfo_rooty() - canvas.winfo_rooty()))
        for place, size, room, first, end, move in (
            (left, widget.winfo_width(), canvas.winfo_width(), canvas.canvasx(0), width, canvas.xview_moveto),
            (top, widget.winfo_height(), canvas.winfo_height(), canvas.canvasy(0), height, canvas.yview_moveto),
        ):
            if place < first or size > room:
                move(max(0, place - NARROW_MARGIN) / end)
            elif place + size > first + room:
                move((place + size + NARROW_MARGIN - room) / end)


def wrap(label: tkinter.Label | ttk.Label, inset: int = 0) -> None:
    """Wraps the label's text at the label's width."""
    label.bind("<Configure>", lambda event: label.configure(wraplength=max(1, event.width - inset)))


def _within(widget: tkinter.Misc) -> Iterator[tkinter.Misc]:
    for child in widget.winfo_children():
        if child.winfo_manager():
            yield child
            yield from _within(child)


def _shown_where_needed(bar: ttk.Scrollbar) -> Callable[[float, float], None]:
    def scrolled(first: float, last: float) -> None:
        bar.set(float(first), float(last))
        if float(first) <= 0 and float(last) >= 1:
            bar.grid_remove()
        else:
            bar.grid()

    return scrolled
