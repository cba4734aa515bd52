"""One definition of each tool for the agent, the slash grammar, the console and later the MCP server.

ToolSpec is what everybody may know, ToolPolicy is what the gate enforces, ToolBinding is the handler.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from agent.results import Result
from agent.tools.context import ToolContext
from identity.actor import Actor
from identity.permissions import AnyPermission
from identity.policy import decide
from identity.readership import ALONE, Readership
from storage.ids import JsonObject

ArgumentsT = TypeVar("ArgumentsT", bound=BaseModel)


class Effect(StrEnum):
    """What a call can change."""

    READ = "read"  # nothing
    DRAFT = "draft"  # only something that a person still has to confirm
    WRITE = "write"  # something small and repairable: a comment, a reminder
    RISKY = "risky"  # something that other people notice or that is hard to undo


class Confirmation(StrEnum):
    """When a person must press a button before the call runs."""

    NEVER = "never"
    AFTER_UNTRUSTED = "after_untrusted"  # once the brain has read text that somebody else wrote
    ALWAYS = "always"
    AS_PREPARED = "as_prepared"  # when `prepare`, which looks at the call itself, says so


@lru_cache(maxsize=512)
def _schema_of(arguments: type[BaseModel]) -> dict[str, Any]:
    """Make a schema once, however many desks a process opens."""
    return arguments.model_json_schema()


@dataclass(frozen=True)
class ToolSpec(Generic[ArgumentsT]):
    """The public face: name, what it is for, and the schema of its arguments."""

    name: str
    description: str
    arguments: type[ArgumentsT]

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments, the same for every door."""
        return _schema_of(self.arguments)


@dataclass(frozen=True)
class ToolPolicy:
    """What the gate enforces for every call."""

    permission: AnyPermission
    effect: Effect
    audit: str  # the action's name in the audit, e.g. "ticket.cancel"
    confirmation: Confirmation = Confirmation.NEVER
    returns_untrusted: bool = False  # the result holds text that somebody else wrote
    calls_per_run: int = 6
    timeout_s: float = 20.0


@dataclass(frozen=True)
class UntilTime:
    """The tool has no result before that instant."""

    at: datetime


@dataclass(frozen=True)
class UntilJob:
    """The tool has no result before that work item of the queue has ended; `item` is its key."""

    item: str


@dataclass(frozen=True)
class ToolResult:
    """What a handler gives back: results, from which the reply, the evidence and what the brain is told are derived."""

    results: tuple[Result, ...] = ()
    remembers: Mapping[str, str] = field(default_factory=dict)  # "ticket" or "draft" → id, for "my last ticket"
    private: JsonObject = field(
        default_factory=dict
    )  # for the run store and its auditors only: never shown, never told
    rests_on: str = ""  # `kept_id` of what it was read from, where that is no page: who may read it is asked again
    waits: UntilTime | UntilJob | None = None  # the run waits; when that has come, the same call is made again


Handler = Callable[[ToolContext, Any], Awaitable[ToolResult]]


@dataclass(frozen=True)
class Prepared:
    """A call made ready to wait for a button: references resolved, and the thing it will change named."""

    arguments: BaseModel
    resource: str = ""  # what people call it: TCK-2026-000123
    version: int | None = None  # the button only works on this version of it
    waits: bool = True  # with `Confirmation.AS_PREPARED`: whether it waits for a button at all
    replaces: tuple[BaseModel, ...] = ()  # arguments of calls whose buttons end, since this one takes their place


#: Returns the names of the things that this person may speak of where they ask; the brain is told them, nobody else.
Things = Callable[[Actor, Readership], tuple[str, ...]]
#: Learns what has to be known of what this person may read before a message is understood; it raises nothing.
Learn = Callable[[Actor], Awaitable[None]]
#: Resolves "last" and "that", and checks that the call could run now; raises `ToolRefused` when it could not.
Prepare = Callable[[ToolContext, Any], Awaitable[Prepared]]


@dataclass(frozen=True)
class Tool:
    """Spec, policy and binding of one tool.

    `resumable`: run again under the same approval, it changes nothing more and gives the same result. Without that
    an approved call that a crash interrupted ends as `unknown`. `things`: without any, the tool is not offered.
    """

    spec: ToolSpec[Any]
    policy: ToolPolicy
    handler: Handler
    prepare: Prepare | None = None
    resumable: bool = False
    things: Things | None = None
    learn: Learn | None = None

    def serves(self, actor: Actor) -> bool:
        """Return whether the actor may call it, and there is something for them to call it on."""
        return decide(actor, self.policy.permission).allowed and (
            self.things is None or bool(self.things(actor, ALONE))
        )


@dataclass(frozen=True)
class Guide:
    """What a model is told about some tools, as long as one of them is offered."""

    text: str
    tools: frozenset[str]


class Registry:
    """All tools by name; what an actor may not use is not offered."""

    def __init__(self, tools: Iterable[Tool], guides: Iterable[Guide] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._guides = tuple(guides)
        for tool in tools:
            if tool.spec.name in self._tools:
                message = f"two tools are called {tool.spec.name}"
                raise ValueError(message)
            self._tools[tool.spec.name] = tool

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name, if there is one."""
        return self._tools.get(name)

    def names(self) -> tuple[str, ...]:
        """Return the names of all tools, in the order of registration."""
        return tuple(self._tools)

    def offered(self, actor: Actor, *, withheld: Collection[str] = ()) -> tuple[Tool, ...]:
        """Return the tools that the actor's permissions allow and that have something for them, in their order.

        `withheld` are those that are not offered where it is asked.
        """
        return tuple(tool for name, tool in self._tools.items() if name not in withheld and tool.serves(actor))

    async def learn(self, actor: Actor, *, withheld: Collection[str] = ()) -> None:
        """Let every offered tool learn what it has to know before a message of the actor is understood."""
        for tool in self.offered(actor, withheld=withheld):
            if tool.learn is not None:
                await tool.learn(actor)

    def things(
        self, actor: Actor, readership: Readership, *, withheld: Collection[str] = ()
    ) -> Mapping[str, tuple[str, ...]]:
        """Return what may be spoken of to each offered tool that works on things with names."""
        offered = self.offered(actor, withheld=withheld)
        return {tool.spec.name: tool.things(actor, readership) for tool in offered if tool.things is not None}

    def guides(self, actor: Actor, *, withheld: Collection[str] = ()) -> tuple[str, ...]:
        """Return what a model is told about the tools that the actor is offered."""
        offered = {tool.spec.name for tool in self.offered(actor, withheld=withheld)}
        return tuple(guide.text for guide in self._guides if guide.tools & offered)
