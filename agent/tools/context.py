"""What a tool handler is given beside its arguments: the caller and the run, never anything a model wrote."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import BaseModel

from agent.tools.evidence import Found
from identity.actor import Actor
from identity.readership import ALONE, Readership
from search.documents import SearchResult
from storage.ids import JsonObject, digest

#: Stands for pages that nobody noted, as in what an older release kept: no document has this id, so nobody may read it.
UNKNOWN = "?"


@dataclass(frozen=True)
class Turn:
    """One earlier exchange of the thread."""

    asked: str
    answered: str
    outcome: str
    pages: tuple[str, ...] = (UNKNOWN,)  # that the answer rests on, by the ids of their documents
    cited: tuple[str, ...] = (UNKNOWN,)  # … and those of them that it cites, in its order


@dataclass(frozen=True)
class Recollection:
    """The thread's memory: compacted turns, and ids of what was last spoken of (never payload)."""

    turns: tuple[Turn, ...] = ()
    last: Mapping[str, str] = field(default_factory=dict)  # "ticket" / "draft" → id

    @property
    def pages(self) -> frozenset[str]:
        """Return the pages whose words may stand in it."""
        return frozenset(page for turn in self.turns if turn.answered for page in turn.pages)


@dataclass(frozen=True)
class Approved:
    """The confirmed approval under which a call runs."""

    approval_id: str
    version: int | None  # of the resource, as it was when the button was shown
    claimed_at: datetime  # when the button was pressed


@dataclass
class Ledger:
    """What one run has called so far; it ends with the run."""

    calls: Counter[str] = field(default_factory=Counter)
    reads: dict[str, str] = field(default_factory=dict)  # digest of a read → what it had found


@dataclass(frozen=True)
class ToolContext:
    """One run's caller, text and memory."""

    actor: Actor
    run_id: str
    event_id: str  # the inbound event; with the arguments it makes a write idempotent
    thread: str
    text: str  # what the person wrote, verbatim
    language: str  # "en" or "zh": the language of the question
    now: datetime
    readership: Readership = ALONE
    withheld: frozenset[str] = frozenset()  # tools that are not offered where this is asked
    rehearsal: bool = False  # nothing is done: only what reads is called
    address: JsonObject = field(default_factory=dict)  # where updates about what is made here go
    memory: Recollection = field(default_factory=Recollection)
    found: Found = field(default_factory=Found)  # the evidence of this run
    ledger: Ledger = field(default_factory=Ledger)  # the calls of this run
    prefetched: Mapping[str, asyncio.Task[SearchResult]] = field(default_factory=dict)  # `same_words(query)` → search
    approved: Approved | None = None  # set only while an approval is carried out


def repeat_key(context: ToolContext, action: str, arguments: BaseModel) -> str:
    """Return what makes a repeated call the same one: the approval, else the inbound event and the arguments."""
    if context.approved is not None:
        return context.approved.approval_id
    said = digest({"event": context.event_id, "action": action, "arguments": arguments.model_dump(mode="json")})
    return f"tool:{said}"
