"""What hatchling puts into the wheel besides the package: the flows and the login page, and the programs where there are built ones.

`LOGIN_ENGINE_INSTALLED` names a folder that is laid out as `/usr`, with programs that need no dynamic library in its `bin`. The wheel then has these programs,
as commands too, and is one for this machine's processor. Without that variable the wheel is one for every machine, and uses an engine that is installed
otherwise.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PROGRAMS = ["login-engine", "login-accounts", "login-terminal"]
REPOSITORY = Path(__file__).resolve().parents[2]


def installed() -> Path | None:
    folder = os.environ.get("LOGIN_ENGINE_INSTALLED")
    return Path(folder) if folder else None


class Commands(MetadataHookInterface):
    """Makes the programs commands, but only where the wheel has them: otherwise these commands would hide those that are installed."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["scripts"] = {name: "login_engine.programs:run" for name in PROGRAMS} if installed() else {}


class Contents(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        contents = build_data["force_include"]
        contents[str(REPOSITORY / "protocol/flows")] = "login_engine/flows"
        contents[str(REPOSITORY / "clients/web/page")] = "login_engine/web/page"
        contents[str(REPOSITORY / "clients/web/bridge")] = "login_engine/web/bridge"
        folder = installed()
        if folder is None:
            return
        contents |= {str(folder / "bin" / name): f"login_engine/bin/{name}" for name in PROGRAMS}
        documents = folder / "share/doc/login-engine"
        for name in ("licences", "login-engine.spdx.json"):
            if (documents / name).exists():
                contents[str(documents / name)] = f"login_engine/{name}"
        # A program without dynamic libraries runs with every C library; the tags name the oldest systems that pip knows.
        machine = platform.machine()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"
