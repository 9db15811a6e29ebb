"""Accounts for checks, made with the engine's own commands."""

import subprocess


class Accounts:
    def __init__(self, engine, folder):
        self._engine, self.file = engine, f"{folder}/accounts.sqlite3"

    @property
    def options(self):
        return ["--accounts", self.file, "--hash-cost", "1"]

    def run(self, command, *arguments, given=""):
        return subprocess.run(
            [self._engine, "accounts", command, *arguments, "--file", self.file], input=given, text=True, capture_output=True, check=True).stdout

    def add(self, name, password):
        self.run("add", "--email", f"{name}@example.com", "--user-name", name, "--hash-cost", "1", given=password + "\n")
