"""News by e-mail: a card as a message in plain text and HTML, sent through the company's own server (SMTP).

The Message-ID is made from the key of what is told: after a crash the same message may be sent twice, and most mail
programs show it once.
"""

import asyncio
import hashlib
import smtplib
import ssl
from dataclasses import replace
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from html import escape

from bot.delivery.news import words
from bot.delivery.news.ways import MAIL, Parcel, Ways, parcel_of
from bot.delivery.posts import Renew
from bot.rendering.texts.catalogue import say
from bot.settings import MailSettings
from storage.clock import Clock
from storage.database import Session
from storage.queue.failures import Hopeless
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic

#: Seconds that the server may take to answer, and tries before the next way is taken (about 20 minutes).
ANSWER_S, TRIES = 20.0, 10
#: Longest subject, in characters.
SUBJECT_CHARS = 150


class Mailer:
    """Sends what people are told to their e-mail address."""

    def __init__(self, config: MailSettings, clock: Clock, *, ways: Ways, renew: Renew, public_url: str) -> None:
        self._config = config
        self._clock = clock
        self._ways = ways
        self._renew = renew
        self._public_url = public_url

    @property
    def topic(self) -> Topic:
        """Return the topic of e-mails."""
        return Topic(self.send, timeout_s=3 * ANSWER_S, max_failures=TRIES, gave_up=self.gave_up)

    async def send(self, item: WorkItem) -> Ending | None:
        """Send one e-mail; raise `Hopeless` when its address is refused for good."""
        parcel = parcel_of(item)
        card = await self._renew(parcel, platform=MAIL)
        if isinstance(card, Ending):
            return card
        message = self.message(replace(parcel, card=card))
        try:
            await asyncio.to_thread(_sent, self._config, message)
        except smtplib.SMTPRecipientsRefused as refused:
            code, answer = next(iter(refused.recipients.values()))
            raise _failure(code, answer) from refused
        except smtplib.SMTPAuthenticationError as refused:
            raise ConnectionError("the mail server does not take the name and password") from refused
        except smtplib.SMTPResponseException as refused:
            raise _failure(refused.smtp_code, refused.smtp_error) from refused
        return None

    def gave_up(self, item: WorkItem, error: Exception) -> Ending:
        """Let it go on by the next way."""

        async def goes_on(session: Session) -> None:
            await self._ways.fall(session, parcel_of(item), way=MAIL, reason=str(error) or type(error).__name__)

        return Ending("dead", effects=goes_on)

    def message(self, parcel: Parcel) -> EmailMessage:
        """Return a parcel as an e-mail."""
        card, message = parcel.card, EmailMessage()
        domain = parseaddr(self._config.sender)[1].rpartition("@")[2] or "localhost"
        identity = hashlib.sha256(f"{parcel.key}:{parcel.person}".encode()).hexdigest()[:40]
        message["From"] = self._config.sender
        message["To"] = parcel.email
        message["Subject"] = " ".join(card.fallback.split())[:SUBJECT_CHARS]
        message["Date"] = format_datetime(self._clock.now())
        message["Message-ID"] = f"<{identity}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"  # no holiday reply comes back
        settings = f"{self._public_url}/settings"
        why = say(card.language, "notice.mail_why")
        text = words.lines(card, self._public_url)
        message.set_content("\n".join([*text, "", "-- ", why, settings, ""]))
        body = words.html(card, self._public_url)
        foot = f'<hr><p><small>{escape(why)} <a href="{escape(settings)}">{escape(settings)}</a></small></p>'
        message.add_alternative(
            f'<!doctype html><html lang="{card.language}"><body>{body}{foot}</body></html>', subtype="html"
        )
        message["Content-Language"] = "zh-Hans" if card.language == "zh" else "en"  # writing the content clears it
        return message


def _sent(config: MailSettings, message: EmailMessage) -> None:
    """Hand a message to the server; blocks, so it runs in a thread."""
    trusted = ssl.create_default_context(cafile=str(config.ca_file) if config.ca_file else None)
    if config.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(config.host, config.port, timeout=ANSWER_S, context=trusted)
    else:
        server = smtplib.SMTP(config.host, config.port, timeout=ANSWER_S)
    with server:
        if config.security == "starttls":
            server.starttls(context=trusted)
        if config.username:
            server.login(config.username, config.password.get_secret_value())
        server.send_message(message)


def _failure(code: int, answer: bytes | str) -> Exception:
    """Return what an answer of the server means: 5xx is for good, anything else may pass."""
    said = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    reason = f"the mail server answered {code}: {said}"
    return Hopeless(reason) if code >= 500 else ConnectionError(reason)
