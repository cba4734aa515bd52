"""What may be a report or a question: the nearest sections stand above its draft, and are said to be unsure."""

from pathlib import Path

import pytest

from agent.brains.output import UNSURE
from agent.results import Records
from agent.runs.answer import Answered
from tests.evals.asking import ask, desk_over

PAGES = {
    "clothes.md": "# Work clothes\n\n## Sizes\n\nClothing that does not fit any more is exchanged by Tineke in the "
    "stores on Thursday afternoon; bring what you have.\n\n## Washing\n\nOveralls are washed at work, on Mondays.\n",
    "visits.md": "# Visitors\n\n## Parking\n\nVisitors park behind the hall and sign in at the gate.\n",
}


@pytest.mark.parametrize("said", ["my work clothes are way too small now", "the trousers are much too short for me"])
async def test_the_nearest_section_stands_above_the_draft_of_what_may_be_a_question(tmp_path: Path, said: str) -> None:
    pages, home = tmp_path / "pages", tmp_path / "home"
    home.mkdir()
    pages.mkdir()
    for name, text in PAGES.items():
        (pages / name).write_text(text, encoding="utf-8")

    async with desk_over(home, pages) as desk:
        answer = await ask(desk, said, thread="clothes")

    assert isinstance(answer, Answered), answer
    assert "Tineke" in answer.text
    assert answer.lead == UNSURE or answer.confidence != "high"
    assert [each.kind for each in answer.results if isinstance(each, Records)] == ["draft"]
