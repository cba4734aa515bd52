"""Questions for numbers of a town's waterworks: its catalogue is drafted by the desk, and partly written on.

Of the first 20 questions 14 were answered rightly at first sight, 1 was asked back with what was meant, none wrongly;
by now they are worked on. The other 20 were
held back until the reader had been mended: 14 were right, 3 asked back with what was meant, none was wrong.
"""

import asyncio
from pathlib import Path

import pytest
import yaml

from tests.evals.asking import share
from tests.evals.recycling.asking import company_desk, questions_of
from tests.evals.waterworks.company import TODAY, make_waterworks

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

HERE = Path(__file__).parent


@pytest.mark.parametrize(("name", "right"), [("tuned", 0.9), ("held", 0.65)])
def test_a_waterworks_is_asked_about_its_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, right: float
) -> None:
    told = asyncio.run(_told(tmp_path, name))

    with capsys.disabled():
        print("\n" + "\n".join(told))  # noqa: T201 - the score belongs into the log of every build
    assert len(told) == 20
    assert share(told, "right") >= right
    assert share(told, "wrong") == 0


async def _told(home: Path, name: str) -> list[str]:
    database = home / "yard.db"
    make_waterworks(database)
    overlay = yaml.safe_load((HERE / "overlay.yaml").read_text(encoding="utf-8"))
    async with company_desk(home, database, overlay, TODAY) as company:
        return await company.play(questions_of(HERE / f"{name}.yaml"))
