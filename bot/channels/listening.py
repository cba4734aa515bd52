"""What the desk says to a message that names nobody: a cited answer that it is sure of, else nothing at all."""

import functools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from adapters.cards import Button, Buttons, Note
from adapters.events import Message
from agent.brains.rules.answering.certainty.verdict import VERDICTS
from agent.runner.requests import Request
from agent.runner.runner import Runner
from agent.runs.answer import Answer, Answered, Outcome
from agent.runs.runs import Write
from agent.tools.registry import Effect, Registry
from bot.channels.channels import ChannelService
from bot.delivery.showing import Showing
from bot.rendering.texts.catalogue import say
from features.anatomy.channels import ChannelSettings
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken
from identity import audit
from identity.actor import Actor, ActorKind
from identity.permissions import Permission
from storage.clock import Clock
from storage.ids import JsonObject

#: A question that waited longer was answered by somebody, or is none any more.
LATEST = timedelta(minutes=5)
#: Who reads what names nobody.
LISTENING = Actor(id="system:listening", name="Listening in channels", kind=ActorKind.SYSTEM)
#: What the button below such an answer does.
HUSH = "channel.hush"


@dataclass(frozen=True)
class Asked:
    """A message that names nobody as a question of whoever wrote it."""

    request: Request
    reader: Reader


#: Makes the question, as a channel is set.
Ask = Callable[[ChannelSettings], Awaitable[Asked]]


@dataclass(frozen=True)
class Overheard:
    """What came of a message that names nobody: what is said, if anything, and the record that it was read."""

    asked: Asked | None = None  # None: it was not read
    said: Spoken | None = None
    writes: tuple[Write, ...] = ()


class Listener:
    """Reads what names nobody with the rights of whoever wrote it and of everybody who reads along.

    The rules alone answer, never a language model: what nobody asked for costs nobody anything, and how sure the rules
    are is measured.
    """

    def __init__(
        self,
        channels: ChannelService,
        runner: Runner,
        registry: Registry,
        *,
        showing: Showing,
        clock: Clock,
    ) -> None:
        self._channels = channels
        self._runner = runner
        self._showing = showing
        self._clock = clock
        self._acts = frozenset(name for name in registry.names() if not _only_reads(registry, name))

    async def answer(self, event: Message, target: JsonObject | None, ask: Ask) -> Overheard:
        """Return what is said; `ask` is called with the settings of this moment, and only where the desk listens."""
        settings = await self._channels.settings(target)
        if target is None or not settings.listens or self._clock.now() - event.received_at > LATEST:
            return Overheard()
        asked = await ask(settings)
        withheld = self._acts | self._channels.withheld(settings)
        result = await self._runner.overhear(replace(asked.request, withheld=withheld))
        outcome = "unsure"
        if _is_sure(result.answer):
            outcome = "answered" if await self._channels.takes_turn(target) else "enough_today"
        read = self._read(target, asked.request.actor, outcome)
        if outcome != "answered":
            return Overheard(asked, writes=(read,))
        said = await self._showing.said(asked.request.actor, result, asked.reader)
        language = asked.reader.language
        quiet = Button(label=say(language, "listening.quiet"), action=HUSH, id="here")
        blocks = (*said.blocks, Note(say(language, "listening.why")), Buttons((quiet,)))
        return Overheard(asked, replace(said, blocks=blocks, whisper=False), writes=(read,))

    def _read(self, target: JsonObject, asker: Actor, outcome: str) -> Write:
        return functools.partial(
            audit.record,
            actor=LISTENING,
            action="channel.read",
            resource=f"channel:{target['platform']}:{target['channel']}",
            allowed=True,
            reason="listens",
            outcome=outcome,
            detail={"author": asker.id},
            now=self._clock.now(),
        )


def _only_reads(registry: Registry, name: str) -> bool:
    """Return whether a tool does no more than look into the documents."""
    tool = registry.find(name)
    return tool is not None and tool.policy.effect is Effect.READ and tool.policy.permission is Permission.KNOWLEDGE_ASK


def _is_sure(answer: Answer) -> bool:
    """Return whether an answer is cited, sure and undisputed."""
    if not isinstance(answer, Answered) or answer.outcome is not Outcome.ANSWERED:
        return False
    led = answer.lead and answer.lead not in VERDICTS
    return bool(answer.text and answer.citations) and answer.confidence == "high" and not (answer.conflicts or led)
