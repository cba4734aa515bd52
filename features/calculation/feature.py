"""Calculations, as one value."""

from features.anatomy.feature import Feature, Services
from features.anatomy.texts import prompt_of
from features.calculation.commands import VERBS
from features.calculation.routing import ROUTE
from features.calculation.tools import tools


def build(services: Services) -> Feature:
    """Return the feature; it needs no service."""
    del services
    return Feature(
        name="calculation",
        tools=tools(),
        verbs=VERBS,
        routes=(ROUTE,),
        prompt=prompt_of("features.calculation"),
    )
