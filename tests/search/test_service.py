import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from identity.actor import Actor
from identity.audit import AuditTrail
from identity.errors import Forbidden
from identity.readership import ALONE, Readership, Shared
from search.config import SearchConfig
from search.embedding.memory import HashEmbedder
from search.embedding.port import FloatArray, Role
from search.errors import (
    AccessInvalid,
    EmbedderUnavailable,
    FolderUnreadable,
    SourceNameInvalid,
    SourceNameTaken,
    SourceNotFound,
)
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.memory import MemoryIndex
from search.service import SearchService
from storage.clock import ManualClock
from storage.database import Database

VPN = "# VPN\n\n## Install\n\nInstall the Tidegate client.\n\n## See also\n\n- [Tidegate client](x.md)\n"
SECRET = "---\naccess: {allow: ['group:it']}\n---\n# Tidegate secrets\n\nThe Tidegate master key.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "handbook"
    (pages / "it").mkdir(parents=True)
    (pages / "it" / "vpn.md").write_text(VPN, encoding="utf-8")
    (pages / "it" / "secret.md").write_text(SECRET, encoding="utf-8")
    return pages


@pytest.fixture
async def service(database: Database, clock: ManualClock, tmp_path: Path) -> AsyncIterator[SearchService]:
    made = SearchService(database, EmbeddedIndex(tmp_path / "home" / "index.sqlite"), HashEmbedder(), clock)
    yield made
    await made.close()


async def paths(service: SearchService, actor: Actor, query: str, readership: Readership = ALONE) -> list[str]:
    found = await service.search(actor, query, language="en", readership=readership)
    return list(dict.fromkeys(hit.document_path for hit in found.hits))


async def test_a_folder_is_indexed_searched_and_shown(
    service: SearchService, folder: Path, ada: Actor, ben: Actor, operator: Actor
) -> None:
    report = await service.add_folder(operator, folder, allow=("staff",))
    assert (report.source, report.added, report.without_access, report.problems) == ("handbook", 2, 0, ())
    assert await service.embed_pending() == report.vectors_pending
    assert await paths(service, ada, "tidegate client") == ["it/vpn.md"]
    assert set(await paths(service, ben, "tidegate")) == {"it/vpn.md", "it/secret.md"}
    assert set(await paths(service, operator, "tidegate")) == {"it/vpn.md", "it/secret.md"}
    (hit, *_) = (await service.search(ben, "tidegate master key", language="en")).hits
    assert (hit.chunk.section_path, hit.authz, hit.source) == (("Tidegate secrets",), "group:it", "handbook")
    page = await service.page(ada, "handbook", "it/vpn.md")
    assert page is not None
    assert [section.anchor for section in page.sections] == ["", "vpn", "install", "see-also"]
    assert await service.page(ada, "handbook", "it/secret.md") is None
    assert await service.page(ada, "handbook", "it/nothing.md") is None


