"""Login forms of the program login-engine, for Python. See the README."""

from login_engine.errors import EngineEnded, Refused, SessionClosed
from login_engine.transport import Transport

__all__ = ["EngineEnded", "Refused", "SessionClosed", "Transport"]
