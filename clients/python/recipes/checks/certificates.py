"""Creates a certificate authority and a server certificate for a check."""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def make_certificates(folder, host):
    """Writes ca.pem, server.pem and server.key."""
    authority, server = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    certify(folder / "ca.pem", "authority of a check", authority.public_key(), "authority of a check", authority, x509.BasicConstraints(True, 0))
    names = x509.SubjectAlternativeName([x509.DNSName(host)])
    certify(folder / "server.pem", host, server.public_key(), "authority of a check", authority, names)
    key = server.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "server.key").touch(mode=0o600)
    (folder / "server.key").write_bytes(key)


def certify(file, subject, key, issuer, issuer_key, extension):
    now, hour = datetime.datetime.now(datetime.UTC), datetime.timedelta(hours=1)
    names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in (subject, issuer)]
    builder = x509.CertificateBuilder(names[1], names[0], key, x509.random_serial_number(), now - hour, now + hour)
    certificate = builder.add_extension(extension, critical=isinstance(extension, x509.BasicConstraints)).sign(issuer_key, hashes.SHA256())
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
