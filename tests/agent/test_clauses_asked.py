"""A clause is asked for by its number; on a page that holds both languages each passage answers in its own."""

import asyncio
from pathlib import Path

import pytest

from agent.runs.answer import Answer, Answered, NoEvidence
from tests.evals.asking import ask, desk_over

_PAGE = """\
---
title: Yard rules
---
1.1 Scope

These rules hold for all drivers.

1.2 Speed

Nobody drives faster than 12 km/h.

第四条 加班

加班须提前一天向主管申请。

第五条 请假

请假三天以上须经理批准。
"""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("what does clause 1.2 say?", "12 km/h"),
        ("what's in section 1.1", "all drivers"),
        ("第四条说了什么？", "提前一天"),
        ("clause 7.9 please", ""),
    ],
)
def test_one_clause_answers(asked: str, said: str, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "rules.md").write_text(_PAGE, encoding="utf-8")

    async def play() -> Answer:
        async with desk_over(tmp_path, pages) as desk:
            return await ask(desk, asked, thread="thread")

    answer = asyncio.run(play())

    if not said:
        assert isinstance(answer, NoEvidence)
        return
    assert isinstance(answer, Answered)
    assert not answer.lead
    assert [each for each in ("12 km/h", "all drivers", "提前一天", "经理") if each in answer.text] == [said]
