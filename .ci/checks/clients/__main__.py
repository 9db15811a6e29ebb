"""See .ci/checks/clients/check."""

import asyncio
import sys
import tempfile

import with_acp
import with_aiorpcx
from scenario import Scenario


async def main():
    passed = 0
    for client in [with_aiorpcx, with_acp]:
        with tempfile.TemporaryDirectory() as folder:
            scenario = Scenario(folder)
            async with client.connect([sys.argv[1], *scenario.accounts], scenario) as peer:
                await scenario.play(peer)
                await peer.batch(scenario)
            async with client.connect([sys.argv[1], "--authenticator", "frontend"], scenario) as peer:
                await scenario.decide(peer)
            print(f"{client.NAME}: {scenario.passed} passed")
            passed += scenario.passed
    print(f"clients: {passed} passed, 0 failed")


asyncio.run(main())
