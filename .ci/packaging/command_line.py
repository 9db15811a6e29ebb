"""Parses the programs' `--help`. Manual pages and completions are generated from it alone."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Option:
    name: str
    value: str  # the value's name in the help, empty without a value
    text: str

    @property
    def choices(self) -> list[str]:
        """The words that the value may be; empty if it may be anything."""
        words = self.value.partition("[")[0].split("|")
        return words if all(re.fullmatch(r"[a-z-]+", word) for word in words) else []

    def belongs_to(self, command: str, commands: list[str]) -> bool:
        """Whether the command takes the option: a text may begin with the commands that do."""
        named = re.match(r"((?:[a-z-]+, )*[a-z-]+): ", self.text)
        owners = named.group(1).split(", ") if named else []
        return not set(owners) <= set(commands) or not owners or command in owners


@dataclass
class Command:
    """A program, one of its subcommands, or a command of one of those."""

    words: list[str]
    help: str
    summary: str = ""
    usages: list[tuple[str, str]] = field(default_factory=list)  # how it is written, and what it does
    blocks: list[tuple[str, str]] = field(default_factory=list)  # ("text" | "display", what it says)
    options: list[Option] = field(default_factory=list)
    exit_status: str = ""
    commands: list[Command] = field(default_factory=list)

    @property
    def name(self) -> str:
        return " ".join(self.words)

    def operands(self) -> str:
        """The operands of its first usage."""
        usage = self.usages[0][0] if self.usages else ""
        return re.sub(r"\[[^]]*--?[^]]*\]|\[OPTION \.\.\.\]|--\S+ \S+", "", usage.removeprefix(self.name)).strip()


def read(program: Path, words: list[str], parent: Command | None = None) -> Command:
    """Reads the help of a program, or of a command of it, and of all commands below."""
    text = subprocess.run([program, *words[1:], "--help"], check=True, capture_output=True, text=True).stdout
    command = Command(words, text)
    _parse(command, text)
    if parent:
        told = [summary for usage, summary in parent.usages if usage.startswith(command.name) and summary]
        command.summary = command.summary or (told[0] if told else "")
    if not command.options:
        raise SystemExit(f"{command.name} --help shows no option: has its form changed?")
    seen: list[str] = []
    for usage, _ in command.usages:
        rest = usage.split()[len(words) :]
        word = rest[0].strip("[]") if rest and usage.startswith(command.name + " ") else ""
        if not re.fullmatch(r"[a-z][a-z-]*", word) or word in seen:
            continue
        seen.append(word)
        below = [*words, word]
        # A command without its own help prints its parent's, or refuses --help.
        asked = subprocess.run([program, *below[1:], "--help"], capture_output=True, text=True)
        if asked.returncode == 0 and asked.stdout != text:
            command.commands.append(read(program, below, command))
        else:
            lines = [(u, s) for u, s in command.usages if re.match(rf"{re.escape(command.name)} \[?{word}\b(?!-)", u)]
            own = [option for option in command.options if option.belongs_to(word, [])]
            command.commands.append(Command(below, text, lines[0][1], lines, [], own))
    names = [each.words[-1] for each in command.commands]
    for each in command.commands:
        if each.help == text:
            each.options = [option for option in command.options if option.belongs_to(each.words[-1], names)]
    return command


def _parse(command: Command, text: str) -> None:
    lines = text.split("\n")
    title = re.fullmatch(rf"{re.escape(command.name)}: (.*)\.", lines[0])
    if title:
        # A second sentence of the first line belongs to the text.
        command.summary = title.group(1)
        lines = lines[1:]
    option: Option | None = None
    part: list[str] = []
    kind = ""

    def end() -> None:
        nonlocal part
        if kind and part:
            # A line that ends with a sentence stays a line.
            said = "\n".join(part) if kind == "display" else re.sub(r"(?<!\.)\n", " ", "\n".join(part))
            if said.startswith("Exit status: "):
                command.exit_status = said.removeprefix("Exit status: ").replace("\n", " ")
            elif said != "Options:":
                command.blocks.append((kind, said))
        part = []

    in_usage = False
    for line in lines:
        if line.startswith("Usage: ") or in_usage and line.startswith("       "):
            end()
            in_usage, option = True, None
            usage, _, summary = line[7:].strip().partition("  ")
            command.usages.append((usage, summary.strip()))
            continue
        in_usage = False
        head = re.fullmatch(r"  (--[a-z].*?)(?:  +(.*))?", line)
        if head:
            end()
            for each in head.group(1).split(", "):
                name, _, value = each.partition(" ")
                option = Option(name, value, head.group(2) or "")
                command.options.append(option)
        elif option and line.startswith("        "):
            option.text = f"{option.text} {line.strip()}".strip()
        elif not line.strip():
            end()
            option = None
        else:
            option = None
            now = "display" if line.startswith("  ") else "text"
            if now != kind:
                end()
            kind = now
            part.append(line if now == "display" else line.strip())
    end()


def programs(folder: Path) -> list[Command]:
    """The programs of the packages, all of whose command lines are documented."""
    return [read(folder / name, [name]) for name in ("login-engine", "login-accounts", "login-terminal")]
