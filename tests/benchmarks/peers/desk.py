"""The desk on a judged corpus; and the corpus as the desk cuts and embeds it, for the others.

    python -m tests.benchmarks.peers.desk CORPUS FOLDER

writes the passages with their vectors into FOLDER where they are not there yet, and prints the desk's figures.
"""

import asyncio
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evals.beir import Corpus, load_corpus
from evals.retrieval import CorpusSource
from search.access import Scope
from search.config import SearchConfig
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import FloatArray, Role
from search.errors import EmbedderUnavailable
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.passage_text import embedded_texts
from search.indexes.port import IndexEntry
from search.ranking.finding import Finder
from search.sync.chunking import chunk
from tests.benchmarks.peers.passages import DEPTH, Task, Text, load, tell

EVERYTHING = Scope(everything=True, principals=frozenset())


class Recalled(OnnxEmbedder):
    """Knows the questions' vectors by heart, and makes none: embedding is not what is compared."""

    def __init__(self, known: Mapping[str, FloatArray]) -> None:
        super().__init__()
        self._known = known

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        del role
        if any(text not in self._known for text in texts):
            raise EmbedderUnavailable("only the questions have a vector")
        return np.stack([self._known[text] for text in texts])


async def entries_of(corpus: Corpus, embedder: OnnxEmbedder) -> list[IndexEntry]:
    source = CorpusSource("corpus", {each.id: each for each in corpus.documents})
    pages = (await source.load([each.id for each in corpus.documents])).pages
    return [
        IndexEntry(
            document=page.document,
            chunks=(chunks := chunk(page.document, embedder.count_all)),
            markdown=page.markdown,
            embedded=tuple(embedded_texts(passage, page.document.title) for passage in chunks),
        )
        for page in pages
    ]


async def task_of(corpus: Corpus, entries: Sequence[IndexEntry], embedder: OnnxEmbedder) -> Task:
    passages = tuple(
        Text(id=f"{passage.id}.{number}", document=entry.document.path, text=text)
        for entry in entries
        for passage, texts in zip(entry.chunks, entry.embedded, strict=True)
        for number, text in enumerate(texts)
    )
    questions = tuple(Text(id=each.id, document="", text=each.text) for each in corpus.questions)
    return Task(
        passages=passages,
        passage_vectors=await embedder.embed([passage.text for passage in passages]),
        questions=questions,
        question_vectors=await embedder.embed([each.text for each in questions], role="question"),
        relevant=corpus.relevant,
    )


async def measure(task: Task, entries: Sequence[IndexEntry], file: Path) -> None:
    vectors = {passage.text: vector for passage, vector in zip(task.passages, task.passage_vectors, strict=True)}
    asked = {each.text: vector for each, vector in zip(task.questions, task.question_vectors, strict=True)}
    embedder, index = Recalled(asked), EmbeddedIndex(file)
    await index.replace(entries)
    while waiting := await index.pending(embedder.name, limit=5_000):
        await index.put_vectors(embedder.name, {each.key: vectors[each.text] for each in waiting})
    finder = Finder(index=index, embedder=embedder, config=SearchConfig(depth=DEPTH))
    await finder.find(task.questions[0].text, EVERYTHING, language="en", limit=DEPTH)
    answers: dict[str, Sequence[str]] = {}
    seconds: list[float] = []
    for question in task.questions:
        trace = await finder.trace(question.text, EVERYTHING, language="en", limit=DEPTH)
        seconds.append((trace.timings_ms["legs"] + trace.timings_ms["order"]) / 1_000)
        answers[question.id] = tuple(dict.fromkeys(hit.document_path for hit in trace.hits))
    await index.close()
    tell("dutydesk, embedded index", task, answers, seconds)


async def main(corpus: Corpus, folder: Path) -> None:
    embedder = OnnxEmbedder()
    entries = await entries_of(corpus, embedder)
    if not (folder / "relevant.json").exists():
        (await task_of(corpus, entries, embedder)).save(folder)
    with tempfile.TemporaryDirectory() as scratch:
        await measure(load(folder), entries, Path(scratch) / "index.sqlite")


if __name__ == "__main__":
    asyncio.run(main(load_corpus(Path(sys.argv[1])), Path(sys.argv[2])))
