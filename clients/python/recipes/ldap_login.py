#!/usr/bin/env python3
"""Decides `login` of flows/directory.json with an LDAP directory: finds the entry of the typed name, and binds as this entry.

Usage: ldap_login.py URI BASE [OPTION ...]    URI is ldap://HOST (always with StartTLS), ldaps://HOST or ldapi://SOCKET
"""

import argparse
import contextlib
import datetime
import ssl
import sys
from pathlib import Path

import ldap3
from ldap3.core.exceptions import LDAPException
from ldap3.utils.conv import escape_filter_chars
from login_engine.authenticator import Authenticator, Failure, accepted, challenge, field, rejected, screen, throttled
from pyasn1.codec.ber import decoder
from pyasn1.type import namedtype, tag, univ

SUCCESS, SIZE_LIMIT_EXCEEDED, INVALID_CREDENTIALS = 0, 4, 49

# draft-behera-ldap-password-policy-11, section 6: what a directory reports about a password.
POLICY = "1.3.6.1.4.1.42.2.27.8.5.1"
EXPIRED, LOCKED, CHANGE_AFTER_RESET = 0, 1, 2
REFUSALS = {3: "password.fixed", 5: "password.weak", 6: "password.tooShort", 7: "password.tooYoung", 8: "password.used"}


def _tagged(number, type=univ.Integer, form=tag.tagFormatSimple):
    return type().subtype(implicitTag=tag.Tag(tag.tagClassContext, form, number))


class _Warning(univ.Choice):
    componentType = namedtype.NamedTypes(namedtype.NamedType("secondsLeft", _tagged(0)), namedtype.NamedType("graceLogins", _tagged(1)))


class _PolicyResponse(univ.Sequence):
    componentType = namedtype.NamedTypes(
        namedtype.OptionalNamedType(
            "warning", _Warning().subtype(explicitTag=tag.Tag(tag.tagClassContext, tag.tagFormatConstructed, 0))
        ),
        namedtype.OptionalNamedType("error", _tagged(1, univ.Enumerated)),
    )


def policy(connection):
    """Returns the policy response: the name of a warning and the number of an error, each `None` if absent."""
    control = (connection.result.get("controls") or {}).get(POLICY)
    if control is None:
        return None, None
    response, _ = decoder.decode(control["value"], asn1Spec=_PolicyResponse())
    warning, error = response["warning"], response["error"]
    return warning.getName() if warning.isValue else None, int(error) if error.isValue else None


NEW_PASSWORD = screen(
    "newPassword", "password.change",
    field("password", "password.new", "newPassword", required="password.missing", autofill="new-password"),
    field("again", "password.again", "newPassword", autofill="new-password",
          rules=[{"rule": "equalTo", "item": "password", "message": "password.different"}]),
    submit="password.change",
)  # fmt: skip


class Directory:
    def __init__(self, options):
        self.options = options
        self.trust = ldap3.Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=options.ca, version=ssl.PROTOCOL_TLS_CLIENT)
        self.reader_password = Path(options.reader_password).read_text().rstrip("\n") if options.reader_password else None

    @contextlib.contextmanager
    def connection(self, dn=None, password=None):
        """Returns a connection that is not bound yet."""
        # A new server object each time: ldap3 does not retry an address for five minutes after a failure.
        server = ldap3.Server(self.options.uri, tls=self.trust, connect_timeout=5, get_info=ldap3.NONE)
        connection = ldap3.Connection(server, dn, password, auto_bind=ldap3.AUTO_BIND_NONE, auto_referrals=False, receive_timeout=10)
        try:
            connection.open(read_server_info=False)
            if self.options.uri.startswith("ldap:") and not connection.start_tls(read_server_info=False):
                raise LDAPException("no StartTLS")
            yield connection
        finally:
            with contextlib.suppress(LDAPException):
                connection.unbind()

    def search(self, base, filter, scope):
        """Returns at most two entries, read as the account that may search."""
        with self.connection(self.options.reader, self.reader_password) as reader:
            found = reader.bind() and reader.search(
                base, filter, scope, attributes=["uid", "cn", "mail", "pwdAccountLockedTime"], size_limit=2
            )  # fmt: skip
            if not found and reader.result["result"] not in (SUCCESS, SIZE_LIMIT_EXCEEDED):
                raise LDAPException(reader.result["description"])
            return [entry for entry in reader.response if entry["type"] == "searchResEntry"]

    def find(self, name):
        """Returns the entry that has the name, unless several have it."""
        filter = self.options.filter.replace("{name}", escape_filter_chars(name))
        entries = self.search(self.options.base, filter, ldap3.SUBTREE)
        return entries[0] if len(entries) == 1 else None

    def locked(self, dn):
        """Returns the answer for an account that is locked: by an administrator, or temporarily after too many wrong passwords."""
        entries = self.search(dn, "(objectClass=*)", ldap3.BASE)
        since = first(entries[0], "pwdAccountLockedTime") if entries else None
        if self.options.lockout == 0 or since == "000001010000Z":
            return rejected("account.locked")
        if since is None:
            return throttled(self.options.lockout)
        begin = datetime.datetime.strptime(since[:14], "%Y%m%d%H%M%S").replace(tzinfo=datetime.UTC)
        passed = (datetime.datetime.now(datetime.UTC) - begin).total_seconds()
        return throttled(min(max(self.options.lockout - passed, 1), self.options.lockout))


