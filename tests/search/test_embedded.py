"""The embedded index beside brute force: whatever is put in, changed and removed, in however many pieces."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.access import Scope
from search.indexes.bm25f import FieldTerms
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.embedded.postings import POSTING, Segment, inverted, packed, unpacked, with_added
from search.indexes.embedded.schema import connect
from search.indexes.memory import MemoryIndex
from search.indexes.port import Index, IndexQuery, LegFindings
from search.ranking.query import analyse
from tests.scale import scaled
from tests.search.making import EMBEDDER, EVERYTHING, entry

WORDS = ("tidegate", "printer", "tray", "portal", "expired", "TG-305", "年假", "申请")
GROUPS = ("staff", "group:it", "group:hr")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
PAGES = st.builds(
    lambda number, title, heading, first, second, allow: (
        f"{number}/{title.split()[0]}.md",
        f"# {title}\n\n{first}\n\n## {heading}\n\n{second}\n",
        allow,
    ),
    st.integers(0, 5),
    TEXTS,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(st.sampled_from(GROUPS), max_size=2, unique=True),
)
STEPS = st.lists(
    st.one_of(st.lists(PAGES, min_size=1, max_size=4), st.integers(0, 20)),  # pages to put in, or the one to remove
    min_size=1,
    max_size=8,
)
SCOPES = st.one_of(
    st.just(EVERYTHING),
    st.lists(st.sampled_from(GROUPS), max_size=2).map(lambda held: Scope(False, frozenset(held))),
)
Page = tuple[str, str, list[str]]


@pytest.mark.timeout(600)
def test_words_rank_as_brute_force_ranks_them(tmp_path: Path) -> None:
    """Also for a reader that followed every step, piece by piece, and for one that comes afterwards."""
    file = tmp_path / "index.sqlite"

    async def run(steps: Sequence[list[Page] | int], asked: str, scope: Scope) -> None:
        writer, follower, plain = EmbeddedIndex(file), EmbeddedIndex(file), MemoryIndex()
        await writer.delete("book")
        for step in steps:
            for index in (writer, plain):
                await _take(index, step)
            await _equal(follower, plain, asked, scope)
        late = EmbeddedIndex(file)
        await _equal(late, plain, asked, scope)
        assert await late.verify() == ()
        for index in (writer, follower, late):
            await index.close()

    @settings(max_examples=scaled(500, least=25))
    @given(steps=STEPS, asked=TEXTS, scope=SCOPES)
    def compare(steps: Sequence[list[Page] | int], asked: str, scope: Scope) -> None:
        asyncio.run(run(steps, asked, scope))

    compare()


async def _take(index: Index, step: list[Page] | int) -> None:
    if isinstance(step, int):
        known = sorted(await index.manifest("book"))
        await index.delete("book", [known[step % len(known)]] if known else [])
        return
    await index.replace(
        [entry(path, text, allow=allow) for path, text, allow in {page[0]: page for page in step}.values()]
    )


async def _equal(embedded: Index, plain: Index, asked: str, scope: Scope) -> None:
    question = IndexQuery(terms=analyse(asked).terms)
    one, other = await embedded.search(question, scope), await plain.search(question, scope)
    assert (one.total, one.hidden, one.frequencies) == (other.total, other.hidden, other.frequencies)
    scores, expected = await _scores(embedded, one), await _scores(plain, other)
    assert scores.keys() == expected.keys()
    assert np.allclose([scores[name] for name in expected], list(expected.values()), rtol=1e-4)
    ranked = [found.score for found in one.legs["bm25"]]
    assert ranked == sorted(ranked, reverse=True)


async def _scores(index: Index, findings: LegFindings) -> dict[str, float]:
    passages = await index.passages([found.key for found in findings.legs["bm25"]], EVERYTHING)
    return {passages[found.key].chunk.id: found.score for found in findings.legs["bm25"]}


def _segment(first: int, terms: Sequence[str]) -> Segment:
    numbers = {term: place for place, term in enumerate(WORDS)}
    found = FieldTerms(title=[], section=[], body=list(terms), path=[])
    return inverted([unpacked([packed(found, numbers)], first=first)])


def test_segments_stay_few_and_lose_nothing() -> None:
    segments: tuple[Segment, ...] = ()
    for chunk in range(scaled(2_000, least=200)):
        segments = with_added(segments, _segment(chunk, WORDS[: 1 + chunk % len(WORDS)]))
    count = scaled(2_000, least=200)
    assert len(segments) <= 2 + np.log2(count)
    for place in range(len(WORDS)):
        held = np.concatenate([segment.of(place)[0] for segment in segments])
        assert held.tolist() == [chunk for chunk in range(count) if chunk % len(WORDS) >= place]


def test_a_term_without_end_counts_as_often_as_one_byte_holds() -> None:
    found = FieldTerms(title=["a"], section=[], body=["a"] * 1_000, path=[])
    (posting,) = np.frombuffer(packed(found, {"a": 7}), dtype=POSTING)
    assert tuple(posting) == (7, 1, 0, 255, 0)


async def test_a_page_without_any_word_is_no_trouble(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    await index.replace([entry("a.md", "# !!!\n\n...\n")])
    texts = await index.pending(EMBEDDER.name, limit=10)
    vectors = await EMBEDDER.embed([text.text for text in texts])
    await index.put_vectors(EMBEDDER.name, {text.key: vectors[place] for place, text in enumerate(texts)})
    findings = await index.search(IndexQuery(terms=("a",), vector=vectors[0]), EVERYTHING)
    assert findings.total == len(findings.legs["dense"]) == 1
    assert await index.verify() == ()
    await index.close()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM posting", "chunks without their terms: 1"),
        ("DELETE FROM chunk", "terms without a chunk: 1"),
        ("DELETE FROM term", "passages whose terms have no spelling: 1"),
        ("DELETE FROM document", "chunks without a document: 1"),
        ("UPDATE chunk SET text = 'tidegaze'", "entries that are not as they were written: 1"),
        ("UPDATE window SET text = 'tidegaze'", "texts that are not as they were embedded: 1"),
    ],
)
async def test_what_does_not_fit_together_is_told(tmp_path: Path, damage: str, told: str) -> None:
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    await index.replace([entry("a.md", "# Page\n\ntidegate\n")])
    connection = connect(tmp_path / "index.sqlite")
    connection.execute(damage)
    connection.close()
    assert told in await index.verify()
    await index.close()


async def test_a_word_that_is_spelt_otherwise_in_the_file_is_told(tmp_path: Path) -> None:
    """SQLite reads it well: a byte of a page is another one, as a failing disk gives it back."""
    path = tmp_path / "index.sqlite"
    index = EmbeddedIndex(path)
    await index.replace([entry("a.md", "# Page\n\ntidegate\n")])
    await index.close()
    with closing(connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((place,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'term'")
        ((size,),) = connection.execute("PRAGMA page_size")
    held = bytearray(path.read_bytes())
    at = held.index(b"tide", (place - 1) * size, place * size)
    held[at] ^= 1
    path.write_bytes(held)
    index = EmbeddedIndex(path)
    assert any(each.startswith("file: ") for each in await index.verify())
    await index.close()
