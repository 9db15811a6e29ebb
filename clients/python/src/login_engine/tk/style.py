"""Colours, fonts and ttk styles."""

from __future__ import annotations

import tkinter
from dataclasses import dataclass
from tkinter import font, ttk


@dataclass(frozen=True)
class Palette:
    page: str = "#eef1f6"
    card: str = "#ffffff"
    text: str = "#1b2333"
    subdued: str = "#5d6880"
    line: str = "#c3cbda"
    accent: str = "#2350c4"
    accent_dark: str = "#1b3f9b"
    disabled: str = "#a9b8dd"
    error: str = "#b3261e"
    error_tint: str = "#fdecea"
    warning: str = "#8a5300"
    warning_tint: str = "#fdf3e1"
    success: str = "#1b6e3c"
    success_tint: str = "#e6f4ea"
    info: str = "#2350c4"
    info_tint: str = "#e8eefb"


COLOURS = Palette()
#: The signs before messages, so that the severity does not depend on the colour alone.
SIGNS = {"error": "✕", "warning": "!", "success": "✓", "info": "i"}


class Style:
    """The fonts and ttk styles of one window."""

    def __init__(self, root: tkinter.Misc) -> None:
        base = font.nametofont("TkDefaultFont", root)
        family, size = base.actual("family"), max(10, abs(base.actual("size")))
        self.body = font.Font(root, family=family, size=size)
        self.small = font.Font(root, family=family, size=size - 1)
        self.bold = font.Font(root, family=family, size=size, weight="bold")
        self.label = font.Font(root, family=family, size=size - 1, weight="bold")
        self.title = font.Font(root, family=family, size=size + 8, weight="bold")
        self.link = font.Font(root, family=family, size=size, underline=True)
        #: The width of a form in pixels, which depends on the font.
        self.width = max(466, 52 * self.body.measure("n"))
        self.code = font.Font(root, family=font.nametofont("TkFixedFont", root).actual("family"), size=size)
        colours, style = COLOURS, ttk.Style(root)
        style.theme_use("clam")
        style.configure(".", font=self.body, background=colours.card, foreground=colours.text)
        for name, line in (("Login.TEntry", colours.line), ("Wrong.Login.TEntry", colours.error)):
            style.configure(name, padding=(9, 8), fieldbackground=colours.card, bordercolor=line, lightcolor=colours.card, darkcolor=colours.card)
            style.map(
                name, bordercolor=[("focus", colours.accent)], lightcolor=[("focus", colours.accent)],
                fieldbackground=[("disabled", colours.page)], foreground=[("disabled", colours.subdued)],
            )  # fmt: skip
        for name, line in (("Login.TCombobox", colours.line), ("Wrong.Login.TCombobox", colours.error)):
            style.configure(
                name, padding=(9, 8), bordercolor=line, lightcolor=colours.card, darkcolor=colours.card, arrowsize=16,
                background=colours.card, arrowcolor=colours.subdued,
            )  # fmt: skip
            style.map(
                name, bordercolor=[("focus", colours.accent)], lightcolor=[("focus", colours.accent)],
                fieldbackground=[("disabled", colours.page), ("readonly", colours.card)],
                foreground=[("disabled", colours.subdued), ("readonly", colours.text)],
                selectbackground=[("readonly", colours.card)], selectforeground=[("readonly", colours.text)],
            )  # fmt: skip
        style.configure("Login.TCheckbutton", padding=(0, 4), indicatorsize=18, indicatormargin=(0, 0, 8, 0), focuscolor=colours.accent)
        style.map(
            "Login.TCheckbutton", background=[("active", colours.card)], foreground=[("disabled", colours.subdued)],
            indicatorbackground=[("alternate", colours.line), ("selected", colours.accent)], indicatorforeground=[("selected", "white")],
        )  # fmt: skip
        for name, back, dark in (
            ("Primary.TButton", colours.accent, colours.accent_dark),
            ("Destructive.TButton", colours.error, "#8c1d18"),
        ):
            style.configure(
                name, padding=(14, 10), font=self.bold, background=back, foreground="white", bordercolor=back, lightcolor=back,
                darkcolor=back, focuscolor="white", anchor="center",
            )  # fmt: skip
            style.map(
                name, background=[("disabled", colours.disabled), ("active", dark)], foreground=[("disabled", "#f4f6fc")],
                bordercolor=[("disabled", colours.disabled), ("focus", dark)], lightcolor=[("disabled", colours.disabled), ("active", dark)],
                darkcolor=[("disabled", colours.disabled), ("active", dark)],
            )  # fmt: skip
        style.configure(
            "Link.TButton", padding=(2, 3), font=self.body, foreground=colours.accent, background=colours.card, borderwidth=0, relief="flat",
            focuscolor=colours.accent, anchor="w",
        )  # fmt: skip
        style.map("Link.TButton", background=[("active", colours.card)], foreground=[("disabled", colours.subdued), ("active", colours.accent_dark)])
        for name in ("Vertical.TScrollbar", "Horizontal.TScrollbar"):
            style.configure(
                name, background=colours.line, troughcolor=colours.page, bordercolor=colours.page, lightcolor=colours.line,
                darkcolor=colours.line, arrowcolor=colours.subdued, gripcount=0,
            )  # fmt: skip
        root.option_add("*TCombobox*Listbox.font", self.body)
