#!/usr/bin/env python3
"""Decides `login` of flows/directory.json with a PAM service. Further prompts, also those for a new password, become challenges.

Usage: pam_login.py SERVICE [--folder FOLDER]    SERVICE is a file of /etc/pam.d, or of FOLDER
"""

import argparse
import re

import libpam
from login_engine.authenticator import Authenticator, Failure, accepted, challenge, field, message, rejected, screen, throttled

#: The message of pam_faillock. PAM has no result code for it, and the text is not translated, because no locale is set.
LOCKED = re.compile(r"account is locked due to \d+ failed logins?\.(?: \((\d+) minutes? left to unlock\))?")
#: Prompts for one-time codes. PAM only passes the text of a prompt, and whether to echo the input.
CODE = re.compile(r"one-time|otp|code|token", re.IGNORECASE)
MAXIMUM_ATTEMPTS = 3


class Dialogue:
    """Answers PAM: the first hidden prompt with the form's password, and all others with the user's input."""

    def __init__(self, question):
        self.question, self.password = question, question.values["password"]
        self.said = []

    def answer(self, style, text):
        text = re.sub(r"[\x00-\x1f\x7f-\x9f\s]+", " ", text).strip()
        if style in (libpam.TEXT_INFO, libpam.ERROR_MSG):
            self.said.append(text)
            # Shown at once, because the module may now wait, for example for a security key to be touched.
            self.question.notify(message(text=text, severity="info" if style == libpam.TEXT_INFO else "warning"))
            return None
        if style == libpam.PROMPT_ECHO_OFF and self.password is not None:
            password, self.password = self.password, None
            return password
        return self.ask(text.rstrip(": "), style == libpam.PROMPT_ECHO_OFF)

    def ask(self, title, secret):
        type = "text" if not secret else "oneTimeCode" if CODE.search(title) else "password"
        said, self.said = " ".join(self.said) or None, []
        prompt = screen("prompt", "login", field("answer", title or "password", type, autofill="one-time-code" if type == "oneTimeCode" else "off"))
        return self.question.ask_blocking(challenge(prompt, notice=said, expires_in=300)).values["answer"]


def log_in(question, service, folder):
    name = question.values["name"]
    if not name or "\0" in name or "\0" in question.values["password"]:
        return rejected("invalidCredentials")
    dialogue, address = Dialogue(question), question.context.get("address")
    with libpam.Transaction(service, name, dialogue.answer, address if isinstance(address, str) else None, folder) as transaction:
        result = transaction.authenticate()
        # A password that the service has not asked for must not answer a later prompt, such as that for a new password.
        dialogue.password = None
        if result == libpam.SUCCESS:
            result = transaction.account()
        if result == libpam.NEW_AUTHTOK_REQD:
            for _ in range(MAXIMUM_ATTEMPTS):
                result = transaction.change_expired()
                if result not in (libpam.AUTHTOK_ERR, libpam.TRY_AGAIN):
                    break
        user = transaction.user
    said = " ".join(dialogue.said)
    if result == libpam.SUCCESS:
        return accepted(user, data={"said": said} if said else None)
    locked = LOCKED.search(said)
    if locked:
        return throttled(60 * int(locked[1])) if locked[1] else rejected("account.locked")
    if result == libpam.ACCT_EXPIRED:
        return rejected("account.expired")
    if result in (libpam.AUTHTOK_ERR, libpam.TRY_AGAIN):
        return rejected("password.refused", message=said or None)
    if result in (libpam.AUTH_ERR, libpam.USER_UNKNOWN, libpam.MAXTRIES, libpam.PERM_DENIED):
        return rejected("invalidCredentials", message=said or None)
    raise Failure("pamUnavailable", "Logging in is not possible now.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("service")
    parser.add_argument("--folder", help="the folder of the service's file (default: /etc/pam.d)")
    options = parser.parse_args()
    authenticator = Authenticator("PAM")

    @authenticator.request("login")
    def login(question):
        return log_in(question, options.service, options.folder)

    authenticator.run()


if __name__ == "__main__":
    main()
