"""Measures the first and second visit over a slow connection: bytes, and the time until the form is visible, and until the script has taken over.

Usage: ../../.ci/tools/python-with requirements.txt visits.py ENGINE    A benchmark, which no check runs. 400 ms and 50 KB/s, without TLS."""

import asyncio
import sys

from playwright.async_api import async_playwright

from browsers import started
from processes import BridgeProcess

LATENCY_MS, BYTES_PER_SECOND = 400, 50 * 1024
VISITS = 5
#: When the first field was painted, and when the script has taken over, in milliseconds since the visit began.
TIMES = """async () => {
  while (!performance.getEntriesByName('first-contentful-paint').length || document.querySelector('[data-first]') || !document.querySelector('#label')?.textContent)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return [performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()];
}"""


async def main(engine):
    async with async_playwright() as playwright, started(playwright, "chromium") as browser:
        async with BridgeProcess([], [engine, "--authenticator", "demo"]) as bridge:
            print(f"at {LATENCY_MS} ms and {BYTES_PER_SECOND // 1024} KB/s; the middle of {VISITS} visits")
            measured = [await visits(browser, bridge.address) for _ in range(VISITS)]
            for index, name in enumerate(["first", "second"]):
                paint, live, received = (sorted(visit[index][column] for visit in measured)[VISITS // 2] for column in range(3))
                print(f"{name} visit: the form after {paint / 1000:.2f} s, its script after {live / 1000:.2f} s, {received / 1024:.1f} KB")


async def visits(browser, address):
    context = await browser.new_context()
    found = []
    for _ in range(2):
        page = await context.new_page()
        devtools = await context.new_cdp_session(page)
        received = [0]
        await devtools.send("Network.enable")
        devtools.on("Network.loadingFinished", lambda event: received.__setitem__(0, received[0] + int(event["encodedDataLength"])))
        await devtools.send("Network.emulateNetworkConditions",
                            {"offline": False, "latency": LATENCY_MS, "downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND})
        await page.goto(address, wait_until="commit")
        times = await page.evaluate(TIMES)
        await asyncio.sleep(1)
        found.append((*times, received[0]))
        await page.close()
    await context.close()
    return found


asyncio.run(main(sys.argv[1]))
