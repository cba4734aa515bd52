"""The second look at candidates: which signs count, and which only rank."""

from search.config import FusionConfig
from search.indexes.port import StoredPassage
from search.ranking.coverage import Coverage
from search.ranking.query import analyse
from search.ranking.ranking import RankedPassage
from search.ranking.reranking import judge
from tests.search.making import entry

TEXT = "# 集群\n\n三个成员的集群。\n"


def passage(path: str) -> StoredPassage:
    page = entry(path, TEXT)
    document = page.document
    return StoredPassage(
        chunk=page.chunks[0],
        source=document.source,
        document_path=path,
        title=document.title,
        language=document.language,
        updated=None,
        allow=document.allow,
    )


def test_words_of_the_path_rank_and_support_nothing() -> None:
    analysed = analyse("high availability of etcd")
    paths = ("zh/one.md", "zh/high-availability/etcd.md")
    judged = judge(
        analysed,
        Coverage(analysed.tokens, {}, 100),
        [(RankedPassage(key=path, document=path, score=0.5), passage(path)) for path in paths],
        dense_weight=0.0,
        config=FusionConfig(),
        identifiers=frozenset(),
        literal=0.0,
    )

    assert [one.passage.document_path for one in judged] == [*reversed(paths)]
    assert judged[0].ranked.score > judged[1].ranked.score
    assert [one.coverage for one in judged] == [0.0, 0.0]
