#!/usr/bin/env python3
"""Decides `login` of flows/openid.json with an OpenID provider: on the provider's page (a redirect), or with a code on another device.

Usage: openid_login.py ISSUER CLIENT-ID REDIRECT-URI [--client-secret FILE]    REDIRECT-URI is an address of the view
"""

import argparse
import base64
import functools
import hashlib
import hmac
import re
import secrets
import sys
import time
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import jwt
import requests
from login_engine.authenticator import Authenticator, Failure, accepted, challenge, code, external, link, proof, rejected, screen, text

SCOPE = "openid email profile"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
#: Accepted signatures: by keys that the provider publishes. A shared secret (HS256) or no signature is never accepted.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
SECONDS_TO_LOG_IN = 600


class Untrusted(Exception):
    """A response does not belong to this conversation. The text says why, and contains no received values."""


class Provider:
    def __init__(self, issuer, client, redirect_uri, secret=None):
        self.issuer, self.client, self.redirect_uri, self.secret = issuer, client, redirect_uri, secret

    @functools.cached_property
    def metadata(self):
        """OpenID Connect Discovery 1.0, section 4. Fetched at the first login, and again after a failure."""
        response = requests.get(safe(self.issuer).rstrip("/") + "/.well-known/openid-configuration", timeout=10, allow_redirects=False)
        response.raise_for_status()
        metadata = response.json()
        if metadata.get("issuer") != self.issuer:
            raise Untrusted("the provider has another issuer")
        return metadata

    @functools.cached_property
    def keys(self):
        return jwt.PyJWKClient(safe(self.metadata["jwks_uri"]), timeout=10)

    def page(self, state, nonce, verifier):
        """Returns the address of the provider's login page (OpenID Connect Core 1.0, section 3.1.2.1; PKCE, RFC 7636, section 4)."""
        proof = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {"response_type": "code", "client_id": self.client, "redirect_uri": self.redirect_uri, "scope": SCOPE}
        query |= {"state": state, "nonce": nonce, "code_challenge": proof, "code_challenge_method": "S256"}
        endpoint = safe(self.metadata["authorization_endpoint"])
        return endpoint + ("&" if "?" in endpoint else "?") + urlencode(query)

    def post(self, endpoint, **values):
        """Returns the status and the members of a response; with status 400 it has the `error` (RFC 6749, section 5.2)."""
        credentials = (quote(self.client, ""), quote(self.secret, "")) if self.secret else None
        response = requests.post(
            safe(self.metadata[endpoint]), {"client_id": self.client, **values}, auth=credentials, timeout=10, allow_redirects=False
        )  # fmt: skip
        if response.status_code not in (200, 400, 401):
            raise requests.HTTPError("unexpected status")
        return response.status_code, response.json()

    def accept(self, tokens, nonce=None):
        """Validates the ID token, and accepts the person (OpenID Connect Core 1.0, section 3.1.3.7)."""
        key = self.keys.get_signing_key_from_jwt(tokens["id_token"])
        required = {"require": ["iss", "sub", "aud", "exp", "iat"]}
        claims = jwt.decode(tokens["id_token"], key, ALGORITHMS, required, audience=self.client, issuer=self.issuer, leeway=60)
        if nonce is not None and not same(claims.get("nonce"), nonce):
            raise Untrusted("the nonce does not match")
        if claims.get("azp", self.client) != self.client or isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and "azp" not in claims:
            raise Untrusted("the token is for another party")
        data = {"issuer": self.issuer, **{name: claims[name] for name in ("name", "preferred_username") if name in claims}}
        if claims.get("email_verified") is True:
            data["email"] = claims.get("email")
        # Without auth_time the age of the provider's session is unknown, and the engine would date the proofs as new.
        at, methods = claims.get("auth_time"), claims.get("amr", [])
        is_dated = isinstance(at, int | float) and not isinstance(at, bool) and at >= 0
        names = [name for name in methods if re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name)] if is_dated else []
        return accepted(claims["sub"], data=data, proofs=[proof(name, at) for name in names[:16]] or None, secret=tokens)


