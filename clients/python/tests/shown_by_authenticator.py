"""An authenticator for the views' tests: the password determines the answer."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from urllib.parse import quote

from login_engine.authenticator import (
    Answer,
    Authenticator,
    Question,
    accepted,
    challenge,
    code,
    external,
    field,
    link,
    message,
    rejected,
    screen,
    section,
    selection,
    switch,
    text,
    throttled,
)

authenticator = Authenticator("for views")
CODE = screen(
    "code", "One more step", field("code", "Code", "oneTimeCode", required="Enter the code.", hint="Six digits, from your app."),
    links={"resend": "Send it again"}, submit="Check",
)  # fmt: skip
EVERYTHING = screen(
    "all", "About you",
    section(
        "person", text("why", "We ask once. You can change all of this later, in the settings.", emphasis="subdued"),
        field("name", "Your name", placeholder="Ada Lovelace", hint="As it stands in your passport.", required="Enter your name."),
        field("born", "Date of birth", "date"), selection("town", "Town", {"a": "Graz", "b": "Linz", "c": "Wien"}),
        switch("terms", "I have read the terms", required="Read the terms first."), link("read", "Terms of use", "https://example.com/terms"),
    ),
    section(
        "device", code("key", "Scan this with your app", "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP", "qr"),
        code("number", "Device code", "WDJB-MJHT"), external("map", "place", "Map", otherwise=[text("map", "Here would be a map.")]),
        title="Another device",
    ),
    submit="Go on",
)  # fmt: skip


@authenticator.request("login")
def login(question: Question) -> Generator[Answer, Question, Answer]:
    match question.values["password"]:
        case "horse" | "correct horse":
            time.sleep(0.2)
            return accepted("ada", data={"asked": question.locale})
        case "code":
            answer = yield challenge(CODE)
            while answer.action or answer.values["code"] != "123456":
                again = message("sent", "We have sent another code.", severity="success")
                answer = yield challenge(notice=again) if answer.action else challenge(error=message("wrong", "That is not the code."))
            return accepted("ada")
        case "all":
            answer = yield challenge(EVERYTHING)
            return accepted("ada", data=dict(answer.values))
        case "page":
            url = f"{sys.argv[1]}?back={quote(question.context['return'])}"
            page = external("page", "redirect", "Go to your provider", {"url": url}, required="Go to your provider first.")
            answer = yield challenge(screen("elsewhere", "Elsewhere", page, submit="Go on"))
            return accepted("ada", data={"added": answer.values["page"]["url"].partition("?")[2]})
        case "wait":
            polls = 0
            phone = screen("phone", "Approve it on your phone", text("how", "Open the app and compare the number."), code("n", "Number", "42"))
            while polls < 8:
                answer = yield challenge(phone if polls == 0 else None, wait=0.25)
                polls += answer.poll
            return accepted("ada")
        case "late":
            return throttled(3, message("throttled", "Too many tries."))
    return rejected("invalidCredentials")


if __name__ == "__main__":
    authenticator.run()
