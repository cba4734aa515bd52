"""Events, of the old form and the new: who saw what, how often, from when to when."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from queries.observe.facts.reading import FactOrigin, child, excerpt, moment, number, origin_of, text
from queries.observe.reading import Listed
from queries.observe.report.report import ReportEvidence
from storage.ids import JsonObject

#: How long a cluster keeps events, unless it was set up otherwise.
KEPT = timedelta(hours=1)


@dataclass(frozen=True)
class ClusterEvent:
    """What somebody of the cluster said about an object; the same again is counted."""

    kind: str  # of the object that it is about
    name: str
    uid: str
    part: str  # "spec.containers{web}", or ""
    reason: str
    message: str
    warning: bool
    count: int
    first: datetime | None
    last: datetime | None
    component: str
    origin: FactOrigin

    def cite(self) -> ReportEvidence:
        """Return the event as evidence: its words are untrusted."""
        return ReportEvidence(
            id="",
            source="event",
            object=f"{self.kind}/{self.name}",
            request=self.origin.request,
            field=self.part,
            value=self.origin.object,
            excerpt=excerpt(self.message),
            reason=self.reason,
            count=self.count,
            at=self.last,
            first=self.first,
            last=self.last,
            sha256=self.origin.sha256,
        )

    def is_of(self, container: str) -> bool:
        """Return whether it is about this container of its pod, or about none of them alone."""
        return not self.part or f"{{{container}}}" in self.part


def read_events(listed: Listed) -> tuple[ClusterEvent, ...]:
    """Return the events of a list, oldest first; of the same said again in several objects, each stands."""
    found = [_event(each, listed) for each in listed.objects]
    return tuple(sorted(found, key=lambda each: (each.last is not None, each.last or 0, each.name, each.reason)))


def _event(body: JsonObject, listed: Listed) -> ClusterEvent:
    about = "involvedObject" if child(body, "involvedObject") is not None else "regarding"
    first = moment(body, "firstTimestamp") or moment(body, "deprecatedFirstTimestamp") or moment(body, "eventTime")
    last = (
        moment(body, "series", "lastObservedTime")
        or moment(body, "lastTimestamp")
        or moment(body, "deprecatedLastTimestamp")
        or moment(body, "eventTime")
        or first
        or moment(body, "metadata", "creationTimestamp")
    )
    return ClusterEvent(
        kind=text(body, about, "kind"),
        name=text(body, about, "name"),
        uid=text(body, about, "uid"),
        part=text(body, about, "fieldPath"),
        reason=text(body, "reason"),
        message=text(body, "message") or text(body, "note"),
        warning=text(body, "type") == "Warning",
        count=number(body, "series", "count") or number(body, "count") or number(body, "deprecatedCount") or 1,
        first=first or last,
        last=last,
        component=text(body, "source", "component") or text(body, "reportingComponent"),
        origin=origin_of("Event", body, listed),
    )


def as_seen(event: ClusterEvent, count: int) -> ReportEvidence:
    """Return the event as evidence with a count that several objects give together."""
    return replace(event.cite(), count=count)
