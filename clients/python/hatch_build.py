"""Selects what hatchling adds to the wheel: the flows, the login page and, if they are built, the programs.

`LOGIN_ENGINE_INSTALLED` names a folder laid out like `/usr`, whose `bin` has statically linked programs. The wheel then contains them, with commands for them,
and is specific to this machine's processor. Without the variable the wheel is for every machine, and uses an engine that is installed separately.
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
    """Adds commands for the programs, but only if the wheel contains them: otherwise the commands would hide installed programs."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["scripts"] = {name: "login_engine.programs:run" for name in PROGRAMS} if installed() else {}


class Contents(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        contents = build_data["force_include"]
        contents[str(REPOSITORY / "protocol/flows")] = "login_engine/flows"
        contents[str(REPOSITORY / "clients/web/page")] = "login_engine/web/page"
        folder = installed()
        if folder is None:
            return
        contents |= {str(folder / "bin" / name): f"login_engine/bin/{name}" for name in PROGRAMS}
        documents = folder / "share/doc/login-engine"
        for name in ("licences", "login-engine.spdx.json"):
            if (documents / name).exists():
                contents[str(documents / name)] = f"login_engine/{name}"
        # A statically linked program runs with every C library. The tags name the oldest systems that pip knows.
        machine = platform.machine()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_17_{machine}.musllinux_1_1_{machine}"
