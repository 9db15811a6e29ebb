"""Many browsers' WebSockets that log in at once, through one bridge and one engine."""

import asyncio
import resource
import tempfile
import time

from accounts import Accounts
from processes import BridgeProcess
from raw import RawTab

#: How many log in at once, to how many accounts.
BROWSERS, ACCOUNTS = 500, 20


async def log_in(address, index):
    """Some have a wrong password first; with more of them, accounts would be throttled."""
    name = f"user{index % ACCOUNTS}"
    async with RawTab(address, timeout=600) as tab:
        await tab.open(supports=["restoreSecret"])
        for letters in range(4, len(name) + 13, 4):
            await tab.change("email", f"{name}@example.com"[:letters])
        await tab.change("email", f"{name}@example.com")
        if index < ACCOUNTS:
            await tab.change("password", "wrong horse")
            await tab.perform("submit")
            refused = await tab.snapshot_when(lambda it: it["error"] is not None)
            assert refused["error"]["code"] == "invalidCredentials", refused["error"]
        await tab.change("password", f"crowded horse {index % ACCOUNTS}")
        await tab.perform("submit")
        principal = await tab.enter()
        assert principal == name, principal


async def check(tally, engine, browser):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory() as folder:
        accounts = Accounts(engine, folder)
        for index in range(ACCOUNTS):
            accounts.add(f"user{index}", f"crowded horse {index}")
        async with BridgeProcess(["--tabs-of-address", "1000"], [engine, *accounts.options]) as bridge:
            begun = time.monotonic()
            results = await asyncio.gather(*(log_in(bridge.address, index) for index in range(BROWSERS)), return_exceptions=True)
            failures = [repr(result) for result in results if result is not None]
            tally.check(f"{BROWSERS} browsers log in at once", not failures, f"{len(failures)}: {failures[:3]}")
            print(f"crowd: {BROWSERS} logins in {time.monotonic() - begun:.1f} s; the bridge has {bridge.memory() >> 20} MiB")
