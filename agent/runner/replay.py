"""A run gone through again from what it has kept: no network, no language model, nothing written.

A language model's recorded responses stand for it; the rules are asked again. What the tools returned is taken as it
was recorded, and evidence, checks and the answer are made anew from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ToolDefinition
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestParameters

from agent.brains.assistant import Brain, Call
from agent.brains.output import OUTPUT_NAMES, Act, Output
from agent.config import AgentConfig
from agent.errors import NotReplayable
from agent.runner.continuing import calls_of
from agent.runner.endings import answer_of, conclude
from agent.runner.requests import asked_again, context_of
from agent.runs.record import load_record
from agent.runs.run import Run, answer_json
from agent.tools.context import ToolContext
from agent.tools.registry import Registry
from identity.actor import Actor
from storage.redaction.stored import redact_json


@dataclass(frozen=True)
class Replayed:
    """One thing that was gone through: what was recorded, and what comes of it now."""

    what: str
    recorded: Any
    now: Any

    @property
    def diverges(self) -> bool:
        """Return whether it comes out differently now."""
        return bool(self.recorded != self.now)

    def withheld(self) -> "Replayed":
        """Return the same without its words."""
        return Replayed(self.what, "withheld", "withheld, and different" if self.diverges else "withheld")


async def replay(run: Run, *, rules: Brain, registry: Registry, config: AgentConfig) -> tuple[Replayed, ...]:
    """Go through a run again; raise NotReplayable for one that an older release kept."""
    if not run.record:
        raise NotReplayable(run.id)
    record, messages = load_record(run.record)
    asker = Actor(id=run.actor_id, name=run.actor_name)
    request = asked_again(run, record.origin, actor=asker, now=run.started_at)
    context = context_of(request, run.id, memory=record.origin.memory)
    calls = calls_of(context, record.calls)
    offered = [ToolDefinition(name=name) for name in registry.names()]
    steps: list[Replayed] = []
    for at, message in enumerate(messages):
        if not isinstance(message, ModelResponse):
            continue
        made = _calls_in(message)
        if run.brain == rules.name:
            again = await rules.model.request(messages[:at], None, ModelRequestParameters(function_tools=offered))
            steps.append(Replayed("brain", made, _calls_in(again)))
        steps.extend(_against_schema(name, arguments, registry) for name, arguments in made if name not in _ENDINGS)
    steps.extend(
        Replayed(f"evidence of {kept.tool}", kept.told.get(key), call.told.get(key))
        for kept, call in zip(record.calls, calls, strict=True)
        for key in kept.told
    )
    if run.outcome is not None and run.outcome != "failed" and not run.waits_for:
        now = _answer(_ending(messages), calls, context, config, trusted=not _follows(run, rules))
        steps.append(Replayed("answer", run.answer, now))
    return tuple(steps)


_ENDINGS: Mapping[str, type[Output]] = {name: kind for kind, name in OUTPUT_NAMES.items()}


def _follows(run: Run, rules: Brain) -> bool:
    return run.brain not in (rules.name, "command")


def _calls_in(message: ModelResponse) -> list[tuple[str, dict[str, Any]]]:
    return [(part.tool_name, part.args_as_dict()) for part in message.parts if isinstance(part, ToolCallPart)]


def _against_schema(name: str, arguments: dict[str, Any], registry: Registry) -> Replayed:
    """Say whether the tool is there and takes these arguments still."""
    tool = registry.find(name)
    try:
        if tool is not None:
            tool.spec.arguments.model_validate(arguments)
    except ValidationError as error:
        return Replayed(f"arguments of {name}", "taken", str(error))
    return Replayed(f"arguments of {name}", "taken", "taken" if tool is not None else "no such tool")


def _ending(messages: Sequence[ModelMessage]) -> Output:
    """Return the ending that the brain gave; a run whose tools speak for it has none of its own."""
    for message in reversed(messages):
        if isinstance(message, ModelResponse):
            for name, arguments in _calls_in(message):
                if name in _ENDINGS:
                    return _ENDINGS[name].model_validate(arguments)
            break
    return Act()


def _answer(output: Output, calls: Sequence[Call], context: ToolContext, config: AgentConfig, *, trusted: bool) -> Any:
    concluded = conclude(
        output,
        calls,
        grounds=context.found.grounds,
        language=context.language,
        asked=context.text,
        hosts=config.link_hosts,
        trusted=trusted,
    )
    return redact_json(answer_json(answer_of(concluded)))
