"""A user at a page, and checks that hold for every page."""

import json
import re

from processes import HERE

DRAWN = (HERE / "drawn.js").read_text().replace("export ", "")
SOUND = "async () => {" + DRAWN + """
  const { app } = await import(document.querySelector('script[type=module]').src);
  return [app.session.violation, ...differences(document, app.session)].filter(Boolean);
}"""


VALUES = """() => Object.fromEntries([...document.querySelectorAll('[name^="value."]')].map(
  (it) => [it.name, it.type === "checkbox" ? it.checked : it.value]))"""
LEVEL = """async () => {
  const { app } = await import(document.querySelector('script[type=module]').src);
  while (!app.session.snapshot || !app.session.isInSync) await new Promise((resolve) => setTimeout(resolve, 20));
}"""
#: What Firefox reports as an error when a WebSocket is lost, after which the page reconnects.
LOST = re.compile("establish a connection to the server at ws|connection to ws.* was interrupted")


class User:
    """A browser tab, driven by the ids of a flow's items."""

    def __init__(self, page):
        self.page, self.errors = page, []
        page.on("pageerror", lambda error: LOST.search(str(error)) or self.errors.append(str(error)))
        # Chromium's console reports what the content security policy blocked; Firefox reports it as an error.
        page.on("console", lambda message: message.type == "error" and "Content Security" in message.text and self.errors.append(message.text))

    @classmethod
    async def of(cls, context, address, title=None):
        user = cls(await context.new_page())
        await user.page.goto(address)
        if title:
            await user.sees(title)
        return user

    def field(self, item):
        return self.page.locator(f'[name="value.{item}"]')

    async def sees(self, title):
        """Waits for the screen with this title."""
        await self.page.wait_for_function(
            "title => document.querySelector('h1')?.textContent === title && document.title.split(' · ')[0] === title && !document.querySelector('[data-first]')", arg=title)

    async def enter(self, **values):
        for item, text in values.items():
            await self.field(item).fill(text)

    async def press(self, name):
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def submit(self):
        await self.page.keyboard.press("Enter")

    async def says(self, part, text=None):
        """Waits until a part of the page (`error`, `notice`, ...) is visible, and returns its text."""
        where = self.page.locator(f"#{part}:visible")
        await (where.filter(has_text=text) if text else where).wait_for()
        return await where.inner_text()

    async def is_level(self):
        """Waits until the engine has counted everything and the page shows its state."""
        await self.page.evaluate(LEVEL)

    async def shown(self):
        return await self.page.evaluate("async () => (await import(document.querySelector('script[type=module]').src)).app.session.snapshot")

    async def values(self):
        return await self.page.evaluate(VALUES)

    async def focused(self):
        return await self.page.evaluate("() => document.activeElement?.name || document.activeElement?.id || document.activeElement?.textContent")

    async def is_sound(self):
        """Checks that the page shows the engine's state and has no errors."""
        await self.is_level()
        found = [*self.errors, *await self.page.evaluate(SOUND)]
        assert not found, json.dumps(found)[:800]

    async def is_in(self, name):
        await self.page.wait_for_url("**/welcome")
        text = await self.page.inner_text("h1")
        assert text == f"Welcome, {name}", text
        assert not self.errors, self.errors
