"""How long things may take on a machine that has much else to do, and an engine that waits as long."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

#: How many seconds anything may take.
PATIENCE = 600


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="login-engine-flows-")


def decided_by_password(*arguments: str, flow: str = "standard") -> list[str]:
    """The options of an engine whose authenticator is `shown_by_authenticator.py` with these arguments.

    A built-in flow gives an authenticator 30 seconds for an answer. Under load Python needs more to start, and a view then shows an error where a
    test waits for another screen: so the flow is changed in this member.
    """
    path = Path(_folder().name) / f"{flow}.json"
    if not path.exists():
        printed = subprocess.run([os.environ["LOGIN_ENGINE"], "flow", "print", flow], capture_output=True, check=True).stdout
        path.write_text(json.dumps({**json.loads(printed), "requestTimeoutMs": PATIENCE * 1000}))
    authenticator = " ".join([sys.executable, str(Path(__file__).with_name("shown_by_authenticator.py")), *arguments])
    return ["--flow", str(path), "--authenticator", authenticator]
