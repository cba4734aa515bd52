"""Questions for numbers of a firm that lends bicycles: its catalogue was written as the guide says, before the reader.

At first sight 29 of the 56 were answered rightly, 3 wrongly, and 1 asked back with what was meant; by now the reader is
tuned on them. What it learnt was tried on another firm's 55 questions afterwards: 40 right, 1 wrong, 3 asked back.
"""

import asyncio
from pathlib import Path

import pytest
import yaml

from tests.evals.asking import share
from tests.evals.bikes.company import TODAY, make_bikes
from tests.evals.recycling.asking import company_desk, questions_of

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

HERE = Path(__file__).parent
#: Least share that is answered rightly, and most that is wrong.
RIGHT, WRONG = 0.9, 0.0


def test_a_firm_that_lends_bicycles_is_asked_about_its_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = asyncio.run(_told(tmp_path))

    with capsys.disabled():
        print("\n" + "\n".join(told))  # noqa: T201 - the score belongs into the log of every build
    assert len(told) == 56
    assert share(told, "right") >= RIGHT
    assert share(told, "wrong") <= WRONG


async def _told(home: Path) -> list[str]:
    database = home / "yard.db"
    make_bikes(database)
    overlay = yaml.safe_load((HERE / "overlay.yaml").read_text(encoding="utf-8"))
    async with company_desk(home, database, overlay, TODAY) as company:
        return await company.play(questions_of(HERE / "questions.yaml"))
