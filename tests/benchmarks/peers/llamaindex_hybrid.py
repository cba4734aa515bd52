"""LlamaIndex's hybrid search over its in-memory stores: BM25 (bm25s, stemmed) and vectors, fused by ranks.

    python -m tests.benchmarks.peers.llamaindex_hybrid FOLDER

In an environment of its own: see the README.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever

from tests.benchmarks.peers.passages import DEPTH, load, run

task = load(Path(sys.argv[1]))
known: dict[str, list[float]] = dict(
    zip((each.text for each in task.questions), task.question_vectors.tolist(), strict=True)
)


class Recalled(BaseEmbedding):  # type: ignore[misc]
    """Looks the questions' vectors up: embedding is not what is compared."""

    def _get_query_embedding(self, query: str) -> list[float]:
        return known[query]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return known[query]

    def _get_text_embedding(self, text: str) -> list[float]:
        raise NotImplementedError(text)


nodes: list[Any] = [
    TextNode(id_=passage.id, text=passage.text, embedding=vector, metadata={"document": passage.document})
    for passage, vector in zip(task.passages, task.passage_vectors.tolist(), strict=True)
]
for node in nodes:  # the number of a document is no word of it
    node.excluded_embed_metadata_keys = node.excluded_llm_metadata_keys = ["document"]
index = VectorStoreIndex(nodes, embed_model=Recalled())
fused = QueryFusionRetriever(
    [
        index.as_retriever(similarity_top_k=DEPTH),
        BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=DEPTH),
    ],
    llm=MockLLM(),
    mode=FUSION_MODES.RECIPROCAL_RANK,
    similarity_top_k=DEPTH,
    num_queries=1,
    use_async=False,
)


def ask(text: str, _: list[float]) -> Sequence[str]:
    return [found.node.metadata["document"] for found in fused.retrieve(text)]


run("LlamaIndex, in memory", task, ask)
