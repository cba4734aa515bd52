"""The tool that reads the company's knowledge, with the asker's rights and no others."""

import functools
from collections.abc import Mapping
from typing import Annotated, Any, Protocol

from pydantic import Field

from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.evidence import Evidence
from agent.tools.layout import Laid, laid_out
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from identity.actor import Actor
from identity.permissions import Permission
from search.documents import Hit, SearchResult
from storage.ids import JsonObject, JsonValue


class KnowledgeSearch(Protocol):
    """What this tool needs of `search.service`: permitted passages for one actor and query."""

    async def search(
        self,
        actor: Actor,
        query: str,
        *,
        language: str,
        limit: int = 8,
        audience: frozenset[str] | None = None,
        thread: str = "",
        around: int = 0,
    ) -> SearchResult:
        """Return passages, best first; never one that the actor, or the audience, may not read.

        `thread` is the chat thread whose files may be read, too; the best passages come with what stands around them,
        so many tokens (`around`) together with each.
        """
        ...


class SearchKnowledge(Arguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=1_000, description="The question, in the person's own words")]


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
                calls_per_run=4,
            ),
            handler=functools.partial(_search, service, limit, around),
        ),
    )


def same_words(query: str) -> str:
    """Return the form in which two queries count as the same words."""
    return " ".join(query.casefold().split())


async def _search(
    service: KnowledgeSearch, limit: int, around: int, context: ToolContext, arguments: SearchKnowledge
) -> ToolResult:
    """Use the search that was started with the run when it asks the same words; search otherwise."""
    prefetched = context.prefetched.get(same_words(arguments.query))
    if prefetched is not None:
        return _result(context, await prefetched, prefetched=True)
    found = await service.search(
        context.actor,
        arguments.query,
        language=context.language,
        limit=limit,
        audience=context.audience,
        thread=context.files_of,
        around=around,
    )
    return _result(context, found, prefetched=False)


def _result(context: ToolContext, found: SearchResult, *, prefetched: bool) -> ToolResult:
    layout = laid_out(found)
    evidence = tuple(_evidence(context, hit, layout) for hit in found.hits)
    passages = [_passage(context, hit, layout) for hit in found.hits]
    private: dict[str, JsonValue] = {
        "hidden": found.hidden,
        "legs": list(found.legs),
        "timings_ms": dict(found.timings_ms),
        "prefetched": prefetched,
    }
    texts = {item.evidence_id: layout[hit.chunk.id].whole for hit, item in zip(found.hits, evidence, strict=True)}
    return ToolResult(content={"passages": passages}, evidence=evidence, texts=texts, private=private)


def _evidence(context: ToolContext, hit: Hit, layout: Mapping[str, Laid]) -> Evidence:
    return Evidence.of_chunk(
        context.numbering.number(hit.chunk.id),
        text=layout[hit.chunk.id].text,
        whole=layout[hit.chunk.id].whole,
        score=hit.score,
        source=_source(hit),
        reason=hit.authz,
    )


def _source(hit: Hit) -> dict[str, Any]:
    return {
        "title": hit.title,
        "section": " > ".join(hit.chunk.section_path),
        "source": hit.document_path,
        "source_name": hit.source,
        "uri": hit.url,
        "chunk_id": hit.chunk.id,
        "document_id": hit.chunk.document_id,
        "anchor": hit.chunk.anchor,
        "kind": hit.chunk.kind.value,
        "language": hit.language,
        "updated": hit.updated.isoformat() if hit.updated else "",
        "coverage": round(hit.signals.coverage, 4),
        "cosine": None if hit.signals.cosine is None else round(hit.signals.cosine, 4),
        "closest": None if hit.signals.closest is None else round(hit.signals.closest, 4),
    }


def _passage(context: ToolContext, hit: Hit, layout: Mapping[str, Laid]) -> JsonObject:
    source, laid = _source(hit), layout[hit.chunk.id]
    around: dict[str, JsonValue] = {"before": laid.before, "after": laid.after}
    if laid.goes_on_in:
        around["goes_on_in"] = f"E{context.numbering.number(laid.goes_on_in)}"
    return {
        "evidence": f"E{context.numbering.number(hit.chunk.id)}",
        "title": source["title"],
        "section": source["section"],
        "source": source["source"],
        "text": laid.text,
        **{name: value for name, value in around.items() if value},
        "kind": source["kind"],
        "updated": source["updated"],
        "language": source["language"],
        "coverage": source["coverage"],
        "cosine": source["cosine"],
        "closest": source["closest"],
        "score": round(hit.score, 4),
    }
