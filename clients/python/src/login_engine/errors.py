"""The errors of engines and sessions."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from typing import Any


class EngineEnded(Exception):
    """The engine's process has ended, or could not be started.

    :param status: the exit status, negative for a signal; `None` if there was no process.
    """

    def __init__(self, status: int | None, text: str | None = None) -> None:
        self.status = status
        super().__init__(text or f"the engine has ended: {_describe(status)}")


class Refused(Exception):
    """The engine refused a request: protocol/errors.md. The session has already undone the edit.

    :ivar code: the number of the error.
    :ivar name: its stable name, such as `notAccepted`.
    :ivar data: further members of the error, such as `accepted`.
    """

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]
        self.data: Mapping[str, Any] = error.get("data", {})
        self.name: str | None = self.data.get("code")


class SessionClosed(Exception):
    """The session has ended: it was closed, or the engine ended it (`idleTimeout`)."""


class Unavailable(Exception):
    """No form can be shown: there is no display or no terminal, or `--no-input` was given."""


def _describe(status: int | None) -> str:
    if status is None or status >= 0:
        return f"status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"
