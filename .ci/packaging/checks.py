"""See `check`. Parses `--help` independently of command_line.py, to detect faults there."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
PROGRAMS = Path(sys.argv[1])
passed = failed = 0


def check(what: str, holds: bool, more: str = "") -> None:
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"failed: {what}{': ' + more if more else ''}", file=sys.stderr)


def output(*command: str | Path) -> str:
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stdout + run.stderr


def help_of(name: str) -> str:
    """The help that a page documents: login-engine-flow is `login-engine flow`."""
    program, *words = ["login-engine", *name.split("-")[2:]] if name.startswith("login-engine") else [name]
    return output(PROGRAMS / program, *words, "--help")


def options_of(text: str) -> list[str]:
    return re.findall(r"(?m)^  (?:--[a-z-]+, )*(--[a-z][a-z-]*)", text) + re.findall(r"(?m)^  (--[a-z-]+), --", text)


def words_of(text: str) -> list[str]:
    """The words of a text in any layout: letters and digits only."""
    return re.findall(r"\w+", text.replace("\u2019", "'"))


def check_pages(folder: Path) -> None:
    subprocess.run([HERE / "manual", PROGRAMS, folder], check=True, stdout=subprocess.DEVNULL)
    pages = sorted(path.name for path in folder.iterdir())
    subcommands = re.findall(r"(?m)^(?:Usage:|      ) login-engine ([a-z]+)\b", help_of("login-engine")) + ["demo"]
    expected = {"login-engine.1", "login-accounts.1", "login-terminal.1", *(f"login-engine-{each}.1" for each in subcommands)}
    check("each program and subcommand has a page", expected == {each for each in pages if each.endswith(".1")}, str(pages))
    check("there are pages of sections 5 and 7", {"login-engine-flows.5", "login-engine-protocol.7"} <= set(pages))
    environment = {**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MANPATH": ""}
    for page in pages:
        lint = output("mandoc", "-T", "lint", "-W", "warning", folder / page)
        check(f"mandoc finds nothing in {page}", lint == "", lint)
        warnings = subprocess.run(
            ["man", "--warnings=w", "-E", "UTF-8", "-l", "-Tutf8", "-Z", folder / page],
            capture_output=True, text=True, env=environment,
        )  # fmt: skip
        # A narrow table column that cannot be justified is not a fault of the page.
        faults = [line for line in warnings.stderr.splitlines() if not re.search(r"(cannot|can't) (adjust|break) line", line)]
        check(f"man warns of nothing in {page}", warnings.returncode == 0 and not faults, "\n".join(faults[:5]))
        rendered = re.sub(r".\x08", "", output("mandoc", "-T", "utf8", "-O", "width=500", folder / page))
        if page.endswith(".1"):
            text = help_of(page.removesuffix(".1"))
            check(f"{page} has options", len(options_of(text)) > 0)
            shown = re.findall(r"(?m)^     (--[a-z][a-z-]*.*?)(?:  .*)?$", rendered.split("\nOPTIONS\n")[1].split("\nCOMMANDS\n")[0])
            heads = [part for head in re.findall(r"(?m)^  (--[a-z].*?)(?:  .*)?$", text) for part in head.split(", ")]
            check(f"{page} has the options and values of --help, in their order", shown == heads, f"{shown} {heads}")
            # The rest is compared by words: the page has every word of --help, as often.
            said, written = words_of(rendered.lower()), words_of(text.lower())
            lacking = {word for word in written if said.count(word) < written.count(word)} - {"usage", "options"}
            check(f"{page} says what --help says", not lacking, str(sorted(lacking)[:10]))
        else:
            check(f"{page} is a whole document", len(rendered) > 5000 and "\nNAME\n" in rendered)


class Shell:
    """A shell at a terminal, in which keys are pressed."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.text = ""

    def type(self, keys: str) -> None:
        while keys:
            keys = keys[os.write(self.terminal, keys.encode()) :]

    def wait(self, pattern: str, seconds: float = 60) -> str | None:
        """Waits for a match of a pattern in the output, and drops everything up to its end; None without a match."""
        until = time.monotonic() + seconds
        while not (match := re.search(pattern, self.text)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            try:
                self.text += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                return None
        self.text = self.text[match.end() :]
        return match.group(1)

    def rest(self, seconds: float) -> None:
        """Waits until nothing has come for so long."""
        while select.select([self.terminal], [], [], seconds)[0]:
            self.text += os.read(self.terminal, 65536).decode(errors="replace")

    def completed(self, line: str, rest: float) -> str | None:
        """The words that a line has after Tab, as the program gets them."""
        self.type(line + "\t")
        # Keys that wait turn Tab into a letter in zsh and fish, so Enter comes once nothing more is drawn.
        self.rest(rest)
        self.type("\r")
        return self.wait(r"\{\{(.*?)\}\}", 20)

    def end(self) -> None:
        self.type("\x03\x04")
        os.close(self.terminal)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


def check_shells(folder: Path) -> None:
    completions = folder / "completions"
    subprocess.run([HERE / "completions", PROGRAMS, completions], check=True)
    home, bin = folder / "home", folder / "bin"
    for each in (home, bin, home / ".config/fish", home / "a folder"):
        each.mkdir(parents=True)
    (home / "some flow.json").touch()
    # Programs of these names that print the words they are given.
    for name in ("login-engine", "login-accounts", "login-terminal"):
        (bin / name).write_text("#!/bin/sh\nprintf '{{'; printf '<%s>' \"$@\"; printf '}}\\n'\n")
        (bin / name).chmod(0o755)
    (home / ".bashrc").write_text("".join(f". {file}\n" for file in sorted((completions / "bash").iterdir())) + "PS1='$ '\n")
    (home / ".zshrc").write_text(
        f"fpath=({completions / 'zsh'} $fpath)\nautoload -Uz compinit && compinit -u -D\nunsetopt LIST_BEEP\nPS1='$ '\nsetopt NO_AUTO_REMOVE_SLASH\n"
    )
    (home / ".config/fish/config.fish").write_text(
        "set -g fish_greeting\nset -U fish_features no-query-term\nfunction fish_prompt; echo '$ '; end\n"
        + "".join(f"source {file}\n" for file in sorted((completions / "fish").iterdir()))
    )
    environment = {
        "HOME": str(home), "ZDOTDIR": str(home), "TERM": "dumb", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh", "HISTFILE": "",
        "PATH": f"{bin}:/usr/local/bin:/usr/bin:/bin",
    }  # fmt: skip
    lines: list[tuple[str, str]] = []  # the typed text, and the expected words
    for name in ["login-engine", "login-accounts", "login-terminal"]:
        lines += tried(name, [], output(PROGRAMS / name, "--help"))
    files = [("login-engine --flow some", "<--flow><some flow.json>"), ("login-engine flow check some", "<flow><check><some flow.json>"),
             ("login-accounts --outbox a\\ f", "<--outbox><a folder/>"), ("login-accounts --clock sy", "<--clock><system>"),
             ("login-engine demo --acc", "<demo><--acc>")]  # fmt: skip
    for shell, command in [
        ("bash", ["bash", "--rcfile", str(home / ".bashrc"), "-i"]),
        ("zsh", ["zsh", "-d", "-i"]),
        ("fish", ["fish", "-i"]),
    ]:
        session = Shell(command, {**environment, "TERM": "xterm" if shell == "fish" else "dumb"}, home)
        session.type("login-engine ready\r")
        check(f"{shell} starts", session.wait(r"(\{\{<ready>\}\})") is not None, session.text[-500:])
        for line, words in lines + files:
            # A shell that is slow to complete has more time the next time.
            for rest in (0.05, 0.5, 3):
                got = session.completed(line, rest) or ""
                # Shells differ in whether they add the sign before a value, the space after a word, and the slash.
                if right := re.sub(r"[=/]?>$", "", got) == re.sub(r"/?>$", "", words):
                    break
            check(f"{shell} completes {line}", right, f"{got} in place of {words}")
        session.end()


def tried(program: str, path: list[str], text: str) -> list[tuple[str, str]]:
    """Each option and command of a program, with its last letter missing."""
    typed = " ".join([program, *path])
    start = "".join(f"<{word}>" for word in path)
    found = [(f"{typed} {option[:-1]}", f"{start}<{option}>") for option in options_of(text) if fits(text, option, path)]
    below = re.findall(rf"(?m)^(?:Usage:|      ) {re.escape(typed)} \[?([a-z][a-z-]*)\b", text)
    for word in dict.fromkeys(below):
        found.append((f"{typed} {word[:-1]}", f"{start}<{word}>"))
        own = output(PROGRAMS / program, *path, word, "--help")
        found += tried(program, [*path, word], own if own != text else "")
    return found


def fits(text: str, option: str, path: list[str]) -> bool:
    """Whether no other option begins with all but the last letter of this one."""
    return sum(each.startswith(option[:-1]) for each in set(options_of(text))) == 1


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        check_pages(folder / "pages")
        check_shells(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
