"""`python -m login_engine.tk` that reports the state of the screen after each change: JSON lines, on the descriptor $WATCHED."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from login_engine.command_line import main
from login_engine.tk import LoginFrame, window

INTERVAL_MS = 20


class Watched(LoginFrame):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._noted = ""
        self._note()

    def _note(self) -> None:
        self.after(INTERVAL_MS, self._note)
        self.update_idletasks()
        if not self.winfo_viewable():
            return
        # The focused widget, by name: a menu is not a widget of this program.
        noted = json.dumps({"revision": self.session.form.revision, "is_level": self.session.form.is_level, "focus": str(self.tk.call("focus"))})
        if noted != self._noted:
            self._noted = noted
            os.write(int(os.environ["WATCHED"]), noted.encode() + b"\n")


if __name__ == "__main__":
    window.LoginFrame = Watched  # type: ignore[assignment, attr-defined]
    sys.exit(main("login_engine.tk", "", ["title"]))
