"""A capability as one value. `bot/compose/features.py` lists the features; everything else is derived from the list.

What is not there is not offered: the registry, the grammar and its help, the lines while a tool works, what a model is
told, what the rules route, which buttons and forms work, what runs by the clock, the console's menu, the permissions
and the reference are all made from these fields.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.cards import Block
from agent.approvals.book import ApprovalBook
from agent.brains.rules.routes import Route
from agent.brains.rules.talk import Step, Talk
from agent.config import AgentConfig
from agent.memory.memory import Memory
from agent.results import Result
from agent.runs.rights import KeptRights
from agent.runs.runs import Runs
from agent.tools.registry import Tool
from features.anatomy.channels import Channels
from features.anatomy.handling import FormHandling, Hook, OnOpen, OnPress, RecordKind
from features.anatomy.pages import Home, Page, View
from features.anatomy.reader import Reader
from features.anatomy.schedules import Job, OnSlots
from features.anatomy.sections import DigestConfig, DigestSection
from features.anatomy.telling import NewsKind, Telling
from features.anatomy.verbs import Verb
from identity.actor import Actor
from identity.directory import Directory
from identity.permissions import FeaturePermission
from language.scripts import Language
from queries.observe.service import ObserveService
from queries.sql.service import SqlService
from search.config import SearchConfig
from search.documents import Meaning
from search.service import SearchService
from search.uploads.thread_files import ThreadFiles
from search.uploads.uploads import Uploads
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject
from tickets.config import TicketsConfig
from tickets.service import TicketService

#: The words for an error, as a reader reads them.
Phrase = Callable[[Reader, Any], str]
#: More values for the words of an approval (`approval.what.<tool>`), by the name of what would be changed.
Describe = Callable[[Actor, str], Awaitable[Mapping[str, str]]]

#: Finds a person by id, e-mail or name; raises `UnknownPerson`.
FindPerson = Callable[[str], Awaitable[Actor]]
#: Draws a result of a tool for whoever reads it, for what is posted without a run.
DrawResult = Callable[[Result, Reader], tuple[Block, ...]]
#: Returns a message that this person can begin with, in that language; "" for none.
Example = Callable[[Actor, Language], str]
#: Takes what a domain announced under a topic of the queue, with the key under which it happens once.
OnTopic = Callable[[JsonObject, str], Awaitable[None]]


@dataclass(frozen=True)
class Feature:
    """One capability. A field that a feature does not need stays empty."""

    name: str
    tools: tuple[Tool, ...] = ()
    verbs: tuple[Verb, ...] = ()
    routes: tuple[Route, ...] = ()
    talks: tuple[Talk, ...] = ()  # what it makes of messages that no example leads to
    at_once: Callable[[str], Step | None] | None = None  # the call that a message leads to before any brain reads it
    instead: Callable[[str, Meaning], Step | None] | None = None  # the call whose result takes the place of any reply
    above: Callable[[str, Meaning], Step | None] | None = None  # the call whose result stands above whatever is replied
    buttons: Mapping[str, OnPress] = field(default_factory=dict)  # action → what a press does
    openers: Mapping[str, OnOpen] = field(default_factory=dict)  # action → the form that a press opens
    forms: Mapping[str, FormHandling] = field(default_factory=dict)  # name of a form → what is done with it
    rights: Mapping[str, KeptRights] = field(default_factory=dict)  # kind of kept result → who may read it now
    kinds: Mapping[str, RecordKind] = field(default_factory=dict)  # kind of record → how it is drawn
    home: Home | None = None
    home_foot: Home | None = None  # what stands below everything in a person's home, whether or not anything waits
    phrases: Mapping[type[Exception], Phrase] = field(default_factory=dict)  # expected errors → their words
    describe: Describe | None = None
    topics: Mapping[str, OnTopic] = field(default_factory=dict)  # what is done with what its domain announces
    news: Mapping[str, NewsKind] = field(default_factory=dict)  # kind of news → how it is told
    hooks: tuple[Hook, ...] = ()  # where other systems post to
    permissions: tuple[FeaturePermission, ...] = ()
    schedules: tuple[Job, ...] = ()  # what it does by the clock
    slots: OnSlots = field(default_factory=dict)  # what is done with slots of schedules that people make
    in_turn: Collection[str] = ()  # topics of slots that one process at a time works off, in order
    sections: tuple[DigestSection, ...] = ()  # what it has to say in a digest
    pages: tuple[Page, ...] = ()  # its pages of the console that are drawn from blocks
    views: tuple[View, ...] = ()  # its pages of the console that have templates of their own
    example: Example | None = None  # what the page of the chat offers to begin with (`console.start.<name>`)
    stop: Callable[[], Awaitable[None]] | None = None  # ends what it still does behind its pages
    prompt: str = ""  # what a model is told, when one of the tools is offered


@dataclass(frozen=True)
class Services:
    """What `bot/compose` hands to every feature; each takes what it needs."""

    clock: Clock
    database: Database
    home: Path  # the folder in which the desk keeps what it knows
    tickets: TicketService
    tickets_config: TicketsConfig
    search: SearchService
    search_config: SearchConfig
    uploads: Uploads
    thread_files: ThreadFiles
    directory: Directory
    agent: AgentConfig
    refresh_minutes: float  # between two looks for changed documents; 0: never
    telling: Telling
    memory: Memory
    people: FindPerson
    sql: SqlService
    observe: ObserveService
    runs: Runs
    draw: DrawResult
    sections: Callable[[], tuple[DigestSection, ...]]  # of every feature, in their order
    approvals: ApprovalBook  # what waits for a person
    digests: Mapping[str, DigestConfig]  # of the settings, by name
    channels: Channels


#: What `feature.py` of a feature has under the name `build`.
Build = Callable[[Services], Feature]
