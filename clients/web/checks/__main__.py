"""Checks the page and the bridge with a built engine: see `check` in the parent folder."""

import argparse
import asyncio
import importlib
import sys
import time

from playwright.async_api import async_playwright

from processes import CHROMIUM, Tally

PARTS = ["ignorance", "transcripts", "cases", "passkeys", "forms", "connections", "restarts", "crowd", "random_events", "looks"]


async def run(arguments):
    tally = Tally()
    async with async_playwright() as playwright:
        # Without a GPU, Chromium would emulate one, which takes most of the time.
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for part in arguments.only or PARTS:
            begun = time.monotonic()
            module = importlib.import_module(part)
            more = {"is_long": True} if arguments.long and part == "random_events" else {}
            try:
                await module.check(tally, arguments.engine, browser, **more)
            except Exception as error:
                tally.check(part, False, f"{type(error).__name__}: {error}")
            print(f"{part}: {time.monotonic() - begun:.0f} s", flush=True)
        await browser.close()
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.passed and not tally.failed else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--long", action="store_true", help="all 100,000 random events")
    parser.add_argument("--only", action="append", choices=PARTS, help="run this part only; may be repeated")
    sys.exit(asyncio.run(run(parser.parse_args())))
