"""Every incident that comes with the product."""

from collections.abc import Iterable
from pathlib import Path

from evals.diagnosis.composed import cooperage, ferry, rarer
from evals.diagnosis.incidents import afresh, held_out, known, mixed, runtimes, serving, starting, states, telling
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.railway import yard

INCIDENTS: tuple[MadeUpIncident, ...] = (
    *known.INCIDENTS,
    *held_out.INCIDENTS,
    *starting.INCIDENTS,
    *serving.INCIDENTS,
    *telling.INCIDENTS,
    *mixed.INCIDENTS,
    *runtimes.INCIDENTS,
    *states.INCIDENTS,
    *afresh.INCIDENTS,
    *ferry.INCIDENTS,
    *cooperage.INCIDENTS,
    *yard.INCIDENTS,
    *rarer.INCIDENTS,
)


def write_incidents(root: Path, incidents: Iterable[MadeUpIncident]) -> None:
    """Write each incident as a folder of the form that `dutydesk eval diagnosis --cases` reads."""
    for each in incidents:
        folder = root / each.name
        each.world().write(folder, whole=each.whole)
        (folder / "expected.yaml").write_text(each.expected(), encoding="utf-8")
