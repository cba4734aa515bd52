"""A certificate authority of the tests, with a server and a client."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Issued:
    """A certificate and its key, as files."""

    certificate: Path
    key: Path


@dataclass(frozen=True)
class Authority:
    """Files of an authority, of a server on loopback that it vouches for, and of a client."""

    ca: Path
    server: Issued
    client: Issued


def made(folder: Path) -> Authority:
    """Make an authority in a folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("tests")
    builder = (
        _builder(name, key)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    )
    ca = folder / "ca.crt"
    ca.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return Authority(ca, _issued(folder, "server", name, key), _issued(folder, "client", name, key))


def _issued(folder: Path, name: str, issuer: x509.Name, authority: ec.EllipticCurvePrivateKey) -> Issued:
    key = ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1")), x509.DNSName("kubernetes")])
    certificate = _builder(_name(name), key).issuer_name(issuer).add_extension(names, critical=False)
    files = Issued(folder / f"{name}.crt", folder / f"{name}.key")
    files.certificate.write_bytes(certificate.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
