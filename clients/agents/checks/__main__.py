"""Runs the checks of the examples: see `check`."""

import asyncio
import sys
import tempfile
from pathlib import Path

from check_acp import check_acp
from check_mcp import check_mcp


class Check:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, what, holds):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAILED: {what}", file=sys.stderr)


async def main():
    engine, terminal, check = Path(sys.argv[1]), Path(sys.argv[2]), Check()
    with tempfile.TemporaryDirectory(prefix="login-engine-agents-") as folder:
        for about, more in ((check_mcp, []), (check_acp, [terminal])):
            try:
                await about(check, engine, Path(folder), *more)
            except Exception as error:
                check(f"{about.__name__}: {type(error).__name__}: {error}", False)
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed or not check.passed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
