"""What every index promises. A new back end is added to `INDEXES` and has to pass all of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.scripts import is_chinese
from search.access import Scope
from search.documents import ALWAYS, Stretch, Validity
from search.embedding.memory import HashEmbedder
from search.embedding.port import FloatArray
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.memory import MemoryIndex
from search.indexes.port import Index, IndexEntry, IndexQuery, LegFindings
from search.ranking.query import analyse
from search.sources.origins import Origins
from tests.scale import scaled
from tests.search.making import EMBEDDER, EVERYTHING, STAFF, entry

Making = Callable[[Path, pytest.FixtureRequest], Index]
INDEXES: dict[str, Making] = {
    "elasticsearch": lambda _, request: ElasticsearchIndex(request.getfixturevalue("elasticsearch_config")),
    "embedded": lambda folder, _: EmbeddedIndex(folder / "index.sqlite"),
    "memory": lambda *_: MemoryIndex(),
}
VPN = "# VPN\n\n## Install\n\nInstall the Tidegate client from the portal.\n\n## Errors\n\nTG-305 means expired.\n"
PRINTER = "# Printers\n\n## Jam\n\nOpen the tray and pull out the paper.\n"
LEAVE = "# 请假制度\n\n## 年假\n\n年假每年十天，在系统里申请。\n"


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made = INDEXES[request.param](tmp_path, request)
    yield made
    await made.close()


async def vector_of(text: str) -> FloatArray:
    vectors = await EMBEDDER.embed([text])
    vector: FloatArray = vectors[0]
    return vector


async def embed_all(index: Index, embedder: HashEmbedder = EMBEDDER) -> int:
    texts = await index.pending(embedder.name, limit=10_000)
    vectors = await embedder.embed([text.text for text in texts])
    await index.put_vectors(embedder.name, {text.key: vectors[place] for place, text in enumerate(texts)})
    return len(texts)


async def ask(index: Index, text: str, scope: Scope = EVERYTHING, *, dense: bool = True) -> LegFindings:
    vector = await vector_of(text) if dense else None
    return await index.search(IndexQuery(terms=analyse(text).terms, vector=vector), scope)


async def paths(index: Index, findings: LegFindings, scope: Scope = EVERYTHING) -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for leg, candidates in findings.legs.items():
        passages = await index.passages([found.key for found in candidates], scope)
        named[leg] = list(dict.fromkeys(passages[found.key].document_path for found in candidates))
    return named


async def test_an_empty_index_finds_nothing(index: Index) -> None:
    findings = await ask(index, "vpn")
    assert not any(findings.legs.values())
    assert (findings.total, findings.hidden) == (0, 0)
    assert await index.manifest("book") == {}


async def test_each_leg_finds_its_page_first(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN), entry("printer.md", PRINTER), entry("leave.md", LEAVE)])
    await embed_all(index)
    found = await paths(index, await ask(index, "install the Tidegate client"))
    assert (found["bm25"][0], found["dense"][0]) == ("vpn.md", "vpn.md")


@pytest.mark.parametrize("question", ["年假怎么申请", "ＴＧ－３０５", "tg-305", "TG-305 is shown"])
async def test_chinese_and_identifiers_are_found_exactly(index: Index, question: str) -> None:
    await index.replace([entry("vpn.md", VPN), entry("printer.md", PRINTER), entry("leave.md", LEAVE)])
    found = await paths(index, await ask(index, question, dense=False))
    assert found["bm25"] == ["leave.md" if "年" in question else "vpn.md"]


async def test_a_mistyped_word_finds_what_was_meant(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN), entry("printer.md", PRINTER)])
    findings = await ask(index, "clinet", dense=False)
    assert findings.corrections == {"clinet": "client"}
    assert (await paths(index, findings))["bm25"] == ["vpn.md"]


@pytest.mark.parametrize(("said", "meant"), [("tg305", {"tg305": "tg-305"}), ("tg306", {})])
async def test_a_code_may_lack_its_hyphen_and_nothing_else(index: Index, said: str, meant: dict[str, str]) -> None:
    await index.replace([entry("vpn.md", VPN), entry("printer.md", PRINTER)])
    findings = await ask(index, said, dense=False)
    assert findings.corrections == meant
    assert (await paths(index, findings))["bm25"] == (["vpn.md"] if meant else [])


async def test_text_is_found_before_its_vectors_are_made(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN)])
    before = await ask(index, "tidegate client")
    assert before.legs["bm25"]
    assert not before.legs["dense"]
    assert before.vectors_share == 0.0
    await embed_all(index)
    after = await ask(index, "tidegate client")
    assert after.legs["dense"]
    assert after.vectors_share == 1.0
    assert not await index.pending(EMBEDDER.name, limit=1)


async def test_who_asks_in_another_language_is_compared_with_vectors_of_its_own(index: Index) -> None:
    pages = [entry("vpn.md", VPN), entry("leave.md", LEAVE), entry("printer.md", PRINTER, allow=["board"])]
    await index.replace([replace(each, abroad=True) for each in pages])
    pending = await index.pending(EMBEDDER.name, limit=100)
    own, abroad = ([each for each in pending if each.abroad is is_abroad] for is_abroad in (False, True))
    assert pending == [*own, *abroad]
    first = {texts[0] for page in pages for texts in page.embedded}
    assert {each.text for each in abroad} == {text for text in first if not is_chinese(text)}
    counted = await index.statistics()
    assert (counted.vectors_pending, counted.abroad_pending) == (len(own), len(abroad))

    async def asked(scope: Scope = EVERYTHING, *, abroad: bool = True) -> LegFindings:
        return await index.search(IndexQuery(vector=await vector_of("quokka"), abroad=abroad), scope)

    await index.put_vectors(EMBEDDER.name, {each.key: await vector_of(each.text) for each in own})
    before = await asked()
    assert (before.legs["dense"], before.vectors_share) == ((), 0.0)
    assert (await asked(abroad=False)).vectors_share == 1.0
    await index.put_vectors(EMBEDDER.name, {each.key: await vector_of("quokka") for each in abroad})

    found = await asked()
    assert found.vectors_share == 1.0
    assert set((await paths(index, found))["dense"]) == {"vpn.md", "printer.md"}
    assert min(each.score for each in found.legs["dense"]) > 0.99
    assert max(each.score for each in (await asked(abroad=False)).legs["dense"]) < 0.9
    assert set((await paths(index, await asked(STAFF), STAFF))["dense"]) == {"vpn.md"}
    assert not await index.verify()
    assert not await index.pending(EMBEDDER.name, limit=1)


async def test_vectors_of_unchanged_text_are_not_made_again(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN)])
    await embed_all(index)
    changed = VPN.replace("TG-305 means expired.", "TG-305 means revoked.")
    await index.replace([entry("vpn.md", changed)])
    assert len(await index.pending(EMBEDDER.name, limit=10)) == 1


async def test_another_model_makes_every_vector_anew(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN)])
    made = await embed_all(index)
    other = HashEmbedder(name="other", dimensions=32)
    assert len(await index.pending(other.name, limit=10)) == made
    await embed_all(index, other)
    findings = await index.search(IndexQuery(vector=(await other.embed(["tidegate"]))[0]), EVERYTHING)
    assert findings.legs["dense"]
    assert not (await ask(index, "tidegate")).legs["dense"]


async def test_a_question_is_never_compared_with_another_models_vectors(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN)])
    await embed_all(index)
    other = HashEmbedder(name="other")  # as long as the index's own
    (vector,) = await other.embed(["tidegate"])
    findings = await index.search(
        IndexQuery(terms=analyse("tidegate").terms, vector=vector, model=other.name), EVERYTHING
    )
    assert "dense" not in findings.legs
    assert findings.legs["bm25"]
    assert findings.vectors_share == 0.0
    assert (await index.statistics()).model == EMBEDDER.name
    await embed_all(index, other)
    findings = await index.search(IndexQuery(vector=vector, model=other.name), EVERYTHING)
    assert findings.legs["dense"]
    assert findings.vectors_share == 1.0
    assert (await index.statistics()).model == other.name


async def test_replacing_a_page_leaves_nothing_of_the_old_one(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN)])
    await embed_all(index)
    await index.replace([entry("vpn.md", "# VPN\n\nUse Harbour instead.\n")])
    await embed_all(index)
    findings = await ask(index, "tidegate client")
    assert not findings.legs["bm25"]
    assert {passage.chunk.text for passage in (await index.passages(keys(findings), EVERYTHING)).values()} == {
        "Use Harbour instead."
    }
    assert (await index.statistics("book")).documents == 1


def keys(findings: LegFindings) -> list[str]:
    return [found.key for leg in findings.legs.values() for found in leg]


async def test_a_deleted_page_is_gone_at_once_from_everywhere(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN), entry("printer.md", PRINTER)])
    await embed_all(index)
    before = keys(await ask(index, "tidegate client"))
    assert await index.delete("book", ["vpn.md"]) == 1
    findings = await ask(index, "tidegate client")
    assert "vpn.md" not in {path for found in (await paths(index, findings)).values() for path in found}
    gone = await index.passages(before, EVERYTHING)
    assert {passage.document_path for passage in gone.values()} <= {"printer.md"}
    assert await index.page("book", "vpn.md", EVERYTHING) is None
    assert await index.neighbours("book:vpn.md#0", EVERYTHING, before=1, after=1) == ()
    assert set(await index.manifest("book")) == {"printer.md"}


async def test_sources_do_not_touch_one_another(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN), entry("vpn.md", PRINTER, source="other")])
    assert await index.delete("other") == 1
    assert set(await index.manifest("book")) == {"vpn.md"}
    assert (await index.statistics("other")).documents == 0
    assert (await index.statistics()).documents == 1


@pytest.mark.parametrize(
    ("allow", "scope", "seen"),
    [
        ((), EVERYTHING, True),
        ((), STAFF, False),
        (("staff",), STAFF, True),
        (("group:it",), STAFF, False),
        (("group:it",), Scope(everything=False, principals=frozenset({"staff", "group:it"})), True),
        (("staff",), Scope(everything=False, principals=frozenset()), False),
        (("group:it",), Scope(everything=True, principals=frozenset(), within=frozenset({"staff"})), False),
        (("group:it", "staff"), Scope(False, frozenset({"group:it"}), frozenset({"staff"})), True),
        (("group:it",), Scope(False, frozenset({"group:it"}), frozenset({"staff"})), False),
        (("staff",), Scope(False, frozenset({"staff"}), sources=frozenset({"book"})), True),
        (("staff",), Scope(False, frozenset({"staff"}), sources=frozenset({"other"})), False),
        (("staff",), Scope(True, frozenset(), sources=frozenset()), False),
    ],
)
async def test_a_page_shows_only_to_those_it_is_open_to(
    index: Index, allow: tuple[str, ...], scope: Scope, *, seen: bool
) -> None:
    await index.replace([entry("vpn.md", VPN, allow=allow)])
    await embed_all(index)
    findings = await ask(index, "tidegate client", scope)
    everything = keys(await ask(index, "tidegate client"))
    assert {leg: bool(found) for leg, found in findings.legs.items()} == {"bm25": seen, "dense": seen}
    assert bool(await index.passages(everything, scope)) is seen
    assert (await index.page("book", "vpn.md", scope) is not None) is seen
    assert bool(await index.neighbours("book:vpn.md#0", scope, before=0, after=0)) is seen
    asked = ("book:vpn.md", "book:gone.md", "other:vpn.md", "")
    assert await index.readable(asked, scope) == (frozenset({"book:vpn.md"}) if seen else frozenset())
    assert (findings.hidden > 0) is not seen


async def test_what_only_those_keep_out_who_read_along_is_found_beside_the_rest(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN, allow=("group:it",)), entry("draft.md", VPN, allow=("staff",))])
    await index.replace([entry("boss.md", VPN, allow=("person:boss",))])
    await embed_all(index)
    member = Scope(everything=False, principals=frozenset({"staff", "group:it"}))
    along = Scope(member.everything, member.principals, within=frozenset({"staff"}))
    findings = await ask(index, "tidegate client", along)
    kept_out = LegFindings(legs=findings.alone)

    assert await paths(index, findings, along) == {"bm25": ["draft.md"], "dense": ["draft.md"]}
    assert await paths(index, kept_out, along.alone) == {"bm25": ["vpn.md"], "dense": ["vpn.md"]}
    assert not await index.passages(keys(kept_out), along)
    assert not (await ask(index, "tidegate client", member)).alone


async def test_what_is_kept_out_changes_nothing_that_those_are_told_who_read_along(index: Index) -> None:
    await index.replace([entry("draft.md", VPN, allow=("staff",))])
    await embed_all(index)
    along = Scope(everything=False, principals=frozenset({"staff", "group:it"}), within=frozenset({"staff"}))
    before = await ask(index, "tidegate clinet", along)
    await index.replace([entry("secret.md", VPN.replace("client", "clinet"), allow=("group:it",))])
    await embed_all(index)
    after = await ask(index, "tidegate clinet", along)

    assert after.alone
    assert (after.frequencies, after.total) == (before.frequencies, before.total)
    assert [found.key for found in after.legs["bm25"]] == [found.key for found in before.legs["bm25"]]


async def test_an_access_change_holds_from_the_next_question_on(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN, allow=("staff",))])
    assert (await ask(index, "tidegate", STAFF)).legs["bm25"]
    await index.replace([entry("vpn.md", VPN, allow=("group:it",))])
    assert not (await ask(index, "tidegate", STAFF)).legs["bm25"]
    await index.replace([entry("vpn.md", VPN, allow=("staff",))])
    assert (await ask(index, "tidegate", STAFF)).legs["bm25"]


async def test_neighbours_stand_in_reading_order(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN)])
    around = await index.neighbours("book:vpn.md#1", EVERYTHING, before=1, after=5)
    assert [chunk.number for chunk in around] == [0, 1]
    assert await index.neighbours("book:vpn.md#9", EVERYTHING, before=9, after=1) == ()
    assert await index.neighbours("nonsense", EVERYTHING, before=1, after=1) == ()


async def test_what_joins_a_passage_to_the_one_before_it_is_kept(index: Index) -> None:
    steps = "\n".join(f"{number}. Do this, which is step {number}. And then look around." for number in range(1, 60))
    made = entry("vpn.md", f"# VPN\n\n{' '.join(f'Word {number}.' for number in range(200))}\n\n{steps}\n")
    await index.replace([made])
    around = await index.neighbours("book:vpn.md#0", EVERYTHING, before=0, after=99)
    assert [(chunk.gap, chunk.repeated) for chunk in around] == [(chunk.gap, chunk.repeated) for chunk in made.chunks]
    assert {chunk.gap for chunk in around} >= {" ", "\n"}
    assert any(chunk.repeated for chunk in around)
    assert Stretch(around).text == made.markdown.partition("# VPN\n\n")[2].strip()


async def test_a_page_is_given_back_as_it_may_be_shown(index: Index) -> None:
    text = "---\ntitle: Remote\nupdated: 2025-01-02\naccess: {allow: [staff]}\n---\n" + VPN + "<!-- secret -->\n"
    await index.replace([entry("vpn.md", text)])
    page = await index.page("book", "vpn.md", STAFF)
    assert page is not None
    assert (page.title, str(page.updated), page.allow) == ("Remote", "2025-01-02", ("staff",))
    assert "secret" not in page.markdown
    assert page.markdown.startswith("# VPN")


async def test_a_page_keeps_the_days_on_which_it_holds(index: Index) -> None:
    told = "---\nvalid_from: 2026-01-01\nvalid_until: 2026-12-31\n---\n" + VPN
    await index.replace([entry("vpn.md", told), entry("printer.md", PRINTER)])
    findings = await ask(index, "tidegate printers", dense=False)
    found = await index.passages([each.key for each in findings.legs["bm25"]], EVERYTHING)
    year = Validity(date(2026, 1, 1), date(2026, 12, 31))
    assert {(passage.document_path, passage.valid) for passage in found.values()} == {
        ("vpn.md", year),
        ("printer.md", ALWAYS),
    }
    page = await index.page("book", "vpn.md", STAFF)
    assert page is not None
    assert page.valid == year


async def test_a_page_keeps_the_address_that_it_comes_from(index: Index) -> None:
    told = "---\nurl: https://docs.example.org/vpn\n---\n" + VPN
    await index.replace([
        entry("vpn.md", told, origins=Origins(site="https://docs.example.org/")),
        entry("printer.md", PRINTER),
    ])  # fmt: skip
    findings = await ask(index, "tidegate printers", dense=False)
    found = await index.passages([each.key for each in findings.legs["bm25"]], EVERYTHING)
    assert {(passage.document_path, passage.url) for passage in found.values()} == {
        ("vpn.md", "https://docs.example.org/vpn"),
        ("printer.md", ""),
    }
    for path, url in (("vpn.md", "https://docs.example.org/vpn"), ("printer.md", "")):
        page = await index.page("book", path, STAFF)
        assert page is not None
        assert page.url == url
    await index.replace([entry("vpn.md", told)])  # the site is not known any more
    page = await index.page("book", "vpn.md", STAFF)
    assert page is not None
    assert page.url == ""


async def test_statistics_count_what_only_the_operator_sees(index: Index) -> None:
    await index.replace([entry("vpn.md", VPN, allow=()), entry("printer.md", PRINTER)])
    now = await index.statistics("book")
    assert (now.documents, now.chunks, now.without_access, now.vectors_pending) == (2, 3, 1, 3)


async def test_readers_never_see_half_a_change(index: Index) -> None:
    """Two pages are always swapped together; no reader may see one of each, or none."""
    versions = [[entry(path, f"# Page\n\nturn{turn} word\n") for path in ("a.md", "b.md")] for turn in range(2)]
    await index.replace(versions[0])
    stop = asyncio.Event()

    async def write() -> None:
        for turn in range(scaled(200, least=20)):
            await index.replace(versions[turn % 2])
            await asyncio.sleep(0)
        stop.set()

    async def read() -> int:
        seen = 0
        while not stop.is_set():
            findings = await ask(index, "turn0 turn1 word", dense=False)
            assert findings.total == 2
            assert len(findings.legs["bm25"]) == 2
            assert 2 in (findings.frequencies["turn0"], findings.frequencies["turn1"])
            seen += 1
            await asyncio.sleep(0)
        return seen

    results = await asyncio.gather(write(), read(), read(), read())
    assert all(count is None or count > 0 for count in results)


PRINCIPALS = ("public", "staff", "group:a", "group:b", "unit:c", "role:d", "person:e")
WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "年假", "报销", "流程")
LISTS = st.lists(st.sampled_from(PRINCIPALS), max_size=3, unique=True)
PAGES = st.lists(st.tuples(LISTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)), min_size=1, max_size=12)
SCOPES = st.builds(
    Scope,
    everything=st.booleans(),
    principals=LISTS.map(frozenset),
    within=st.one_of(st.none(), LISTS.map(frozenset)),
)


CASES = st.lists(st.tuples(SCOPES, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)), min_size=10, max_size=10)

#: How many shelves are made up, each asked ten times. Elasticsearch takes a second for one.
SHELVES = scaled(500, least=5)
SHELVES_OF = {"elasticsearch": scaled(SHELVES, least=12)}


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("kind", INDEXES)
def test_nothing_leaks_and_nothing_permitted_is_lost(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Compare each leg with brute force, for random access lists, actors, channels and questions."""
    index = INDEXES[kind](tmp_path, request)

    async def run(entries: Sequence[IndexEntry], cases: Sequence[tuple[Scope, list[str]]]) -> None:
        await index.delete("book")
        await index.replace(entries)
        await embed_all(index)
        for scope, words in cases:
            await check(index, entries, scope, " ".join(words))
        await index.close()

    @settings(max_examples=SHELVES_OF.get(kind, SHELVES))
    @given(pages=PAGES, cases=CASES)
    def compare(
        pages: Sequence[tuple[list[str], list[str]]],
        cases: Sequence[tuple[Scope, list[str]]],
    ) -> None:
        entries = [entry(f"p{number}.md", " ".join(words), allow=allow) for number, (allow, words) in enumerate(pages)]
        asyncio.run(run(entries, cases))

    compare()


async def check(index: Index, entries: Sequence[IndexEntry], scope: Scope, question: str) -> None:
    permitted = {one.document.path for one in entries if scope.allows(one.document.allow)}
    terms = set(analyse(question).terms)
    speaking = {
        one.document.path for one in entries if terms & set(analyse(" ".join(c.text for c in one.chunks)).terms)
    }
    findings = await ask(index, question, scope)
    found = await paths(index, findings, scope)
    chunks = [chunk for one in entries if one.document.path in permitted for chunk in one.chunks]
    assert findings.total == len(chunks)
    assert findings.frequencies == {term: sum(term in analyse(c.text).terms for c in chunks) for term in terms}
    assert set(found["bm25"]) == permitted & speaking
    assert set(found["dense"]) == permitted
    scores = [candidate.score for candidate in findings.legs["dense"]]
    assert np.allclose(scores, sorted(scores, reverse=True))
