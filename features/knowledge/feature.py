"""The company's documents, as one value."""

from features.anatomy.feature import Feature, Services
from features.anatomy.texts import prompt_of
from features.anatomy.verbs import Verb
from features.knowledge.tools import tools


def build(services: Services) -> Feature:
    """Return the feature over the search service."""
    config = services.agent
    return Feature(
        name="knowledge",
        tools=tools(services.search, limit=config.search_limit, around=config.around_tokens),
        verbs=(Verb("ask", needs_rest=True, prose=True),),
        prompt=prompt_of("features.knowledge"),
    )
