"""Many WebSockets of browsers that log in at once, through one bridge and one engine."""

import asyncio
import resource
import tempfile
import time
from collections import Counter

from accounts import Accounts
from processes import BridgeProcess
from raw import RawTab

#: The numbers of concurrent logins, of accounts, and of users who first enter a wrong password.
BROWSERS, ACCOUNTS, MISTAKEN = 500, 100, 20
#: Errors after which no decision was made, because the disk was too slow. Any other error, except a throttle, fails the check.
UNDECIDED = {"network.accountsLocked", "network.timeout"}
undecided = Counter()


async def submit(tab, action="submit"):
    """Presses the button, and again after a throttle or a slow disk, as a person does. Returns the result once there is a decision."""
    while True:
        await tab.press(action)
        await tab.snapshot_when(lambda it: it["activity"])
        shown = await tab.snapshot_when(lambda it: not it["activity"])
        code = (shown["error"] or {}).get("code")
        if code not in UNDECIDED and shown["retryAt"] is None:
            return shown
        undecided[code] += 1
        while shown["retryAt"] is not None:
            shown = await tab.snapshot_when(lambda it: True)
        action = next(it["id"] for it in shown["actions"] if it["role"] == "primary")


async def log_in(address, index):
    name = f"user{index % ACCOUNTS}"
    tab = RawTab(address, timeout=600)
    # Each has its own address, because attempts from one address are throttled together.
    tab.client.headers["X-Forwarded-For"] = f"198.51.{100 + index // 250}.{index % 250}"
    async with tab:
        await tab.open(supports=["restoreSecret"])
        for letters in range(4, len(name) + 13, 4):
            await tab.edit("email", f"{name}@example.com"[:letters])
        await tab.edit("email", f"{name}@example.com")
        if index < MISTAKEN:
            await tab.edit("password", "wrong horse")
            refused = await submit(tab)
            assert refused["error"]["code"] == "invalidCredentials", refused["error"]
        await tab.edit("password", f"crowded horse {index % ACCOUNTS}")
        shown = await submit(tab)
        assert shown["scene"] is not None, shown["error"]
        principal = await tab.enter()
        assert principal == name, principal


async def check(tally, engine, browser):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(engine, folder)
        for index in range(ACCOUNTS):
            accounts.add(f"user{index}", f"crowded horse {index}")
        async with BridgeProcess(["--proxy", "127.0.0.1"], [engine, *accounts.options]) as bridge:
            begun = time.monotonic()
            results = await asyncio.gather(*(log_in(bridge.address, index) for index in range(BROWSERS)), return_exceptions=True)
            failures = [repr(result) for result in results if result is not None]
            tally.check(f"{BROWSERS} browsers log in at once", not failures, f"{len(failures)}: {failures[:3]}")
            print(f"crowd: {BROWSERS} logins in {time.monotonic() - begun:.1f} s; the bridge has {bridge.memory() >> 20} MiB; retries: {dict(undecided)}")
