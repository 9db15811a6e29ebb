"""Python views and authenticators for the program login-engine. See the README."""

from login_engine.engine import Change, Engine, Session, Submitted
from login_engine.errors import EngineEnded, Refused, SessionClosed, Unavailable
from login_engine.form import CommandsDiffer, Form
from login_engine.transport import Transport

__all__ = [
    "Change", "CommandsDiffer", "Engine", "EngineEnded", "Form", "Refused", "Session", "SessionClosed", "Submitted", "Transport", "Unavailable",
]  # fmt: skip
