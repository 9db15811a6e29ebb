"""Authenticators for login-engine in a few lines. See the README, "An authenticator".

    from login_engine.authenticator import Authenticator, accepted, rejected

    authenticator = Authenticator("staff directory")

    @authenticator.request("login")
    def login(question):
        if question.values["password"] == "correct horse":
            return accepted(question.values["email"])
        return rejected("invalidCredentials")

    authenticator.run()
"""

from login_engine.authenticator.answers import (
    Answer,
    Failure,
    Message,
    accepted,
    challenge,
    invalid,
    message,
    notice,
    proof,
    rejected,
    throttled,
    valid,
)
from login_engine.authenticator.authenticator import Authenticator, Handler
from login_engine.authenticator.questions import Cancelled, Question
from login_engine.authenticator.screens import code, external, field, link, screen, section, selection, switch, text
from login_engine.authenticator.service import Service

__all__ = [
    "Answer", "Authenticator", "Cancelled", "Failure", "Handler", "Message", "Question", "Service",
    "accepted", "challenge", "code", "external", "field", "invalid", "link", "message", "notice", "proof", "rejected", "screen", "section",
    "selection", "switch", "text", "throttled", "valid",
]  # fmt: skip
