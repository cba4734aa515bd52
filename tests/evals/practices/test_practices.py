"""Questions for numbers of a few dental practices, first asked when the reader knew the bicycles.

At first sight 40 of the 55 were answered rightly, 3 asked back with what was meant, and 1 was counted wrong: a list of
68 that is shown to 50, which counts as right since. What people earn is masked by the draft, so two questions for it
have no answer; they were written as if it had. By now the reader is tuned on them.
"""

import asyncio
from pathlib import Path

import pytest
import yaml

from tests.evals.asking import share
from tests.evals.practices.company import TODAY, make_practices
from tests.evals.recycling.asking import company_desk, questions_of

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

HERE = Path(__file__).parent
#: Least share that is answered rightly, and most that is wrong.
RIGHT, WRONG = 0.88, 0.0


def test_dental_practices_are_asked_about_their_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = asyncio.run(_told(tmp_path))

    with capsys.disabled():
        print("\n" + "\n".join(told))  # noqa: T201 - the score belongs into the log of every build
    assert len(told) == 55
    assert share(told, "right") >= RIGHT
    assert share(told, "wrong") <= WRONG


async def _told(home: Path) -> list[str]:
    database = home / "yard.db"
    make_practices(database)
    overlay = yaml.safe_load((HERE / "overlay.yaml").read_text(encoding="utf-8"))
    async with company_desk(home, database, overlay, TODAY) as company:
        return await company.play(questions_of(HERE / "questions.yaml"))
