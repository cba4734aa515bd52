"""A mail server and a receiver of webhooks on loopback: they keep what they are given, or refuse it."""

import email
import email.policy
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.fakes import certificates

SECRET = "a secret of sixteen or more"


@dataclass
class Mailbox:
    """A mail server's handler; `settings` lead the desk to it. What it was offered is counted, taken or not.

    `answer` is said to the address, `receipt` to the message: what it keeps all the same may be sent again.
    """

    answer: str = "250 OK"
    receipt: str = "250 OK"
    offered: int = 0
    got: list[EmailMessage] = field(default_factory=list)
    settings: Mapping[str, object] = field(default_factory=dict)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        self.offered += 1
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        del server, session
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.got.append(message)
        return self.receipt


@contextmanager
def mail_server(folder: Path, *, login: tuple[str, str] | None = None) -> Iterator[Mailbox]:
    """Run a mail server that demands STARTTLS, and a name with its password where there is one."""

    def knows(_server: SMTP, _session: Session, _envelope: Envelope, _how: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=login == (given.login.decode(), given.password.decode()))

    folder.mkdir()
    certificate, key = certificates.make(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    box = Mailbox(
        settings={"host": "127.0.0.1", "port": port, "sender": "Desk <desk@example.com>", "ca_file": certificate}
    )
    server = Controller(
        box,
        hostname="127.0.0.1",
        port=port,
        tls_context=context,
        require_starttls=True,
        authenticator=knows,
        auth_required=login is not None,
    )
    server.start()
    yield box
    server.stop()


@dataclass
class Received:
    """What a receiver of webhooks was given, with the headers; `status` is its answer."""

    status: int = 204
    got: list[tuple[Mapping[str, str], bytes]] = field(default_factory=list)
    settings: Mapping[str, object] = field(default_factory=dict)


@contextmanager
def webhook_receiver() -> Iterator[Received]:
    """Run a receiver of webhooks."""
    received = Received()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.got.append((dict(self.headers), body))
            self.send_response(received.status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    received.settings = {"url": f"http://127.0.0.1:{server.server_port}/news", "secret": SECRET}
    yield received
    server.shutdown()
    server.server_close()
    thread.join()
