"""Creates accounts for the checks with login-accounts, which is in the engine's folder."""

import pathlib
import subprocess


class Accounts:
    def __init__(self, engine, folder):
        self._program, self.file = str(pathlib.Path(engine).with_name("login-accounts")), f"{folder}/accounts.sqlite3"

    @property
    def options(self):
        return ["--authenticator", f"login-accounts --file '{self.file}' --hash-cost 1"]

    def run(self, command, *arguments, given=""):
        return subprocess.run(
            [self._program, command, *arguments, "--file", self.file], input=given, text=True, capture_output=True, check=True).stdout

    def add(self, name, password):
        self.run("add", "--email", f"{name}@example.com", "--user-name", name, "--hash-cost", "1", given=password + "\n")
