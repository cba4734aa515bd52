"""What the rules brain reads out of an utterance that stands alone: no desk, no documents."""

from collections.abc import Sequence

from agent.brains.rules.understanding.analysis import analyse
from agent.brains.rules.understanding.extract import Extractor
from evals.cases import RoutingCase
from evals.graders import Understood
from tickets.config import TicketsConfig


def understand_all(cases: Sequence[RoutingCase]) -> tuple[Understood, ...]:
    """Return what is read out of every utterance, with the categories that the project ships."""
    config = TicketsConfig()
    extractor = Extractor(config)
    return tuple(_understood(case.text, extractor, prefix=config.prefix) for case in cases)


def _understood(text: str, extractor: Extractor, *, prefix: str) -> Understood:
    analysis = analyse(text, prefix=prefix)
    read = extractor.draft(text)
    return Understood(
        intent=analysis.intent.value,
        ticket=analysis.ticket,
        detail=analysis.detail,
        status=analysis.status,
        fields={"category": read.category, "priority": read.priority, **read.fields},
    )
