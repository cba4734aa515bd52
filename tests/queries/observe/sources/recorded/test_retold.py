"""What the sources told a run, kept and told again: the same report comes of it, and no secret is kept."""

import zlib
from pathlib import Path

import pytest

from evals.diagnosis.folders import folders
from evals.diagnosis.incidents.book import INCIDENTS, write_incidents
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.report.compared import compared
from queries.observe.sources.limited import Breakers, limited
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.faults import Faults
from queries.observe.sources.recorded.retold import AnswerKeeper, retelling
from storage.clock import SystemClock
from tests.scale import SCALE

HIDDEN = ("AKIAQ7EXAMPLE7Q7Q7Q7", "ghp_Zx81EXAMPLE")  # of "ledger-ten-secrets"
NAMES = tuple(each.name for each in INCIDENTS)
CHOSEN = ("ledger-ten-secrets", *NAMES[:: 1 if SCALE >= 1 else 12])


@pytest.mark.parametrize("name", CHOSEN)
@pytest.mark.parametrize("errors", [0.0, 0.3])
async def test_the_same_report_is_made_of_what_was_told(name: str, errors: float, tmp_path: Path) -> None:
    write_incidents(tmp_path, (name,))
    (folder,) = folders(tmp_path)
    clock = SystemClock()
    around = Faults(errors=errors, seed=name).around
    keeper = AnswerKeeper(limited(open_recording(folder.path, clock, around=around), Breakers(clock)).sources)
    first = await diagnose(folder.asked, keeper.sources)
    kept = keeper.written()

    parts = compared(first, await diagnose(folder.asked, retelling(kept)))
    assert [each for each in parts if each.diverges] == []
    assert parts
    told = zlib.decompress(kept).decode()
    assert [each for each in HIDDEN if each in told] == []
