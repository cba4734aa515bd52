"""Every incident of our own."""

from collections.abc import Iterable
from pathlib import Path

from evals.diagnosis.composed import (
    brewery,
    dependencies,
    depot,
    ferry,
    foundry,
    funicular,
    harbour,
    observatory,
    placing,
    quarry,
    running,
)
from evals.diagnosis.foreign import airline, bank, hotel, quiet
from evals.diagnosis.games import arena, finals, league, newsroom, printing
from evals.diagnosis.incidents import afresh, held_out, known, mixed, runtimes, serving, starting, states, telling
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.railway import signals, station, yard
from evals.diagnosis.unseen import (
    aquarium,
    bakery,
    cinema,
    clinic,
    cooperage,
    hospice,
    lighthouse,
    orchard,
    reef,
    tower,
    vineyard,
    ward,
)

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
    *dependencies.INCIDENTS,
    *placing.INCIDENTS,
    *running.INCIDENTS,
    *depot.INCIDENTS,
    *observatory.INCIDENTS,
    *harbour.INCIDENTS,
    *foundry.INCIDENTS,
    *quarry.INCIDENTS,
    *funicular.INCIDENTS,
    *brewery.INCIDENTS,
    *ferry.INCIDENTS,
    *cinema.INCIDENTS,
    *tower.INCIDENTS,
    *aquarium.INCIDENTS,
    *reef.INCIDENTS,
    *orchard.INCIDENTS,
    *bakery.INCIDENTS,
    *lighthouse.INCIDENTS,
    *clinic.INCIDENTS,
    *ward.INCIDENTS,
    *hospice.INCIDENTS,
    *vineyard.INCIDENTS,
    *cooperage.INCIDENTS,
    *bank.INCIDENTS,
    *airline.INCIDENTS,
    *quiet.INCIDENTS,
    *hotel.INCIDENTS,
    *station.INCIDENTS,
    *signals.INCIDENTS,
    *yard.INCIDENTS,
    *arena.INCIDENTS,
    *league.INCIDENTS,
    *newsroom.INCIDENTS,
    *printing.INCIDENTS,
    *finals.INCIDENTS,
)


def write_incidents(root: Path, names: Iterable[str] = ()) -> None:
    """Write each incident as a folder of the form that `dutydesk eval diagnosis --cases` reads; no names: all."""
    chosen = set(names)
    for each in INCIDENTS:
        if not chosen or each.name in chosen:
            folder = root / each.name
            each.world().write(folder, whole=each.whole)
            (folder / "expected.yaml").write_text(each.expected(), encoding="utf-8")
