"""Why a passage was found, told of one search by one service; and what it tells of pages that may not be read."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from identity.actor import Actor
from identity.audit import AuditTrail
from identity.errors import Forbidden
from search.access import Scope
from search.config import SearchConfig
from search.embedding.memory import HashEmbedder
from search.embedding.port import FloatArray
from search.errors import EmbedderUnavailable
from search.indexes.memory import MemoryIndex
from search.indexes.port import Candidate, IndexQuery, LegFindings
from search.ranking.choosing import Cause
from search.ranking.explanation import Absence, Explained, Explanation, explained
from search.ranking.finding import Finder
from search.service import SearchService
from storage.clock import ManualClock
from storage.database import Database
from tests.search.making import EVERYTHING, STAFF, entry

SECRET = "---\naccess: {allow: ['group:it']}\n---\n# Tidegate secrets\n\nThe Tidegate master key is in the safe.\n"
PAGES = {
    "vpn.md": "# VPN\n\n## Install the client\n\nInstall the Tidegate client from the **shelf**.\n",
    "copy.md": "# VPN\n\n## Install the client\n\nInstall the Tidegate client from the shelf.\n",
    "garden.md": "# Garden\n\nThe roses are cut in March.\n",
    "secret.md": SECRET,
    "zh.md": "# 客户端\n\n安装 Tidegate 客户端需要管理员权限。\n",
}


class Away(HashEmbedder):
    """A model whose files are gone."""

    async def embed(self, texts: Sequence[str], **how: Any) -> FloatArray:
        raise EmbedderUnavailable(f"{len(texts)} texts could not be read {how}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "handbook"
    pages.mkdir()
    for name, text in PAGES.items():
        (pages / name).write_text(text, encoding="utf-8")
    return pages


@pytest.fixture
async def service(
    database: Database, clock: ManualClock, folder: Path, operator: Actor
) -> AsyncIterator[SearchService]:
    made = SearchService(database, MemoryIndex(), HashEmbedder(), clock)
    await made.add_folder(operator, folder, allow=("staff",))
    await made.embed_pending()
    yield made
    await made.close()


def pages(explanation: Explanation) -> list[str]:
    return [each.hit.document_path for each in explanation.hits]


async def test_the_hits_are_those_of_a_search_with_each_legs_rank_beside(
    service: SearchService, ben: Actor, operator: Actor
) -> None:
    told = await service.explain(operator, "install tidegate client", reader=ben)
    found = await service.search(ben, "install tidegate client")

    assert [each.hit for each in told.hits] == [replace(hit, own=False) for hit in found.hits]
    first = told.hits[0]
    assert first.excerpt == "Install the Tidegate client from the shelf."
    assert (first.places["bm25"].rank, first.places["bm25"].score) == (1, first.hit.signals.bm25)
    assert first.places["bm25"].share == 1.0
    assert (first.places["dense"].rank, first.places["dense"].score) == (1, first.hit.signals.cosine)
    assert first.coverage == pytest.approx(1.0)
    assert (first.meets, first.authz) == ((1.0, 1.0, 1.0), "staff")
    assert [(leg.name, leg.absence) for leg in told.legs] == [("bm25", None), ("dense", None)]
    assert sum(leg.weight for leg in told.legs) == pytest.approx(1.0)
    assert set(told.timings_ms) == {"embed", "legs", "order"}


async def test_a_passage_that_a_leg_did_not_find_has_no_rank_there(service: SearchService, ben: Actor) -> None:
    told = await service.explain(ben, "roses")
    elsewhere = [each for each in told.hits if each.hit.document_path != "garden.md"]

    assert pages(told)[0] == "garden.md"
    assert elsewhere
    assert all(set(each.places) == {"dense"} and each.meets == (0.0,) for each in elsewhere)


async def test_what_repeats_another_or_is_one_too_many_of_its_page_is_told_as_such(
    database: Database, clock: ManualClock, tmp_path: Path, operator: Actor
) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    sections = "\n".join(f"## Tidegate {word}\n\n{word} tidegate {word}s {'and so on ' * 60}\n" for word in "abc")
    (folder / "long.md").write_text(f"# Book\n\n{sections}", encoding="utf-8")
    for name in ("one.md", "two.md"):
        (folder / name).write_text("# Twice\n\nThe tidegate twice told in the same words.\n", encoding="utf-8")
    service = SearchService(database, MemoryIndex(), HashEmbedder(), clock, SearchConfig(hits_per_page=2))
    await service.add_folder(operator, folder)
    told = await service.explain(operator, "tidegate")

    dropped = {each.cause: each for each in told.left_out}
    assert set(dropped) == {Cause.REPEATS, Cause.PAGE_FULL}
    again, too_many = dropped[Cause.REPEATS], dropped[Cause.PAGE_FULL]
    assert again.instead is not None
    assert {_page(again), _page(told.hits[again.instead])} == {"one.md", "two.md"}
    assert (_page(too_many), too_many.instead) == ("long.md", None)
    assert [_page(each) for each in told.hits].count("long.md") == 2


def _page(each: Explained) -> str:
    return each.hit.document_path


async def test_a_misspelt_word_is_told_with_what_was_looked_for(service: SearchService, ben: Actor) -> None:
    told = await service.explain(ben, "tidegate cleint")

    assert [(word.text, word.corrected) for word in told.words] == [("tidegate", ""), ("cleint", "client")]
    assert sum(word.weight for word in told.words) == pytest.approx(1.0)


async def test_a_leg_that_stays_out_says_why(service: SearchService, ben: Actor) -> None:
    class Unlettered(HashEmbedder):
        def reads(self, language: str) -> bool:
            return language != "zh"

    index = MemoryIndex()
    await index.replace([entry("zh.md", PAGES["zh.md"])])

    async def absences(embedder: HashEmbedder, question: str) -> dict[str, Absence | None]:
        trace = await Finder(index, embedder, SearchConfig()).trace(question, EVERYTHING, language="en", limit=3)
        told = explained(trace, EVERYTHING, tell_hidden=True)
        return {leg.name: leg.absence for leg in told.legs}

    assert await absences(Unlettered(), "安装客户端") == {"bm25": None, "dense": Absence.LANGUAGE}
    assert await absences(Away(), "tidegate") == {"bm25": None, "dense": Absence.MODEL}
    assert await absences(HashEmbedder(), "tidegate") == {"bm25": None, "dense": Absence.NO_VECTORS}
    assert await absences(HashEmbedder(), "submarine") == {"bm25": Absence.NOTHING, "dense": Absence.NO_VECTORS}
    assert (await service.explain(ben, "???")).words == ()
    assert (await service.explain(ben, "???")).hits == ()


async def test_one_more_leg_is_told_without_a_change() -> None:
    class Titled(MemoryIndex):
        async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
            found = await super().search(question, scope)
            legs: dict[Any, tuple[Candidate, ...]] = {**found.legs, "title": found.legs["bm25"][:1]}
            return LegFindings(legs=legs, frequencies=found.frequencies, total=found.total)

    index = Titled()
    await index.replace([entry(name, PAGES[name]) for name in ("vpn.md", "garden.md")])
    trace = await Finder(index, HashEmbedder(), SearchConfig()).trace("tidegate", STAFF, language="", limit=3)
    told = explained(trace, STAFF, tell_hidden=False)

    assert "title" in {leg.name for leg in told.legs}
    assert told.hits[0].places["title"].rank == 1


@pytest.mark.parametrize("question", ["tidegate master key", "safe", "secrets"])
async def test_somebody_elses_eyes_open_nothing(
    service: SearchService, ben: Actor, cleo: Actor, operator: Actor, question: str
) -> None:
    """An admin outside of the group gets what both may read: no word, no rank and no count tells of the rest."""
    admin = replace(cleo, groups=frozenset())
    for reader in (ben, operator):
        theirs = await service.explain(admin, question, reader=reader)
        assert "secret.md" not in pages(theirs)
        assert theirs.hidden is None
        assert {each.hit.document_path for each in theirs.hits} <= set(pages(await service.explain(admin, question)))
        for legs in (each.places for each in theirs.hits):
            assert all(place.rank <= len(PAGES) - 1 for place in legs.values())
    assert "secret.md" in pages(await service.explain(operator, question, reader=ben))


async def test_a_word_of_a_hidden_page_is_told_as_one_that_is_nowhere(
    service: SearchService, ada: Actor, operator: Actor
) -> None:
    """Its rarity and the correction of a slip would tell that some page holds it."""
    hidden = await service.explain(ada, "tidegate mastre")
    nowhere = await service.explain(ada, "tidegate zzzzzz")
    whole = await service.explain(operator, "tidegate mastre")

    assert hidden.words[1].corrected == ""
    assert whole.words[1].corrected == "master"
    assert [word.weight for word in hidden.words] == [word.weight for word in nowhere.words]
    assert [each.coverage for each in hidden.hits] == [each.coverage for each in nowhere.hits]
    assert [word.weight for word in hidden.words] != [word.weight for word in whole.words]


@pytest.mark.parametrize("question", ["tidegate mastre", "master key of the client", "tidegate KEY-4711"])
async def test_a_hidden_page_changes_nothing_that_is_told(
    service: SearchService, folder: Path, ada: Actor, operator: Actor, *, question: str
) -> None:
    (folder / "secret.md").write_text(f"{SECRET}\nIts number is KEY-4711.\n")
    await service.refresh(operator)
    await service.embed_pending()
    beside = await service.explain(ada, question)
    (folder / "secret.md").unlink()
    await service.refresh(operator)
    without = await service.explain(ada, question)

    assert replace(beside, timings_ms={}) == replace(without, timings_ms={})
    assert beside.hits


async def test_a_legs_own_scores_are_told_to_the_operator_alone(
    service: SearchService, ada: Actor, operator: Actor
) -> None:
    """An engine may weigh words by all pages; ranks and shares say enough."""
    own = await service.explain(ada, "tidegate")
    looked_at = await service.explain(operator, "tidegate", reader=ada)

    assert pages(own) == pages(looked_at)
    for told, raw in zip(own.hits, looked_at.hits, strict=True):
        assert told.places.keys() == raw.places.keys()
        assert all(place.score is None for place in told.places.values())
        assert all(place.score is not None for place in raw.places.values())
        assert [(place.rank, place.share) for place in told.places.values()] == [
            (place.rank, place.share) for place in raw.places.values()
        ]


async def test_how_much_is_hidden_is_told_to_the_operator_alone(
    service: SearchService, ada: Actor, cleo: Actor, operator: Actor
) -> None:
    assert (await service.explain(operator, "tidegate master key", reader=ada)).hidden == 1
    assert (await service.explain(cleo, "tidegate master key", reader=ada)).hidden is None
    assert (await service.explain(ada, "tidegate master key")).hidden is None


async def test_somebody_elses_eyes_need_the_right_and_are_recorded(
    service: SearchService, database: Database, clock: ManualClock, ada: Actor, ben: Actor, operator: Actor
) -> None:
    trail = AuditTrail(database, clock)
    with pytest.raises(Forbidden):
        await service.explain(ada, "tidegate", reader=ben)
    await service.explain(ada, "tidegate")
    await service.explain(operator, "tidegate")
    assert await trail.entries(operator, action="knowledge.search_as") == ()

    await service.explain(operator, "tidegate", reader=ben)
    (noted,) = await trail.entries(operator, action="knowledge.search_as")
    assert (noted.actor_id, noted.resource, noted.detail) == (
        operator.id,
        "person:ben",
        {"characters": len("tidegate")},
    )
