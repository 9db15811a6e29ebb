"""Random events in the page, with the real engine."""

import json
import os
import random

from processes import HERE, ROOT, BridgeProcess
from user import DRAWN, User

OTHER_FLOW = ROOT / "clients" / "other-flow.json"
OTHER = json.loads(OTHER_FLOW.read_text())["flow"]
WORDS = ["", "ada@example.com", "wrong@example.com", "taken@example.com", "challenge@example.com", "wait@example.com", "notice@example.com", "slow@example.com",
         "error@example.com", "exit@example.com", "throttled@example.com", "correct horse", "123456", "x" * 5000, "<b>\"'&\u202e", "wrong", "ada"]
#: By flow: the engine's options that add it. The other flow shares no id with the built-in ones.
FLOWS = {"standard": [], "dynamic": [], "coordinators": [], "staged": [], OTHER: ["--flow", str(OTHER_FLOW)]}
RANDOM = "async (given) => {" + DRAWN + "return (" + (HERE / "random.js").read_text().split("\n\n", 1)[1].rstrip().removesuffix(";") + ")(given); }"


async def check(tally, engine, browser, is_long=False):
    """Sends 100,000 events, or a part of them in a short check."""
    each = (100000 if is_long else 5000) // len(FLOWS)
    seed = int(os.environ.get("SEED") or random.randrange(1 << 31))
    for flow, offered in FLOWS.items():
        async with BridgeProcess(["--rate", "0", "--flow", flow], [engine, "--authenticator", "demo", *offered]) as bridge:
            async with tally.case(f"{each} random events in {flow}, seed {seed}"):
                await walk(browser, bridge, each, seed)
        print(f"random: {each} events in {flow}, seed {seed}", flush=True)


async def walk(browser, bridge, count, seed):
    # Without animations the page applies updates at once. The last tenth is with animations.
    for part, motion in [(count - count // 10, "reduce"), (count // 10, "no-preference")]:
        context = await browser.new_context(reduced_motion=motion)
        user = User(await context.new_page())
        await user.page.goto(bridge.address)
        done = 0
        while done < part:
            await user.page.wait_for_function("() => document.querySelector('#label')?.textContent && !document.querySelector('[data-first]')")
            try:
                found = await user.page.evaluate(RANDOM, {"seed": seed + done, "count": part - done, "words": WORDS})
            except Exception as error:
                if not has_left(error):
                    raise
                found = None
            assert not found and not user.errors, f"after {done}: {found} {user.errors}"
            done = await events_done(user.page)
            if user.page.url.endswith("/welcome"):
                await user.press("Log out")
        await context.close()


def has_left(error):
    """Whether an evaluation failed because of a login, which leaves the page."""
    return "navigation" in str(error) or "context was destroyed" in str(error)


async def events_done(page):
    """Returns the number of events that the page has counted. A login may leave the page at any time meanwhile."""
    while True:
        await page.wait_for_load_state()
        try:
            return int(await page.evaluate("() => localStorage.getItem('done')"))
        except Exception as error:
            if not has_left(error):
                raise
