"""What incidents have to say in a digest: what fires, and what came and went since the last one."""

from dataclasses import dataclass

from adapters.cards import Text
from features.anatomy.reader import Reader, when
from features.anatomy.sections import DigestAsked, DigestSection, Told
from features.anatomy.texts import one_line, say
from identity.policy import decide
from queries.observe.access.permissions import DIAGNOSE
from queries.observe.report.incidents import Incident
from queries.observe.service import AskedIn, ObserveService

#: Incidents that are named, and how long one is shown.
NAMED, LONGEST = 5, 140


@dataclass(frozen=True)
class IncidentSection:
    """Draws it, of what the whole audience may look at."""

    observe: ObserveService

    def section(self) -> DigestSection:
        """Return the section."""
        return DigestSection("incidents", self._told)

    async def _told(self, asked: DigestAsked) -> Told:
        audience = asked.audience
        if not decide(audience.actor, DIAGNOSE).allowed:
            return Told()
        place = AskedIn(audience.readership)
        found, hidden = await self.observe.incidents_since(audience.actor, asked.since, place)
        lines = [_line(each, asked.reader) for each in found[:NAMED]]
        if len(found) > NAMED:
            lines.append(f"- {say(asked.reader.language, 'diagnosis.digest.more', count=len(found) - NAMED)}")
        return Told(len(found), (Text("\n".join(lines)),) if lines else (), hidden)


def _line(incident: Incident, reader: Reader) -> str:
    alerts = incident.firing or incident.alerts
    names = ", ".join(dict.fromkeys(each.name for each in alerts if each.name))
    state = say(reader.language, "diagnosis.alert.firing" if incident.firing else "diagnosis.alert.resolved")
    what = one_line(" · ".join(filter(None, (names, alerts[0].summary if alerts else ""))), longest=LONGEST)
    return f"- {state}: {what} · {when(incident.opened_at, reader)}"