def first(entry, attribute):
    values = entry["attributes"].get(attribute)
    return (values[0] if isinstance(values, list) else values) if values else None


def log_in(directory, question):
    name, password = question.values["name"], question.values["password"]
    # A bind with a DN and no password succeeds: it is anonymous (RFC 4513, section 5.1.2).
    if not name or not password:
        return rejected("invalidCredentials")
    entry = directory.find(name)
    # For an unknown name the directory gets the same requests, for an entry that cannot be bound to.
    dn = entry["dn"] if entry else directory.options.decoy
    with directory.connection(dn, password) as person:
        bound = person.bind(controls=[(POLICY, False, None)])
        warning, error = policy(person)
        if entry is None or not bound:
            if entry and error == LOCKED:
                return directory.locked(dn)
            if entry and error == EXPIRED:
                return rejected("password.expired")
            if person.result["result"] != INVALID_CREDENTIALS:
                raise LDAPException(person.result["description"])
            return rejected("invalidCredentials")
        if error == CHANGE_AFTER_RESET or warning == "graceLogins":
            refused = None
            while True:
                entered = yield challenge(NEW_PASSWORD, error=refused, expires_in=300)
                # RFC 3062, as the person, so that the directory's rules for passwords apply.
                if person.extend.standard.modify_password(dn, password, entered.values["password"], controls=[(POLICY, False, None)]):
                    break
                refused = REFUSALS.get(policy(person)[1], "password.refused")
                refused = {"code": refused}
    person = {"dn": dn, "name": first(entry, "cn"), "email": first(entry, "mail")}
    return accepted(first(entry, "uid") or name, proofs=["pwd"], data={key: value for key, value in person.items() if value})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("uri")
    parser.add_argument("base", help="the DN below which the accounts are")
    parser.add_argument("--ca", metavar="FILE", help="trusted certificates (default: the system's)")
    parser.add_argument("--filter", default="(&(objectClass=person)(|(uid={name})(mail={name})))", help="default: %(default)s")
    parser.add_argument("--reader", metavar="DN", help="the DN to search as (default: anonymous)")
    parser.add_argument("--reader-password", metavar="FILE", help="a file with the reader's password")
    parser.add_argument("--lockout", metavar="SECONDS", type=int, default=900, help="the policy's pwdLockoutDuration (default: %(default)s)")
    parser.add_argument("--decoy", metavar="DN", help="the entry to bind as for unknown names (default: uid=nobody below BASE)")
    options = parser.parse_args()
    if not options.uri.startswith(("ldap://", "ldaps://", "ldapi://")):
        parser.error("URI has to begin with ldap://, ldaps:// or ldapi://")
    options.decoy = options.decoy or f"uid=nobody,{options.base}"
    directory = Directory(options)
    authenticator = Authenticator("LDAP")

    @authenticator.request("login")
    def login(question):
        try:
            return (yield from log_in(directory, question))
        except (LDAPException, ssl.SSLError) as error:
            print(f"the directory fails: {type(error).__name__}", file=sys.stderr, flush=True)
            raise Failure("directoryDown", "The directory cannot be reached.") from None

    authenticator.run()


if __name__ == "__main__":
    main()
