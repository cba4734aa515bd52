"""The list of features. Adding a capability is adding a folder under `features/` and a line here."""

from collections.abc import Mapping, Sequence

from agent.tools.registry import Guide, Registry
from features.anatomy.feature import Build, Feature, OnTopic
from features.knowledge import feature as knowledge
from features.tickets import feature as tickets
from storage.queue.rows import WorkItem
from storage.queue.worker import Handler

FEATURES: Sequence[Build] = (
    knowledge.build,
    tickets.build,
)


def registry_of(features: Sequence[Feature]) -> Registry:
    """Return every tool, and what a model is told about those that it is offered."""
    return Registry(
        (tool for feature in features for tool in feature.tools),
        guides=(Guide(each.prompt, frozenset(tool.spec.name for tool in each.tools)) for each in features),
    )


def topics_of(features: Sequence[Feature]) -> Mapping[str, Handler]:
    """Return the queue's handlers of everything that the features' domains announce."""
    return {name: _on(topic) for feature in features for name, topic in feature.topics.items()}


def _on(topic: OnTopic) -> Handler:
    """Return the queue's handler of a feature's topic."""

    async def handle(message: WorkItem) -> None:
        await topic(message.payload, message.key)

    return handle
