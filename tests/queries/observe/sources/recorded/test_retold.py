"""What the sources told a run, kept and told again: the same report comes of it, and no secret is kept."""

import zlib
from operator import attrgetter
from pathlib import Path

import pytest

from evals.diagnosis.folders import folders
from evals.diagnosis.incidents.book import write_incidents
from evals.diagnosis.incidents.incident import MadeUpIncident
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.report.compared import compared
from queries.observe.sources.limited import Breakers, limited
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.faults import Faults
from queries.observe.sources.recorded.retold import AnswerKeeper, retelling
from storage.clock import SystemClock
from tests.incidents.book import INCIDENTS, named
from tests.scale import SCALE

HIDDEN = ("AKIAQ7EXAMPLE7Q7Q7Q7", "ghp_Zx81EXAMPLE")  # of "ledger-ten-secrets"
CHOSEN = (*named("ledger-ten-secrets"), *INCIDENTS[:: 1 if SCALE >= 1 else 12])


@pytest.mark.parametrize("incident", CHOSEN, ids=attrgetter("name"))
@pytest.mark.parametrize("errors", [0.0, 0.3])
async def test_the_same_report_is_made_of_what_was_told(
    incident: MadeUpIncident, errors: float, tmp_path: Path
) -> None:
    write_incidents(tmp_path, (incident,))
    (folder,) = folders(tmp_path)
    clock = SystemClock()
    around = Faults(errors=errors, seed=incident.name).around
    keeper = AnswerKeeper(limited(open_recording(folder.path, clock, around=around), Breakers(clock)).sources)
    first = await diagnose(folder.asked, keeper.sources)
    kept = keeper.written()

    parts = compared(first, await diagnose(folder.asked, retelling(kept)))
    assert [each for each in parts if each.diverges] == []
    assert parts
    told = zlib.decompress(kept).decode()
    assert [each for each in HIDDEN if each in told] == []
