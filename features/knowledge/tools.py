"""The tools that read the company's knowledge, with the asker's rights and no others.

The outline of a page is for whoever wants it in short: each section by its heading and its first sentence. Nothing is
put in other words, so nothing can be put wrongly; a language model may write its summary from it.
"""

import asyncio
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import Field

from agent.brains.rules.answering.passages import pieces_of, sentences
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.threads.asking_on import holds_sentence
from agent.brains.rules.understanding.message import answered_last
from agent.errors import ToolRefused
from agent.grounding.links import without_relative
from agent.results import DocumentSource, Passage, Passages
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.layout import passages_of
from agent.tools.prefetch import KnowledgeSearch, same_words
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from identity.permissions import Permission
from language.analysis import terms
from language.scripts import is_chinese
from search.documents import Hit, IndexedPage, SearchResult, Section, UnitKind
from search.service import SearchService
from storage.ids import JsonValue

#: Pieces of a page that are compared with a question, each in about 10 ms of processor time, once while it is kept.
COMPARED = 48
#: … of what was found, each read once as long as it is kept.
READ_CLOSELY = 48
#: Passages in another language that are compared with what is meant, how much of each, and what nearness is worth.
ABROAD, BEGINNING, NEARNESS = 12, 240, 2.0
#: Longest question, in characters.
MAX_QUERY = 1_000
OUTLINE = "outline_page"
#: Passages among whose pages the one that is meant is looked for, and sections of it that are shown.
LOOKED_AT, MOST = 16, 24
#: The share of the words of its title that are asked for, or of those asked for that its title holds, from which on a
#: page is meant.
MEANT = 0.6
#: Characters of a section that are shown.
SHOWN = 240


class SearchKnowledge(Arguments):
    """What to look for."""

    query: Annotated[
        str, Field(min_length=1, max_length=MAX_QUERY, description="The question, in the person's own words")
    ]
    page: Annotated[
        str, Field(max_length=400, description="Read this page alone, by the id of its document; empty: search all")
    ] = ""
    closely: Annotated[
        bool, Field(description="Tell how near each sentence that is found comes to the question in meaning")
    ] = False
    meant: Annotated[
        str,
        Field(
            max_length=MAX_QUERY,
            description="The person's own words, where the query says them in another language",
        ),
    ] = ""


def tools(service: KnowledgeSearch, *, limit: int = 8, around: int = 0) -> tuple[Tool, ...]:
    """Return the tools of this file; `limit` passages, the best widened to `around` tokens."""
    return (
        Tool(
            spec=ToolSpec(
                name="search_knowledge",
                description=(
                    "Find passages of the company's own documents that answer a question. "
                    "Every fact in a reply must rest on a passage found here."
                ),
                arguments=SearchKnowledge,
            ),
            policy=ToolPolicy(
                permission=Permission.KNOWLEDGE_ASK,
                effect=Effect.READ,
                audit="knowledge.search",
                returns_untrusted=True,
                calls_per_run=6,
            ),
            handler=functools.partial(_search, service, limit, around),
        ),
    )


async def _search(
    service: KnowledgeSearch, limit: int, around: int, context: ToolContext, arguments: SearchKnowledge
) -> ToolResult:
    """Use the search that was started with the run when it asks the same words; search, or read a page, otherwise."""
    if arguments.page:
        on_page = await service.on_page(context.actor, arguments.page, readership=context.readership)
        return await _compared(service, _result(on_page, prefetched=False), context, arguments.query)
    if arguments.meant:
        return await _search_abroad(service, limit, around, context, arguments)
    prefetched = context.prefetched.get(same_words(arguments.query))
    if prefetched is not None:
        found = _result(await prefetched, prefetched=True)
    else:
        hits = await service.search(
            context.actor,
            arguments.query,
            language=context.language,
            limit=limit,
            readership=context.readership,
            around=around,
        )
        found = _result(hits, prefetched=False)
    return await _read_closely(service, found, context, arguments.query) if arguments.closely else found


