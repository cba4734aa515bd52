"""Retrieval measured on a judged corpus by the usual measures: each leg alone, and both as the desk uses them."""

import math
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from evals.beir import Corpus, CorpusText
from language.scripts import language_of
from search.access import Scope
from search.config import SearchConfig
from search.documents import Document
from search.embedding.port import Embedder
from search.indexes.port import Index, IndexQuery, Leg
from search.parsing.markdown.sections import parse_body
from search.ranking.finding import Finder
from search.ranking.query import analyse
from search.sources.pages import page_hash
from search.sources.port import Listing, Loaded, SourcePage
from search.sources.report import Progress, Stopwatch
from search.sync.sync import Synchroniser
from storage.clock import SystemClock

#: Grades by document; a document that is not named is not relevant.
Grades = Mapping[str, float]


def ndcg(ranked: Sequence[str], grades: Grades, *, at: int) -> float:
    """Return the discounted gain of the first `at` documents over that of the best possible order, 0..1."""
    best = _gain(sorted(grades.values(), reverse=True)[:at])
    return _gain([grades.get(document, 0) for document in ranked[:at]]) / best if best else 0.0


def recall(ranked: Sequence[str], grades: Grades, *, at: int) -> float:
    """Return the share of the relevant documents that are among the first `at`."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ranked[:at])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], grades: Grades, *, at: int) -> float:
    """Return 1 over the rank of the first relevant document, 0 when none is among the first `at`."""
    ranks = (rank for rank, document in enumerate(ranked[:at], start=1) if grades.get(document, 0) > 0)
    return 1 / next(ranks, math.inf)


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / math.log2(place + 2) for place, grade in enumerate(grades))


Mode = Literal["bm25", "dense", "hybrid"]
MODES: tuple[Mode, ...] = ("bm25", "dense", "hybrid")
#: A question and how many passages are wanted → documents, best first.
Ask = Callable[[str, int], Awaitable[Sequence[str]]]
#: Passages that the desk asks for: what a question is timed with.
SHOWN = 8
_EVERYTHING = Scope(everything=True, principals=frozenset())
#: What is measured: name → the measure of one question.
MEASURES: Mapping[str, Callable[[Sequence[str], Grades], float]] = {
    "ndcg@10": lambda ranked, grades: ndcg(ranked, grades, at=10),
    "recall@3": lambda ranked, grades: recall(ranked, grades, at=3),
    "recall@10": lambda ranked, grades: recall(ranked, grades, at=10),
    "recall@100": lambda ranked, grades: recall(ranked, grades, at=100),
    "mrr@10": lambda ranked, grades: reciprocal_rank(ranked, grades, at=10),
}


@dataclass(frozen=True)
class Measured:
    """One mode: means over the questions, and how long a question took, with its embedding."""

    scores: Mapping[str, float]
    each: Mapping[str, Mapping[str, float]]  # question → measure → value
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True)
class CorpusSource:
    """The documents of a corpus as pages of Markdown, as the desk reads such a file; plain text stays what it is."""

    name: str
    documents: Mapping[str, CorpusText]

    async def listing(self) -> Listing:
        """Return every document."""
        return Listing({name: page_hash(f"{each.title}\n{each.text}".encode(), ()) for name, each in self._all()})

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Return these documents."""
        return Loaded(tuple(self._page(self.documents[path]) for path in paths))

    def _all(self) -> Sequence[tuple[str, CorpusText]]:
        return tuple(self.documents.items())

    def _page(self, text: CorpusText) -> SourcePage:
        # A document that is only a title is found by it: a page without a passage never could be.
        shown = text.text if text.text.strip() else text.title
        document = Document(
            source=self.name,
            path=text.id,
            title=text.title,
            root=parse_body(shown),
            content_hash=page_hash(f"{text.title}\n{text.text}".encode(), ()),
            allow=(),
            language=language_of(f"{text.title}\n{text.text}"),
        )
        return SourcePage(document, shown)


async def build(
    corpus: Corpus, *, index: Index, embedder: Embedder, vectors: bool = True, progress: Progress | None = None
) -> None:
    """Put a corpus into an index, with its vectors or without; what is there already is not made again."""
    synchroniser = Synchroniser(index=index, embedder=embedder)
    await synchroniser.sync(CorpusSource("corpus", {each.id: each for each in corpus.documents}), progress=progress)
    if vectors:
        await synchroniser.embed_pending(progress=progress)


async def measure(
    corpus: Corpus,
    mode: Mode,
    *,
    index: Index,
    embedder: Embedder,
    config: SearchConfig,
    progress: Progress | None = None,
) -> Measured:
    """Ask every question of a corpus that `build` put into the index."""
    ask = _asking(mode, index=index, embedder=embedder, config=config)
    await ask("warm up the model and the vectors", SHOWN)
    each: dict[str, Mapping[str, float]] = {}
    seconds: list[float] = []
    watch = Stopwatch("asking", SystemClock(), progress)
    for number, question in enumerate(corpus.questions, start=1):
        started = time.perf_counter()
        await ask(question.text, SHOWN)
        seconds.append(time.perf_counter() - started)
        # Everything that either leg found: of a hundred passages too few would be of different documents.
        ranked = await ask(question.text, 2 * config.depth)
        grades = corpus.relevant[question.id]
        each[question.id] = {name: judge(ranked, grades) for name, judge in MEASURES.items()}
        watch.tell(number, len(corpus.questions))
    inside = sorted(seconds)
    return Measured(
        scores={name: statistics.fmean(values[name] for values in each.values()) for name in MEASURES},
        each=each,
        p50_ms=statistics.median(inside) * 1_000,
        p95_ms=inside[int(len(inside) * 0.95)] * 1_000,
    )


def _asking(mode: Mode, *, index: Index, embedder: Embedder, config: SearchConfig) -> Ask:
    """Return what finds the documents of a question, best first; a leg alone gives all that it has."""
    finder = Finder(index=index, embedder=embedder, config=config)

    async def both(text: str, limit: int) -> Sequence[str]:
        found = await finder.find(text, _EVERYTHING, language="", limit=limit)
        return tuple(dict.fromkeys(hit.document_path for hit in found.hits))

    async def alone(leg: Leg, question: IndexQuery) -> Sequence[str]:
        found = (await index.search(question, _EVERYTHING)).legs.get(leg, ())
        passages = await index.passages([each.key for each in found], _EVERYTHING)
        paths = (passages[each.key].document_path for each in found if each.key in passages)
        return tuple(dict.fromkeys(paths))

    async def by_words(text: str, _: int) -> Sequence[str]:
        return await alone("bm25", IndexQuery(terms=analyse(text).terms, depth=config.depth))

    async def by_meaning(text: str, _: int) -> Sequence[str]:
        (vector,) = await embedder.embed([text], role="question")
        return await alone("dense", IndexQuery(vector=vector, model=embedder.name, depth=config.depth))

    match mode:
        case "bm25":
            return by_words
        case "dense":
            return by_meaning
        case "hybrid":
            return both
        case _:
            assert_never(mode)
