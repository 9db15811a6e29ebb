"""An authenticator that accepts every request without input, and grants a secret. The argument is the delay of its answers in seconds."""

from __future__ import annotations

import sys
import time

from login_engine.authenticator import Answer, Authenticator, Question, accepted

authenticator = Authenticator("knows everybody")


@authenticator.request("known")
def known(question: Question) -> Answer:
    time.sleep(float(sys.argv[1]))
    return accepted("ada", data={"shift": "nîght"}, proofs=["swk"], secret={"token": "t0ken"})


authenticator.run()
