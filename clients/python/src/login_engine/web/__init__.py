"""The login page for browsers. `python -m login_engine.web` serves it; needs the extra `web`."""

from __future__ import annotations

import importlib.util
from pathlib import Path

#: The program that serves the page. It is there once the package is installed.
BRIDGE = Path(__file__).parent / "bridge"


def missing() -> str | None:
    """What has to be installed before the page can be served; `None` if all is there."""
    if not BRIDGE.is_dir():
        return "the installed package: in a tree of the sources, use clients/web/run"
    names = [name for name in ("aiohttp", "segno") if importlib.util.find_spec(name) is None]
    return f"{' and '.join(names)}: pip install 'aiohttp>=3.14' segno" if names else None
