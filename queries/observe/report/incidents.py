"""Alerts that came in, as a group: one incident from the first that fires to the last that is resolved."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from storage.ids import JsonValue

#: Alerts of one group that are kept, and characters of one text in them.
MOST_ALERTS, LONGEST = 200, 500


class SentAlert(BaseModel):
    """One alert as Alertmanager's webhook (version 4) sends it; what it holds more is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    status: Literal["firing", "resolved"]
    labels: dict[str, str] = Field(default_factory=dict)
    annotations: dict[str, str] = Field(default_factory=dict)
    startsAt: datetime  # noqa: N815 - Alertmanager's name
    endsAt: datetime | None = None  # noqa: N815 - as above
    fingerprint: str = Field(min_length=1, max_length=128)

    @property
    def once(self) -> str:
        """Return what makes it the same one when it is sent again."""
        return f"{self.fingerprint}:{self.startsAt.isoformat()}:{self.status}"


class SentGroup(BaseModel):
    """A group of alerts as the webhook sends it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    version: Literal["4"]
    groupKey: str = Field(min_length=1, max_length=4_000)  # noqa: N815 - as above
    alerts: list[SentAlert] = Field(min_length=1, max_length=1_000)


@dataclass(frozen=True)
class Alert:
    """An alert, as far as a person is told of it. The labels say where it belongs."""

    fingerprint: str
    name: str
    summary: str
    firing: bool
    starts_at: datetime
    ends_at: datetime | None
    cluster: str = ""
    namespace: str = ""
    app: str = ""
    pod: str = ""


@dataclass(frozen=True)
class Incident:
    """The alerts of a group, newest state of each, and the report that was made of them ("" for none yet)."""

    id: str
    group: str  # digest of Alertmanager's key
    opened_at: datetime
    changed_at: datetime
    alerts: tuple[Alert, ...]
    report_id: str = ""

    @property
    def firing(self) -> tuple[Alert, ...]:
        """Return the alerts that still fire."""
        return tuple(each for each in self.alerts if each.firing)


_ALERTS = TypeAdapter(tuple[Alert, ...])


def alert_of(sent: SentAlert) -> Alert:
    """Return an alert by the labels that Kubernetes' own rules give."""
    labels = sent.labels
    app = next((labels[name] for name in _APP_LABELS if labels.get(name)), "")
    summary = sent.annotations.get("summary") or sent.annotations.get("description") or ""
    return Alert(
        fingerprint=sent.fingerprint,
        name=labels.get("alertname", "")[:LONGEST],
        summary=" ".join(summary.split())[:LONGEST],
        firing=sent.status == "firing",
        starts_at=sent.startsAt,
        ends_at=sent.endsAt if sent.status == "resolved" else None,
        cluster=labels.get("cluster", "")[:63],
        namespace=labels.get("namespace", "")[:63],
        app=app[:253],
        pod=labels.get("pod", "")[:253],
    )


_APP_LABELS = ("app", "app_kubernetes_io_name", "deployment", "statefulset", "daemonset", "service", "job_name")


def alerts_json(alerts: tuple[Alert, ...]) -> JsonValue:
    """Return alerts in the form in which they are kept."""
    kept: JsonValue = _ALERTS.dump_python(alerts, mode="json")
    return kept


def alerts_of(kept: JsonValue) -> tuple[Alert, ...]:
    """Return the alerts behind `alerts_json`."""
    return _ALERTS.validate_python(kept)
