"""Every incident of our own: those of the product, and those that only the tests have."""

from evals.diagnosis.incidents import book
from evals.diagnosis.incidents.incident import MadeUpIncident
from tests.incidents.composed import (
    brewery,
    dependencies,
    depot,
    foundry,
    funicular,
    harbour,
    observatory,
    placing,
    quarry,
    running,
)
from tests.incidents.foreign import airline, bank, hire, hotel, quiet
from tests.incidents.games import arena, ceramics, finals, league, newsroom, printing
from tests.incidents.railway import signals, station
from tests.incidents.unseen import (
    aquarium,
    bakery,
    cinema,
    clinic,
    hospice,
    lighthouse,
    orchard,
    reef,
    tower,
    vineyard,
    ward,
)

INCIDENTS: tuple[MadeUpIncident, ...] = (
    *book.INCIDENTS,
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
    *bank.INCIDENTS,
    *airline.INCIDENTS,
    *quiet.INCIDENTS,
    *hotel.INCIDENTS,
    *hire.INCIDENTS,
    *hire.HELD,
    *station.INCIDENTS,
    *signals.INCIDENTS,
    *arena.INCIDENTS,
    *league.INCIDENTS,
    *newsroom.INCIDENTS,
    *printing.INCIDENTS,
    *finals.INCIDENTS,
    *ceramics.INCIDENTS,
)


def named(*names: str) -> tuple[MadeUpIncident, ...]:
    """Return the incidents of these names."""
    by_name = {each.name: each for each in INCIDENTS}
    return tuple(by_name[each] for each in names)
