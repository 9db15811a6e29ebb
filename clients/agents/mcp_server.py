"""An MCP server on standard input and output whose tool requires a person to log in.

Usage: mcp_server.py [--lifetime SECONDS] ENGINE [ARGUMENT ...]

The client (the program of the model) only gets a web address to open: passwords, cookies and codes stay between the person's browser and the
login page. See README.md."""

import argparse
import asyncio
import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ElicitRequest, ElicitRequestURLParams, InputRequiredResult
from mcp_types.version import is_version_at_least

from login_page import LoginPage

MESSAGE = "Log in, so that the tool can say who you are. The page is served by this machine; enter your password only there."
#: From this version on a server returns its questions, and the client repeats the call with the answers.
RETURNS_QUESTIONS = "2026-07-28"
NOT_SUPPORTED = (
    "This tool needs a person to log in on a web page, and this MCP client cannot open one: it has not declared elicitation in URL mode "
    "(capability elicitation.url). The tool never asks for a password in any other way."
)
NEEDED = "This tool needs a login, and there is none: {why}. Call the tool again to get a new link."
WHY = {"decline": "the person declined", "cancel": "the person closed the question", "accept": "the link was not used in time"}


class Tool:
    """The tool `whoami`. The process serves one client, so a login lasts until the process ends."""

    def __init__(self, page):
        self._page = page

    async def whoami(self, context: Context) -> str | InputRequiredResult:
        """Says which account the person has logged in to. Asks for a login first if there is none."""
        if self._page.principal is None:
            elicitation = context.client_capabilities and context.client_capabilities.elicitation
            if not elicitation or elicitation.url is None:
                raise ToolError(NOT_SUPPORTED)
            asks = self._ask_by_result if is_version_at_least(context.protocol_version, RETURNS_QUESTIONS) else self._ask_by_request
            if question := await asks(context):
                return question
        return f"The account is {self._page.principal}."

    async def _ask_by_request(self, context):
        """Asks until version 2025-11-25: the server sends its own request, and a notification once the person has logged in."""
        login = await self._new_login()
        try:
            answer = await context.elicit_url(MESSAGE, login.url, login.id)
            await self._take(login, answer.action)
        finally:
            await self._page.end(login)
        await context.session.send_elicit_complete(login.id, related_request_id=context.request_id)

    async def _ask_by_result(self, context):
        """Asks since version 2026-07-28: the question is the result of the first call. The SDK seals `request_state`, so that clients cannot forge it."""
        if context.request_state is None:
            login = await self._new_login()
            question = ElicitRequest(params=ElicitRequestURLParams(message=MESSAGE, url=login.url))
            return InputRequiredResult(input_requests={"login": question}, request_state=login.id)
        login, answer = self._page.find(context.request_state), (context.input_responses or {}).get("login")
        action = getattr(answer, "action", "cancel")
        if login is None:
            raise ToolError(NEEDED.format(why=WHY[action]))
        try:
            await self._take(login, action)
        finally:
            await self._page.end(login)

    async def _new_login(self):
        try:
            return await self._page.ask()
        except OSError as error:
            raise ToolError(f"The login page cannot be shown: {error}.") from error

    async def _take(self, login, action):
        """Waits until the login has ended. An accepted question means that the link is opened, not that anyone has logged in."""
        if action == "accept":
            await login.ended.wait()
        if self._page.principal is None:
            raise ToolError(NEEDED.format(why=WHY[action]))


async def main():
    parser = argparse.ArgumentParser(prog="mcp_server.py", allow_abbrev=False, description="An MCP server whose tool requires a login.")
    parser.add_argument("--lifetime", type=float, default=300, metavar="SECONDS", help="the lifetime of a link and its login page (default: %(default)g)")
    parser.add_argument("engine", nargs=argparse.REMAINDER, metavar="ENGINE [ARGUMENT ...]", help="the engine and its options, such as --accounts FILE")
    own = parser.parse_args()
    if not own.engine:
        parser.error("the engine is missing")
    async with LoginPage(own.engine, own.lifetime) as page:
        server = MCPServer("login-engine-example", log_level="WARNING")
        server.add_tool(Tool(page).whoami)
        await server.run_stdio_async()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
