"""The accounts, with their passwords and passkeys. Kept in memory: a real service has a database."""

import hashlib
import hmac
import os
from dataclasses import dataclass, field


def hash_password(password, salt):
    return hashlib.scrypt(password.encode(), salt=salt, n=1 << 14, r=8, p=5)


@dataclass
class Account:
    email: str
    password: str | None = field(repr=False)
    id: bytes = field(default_factory=lambda: os.urandom(32))
    passkeys: dict = field(default_factory=dict)

    def __post_init__(self):
        self._salt = os.urandom(16)
        self._hash = hash_password(self.password or "", self._salt)
        self._has_password, self.password = self.password is not None, None

    def accepts(self, password):
        return hmac.compare_digest(hash_password(password, self._salt), self._hash) and self._has_password


class Accounts:
    def __init__(self):
        self._accounts = {}
        # A decoy account, for which a check takes as long as for any other, and always fails.
        self._nobody = Account("", None)

    def has(self, email):
        return email.lower() in self._accounts

    def find(self, email):
        return self._accounts.get(email.strip().lower(), self._nobody)

    def add(self, account):
        self._accounts[account.email.lower()] = account

    def has_passkey(self, id):
        return any(id in account.passkeys for account in self._accounts.values())