async def _search_abroad(
    service: KnowledgeSearch, limit: int, around: int, context: ToolContext, arguments: SearchKnowledge
) -> ToolResult:
    """Search in another language, and rank what is found there by how near it is to what is meant.

    Words that were translated one by one lead to the right page and to many others. What has no vector for it yet is
    compared now.
    """
    found = await service.search(
        context.actor,
        arguments.query,
        language=context.language,
        limit=max(limit, ABROAD),
        readership=context.readership,
        around=around,
        meant=arguments.meant,
    )
    abroad = [each for each in found.hits if is_chinese(each.chunk.text) != is_chinese(arguments.meant)]
    far = [each for each in abroad if each.signals.cosine is None]
    near = await service.likeness(context.actor, (arguments.meant,), [*map(_to_liken, far)])
    known = {each.chunk.id: cosines[0] for each, cosines in zip(far, near, strict=bool(near))}
    hits = [
        replace(each, signals=replace(each.signals, cosine=known.get(each.chunk.id, each.signals.cosine)))
        for each in abroad
    ]
    ranked = sorted(hits, key=lambda each: -(each.score + NEARNESS * (each.signals.cosine or 0.0)))
    kept = {each.chunk.id for each in ranked[:limit]}
    around_kept = tuple(each for each in found.stretches if any(part.id in kept for part in each.chunks))
    return _result(replace(found, hits=tuple(ranked[:limit]), stretches=around_kept), prefetched=False)


