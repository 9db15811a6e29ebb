"""Configures pytest. The engine under test is `$LOGIN_ENGINE`; see `check`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--events", type=int, default=10_000, help="the number of random events")
    parser.addoption("--seed", type=int, default=None, help="the seed of the random events; by default a new one each time")


def pytest_configure() -> None:
    program = os.environ.get("LOGIN_ENGINE") or shutil.which("login-engine")
    if not program:
        raise pytest.UsageError("set LOGIN_ENGINE to the built engine")
    os.environ["LOGIN_ENGINE"] = str(Path(program).resolve())
    # Transcripts name their flows relative to the repository's root.
    os.chdir(Path(__file__).resolve().parents[3])


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Returns the folder for pictures of the views: `$LOGIN_ENGINE_PICTURES` if set, else a temporary one."""
    folder = Path(os.environ.get("LOGIN_ENGINE_PICTURES", tmp_path))
    folder.mkdir(exist_ok=True)
    return folder
