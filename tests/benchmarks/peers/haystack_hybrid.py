"""Haystack's hybrid search over its in-memory store, with its own settings: BM25 and vectors, joined by ranks.

    python -m tests.benchmarks.peers.haystack_hybrid FOLDER

In an environment of its own: see the README.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from tests.benchmarks.peers.passages import DEPTH, load, run

task = load(Path(sys.argv[1]))
store = InMemoryDocumentStore(embedding_similarity_function="cosine")
store.write_documents(
    [
        Document(id=passage.id, content=passage.text, meta={"document": passage.document}, embedding=vector)
        for passage, vector in zip(task.passages, task.passage_vectors.tolist(), strict=True)
    ]
)
pipeline = Pipeline()
pipeline.add_component("words", InMemoryBM25Retriever(store, top_k=DEPTH))
pipeline.add_component("vectors", InMemoryEmbeddingRetriever(store, top_k=DEPTH))
pipeline.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=DEPTH))
pipeline.connect("words", "joiner")
pipeline.connect("vectors", "joiner")


def ask(text: str, vector: list[float]) -> Sequence[str]:
    found = pipeline.run({"words": {"query": text}, "vectors": {"query_embedding": vector}})
    return [document.meta["document"] for document in found["joiner"]["documents"]]


run("Haystack, in memory", task, ask)
