"""Checks the page and the bridge with a built engine: see `check` in the parent folder."""

import argparse
import asyncio
import importlib
import sys
import time

from playwright.async_api import async_playwright

from browsers import started
from processes import Tally

PARTS = ["ignorance", "transcripts", "cases", "inputs", "passkeys", "forms", "connections", "restarts", "crowd", "random_events", "looks", "brand", "first",
         "handover", "account"]
#: By browser: lists of parts, each in a process of its own, at the same time as the other lists. Firefox is slower, and mostly waits.
LISTS = {"chromium": [PARTS],
         "firefox": [["cases", "restarts", "random_events"], ["transcripts", "inputs", "forms", "connections", "looks", "brand", "first", "handover"]]}


async def run(arguments):
    tally = Tally()
    async with async_playwright() as playwright:
        for tally.browser in [arguments.browser] if arguments.browser else LISTS:
            wanted = [[part for part in parts if not arguments.only or part in arguments.only] for parts in LISTS[tally.browser]]
            await asyncio.gather(*(run_parts(tally, parts, arguments, playwright) for parts in wanted if parts))
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1


async def run_parts(tally, parts, arguments, playwright):
    async with started(playwright, tally.browser) as browser:
        for part in parts:
            await run_part(tally, part, arguments, browser)


async def run_part(tally, part, arguments, browser):
    begun = time.monotonic()
    module = importlib.import_module(part)
    more = {"is_long": True} if arguments.long and part == "random_events" and tally.browser == "chromium" else {}
    # What a part checks without a browser is checked once.
    check = module.check if tally.browser == "chromium" else getattr(module, "in_browser", module.check)
    try:
        await check(tally, arguments.engine, browser, **more)
    except Exception as error:
        tally.check(part, False, f"{type(error).__name__}: {error}")
    print(f"{part} in {tally.browser}: {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--long", action="store_true", help="all 100,000 random events")
    parser.add_argument("--only", action="append", choices=PARTS, help="run this part only; may be repeated")
    parser.add_argument("--browser", choices=["chromium", "firefox"], help="run the parts of this browser only")
    sys.exit(asyncio.run(run(parser.parse_args())))
