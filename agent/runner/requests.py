"""A message that is to be answered: what a run keeps of it, and what its tools are given."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from agent.runs.record import Origin
from agent.runs.run import Run
from agent.tools.context import Recollection, ToolContext
from identity.actor import Actor
from identity.readership import ALONE, Alone, Readership, Shared, ThreadOnly
from search.documents import SearchResult
from storage.ids import JsonObject


@dataclass(frozen=True)
class Request:
    """One message to answer."""

    actor: Actor
    event_id: str
    thread: str
    text: str
    language: str
    now: datetime
    address: JsonObject = field(default_factory=dict)
    readership: Readership = ALONE
    withheld: frozenset[str] = frozenset()  # tools that are not offered where it was asked
    rehearsal: bool = False  # nothing is done: only what reads is called


def origin_of(request: Request, memory: Recollection) -> Origin:
    """Return what it takes to make the request again."""
    readership = request.readership
    place = readership.otherwise if isinstance(readership, ThreadOnly) else readership
    return Origin(
        text=request.text,
        language=request.language,
        address=request.address,
        shared=tuple(sorted(place.principals)) if isinstance(place, Shared) else None,
        sources=None if isinstance(place, Alone) or place.sources is None else tuple(sorted(place.sources)),
        withheld=tuple(sorted(request.withheld)),
        files_thread=place.thread,
        files_alone=isinstance(request.readership, ThreadOnly),
        memory=memory,
    )


def readership_of(origin: Origin) -> Readership:
    """Return who read along where a run was asked."""
    thread = origin.files_thread
    sources = None if origin.sources is None else frozenset(origin.sources)
    place = Alone(thread) if origin.shared is None else Shared(frozenset(origin.shared), thread, sources)
    return ThreadOnly(place) if origin.files_alone else place


def asked_again(run: Run, origin: Origin, *, actor: Actor, now: datetime) -> Request:
    """Return the request of a run that goes on, with the person's rights of this moment."""
    return Request(
        actor=actor,
        event_id=run.event_id,
        thread=run.thread,
        text=origin.text,
        language=origin.language,
        now=now,
        address=origin.address,
        readership=readership_of(origin),
        withheld=frozenset(origin.withheld),
    )


def context_of(
    request: Request,
    run_id: str,
    *,
    memory: Recollection,
    prefetched: Mapping[str, asyncio.Task[SearchResult]] | None = None,
) -> ToolContext:
    """Return what the tools of a run are given."""
    return ToolContext(
        actor=request.actor,
        run_id=run_id,
        event_id=request.event_id,
        thread=request.thread,
        text=request.text,
        language=request.language,
        now=request.now,
        readership=request.readership,
        withheld=request.withheld,
        rehearsal=request.rehearsal,
        address=request.address,
        memory=memory,
        prefetched=prefetched or {},
    )
