"""What the legs together find: an identifier where it stands, and nothing worse for a leg that is of no use."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from search.config import SearchConfig
from search.embedding.memory import HashEmbedder
from search.embedding.port import FloatArray, Role
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.memory import MemoryIndex
from search.indexes.port import Index
from search.ranking.finding import Finder
from search.sources.memory import MemorySource
from search.sync.sync import Synchroniser
from tests.search.making import EVERYTHING

Making = Callable[[Path, pytest.FixtureRequest], Index]
INDEXES: dict[str, Making] = {
    "elasticsearch": lambda _, request: ElasticsearchIndex(request.getfixturevalue("elasticsearch_config")),
    "embedded": lambda folder, _: EmbeddedIndex(folder / "index.sqlite"),
    "memory": lambda *_: MemoryIndex(),
}
DECOY = "# Errors\n\nWhat an error means, where a host stands and what to do on a host when an error comes.\n"
IDENTIFIERS = {
    "errors/printing.md": ("PPR-9087", "# Printing\n\nThe queue shows PPR-9087 when the driver is too old.\n"),
    "errors/printing-2.md": ("PPR-9078", "# Printing\n\nThe queue shows PPR-9078 when the paper is out.\n"),
    "errors/access.md": ("0x80070005", "# Updates\n\nSetup ends with 0x80070005: no right to write.\n"),
    "errors/file.md": ("0x80070002", "# Updates\n\nSetup ends with 0x80070002: a file is not there.\n"),
    "hosts/mail.md": ("mail-03.corp.example.com", "# Hosts\n\nmail-03.corp.example.com sends the mail.\n"),
    "hosts/mails.md": ("mail-04.corp.example.com", "# Hosts\n\nmail-04.corp.example.com gets the mail.\n"),
    "nodes/proxy.md": ("kube-proxy", "# Nodes\n\nThe rules of kube-proxy are written again after a restart.\n"),
    "nodes/other.md": ("10.4.0.17", "# Nodes\n\nThe proxy of Kube Street listens on 10.4.0.17 for visitors.\n"),
}


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made = INDEXES[request.param](tmp_path, request)
    yield made
    await made.close()


@dataclass(frozen=True)
class Misled(HashEmbedder):
    """A model to which whatever is asked means the decoy."""

    decoy: str = DECOY.partition("\n\n")[2].strip()

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return a vector near the decoy's for a question, and for a passage what it is."""
        vectors = await super().embed(texts, role=role)
        if role == "passage":
            return vectors
        (wrong,) = await super().embed([f"Errors\n{self.decoy}"])
        mixed = wrong + 0.3 * vectors
        unit: FloatArray = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
        return unit


@dataclass
class Desk:
    """An index with pages in it and what finds them."""

    index: Index
    embedder: HashEmbedder
    pages: Mapping[str, str] = field(default_factory=dict)

    async def fill(self) -> None:
        synchroniser = Synchroniser(index=self.index, embedder=self.embedder)
        await synchroniser.sync(MemorySource("book", self.pages))
        await synchroniser.embed_pending()

    async def found(self, question: str) -> list[str]:
        finder = Finder(index=self.index, embedder=self.embedder, config=SearchConfig())
        result = await finder.find(question, EVERYTHING, language="en", limit=8)
        return [hit.document_path for hit in result.hits]


async def test_an_identifier_is_found_first_where_it_stands(index: Index) -> None:
    pages = {path: text for path, (_, text) in IDENTIFIERS.items()} | {"errors/all.md": DECOY}
    desk = Desk(index, Misled(), pages)
    await desk.fill()
    for path, (identifier, _) in IDENTIFIERS.items():
        for form in ("{}", "how do I fix the error {} on my host", "{} 是什么意思"):
            asked = form.format(identifier)
            assert (await desk.found(asked))[:1] == [path], asked


CHINESE = {
    "zh/proxy.md": "# 代理\n\nkube-proxy 的模式有三种，iptables 模式是默认的。\n",
    "zh/rollout.md": "# 发布\n\nkubectl rollout undo 会回到上一个版本。\n",
    "zh/dns.md": "# 域名\n\nCoreDNS 负责集群里的域名解析，配置写在 ConfigMap 里。\n",
}
ENGLISH = {
    f"en/{number}.md": f"# Reference {number}\n\nField {number} of the mode holds a version of the default.\n"
    for number in range(12)
}


async def test_pages_that_the_model_does_not_read_are_not_pushed_down_by_those_that_it_does(index: Index) -> None:
    desk = Desk(index, HashEmbedder(), CHINESE | ENGLISH)
    await desk.fill()

    assert (await desk.found("which kube-proxy mode is the default iptables"))[0] == "zh/proxy.md"
    assert (await desk.found("what does kubectl rollout undo do to a version"))[0] == "zh/rollout.md"
    assert (await desk.found("where does CoreDNS keep the default version in a ConfigMap"))[0] == "zh/dns.md"


async def test_where_words_lead_to_another_language_the_few_pages_that_are_read_have_little_say(index: Index) -> None:
    chinese = {f"zh/{number}.md": f"# 节点\n\nkubelet 在节点 {number} 上的 eviction 阈值。\n" for number in range(12)}
    english = {f"en/{number}.md": f"# Kettle {number}\n\nThe kettle is cleaned.\n" for number in range(3)}
    desk = Desk(index, HashEmbedder(), chinese | english)
    await desk.fill()
    finder = Finder(index=index, embedder=desk.embedder, config=SearchConfig())
    abroad = await finder.trace("eviction by the kubelet", EVERYTHING, language="en", limit=8)
    at_home = await finder.trace("when is the kettle cleaned", EVERYTHING, language="en", limit=8)

    assert 0 < abroad.fused.dense_weight <= 0.1
    assert at_home.fused.dense_weight >= SearchConfig().fusion.dense_least
    assert abroad.hits[0].document_path.startswith("zh/")
    assert at_home.hits[0].document_path.startswith("en/")


async def test_without_vectors_words_alone_decide(index: Index) -> None:
    desk = Desk(index, Misled(), {"a.md": "# Fire\n\nLeave the house.\n", "b.md": DECOY})
    await Synchroniser(index=desk.index, embedder=desk.embedder).sync(MemorySource("book", desk.pages))

    assert (await desk.found("what to do when the fire comes to my house"))[0] == "a.md"
