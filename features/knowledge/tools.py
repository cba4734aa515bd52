"""The tool that reads the company's knowledge, with the asker's rights and no others."""

import functools
from typing import Annotated

from pydantic import Field

from agent.results import Passages
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.layout import passages_of
from agent.tools.prefetch import KnowledgeSearch, same_words
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from identity.permissions import Permission
from search.documents import SearchResult
from storage.ids import JsonValue

#: Longest question, in characters.
MAX_QUERY = 1_000


class SearchKnowledge(Arguments):
    """What to look for."""

    query: Annotated[
        str, Field(min_length=1, max_length=MAX_QUERY, description="The question, in the person's own words")
    ]


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


async def _search(
    service: KnowledgeSearch, limit: int, around: int, context: ToolContext, arguments: SearchKnowledge
) -> ToolResult:
    """Use the search that was started with the run when it asks the same words; search otherwise."""
    prefetched = context.prefetched.get(same_words(arguments.query))
    if prefetched is not None:
        return _result(await prefetched, prefetched=True)
    found = await service.search(
        context.actor,
        arguments.query,
        language=context.language,
        limit=limit,
        readership=context.readership,
        around=around,
    )
    return _result(found, prefetched=False)


def _result(found: SearchResult, *, prefetched: bool) -> ToolResult:
    private: dict[str, JsonValue] = {
        "hidden": found.hidden,
        "more_alone": found.more_alone,
        "legs": list(found.legs),
        "timings_ms": dict(found.timings_ms),
        "prefetched": prefetched,
    }
    return ToolResult((Passages(passages_of(found), ranked=True),), private=private)
