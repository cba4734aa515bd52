"""The list of features. Adding a capability is adding a folder under `features/` and a line here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ParamSpec

from starlette.types import ASGIApp

from adapters.inbound.webhook import Headers, Refusals, RequestRefused, Response, Webhook
from agent.brains.rules.talk import Step
from agent.runner.above import FindAbove
from agent.tools.registry import Guide, Registry
from bot.rendering.commands import Grammar
from features.alarms import feature as alarms
from features.anatomy.feature import Build, Feature, OnTopic
from features.anatomy.handling import Hook
from features.anatomy.schedules import Job, OnSlots
from features.anatomy.sections import DigestSection
from features.calculation import feature as calculation
from features.channels import feature as channels
from features.data import feature as data
from features.diagnosis import feature as diagnosis
from features.digests import feature as digests
from features.knowledge import feature as knowledge
from features.preferences import feature as preferences
from features.reminders import feature as reminders
from features.tickets import feature as tickets
from storage.clock import Clock
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic

#: What a feature is asked about a message with.
Said = ParamSpec("Said")

FEATURES: Sequence[Build] = (
    reminders.build,
    diagnosis.build,
    knowledge.build,
    tickets.build,
    calculation.build,
    preferences.build,
    alarms.build,
    digests.build,  # before what sends any saved question: its pattern is the narrower one
    data.build,
    channels.build,
)


def registry_of(features: Sequence[Feature]) -> Registry:
    """Return every tool, and what a model is told about those that it is offered."""
    return Registry(
        (tool for feature in features for tool in feature.tools),
        guides=(Guide(each.prompt, frozenset(tool.spec.name for tool in each.tools)) for each in features),
    )


def grammar_of(features: Sequence[Feature]) -> Grammar:
    """Return the grammar of every verb."""
    return Grammar(verb for feature in features for verb in feature.verbs)


def jobs_of(features: Sequence[Feature]) -> tuple[Job, ...]:
    """Return what the features do by the clock."""
    return tuple(
        replace(each, name=f"{feature.name}: {each.name}") for feature in features for each in feature.schedules
    )


def slots_of(features: Sequence[Feature]) -> OnSlots:
    """Return what is done with slots of the schedules that people make."""
    return {topic: handle for feature in features for topic, handle in feature.slots.items()}


def sections_of(features: Sequence[Feature]) -> tuple[DigestSection, ...]:
    """Return what the features have to say in a digest."""
    return tuple(section for feature in features for section in feature.sections)


def at_once_of(features: Sequence[Feature]) -> Callable[[str], Step | None]:
    """Return what finds the first call that a message leads to before any brain reads it."""
    return _first_of([feature.at_once for feature in features if feature.at_once is not None])


def above_of(features: Sequence[Feature]) -> FindAbove:
    """Return what finds the first call whose result stands above the reply to a message."""
    return _first_of([feature.above for feature in features if feature.above is not None])


def instead_of(features: Sequence[Feature]) -> FindAbove:
    """Return what finds the first call whose result takes the place of the reply to a message."""
    return _first_of([feature.instead for feature in features if feature.instead is not None])


def _first_of(asked: Sequence[Callable[Said, Step | None]]) -> Callable[Said, Step | None]:
    def first(*said: Said.args, **named: Said.kwargs) -> Step | None:
        return next((step for ask in asked if (step := ask(*said, **named)) is not None), None)

    return first


def topics_of(features: Sequence[Feature]) -> Mapping[str, Topic]:
    """Return the queue's topics of everything that the features' domains announce."""
    return {name: _on(topic) for feature in features for name, topic in feature.topics.items()}


def webhooks_of(features: Sequence[Feature], clock: Clock) -> Mapping[str, ASGIApp]:
    """Return where other systems post to, by path."""
    return {hook.path: _HookRequests(hook, clock) for feature in features for hook in feature.hooks}


class _HookRequests(Webhook):
    """Hands the bodies of a path to the feature that takes them."""

    def __init__(self, hook: Hook, clock: Clock) -> None:
        super().__init__(Refusals(clock, platform=hook.path))
        self._hook = hook

    async def take(self, body: bytes, headers: Headers) -> Response:
        """Return what the feature answers."""
        scheme, _, secret = headers.get("authorization", [""])[0].partition(" ")
        status = await self._hook.take(body, secret if scheme.lower() == "bearer" else "")
        if status >= 400:
            raise RequestRefused({401: "secret", 400: "malformed"}.get(status, "refused"), status)
        return Response(status)


def _on(topic: OnTopic) -> Topic:
    """Return the queue's topic of a feature's."""

    async def handle(item: WorkItem) -> None:
        await topic(item.payload, item.key)

    return Topic(handle)
