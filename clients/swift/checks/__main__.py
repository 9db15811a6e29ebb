"""Checks of login-terminal in Python: recorded conversations, the contents of an emulated terminal, and random events.

Usage: checks ENGINE LOGIN-TERMINAL [--only-events N | WORD ...]     only N random events (default 3,000), or only checks with one of the words in their names
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

import alerts  # noqa: E402, F401
import codes  # noqa: E402, F401
import forms  # noqa: E402, F401
import keys  # noqa: E402, F401
import lines  # noqa: E402, F401
import links  # noqa: E402, F401
import programs  # noqa: E402
import prompts  # noqa: E402, F401
import random_events  # noqa: E402
import small_screens  # noqa: E402, F401
import transcripts  # noqa: E402


def main():
    engine, view, *words = sys.argv[1:]
    checks = [(programs.check, words), (transcripts.check, words)]
    if words[:1] == ["--only-events"]:
        checks = [(random_events.check, int(words[1]))]
    elif not words:
        checks.append((random_events.check, 3_000))
    engine, view = str(Path(engine).resolve()), str(Path(view).resolve())
    passed = failed = 0
    for check, wanted in checks:
        for name, problem in check(engine, view, wanted):
            if problem:
                failed += 1
                print(f"FAILED: {name}: {problem}", file=sys.stderr)
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
