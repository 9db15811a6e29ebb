"""Checks the agent with the client from PyPI: the steps of an editor before and after its user logs in."""

import contextlib
import os
import signal
import stat
import sys
from pathlib import Path

from acp import PROTOCOL_VERSION, RequestError, text_block
from acp.schema import AuthCapabilities, ClientCapabilities
from acp.stdio import spawn_agent_process

from person import PASSWORD, WRONG, Terminal, add_account

AGENT = Path(__file__).resolve().parent.parent / "acp_agent.py"
AUTH_REQUIRED, INVALID_PARAMS = -32000, -32602


class Editor:
    """A client, as the package defines it."""

    def __init__(self):
        self.said = []

    async def session_update(self, session_id, update, **_):
        self.said.append(update.content.text)

    def on_connect(self, connection):
        pass


class Setup:
    """The editor's configuration for starting the agent."""

    def __init__(self, terminal, folder):
        self.accounts, self.home = folder / "acp.sqlite3", folder / "state"
        self.command = [sys.executable, str(AGENT), "--terminal", str(terminal), "--accounts", str(self.accounts)]
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.home)}

    @property
    def file(self):
        return self.home / "login-engine-agent" / "login.json"

    @contextlib.asynccontextmanager
    async def agent(self, terminal=True):
        """Opens an initialized connection, and yields the client's side, the editor, and the agent's methods."""
        editor = Editor()
        async with spawn_agent_process(editor, *self.command, env=self.environment, transport_kwargs={"stderr": None}) as (agent, _):
            listed = await agent.initialize(protocol_version=PROTOCOL_VERSION, client_capabilities=ClientCapabilities(auth=AuthCapabilities(terminal=terminal)))
            yield agent, editor, listed.auth_methods

    def terminal(self, method):
        """Opens the terminal for a method of this type: the client's own command, then the method's arguments, and the method's variables over its own."""
        return Terminal([*self.command, *(method.args or [])], {**self.environment, **(method.env or {})})


async def code_of(request):
    """Returns the code of the error of a request; None without an error."""
    try:
        await request
    except RequestError as error:
        return error.code
    return None


async def check_acp(check, engine, folder, terminal):
    setup = Setup(terminal, folder)
    for name in ("ada", "bob"):
        add_account(engine, setup.accounts, name)
    method = None
    async with setup.agent() as (agent, _, methods):
        listed = [(each.type, each.args, each.env) for each in methods]
        check(f"the agent lists a method for terminals: {listed}", listed == [("terminal", ["--login"], None)])
        method = methods[0]
        check("a session requires a login", await code_of(agent.new_session(cwd="/", mcp_servers=[])) == AUTH_REQUIRED)
        check("authenticate refuses the method", await code_of(agent.authenticate(method_id=method.id)) == INVALID_PARAMS)
    async with setup.agent(terminal=False) as (agent, _, methods):
        check("a client without terminals gets no method for them", methods == [])
        check("a client without terminals cannot start a session either", await code_of(agent.new_session(cwd="/", mcp_servers=[])) == AUTH_REQUIRED)

    with setup.terminal(method) as terminal:
        terminal.sees("Password")
        # As if Ctrl-C came before the form controlled the terminal.
        terminal.process.send_signal(signal.SIGINT)
        terminal.press("\x03")
        status = terminal.ended()
        check(f"Ctrl-C ends the terminal with another status than 0: {status}", status == 130)
    with setup.terminal(method) as terminal:
        terminal.sees("Password")
        terminal.process.send_signal(signal.SIGKILL)
        check("a terminal that is killed does not end with status 0", terminal.ended() != 0)
    with setup.terminal(method) as terminal:
        terminal.sees("Password")
        terminal.press("\x04")
        status = terminal.ended()
        check(f"a person who leaves ends the terminal with status 1: {status}", status == 1)
    check("there is no login after the person has left", not setup.file.exists())
    async with setup.agent() as (agent, _, _):
        check("and no session", await code_of(agent.new_session(cwd="/", mcp_servers=[])) == AUTH_REQUIRED)

    status, drawn = log_in(setup, method, "ada")
    check(f"a wrong password and then the right one end the terminal with status 0: {status}", status == 0)
    check("the terminal draws no password", PASSWORD not in drawn and WRONG not in drawn)
    mode = stat.S_IMODE(setup.file.stat().st_mode)
    check(f"only the user can access the file of the login: {mode:o}", mode == 0o600)
    check(f"the file of the login contains only the name: {setup.file.read_text()}", setup.file.read_text() == '{"principal": "ada"}')
    async with setup.agent() as (agent, editor, methods):
        begun = await agent.new_session(cwd="/", mcp_servers=[])
        ended = await agent.prompt(session_id=begun.session_id, prompt=[text_block("Who am I?")])
        check(f"a prompt is answered with the person's name: {editor.said}", ended.stop_reason == "end_turn" and editor.said == ["The account is ada."])
        check("the methods are still listed", [each.id for each in methods] == [method.id])

        log_in(setup, method, "bob")
        prompt = agent.prompt(session_id=begun.session_id, prompt=[text_block("Who am I?")])
        check("another person cannot use the session", await code_of(prompt) == AUTH_REQUIRED and len(editor.said) == 1)
        begun = await agent.new_session(cwd="/", mcp_servers=[])
        await agent.prompt(session_id=begun.session_id, prompt=[text_block("Who am I?")])
        check("a new session belongs to the new person", editor.said[1:] == ["The account is bob."])

        setup.file.chmod(0o620)
        check("a file that others may write is not a login", await code_of(agent.new_session(cwd="/", mcp_servers=[])) == AUTH_REQUIRED)
        setup.file.chmod(0o600)
        check("the file is a login again once others may not write it", await code_of(agent.new_session(cwd="/", mcp_servers=[])) is None)
        with Terminal([*setup.command, "--log-out"], setup.environment) as terminal:
            check("logging out succeeds", terminal.ended() == 0)
        prompt = agent.prompt(session_id=begun.session_id, prompt=[text_block("Who am I?")])
        check("neither old nor new sessions work after logging out",
              await code_of(prompt) == await code_of(agent.new_session(cwd="/", mcp_servers=[])) == AUTH_REQUIRED)


def log_in(setup, method, name):
    """Logs in. Returns the status and everything that was drawn."""
    with setup.terminal(method) as terminal:
        terminal.sees("Password")
        terminal.press(f"{name}@example.com\t{WRONG}\r")
        terminal.sees("wrong")
        terminal.press(f"\x15{PASSWORD}\r")
        return terminal.ended(), terminal.drawn
