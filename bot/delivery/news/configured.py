"""How news go out by e-mail and by webhook, as the settings have it: each change of it stands in the audit."""

import hmac
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.settings import MailSettings, WebhookSettings
from features.anatomy.schedules import Job
from identity.actor import local_operator, system_actor
from identity.audit import AuditTrail, record
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject
from storage.queue.schedules import Every

#: Seconds between two looks; a start with other settings is seen by the next one.
EVERY_S = 60.0
ACTION = "news.configure"
_SHORT = 12


@dataclass(frozen=True)
class ConfiguredNews:
    """Writes down what the settings say of both ways whenever it is other than what was written down last."""

    database: Database
    clock: Clock
    audit: AuditTrail
    mail: MailSettings
    webhook: WebhookSettings
    #: The desk's own key, with which a password is told from another and cannot be guessed from what stands here.
    key: bytes

    @property
    def job(self) -> Job:
        """Return the work by the clock."""
        return Job("note the ways of news", Every(EVERY_S), self.note)

    async def note(self) -> None:
        """Write down a change: of passwords and keys that they are others, of the webhook's address its host alone."""
        last = await self.audit.entries(local_operator(), limit=1, action=ACTION)
        was = last[0].detail.get("after") if last else {"mail": None, "webhook": None}
        will = self._as_json()
        if was == will:
            return
        async with self.database.transaction() as session:
            await record(
                session,
                actor=system_actor("settings"),
                action=ACTION,
                resource="news",
                allowed=True,
                reason="configured",
                outcome="done",
                detail={"before": was, "after": will},
                now=self.clock.now(),
            )

    def _as_json(self) -> JsonObject:
        mail = self.mail.model_dump(mode="json", exclude={"password"})
        mail["mark"] = self._told_apart(self.mail.password.get_secret_value())
        url = self.webhook.url
        host = urlsplit(url).netloc.rpartition("@")[2]
        key = self._told_apart(self.webhook.secret.get_secret_value())
        hook = {"host": host, "address": self._told_apart(url), "mark": key}
        return {"mail": mail if self.mail.host else None, "webhook": hook if url else None}

    def _told_apart(self, secret: str) -> str:
        """Return a mark that another secret has another of; "" for none."""
        return hmac.new(self.key, secret.encode(), "sha256").hexdigest()[:_SHORT] if secret else ""