async def test_in_a_channel_only_what_the_whole_channel_may_read(
    service: SearchService, folder: Path, ben: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    audience = Shared(frozenset({"public", "staff"}))
    assert await paths(service, ben, "tidegate", audience) == ["it/vpn.md"]
    assert await paths(service, operator, "tidegate", audience) == ["it/vpn.md"]
    assert await service.page(ben, "handbook", "it/secret.md", readership=audience) is None
    assert await paths(service, ben, "tidegate", Shared(frozenset())) == []


async def test_search_says_whether_the_asker_would_find_more_alone(
    service: SearchService, folder: Path, ada: Actor, ben: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    await service.embed_pending()
    staff = Shared(frozenset({"public", "staff"}))

    async def more(actor: Actor, query: str, readership: Readership) -> bool:
        return (await service.search(actor, query, language="en", readership=readership)).more_alone

    assert await more(ben, "tidegate master key", staff)
    assert not await more(ben, "install the tidegate client", staff)
    assert not await more(ben, "tidegate master key", ALONE)
    assert not await more(ben, "tidegate master key", Shared(ben.principals))
    assert not await more(ada, "tidegate master key", staff)


async def test_what_is_hidden_is_counted_for_the_run(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    assert (await service.search(ada, "tidegate master key", language="en")).hidden == 1
    assert (await service.search(ada, "parental leave", language="en")).hidden == 0


async def test_what_only_leads_elsewhere_does_not_come_first(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    hits = (await service.search(ada, "tidegate client", language="en")).hits
    assert [hit.chunk.section_path for hit in hits] == [("VPN", "Install"), ("VPN", "See also")]


async def test_the_same_folder_again_is_a_refresh_and_keeps_its_list(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    (folder / "it" / "vpn.md").unlink()
    report = await service.add_folder(operator, folder)
    assert (report.removed, report.unchanged) == (1, 1)
    assert await paths(service, ada, "tidegate client") == []
    (status,) = await service.sources(operator)
    assert (status.name, status.source.default_allow, status.statistics.documents) == ("handbook", ("staff",), 1)
    assert status.source.report == report


async def test_another_default_list_holds_at_once(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    assert (await service.add_folder(operator, folder)).without_access == 1
    assert await paths(service, ada, "tidegate client") == []
    assert (await service.add_folder(operator, folder, allow=("staff",))).without_access == 0
    assert await paths(service, ada, "tidegate client") == ["it/vpn.md"]


async def test_two_folders_of_one_name_are_told_apart(
    service: SearchService, folder: Path, tmp_path: Path, operator: Actor
) -> None:
    other = tmp_path / "elsewhere" / "handbook"
    other.mkdir(parents=True)
    (other / "page.md").write_text("# Other\n\nText.\n", encoding="utf-8")
    await service.add_folder(operator, folder)
    with pytest.raises(SourceNameTaken, match="--name"):
        await service.add_folder(operator, other)
    report = await service.add_folder(operator, other, name="other")
    assert (report.source, report.added) == ("other", 1)
    with pytest.raises(SourceNameInvalid, match="already indexed as 'other'"):
        await service.add_folder(operator, other, name="third")
    assert await service.remove(operator, "other") == 1
    assert [status.name for status in await service.sources(operator)] == ["handbook"]
    assert (await service.refresh(operator)).unchanged == 2


@pytest.mark.parametrize("name", ["a:b", "a#b", "a/b", " ", "x" * 201])
async def test_a_name_that_could_not_be_cited_is_refused(
    service: SearchService, folder: Path, operator: Actor, name: str
) -> None:
    with pytest.raises(SourceNameInvalid):
        await service.add_folder(operator, folder, name=name)


async def test_what_cannot_be_done_says_why(
    service: SearchService, folder: Path, tmp_path: Path, operator: Actor
) -> None:
    with pytest.raises(FolderUnreadable, match="does not exist"):
        await service.add_folder(operator, tmp_path / "nowhere")
    with pytest.raises(FolderUnreadable, match="name the folder"):
        await service.add_folder(operator, folder / "it" / "vpn.md")
    with pytest.raises(AccessInvalid, match="everybody"):
        await service.add_folder(operator, folder, allow=("everybody",))
    with pytest.raises(SourceNotFound, match="nothing"):
        await service.refresh(operator, source="nothing")
    with pytest.raises(SourceNotFound):
        await service.remove(operator, "nothing")
    assert await service.sources(operator) == ()


async def test_a_folder_that_went_away_is_told_and_its_pages_stay(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    await asyncio.to_thread(folder.rename, folder.with_name("moved"))
    report = await service.refresh(operator)
    assert [problem.what for problem in report.problems] == [f"{folder} does not exist; its pages were kept"]
    assert await paths(service, ada, "tidegate client") == ["it/vpn.md"]
    with pytest.raises(FolderUnreadable):
        await service.refresh(operator, source="handbook")


async def test_managing_knowledge_needs_its_permission(service: SearchService, folder: Path, ada: Actor) -> None:
    with pytest.raises(Forbidden):
        await service.add_folder(ada, folder)
    with pytest.raises(Forbidden):
        await service.sources(ada)
    with pytest.raises(Forbidden):
        await service.remove(ada, "handbook")


async def test_managing_knowledge_is_audited(
    service: SearchService, database: Database, folder: Path, cleo: Actor
) -> None:
    await service.add_folder(cleo, folder)
    await service.remove(cleo, "handbook")
    entries = await AuditTrail(database, ManualClock()).entries(cleo)
    assert [(entry.action, entry.resource, entry.actor_id) for entry in reversed(entries)] == [
        ("knowledge.index", "source:handbook", "cleo"),
        ("knowledge.remove", "source:handbook", "cleo"),
    ]


def long_page(topic: str, *, sections: int = 1) -> str:
    return "".join(
        f"# Part {part}\n\n{' '.join(f'Sentence {part}{number} is about the {topic}.' for number in range(120))}\n\n"
        for part in range(sections)
    )


async def test_the_best_passages_come_with_what_stands_around_them(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    (folder / "long.md").write_text(long_page("kettle") + "# Other\n\nOther.\n", encoding="utf-8")
    await service.add_folder(operator, folder, allow=("staff",))
    plain = await service.search(ada, "kettle", language="en")
    found = await service.search(ada, "kettle", language="en", around=400)
    assert plain.stretches == ()
    assert [hit.chunk for hit in found.hits] == [hit.chunk for hit in plain.hits]
    (stretch,) = found.stretches
    assert {chunk.section_path for chunk in stretch.chunks} == {("Part 0",)}
    assert found.hits[0].chunk in stretch.chunks
    assert stretch.text in long_page("kettle")
    assert len(stretch.text) > len(found.hits[0].chunk.text)


async def test_what_stands_around_comes_within_the_scope_of_the_search(
    service: SearchService, folder: Path, ada: Actor, ben: Actor, operator: Actor
) -> None:
    (folder / "it" / "long.md").write_text(long_page("kettle"), encoding="utf-8")
    (folder / "it" / ".access.yaml").write_text("allow: [group:it]\n", encoding="utf-8")
    await service.add_folder(operator, folder, allow=("staff",))
    assert (await service.search(ben, "kettle", language="en", around=400)).stretches
    channel = await service.search(ben, "kettle", language="en", around=400, readership=Shared(frozenset({"staff"})))
    assert (channel.hits, channel.stretches) == ((), ())
    assert not (await service.search(ada, "kettle", language="en", around=400)).hits


async def test_no_passage_stands_in_two_stretches(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    (folder / "long.md").write_text(long_page("kettle", sections=2), encoding="utf-8")
    await service.add_folder(operator, folder, allow=("staff",))
    found = await service.search(ada, "kettle", language="en", around=100_000)
    shown = [chunk.id for stretch in found.stretches for chunk in stretch.chunks]
    assert len(shown) == len(set(shown))
    assert {hit.chunk.id for hit in found.hits} <= set(shown)


async def test_a_question_without_a_word_finds_nothing(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    assert (await service.search(ada, " ?! ", language="en")).hits == ()


class BrokenEmbedder(HashEmbedder):
    async def embed(self, texts: object, *, role: Role = "passage") -> FloatArray:
        raise EmbedderUnavailable(f"no model for {texts} as {role}")


async def test_without_its_model_search_goes_on_by_words(
    database: Database, clock: ManualClock, folder: Path, ada: Actor, operator: Actor
) -> None:
    service = SearchService(database, MemoryIndex(), BrokenEmbedder(), clock, SearchConfig())
    await service.add_folder(operator, folder, allow=("staff",))
    found = await service.search(ada, "tidegate client", language="en")
    assert found.legs == ("bm25",)
    assert found.hits[0].document_path == "it/vpn.md"


async def test_a_language_that_the_model_cannot_read_is_searched_by_words(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    (folder / "leave.md").write_text("# 请假制度\n\n年假每年十天，在系统里申请。\n", encoding="utf-8")
    await service.add_folder(operator, folder, allow=("staff",))
    await service.embed_pending()
    found = await service.search(ada, "年假怎么申请", language="en")
    assert found.legs == ("bm25",)
    assert found.hits[0].document_path == "leave.md"
    assert found.hits[0].signals == replace(found.hits[0].signals, cosine=None, dense_rank=None, coverage=1.0)


async def test_cosines_count_for_nothing_while_other_passages_wait_for_their_vectors(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    await service.add_folder(operator, folder, allow=("staff",))
    await service.embed_pending()
    (folder / "late.md").write_text("# Lanterns\n\nThe lantern of the tidegate is lit at dusk.\n", encoding="utf-8")
    await service.add_folder(operator, folder, allow=("staff",))

    waiting = await service.search(ada, "tidegate client", language="en")
    await service.embed_pending()
    made = await service.search(ada, "tidegate client", language="en")

    assert {hit.signals.cosine for hit in waiting.hits} == {None}
    assert made.hits[0].signals.cosine is not None


async def test_nearly_the_same_passage_is_shown_once(
    service: SearchService, folder: Path, ada: Actor, operator: Actor
) -> None:
    (folder / "copy.md").write_text(VPN, encoding="utf-8")
    await service.add_folder(operator, folder, allow=("staff",))
    assert len(await paths(service, ada, "install the tidegate client")) == 1
