"""One question is one search, wherever it is asked and whoever reads along."""

import pytest

from search.access import Scope
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import IndexQuery, LegFindings
from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.story import ENGLISH

FILE = b"# VPN, a draft\n\nA VPN session ends after 3 hours.\n"


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Scope]:
    """Return a list that gets the scope of each search of the index."""
    seen: list[Scope] = []
    search = EmbeddedIndex.search

    async def counted(self: EmbeddedIndex, question: IndexQuery, scope: Scope) -> LegFindings:
        seen.append(scope)
        return await search(self, question, scope)

    monkeypatch.setattr(EmbeddedIndex, "search", counted)
    return seen


@on_every_platform
async def test_alone(stage: Stage, searches: list[Scope]) -> None:
    searches.clear()
    seen = await stage.say("ada", ENGLISH.question)

    assert ENGLISH.answer in seen.text
    assert len(searches) == 1


@on_every_platform
@needs("channels")
async def test_where_others_read_along_and_more_is_known_to_the_asker(stage: Stage, searches: list[Scope]) -> None:
    place = await stage.channels.channel("ada", "bao", "ben")
    searches.clear()
    seen = await stage.say("ada", ENGLISH.closed, place)

    assert ENGLISH.closed_answer not in seen.text
    assert ENGLISH.says("private.button") in seen.labels
    assert len(searches) == 3  # as asked, in other words, in Chinese: who reads along costs no search
    assert searches[0] == searches[1]


@on_every_platform
@needs("files")
async def test_with_a_file_that_answers(stage: Stage, searches: list[Scope]) -> None:
    searches.clear()
    seen = await stage.send_file("ada", "draft.md", FILE, text=ENGLISH.question)

    assert "3 hours" in seen.text
    assert len(searches) == 1