def safe(url):
    """Returns an address if it uses TLS or is on this machine."""
    parts = urlsplit(url)
    if parts.scheme != "https" and (parts.scheme, parts.hostname) not in (("http", "localhost"), ("http", "127.0.0.1"), ("http", "::1")):
        raise Untrusted("an address of the provider is not https")
    return url


def same(one, other):
    return isinstance(one, str) and hmac.compare_digest(one.encode(), other.encode())


def by_page(provider):
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    page = external("page", "redirect", "page", {"url": provider.page(state, nonce, verifier)}, required="page.missing")
    links = {"device": "device"} if "device_authorization_endpoint" in provider.metadata else None
    entered = yield challenge(screen("page", "login", page, submit="continue", links=links), expires_in=SECONDS_TO_LOG_IN)
    if entered.action == "device":
        return (yield from by_device(provider))
    value = entered.values["page"]
    if "error" in value:
        return rejected("openid.refused")
    returned = dict(parse_qsl(urlsplit(value["url"]).query))
    if not same(returned.get("state"), state):
        raise Untrusted("the state does not match")
    if "error" in returned:
        return rejected("openid.refused")
    # RFC 9207: do not send another provider's code to this one.
    if "iss" in returned or provider.metadata.get("authorization_response_iss_parameter_supported"):
        if not same(returned.get("iss"), provider.issuer):
            raise Untrusted("the code is from another provider")
    status, answer = provider.post(
        "token_endpoint", grant_type="authorization_code", code=returned.get("code", ""),
        redirect_uri=provider.redirect_uri, code_verifier=verifier,
    )  # fmt: skip
    return provider.accept(answer, nonce) if status == 200 else rejected("openid.refused")


def by_device(provider):
    """Asks for a login on another device: RFC 8628."""
    status, grant = provider.post("device_authorization_endpoint", scope=SCOPE)
    if status != 200:
        return rejected("openid.refused")
    interval, end = grant.get("interval", 5), time.monotonic() + grant["expires_in"]
    page = safe(grant["verification_uri"])
    items = [text("explanation", "device.text"), code("qr", "device.url", safe(grant.get("verification_uri_complete", page)), "qr")]
    items += [link("page", "device.page", page), code("code", "device.code", grant["user_code"])]
    waiting = challenge(screen("device", "login", *items), wait=interval, expires_in=min(grant["expires_in"], 3600))
    while time.monotonic() < end:
        yield waiting
        try:
            status, answer = provider.post("token_endpoint", grant_type=DEVICE_GRANT, device_code=grant["device_code"])
        except requests.ConnectionError:
            interval = min(interval * 2, 60)
        else:
            if status == 200:
                return provider.accept(answer)
            if answer.get("error") == "slow_down":
                interval += 5
            elif answer.get("error") != "authorization_pending":
                return rejected("challengeExpired" if answer.get("error") == "expired_token" else "openid.refused")
        waiting = challenge(wait=interval)
    return rejected("challengeExpired")


def log_in(provider, question):
    try:
        if "redirect" in question.supports or "device_authorization_endpoint" not in provider.metadata:
            return (yield from by_page(provider))
        return (yield from by_device(provider))
    except (requests.RequestException, jwt.PyJWKClientConnectionError) as error:
        print(f"the provider failed: {type(error).__name__}", file=sys.stderr, flush=True)
        raise Failure("providerDown", "The provider cannot be reached.") from None
    except Untrusted as error:
        print(f"refused a login: {error}", file=sys.stderr, flush=True)
    except (jwt.PyJWTError, KeyError, TypeError, ValueError, AttributeError) as error:
        print(f"refused a login: {type(error).__name__}", file=sys.stderr, flush=True)
    return rejected("openid.invalid")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("issuer")
    parser.add_argument("client", help="the client id issued by the provider")
    parser.add_argument("redirect_uri", help="the address to which the provider sends the browser back")
    parser.add_argument("--client-secret", metavar="FILE", help="a file with the client secret, if there is one")
    options = parser.parse_args()
    secret = Path(options.client_secret).read_text().strip() if options.client_secret else None
    provider = Provider(options.issuer, options.client, options.redirect_uri, secret)
    authenticator = Authenticator("OpenID Connect")

    @authenticator.request("login")
    def login(question):
        return (yield from log_in(provider, question))

    authenticator.run()


if __name__ == "__main__":
    main()
