"""Timeouts for a machine under load, and an engine with the same timeout."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

#: The timeout of every wait, in seconds.
PATIENCE = 600


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="login-engine-flows-")


def decided_by_password(*arguments: str, flow: str = "standard") -> list[str]:
    """Returns the options of an engine whose authenticator is `shown_by_authenticator.py` with these arguments.

    A built-in flow gives an authenticator 30 seconds for an answer. Under load Python can take longer to start, and the view would show an error
    instead of the screen that a test waits for. So this changes the flow's timeout.
    """
    path = Path(_folder().name) / f"{flow}.json"
    if not path.exists():
        printed = subprocess.run([os.environ["LOGIN_ENGINE"], "flow", "print", flow], capture_output=True, check=True).stdout
        path.write_text(json.dumps({**json.loads(printed), "requestTimeoutMs": PATIENCE * 1000}))
    authenticator = " ".join([sys.executable, str(Path(__file__).with_name("shown_by_authenticator.py")), *arguments])
    return ["--flow", str(path), "--authenticator", authenticator]
