"""The company's documents, as one value."""

from features.anatomy.feature import Feature, Services
from features.anatomy.texts import prompt_of
from features.knowledge.commands import VERBS
from features.knowledge.crawls import CRAWL, Crawls
from features.knowledge.pages.document import DocumentPage
from features.knowledge.pages.indexing import Indexing
from features.knowledge.pages.retrieval import RetrievalPage
from features.knowledge.pages.sources import SourcesPage
from features.knowledge.routing import ROUTE, TALK
from features.knowledge.schedules import KEEP_UP, KnowledgeSchedules
from features.knowledge.sections import KnowledgeSections
from features.knowledge.tools import Outlines, tools


def build(services: Services) -> Feature:
    """Return the feature over the search service."""
    config, search = services.agent, services.search
    indexing = Indexing(search, services.uploads)
    days = services.search_config.uploads.thread_days
    schedules = KnowledgeSchedules(
        services.database,
        services.clock,
        search,
        services.uploads,
        services.thread_files,
        refresh_minutes=services.refresh_minutes,
    )
    return Feature(
        name="knowledge",
        tools=(*tools(search, limit=config.search_limit, around=config.around_tokens), Outlines(search).tool()),
        verbs=VERBS,
        routes=(ROUTE,),
        talks=(TALK,),
        views=(
            *SourcesPage(search, services.uploads, indexing, thread_days=days).views(),
            *RetrievalPage(search, services.directory, services.people).views(),
            *DocumentPage(search).views(),
        ),
        schedules=schedules.jobs(),
        sections=KnowledgeSections(search, services.runs).sections(),
        slots={
            CRAWL: Crawls(services.database, services.clock, search, services.search_config).again,
            KEEP_UP: schedules.keep_up,
        },
        stop=indexing.stop,
        prompt=prompt_of("features.knowledge"),
    )
