"""What the knowledge tool makes of a search: passages with what stands around them, and evidence of all of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from agent.tools.evidence import MAX_TEXT, Found
from agent.tools.registry import ToolResult
from features.knowledge import tools as knowledge
from identity.actor import Actor
from identity.readership import ALONE, Readership
from search.documents import Chunk, SearchResult, Stretch
from storage.ids import digest
from tests.fixtures.agent import Workshop
from tests.search.making import hit_of

chunk = partial(Chunk, "book:a.md", section_path=("A",), anchor="a", tokens=9)
PARTS = (
    chunk(number=0, text="Open the tray. " + "Look well. " * 200),
    chunk(number=1, text="Pull the lever."),
    chunk(number=2, text="Close it.", gap=" "),
)


def result(*stretches: Stretch) -> SearchResult:
    return SearchResult(hits=(hit_of(PARTS[1]),), legs=("bm25",), hidden=0, stretches=stretches)


def only_passage(result: ToolResult) -> dict[str, Any]:
    told: Any = Found().take(result.results)[1]["passages"]
    (passage,) = told
    assert isinstance(passage, dict)
    return passage


@dataclass
class Searched:
    """A search that gives what it is told to."""

    results: list[SearchResult]
    asked: list[int] = field(default_factory=list)

    async def search(
        self,
        actor: Actor,
        query: str,
        *,
        language: str,
        limit: int = 8,
        readership: Readership = ALONE,
        around: int = 0,
        meant: str = "",
    ) -> SearchResult:
        del actor, query, language, limit, readership, meant
        self.asked.append(around)
        return self.results.pop(0)

    async def on_page(self, actor: Actor, document: str, *, readership: Readership = ALONE) -> SearchResult:
        del actor, document, readership
        return self.results.pop(0)

    async def likeness(
        self, actor: Actor, questions: Sequence[str], texts: Sequence[str]
    ) -> tuple[tuple[float, ...], ...]:
        del actor
        return tuple(tuple(float(len(text)) for _ in questions) for text in texts)


@pytest.fixture
async def called(workshop: Workshop, ada: Actor) -> tuple[Searched, list[ToolResult]]:
    """Call the tool twice in one run: with what stands around the passage, and without."""
    service = Searched([result(Stretch(PARTS)), result()])
    (tool,) = knowledge.tools(service, around=512)
    context = await workshop.context(ada)
    given = knowledge.SearchKnowledge(query="lever")
    return service, [await tool.handler(context, given), await tool.handler(context, given)]


async def test_what_stands_around_is_told_beside_the_passage(called: tuple[Searched, list[ToolResult]]) -> None:
    service, (widened, plain) = called
    assert service.asked == [512, 512]
    item = only_passage(widened)
    assert (item["evidence"], item["text"], item["after"]) == ("E1", "Pull the lever.", " Close it.")
    assert item["before"] + item["text"] + item["after"] == Stretch(PARTS).text
    alone = only_passage(plain)
    assert (alone["text"], {"before", "after", "goes_on_in"} & alone.keys()) == ("Pull the lever.", set())


async def test_evidence_is_of_all_that_was_shown(called: tuple[Searched, list[ToolResult]]) -> None:
    _, (widened, _) = called
    found = Found()
    ((evidence,), _) = found.take(widened.results)
    assert found.grounds["E1"].text == Stretch(PARTS).text
    assert evidence.hash == digest(Stretch(PARTS).text)
    assert evidence.text == "Pull the lever. Close it."  # cut, so that the passage itself is among what is kept
    assert len(Stretch(PARTS).text) > MAX_TEXT


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_a_claim_may_rest_on_the_most_that_was_shown_of_a_passage(
    called: tuple[Searched, list[ToolResult]], order: tuple[int, int]
) -> None:
    _, results = called
    found = Found()
    for place in order:
        found.take(results[place].results)
    assert found.grounds["E1"].text == Stretch(PARTS).text


async def test_the_pieces_of_a_page_are_compared_with_the_question(workshop: Workshop, ada: Actor) -> None:
    service = Searched([result()])
    (tool,) = knowledge.tools(service)
    given = await tool.handler(await workshop.context(ada), knowledge.SearchKnowledge(query="lever", page="book:a.md"))

    assert only_passage(given)["likeness"] == [[len("A: Pull the lever.")] * 2]  # below its heading


async def test_what_is_found_in_another_language_is_ranked_by_what_is_meant(workshop: Workshop, ada: Actor) -> None:
    texts = (
        "Pull the lever.",
        "Pull the lever with both hands, and look well.",
        "请拉动把手，双手拉动，注意看清楚再拉。",
    )
    hits = tuple(hit_of(chunk(number=number, text=text)) for number, text in enumerate(texts))
    stretches = (Stretch((hits[2].chunk,)),)  # around what is left out
    service = Searched([SearchResult(hits=hits, legs=("bm25",), hidden=0, stretches=stretches)])
    (tool,) = knowledge.tools(service)
    given = knowledge.SearchKnowledge(query="pull lever", meant="怎么拉把手")
    told: Any = Found().take((await tool.handler(await workshop.context(ada), given)).results)[1]["passages"]

    assert [each["text"] for each in told] == [
        texts[1],
        texts[0],
    ]  # the nearest first, none in its own language
    assert [each["cosine"] for each in told] == [len(f"A: A: {texts[1]}"), len(f"A: A: {texts[0]}")]
