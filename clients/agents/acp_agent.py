"""An agent for editors (Agent Client Protocol) that requires a person to log in, in a terminal that the editor opens.

Usage: acp_agent.py [--terminal PATH] [--accounts FILE] [--login | --log-out]

Without --login and --log-out, runs the agent on standard input and output. The agent lists --login as its authentication method: the editor starts
the agent's own command again in a terminal, with this argument appended. See README.md."""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
import uuid
from pathlib import Path

from acp import PROTOCOL_VERSION, RequestError, run_agent, text_block, update_agent_message
from acp.schema import AgentCapabilities, Implementation, InitializeResponse, NewSessionResponse, PromptResponse, TerminalAuthMethod

#: The longest scene that is read, in bytes.
MAXIMUM_SCENE = 1 << 20
HOW = "Log in with this agent's command and --login at its end, in a terminal."
METHOD = TerminalAuthMethod(id="terminal", name="Log in", description="Opens the login form in a terminal.", type="terminal", args=["--login"])


class State:
    """The login: a name in a file that only this user reads and writes. It is not a secret, and not a proof for anyone else."""

    def __init__(self):
        home = os.environ.get("XDG_STATE_HOME", "")
        # By the XDG Base Directory Specification, relative paths are ignored.
        self._path = (Path(home) if home.startswith("/") else Path.home() / ".local/state") / "login-engine-agent" / "login.json"

    def read(self):
        """Returns the principal; None without a login, or if another user could have written the file."""
        try:
            with open(os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)) as file:
                about = os.fstat(file.fileno())
                if about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077:
                    return None
                return principal_of(file.read())
        except OSError:
            return None

    def write(self, principal):
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_name(f"{self._path.name}.{uuid.uuid4()}")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
            json.dump({"principal": principal}, file)
        new.replace(self._path)

    def clear(self):
        self._path.unlink(missing_ok=True)


def principal_of(text):
    """Returns the principal of a JSON object; None if there is none."""
    with contextlib.suppress(ValueError, AttributeError):
        principal = json.loads(text).get("principal")
        return principal if isinstance(principal, str) and principal else None


def log_in(state, terminal, accounts):
    """Shows the login form in this terminal. Returns the exit status: 0 only if a person logged in."""
    # Until the form controls the terminal, Ctrl-C reaches both processes, and the form decides. A handler, unlike SIG_IGN, is not inherited.
    signal.signal(signal.SIGINT, lambda *_: None)
    reading, writing = os.pipe()
    command = [terminal, "--once", "--json", str(writing), *(["--", "--accounts", accounts] if accounts else [])]
    try:
        process = subprocess.Popen(command, pass_fds=[writing])
    except OSError as error:
        sys.exit(f"acp_agent.py: {terminal}: {error.strerror}")
    os.close(writing)
    with open(reading) as scene:
        principal = principal_of(scene.read(MAXIMUM_SCENE))
    status = process.wait()
    if status:
        return status if status > 0 else 128 - status
    if principal is None:
        return 1
    state.write(principal)
    return 0


class Agent:
    """Answers each prompt with the name of the account. A real agent would call its model here."""

    def __init__(self, state):
        self._state, self._client, self._sessions = state, None, {}

    def on_connect(self, client):
        self._client = client

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **_):
        # Offer the method only to clients that declare that they can open terminals.
        auth = client_capabilities and client_capabilities.auth
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION, agent_capabilities=AgentCapabilities(), auth_methods=[METHOD] if auth and auth.terminal else [],
            agent_info=Implementation(name="login-engine-example", version="1"))

    async def authenticate(self, method_id, **_):
        # The login happens in another process, so a client cannot request it here.
        raise RequestError.invalid_params({"methodId": method_id, "message": HOW})

    async def new_session(self, cwd, additional_directories=None, mcp_servers=None, **_):
        # Read each time, so that a login counts without a reconnection.
        principal = self._required()
        session = str(uuid.uuid4())
        self._sessions[session] = principal
        return NewSessionResponse(session_id=session)

    async def prompt(self, session_id, prompt, **_):
        if session_id not in self._sessions:
            raise RequestError.invalid_params({"sessionId": session_id})
        # A session belongs to the person who started it.
        principal = self._required()
        if principal != self._sessions[session_id]:
            raise RequestError.auth_required({"message": HOW})
        await self._client.session_update(session_id, update_agent_message(text_block(f"The account is {principal}.")))
        return PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id, **_):
        """Does nothing: no request takes long enough to be cancelled."""

    def _required(self):
        principal = self._state.read()
        if principal is None:
            raise RequestError.auth_required({"message": HOW})
        return principal


def main():
    parser = argparse.ArgumentParser(prog="acp_agent.py", allow_abbrev=False, description="An agent that requires a person to log in.")
    parser.add_argument("--terminal", default="login-terminal", metavar="PATH", help="the program that shows the form (default: %(default)s, in PATH)")
    parser.add_argument("--accounts", metavar="FILE", help="the accounts (default: the engine's)")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--login", action="store_true", help="log in, in this terminal; the status is 0 only if a person logged in")
    mode.add_argument("--log-out", action="store_true", help="log out")
    own = parser.parse_args()
    state = State()
    if own.login:
        return log_in(state, own.terminal, own.accounts)
    if own.log_out:
        state.clear()
        return 0
    asyncio.run(run_agent(Agent(state)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
