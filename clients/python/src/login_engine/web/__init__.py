"""The login page for browsers. `python -m login_engine.web` serves it; needs the extra `web`."""

from __future__ import annotations

import importlib.util
from pathlib import Path

#: The program that serves the page. Present once the package is installed.
BRIDGE = Path(__file__).parent / "bridge"


def missing() -> str | None:
    """Returns what has to be installed to serve the page; `None` if nothing is missing."""
    if not BRIDGE.is_dir():
        return "the installed package: in a source tree, use clients/web/run"
    names = [name for name in ("aiohttp", "segno") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(names)}: pip install 'aiohttp>=3.14' segno" if names else None