def _to_liken(hit: Hit) -> str:
    """Return as much of a passage, below its headings, as is compared; of Chinese half as many characters."""
    text = ": ".join((hit.title, *hit.chunk.section_path[-1:], hit.chunk.text))
    return text[: BEGINNING // 2 if is_chinese(text) else BEGINNING]


async def _read_closely(service: KnowledgeSearch, found: ToolResult, context: ToolContext, query: str) -> ToolResult:
    """Return what was found with how near each piece of it is to the question, below its heading.

    Only where a section may hold what is asked for in other words, and its vector tells little: of a table one row.
    """
    passages = [each for result in found.results if isinstance(result, Passages) for each in result.items]
    pieces = [[_below(each, piece.said) for piece in pieces_of(each.text)] for each in passages]
    compared = [*dict.fromkeys(text for each in pieces for text in each)][:READ_CLOSELY]
    likeness = await service.likeness(context.actor, (query,), compared)
    return _likened(found, passages, pieces, dict(zip(compared, likeness, strict=False)))


def _below(passage: Passage, text: str) -> str:
    return f"{passage.source.section.rpartition(' > ')[2]}: {text}"


async def _compared(service: KnowledgeSearch, page: ToolResult, context: ToolContext, query: str) -> ToolResult:
    """Return a page with how near each piece, below its heading, is to the message: by itself, and below the one cited.

    Of a long page the pieces that say most words of the question and of the answer before are compared.
    """
    passages = [each for result in page.results if isinstance(result, Passages) for each in result.items]
    turn = answered_last(context.memory)
    before = turn.answered if turn else ""
    cited = [each.source.section.rpartition(" > ")[2] for each in passages if holds_sentence(each.text, before)]
    subject = f"{cited[0]}: {context.text}" if cited and cited[0] else query
    pieces, compared = await asyncio.to_thread(_to_compare, passages, f"{query} {before}")
    likeness = await service.likeness(context.actor, (context.text[:MAX_QUERY], subject[:MAX_QUERY]), compared)
    return _likened(page, passages, pieces, dict(zip(compared, likeness, strict=False)))


def _likened(
    found: ToolResult,
    passages: Sequence[Passage],
    pieces: Sequence[Sequence[str]],
    known: Mapping[str, tuple[float, ...]],
) -> ToolResult:
    """Return what was found with how near the pieces of each passage are; as it was where no model compared them."""
    if not known:
        return found
    likened = tuple(
        replace(each, likeness=tuple(known.get(text, ()) for text in texts))
        for each, texts in zip(passages, pieces, strict=True)
    )
    return replace(found, results=(Passages(likened, ranked=True),))


def _to_compare(passages: Sequence[Passage], said: str) -> tuple[list[list[str]], list[str]]:
    """Return the pieces of each passage below its heading, and those that say most of what was said or stand near them.

    A page may have thousands; what answers in other words shares none with the question, and is seldom far.
    """
    words = frozenset(terms(said))
    pieces = [[_below(each, piece.said) for piece in pieces_of(each.text)] for each in passages]
    every = [*dict.fromkeys(text for each in pieces for text in each)]
    shared = [len(words.intersection(terms(text))) for text in every]
    by_words = sorted(range(len(every)), key=lambda at: -shared[at])
    near = sorted(by_words, key=lambda at: abs(at - by_words[0]))
    chosen = dict.fromkeys((*by_words[: COMPARED // 2], *near))
    return pieces, [every[at] for at in [*chosen][:COMPARED]]


def _result(found: SearchResult, *, prefetched: bool) -> ToolResult:
    private: dict[str, JsonValue] = {
        "hidden": found.hidden,
        "more_alone": found.more_alone,
        "is_reading": found.is_reading,
        "legs": list(found.legs),
        "timings_ms": dict(found.timings_ms),
        "prefetched": prefetched,
    }
    return ToolResult((Passages(passages_of(found), ranked=True),), private=private)


class OutlinePage(Arguments):
    """Which page."""

    topic: Annotated[str, Field(min_length=1, max_length=200, description="What the page is about, or its title")]


class Outlines:
    """Finds the page that is meant and takes its outline, with the asker's rights and no others."""

    def __init__(self, search: SearchService) -> None:
        self._search = search

    def tool(self) -> Tool:
        """Return the tool."""
        return Tool(
            spec=ToolSpec(
                name=OUTLINE,
                description=(
                    "Outline a page of the company's documents: each section's heading and first sentence. "
                    "For whoever wants a whole page in short."
                ),
                arguments=OutlinePage,
            ),
            policy=ToolPolicy(
                permission=Permission.KNOWLEDGE_ASK,
                effect=Effect.READ,
                audit="knowledge.outline",
                returns_untrusted=True,
            ),
            handler=self._outline,
        )

    async def _outline(self, context: ToolContext, arguments: OutlinePage) -> ToolResult:
        found = await self._search.search(
            context.actor,
            arguments.topic,
            language=context.language,
            limit=LOOKED_AT,
            readership=context.readership,
        )
        meant = _meant(arguments.topic, found.hits)
        page = meant and await self._search.page(
            context.actor, meant.source, meant.document_path, readership=context.readership
        )
        if not meant or not page:
            raise ToolRefused("no_such_page", arguments.topic)
        return ToolResult((Passages(tuple(_sections(page, meant))),))


def _meant(topic: str, hits: tuple[Hit, ...]) -> Hit | None:
    """Return a hit of the page whose title is asked for; of several the one that search put first."""
    asked = Question.of(topic, "zh" if is_chinese(topic) else "en")

    def likeness(hit: Hit) -> float:
        title = Question.of(hit.title, "zh" if is_chinese(hit.title) else "en")
        file = PurePosixPath(hit.document_path).stem.replace("-", " ")
        return max(asked.coverage(Text.of(hit.title, file)), title.coverage(Text.of(topic)))

    best = max(hits, key=likeness, default=None)
    return best if best is not None and likeness(best) >= MEANT else None


def _sections(page: IndexedPage, hit: Hit) -> Iterator[Passage]:
    """Yield the sections in reading order, the upper ones alone where there are many."""
    told = [each for each in page.sections if each.heading.strip() or each.units]
    if len(told) > MOST:
        told = [each for each in told if each.level <= min(each.level for each in told if each.level)]
    for section in told[:MOST]:
        yield Passage(
            text=_beginning(section),
            source=DocumentSource(
                title=page.document.title,
                section=" > ".join(section.path),
                source=page.document.path,
                source_name=page.document.source,
                uri=hit.url,
                chunk_id=f"{page.document.id}#{section.anchor}",
                document_id=page.document.id,
                anchor=section.anchor,
                language=page.document.language,
                updated=page.document.updated.isoformat() if page.document.updated else "",
            ),
            reason=hit.authz,
        )


def _beginning(section: Section) -> str:
    """Return the first sentence of a section's first paragraph; "" where it has none."""
    first = next((unit.text for unit in section.units if unit.kind is UnitKind.PARAGRAPH), "")
    said = next(sentences(without_relative(first)), "").replace("\n", " ")
    return said if len(said) <= SHOWN else said[:SHOWN].rsplit(" ", 1)[0] + " …"
