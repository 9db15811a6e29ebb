"""An OpenID provider made of Authlib and Flask: codes with PKCE, the device grant, signed ID tokens. The check can make its responses wrong.

Usage, to try it manually: provider.py PORT    Everyone is ada, and the client secret is in the file client.secret.
"""

import html
import logging
import secrets
import sys
import threading
import time
from pathlib import Path

import flask
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oidc.core import OpenIDCode
from joserfc.jwk import ECKey, KeySet
from werkzeug.serving import make_server

PAGE = """<!doctype html><title>Provider</title><form method="post"><p>Log in as ada? <input name="user_code" value="{user_code}">
<button name="decision" value="yes">Yes</button> <button name="decision" value="no">No</button></form>"""
#: The time of ada's login at the provider: ten minutes ago.
AUTH_TIME = int(time.time()) - 600
CLIENT, SECRET, REDIRECT = "recipe", "the client's secret: %+", "http://localhost:8000/return"


class Client(ClientMixin):
    def get_client_id(self):
        return CLIENT

    def get_default_redirect_uri(self):
        return REDIRECT

    def get_allowed_scope(self, scope):
        return scope

    def check_redirect_uri(self, uri):
        return uri == REDIRECT

    def check_client_secret(self, secret):
        return secrets.compare_digest(secret, SECRET)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_response_type(self, type):
        return type == "code"

    def check_grant_type(self, type):
        return type in ("authorization_code", DEVICE_CODE_GRANT_TYPE, "refresh_token")


class Code(dict):
    """An authorization code: the parameters of the request, and the person who authorized it."""

    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    def get_nonce(self):
        return self["nonce"]

    def get_auth_time(self):
        return AUTH_TIME

    def get_acr(self):
        return None

    def get_amr(self):
        return ["pwd", "otp"]

    code_challenge = property(lambda self: self["code_challenge"])
    code_challenge_method = property(lambda self: self["code_challenge_method"])


class Provider:
    def __init__(self, port=0):
        self.key, self.other_key = ECKey.generate_key("P-256", {"kid": "1"}), ECKey.generate_key("P-256", {"kid": "1"})
        self.nonces, self.codes, self.devices, self.decisions, self.issued, self.polls = set(), {}, {}, {}, [], []
        #: Claims that replace the right ones, the signing key, a change to signed tokens, members of the metadata.
        self.claims, self.signing, self.change, self.metadata, self.slow = {}, self.key, lambda token: token, {}, False
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = make_server("127.0.0.1", port, self.application(), threaded=True)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def save(self, token, request):
        self.issued.append(token)

    def application(self):
        app = flask.Flask("provider")
        app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
        server = AuthorizationServer(app, lambda client: Client() if client == CLIENT else None, self.save)
        code_grant, device_grant, tokens, devices = extensions(self)
        server.register_grant(code_grant, [tokens(require_nonce=True), CodeChallenge(required=True)])
        server.register_grant(device_grant, [tokens()])
        server.register_endpoint(devices)

        @app.get("/.well-known/openid-configuration")
        def metadata():
            paths = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys", "device_authorization_endpoint": "device"}
            endpoints = {name: f"{self.issuer}/{path}" for name, path in paths.items()}
            return {"issuer": self.issuer, **endpoints, **self.metadata}

        @app.get("/keys")
        def keys():
            return KeySet([self.key]).as_dict(private=False)

        @app.get("/moved")
        def moved():
            return flask.redirect("/keys")

        @app.get("/authorize")
        @app.get("/verify")
        def ask():
            return PAGE.format(user_code=html.escape(flask.request.args.get("user_code", ""), quote=True))

        @app.post("/authorize")
        def authorize():
            grant = server.get_consent_grant(end_user="ada")
            return server.create_authorization_response(grant_user="ada" if flask.request.form["decision"] == "yes" else None, grant=grant)

        @app.post("/token")
        def token():
            return server.create_token_response()

        @app.post("/device")
        def device():
            return server.create_endpoint_response(DeviceAuthorizationEndpoint.ENDPOINT_NAME)

        @app.post("/verify")
        def verify():
            self.decisions[flask.request.values["user_code"]] = flask.request.form["decision"] == "yes"
            return "You can close this page."

        return app


def extensions(provider):
    class CodeGrant(AuthorizationCodeGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

        def save_authorization_code(self, code, request):
            payload, data = request.payload, request.payload.data
            members = {name: data.get(name) for name in ("nonce", "code_challenge", "code_challenge_method")}
            provider.nonces.add(data["nonce"])
            provider.codes[code] = Code(redirect_uri=payload.redirect_uri, scope=payload.scope, **members)

        def query_authorization_code(self, code, client):
            return provider.codes.get(code)

        def delete_authorization_code(self, code):
            provider.codes = {name: other for name, other in provider.codes.items() if other is not code}

        def authenticate_user(self, code):
            return "ada"

    class DeviceGrant(DeviceCodeGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

        def query_device_credential(self, device_code):
            return provider.devices.get(device_code)

        def query_user_grant(self, user_code):
            return ("ada", provider.decisions[user_code]) if user_code in provider.decisions else None

        def should_slow_down(self, credential):
            provider.polls.append(time.monotonic())
            slow, provider.slow = provider.slow, False
            return slow

    class Devices(DeviceAuthorizationEndpoint):
        CLIENT_AUTH_METHODS = ["client_secret_basic"]
        INTERVAL, EXPIRES_IN = 1, 300

        def get_verification_uri(self):
            return f"{provider.issuer}/verify"

        def save_device_credential(self, client, scope, data):
            expiry = time.time() + data["expires_in"]
            provider.devices[data["device_code"]] = DeviceCredentialDict(client_id=client, scope=scope, expires_at=expiry, **data)

    class Tokens(OpenIDCode):
        def exists_nonce(self, nonce, request):
            return nonce in provider.nonces

        def resolve_client_private_key(self, client):
            return provider.signing

        def get_client_algorithm(self, client):
            return "ES256"

        def get_encode_header(self, client):
            return {"alg": "ES256", "kid": "1"}

        def get_client_claims(self, client):
            return {"iss": provider.issuer, "aud": CLIENT}

        def generate_user_info(self, user, scope):
            person = {"sub": user, "name": "Ada", "email": "ada@example.com", "email_verified": True}
            return {**person, **provider.claims}

        def encode_id_token(self, token, request):
            return provider.change(super().encode_id_token(token, request))

    return CodeGrant, DeviceGrant, Tokens, Devices


if __name__ == "__main__":
    Path("client.secret").write_text(SECRET)
    print(f"{Provider(int(sys.argv[1])).issuer} {CLIENT} {REDIRECT}", flush=True)
    threading.Event().wait()
