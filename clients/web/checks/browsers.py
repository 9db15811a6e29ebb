"""Chromium and Firefox, with the same methods for the checks."""

import asyncio
import contextlib

#: Debian's browsers; Playwright's own are not installed.
CHROMIUM, FIREFOX = "/usr/bin/chromium", "/usr/bin/firefox-esr"


@contextlib.asynccontextmanager
async def started(playwright, name):
    """Starts a browser, and closes it at the end."""
    if name == "firefox":
        browser = Firefox(playwright)
    else:
        # Without a GPU, Chromium would emulate one, which takes most of the time.
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
    try:
        yield browser
    finally:
        await browser.close()


class Firefox:
    """An unmodified Firefox, driven through WebDriver BiDi. What the options of contexts mean in Chromium are preferences of a whole process in Firefox,
    which is started when a context needs it."""

    def __init__(self, playwright):
        self._playwright, self._running = playwright, {}

    async def new_context(self, *, reduced_motion=None, java_script_enabled=True, **options):
        preferences = {}
        if reduced_motion == "reduce":
            preferences["ui.prefersReducedMotion"] = 1
        if not java_script_enabled:
            preferences["javascript.enabled"] = False
        key = tuple(preferences.items())
        # Contexts may be created at once.
        if key not in self._running:
            self._running[key] = asyncio.ensure_future(
                self._playwright.firefox.launch(channel="moz-firefox", executable_path=FIREFOX, firefox_user_prefs=preferences))
        return await (await self._running[key]).new_context(**options)

    async def new_page(self, **options):
        return await (await self.new_context(**options)).new_page()

    async def close(self):
        for browser in self._running.values():
            await (await browser).close()
