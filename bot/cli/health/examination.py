"""The doctor's look inside: the database, the people, the index, what people ask about, by opening each."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from agent.brains.llm import ask
from agent.errors import BrainUnavailable
from bot.cli.documents.index import CROWDED
from bot.cli.health.checks import Finding, bad, good, note
from bot.cli.health.clusters import of_clusters
from bot.cli.health.databases import of_databases
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.compose.migrate import is_current
from bot.compose.parts import HELP, help_for
from bot.settings import Settings
from identity.actor import local_operator
from search.embedding.choice import embedder_of
from search.errors import EmbedderUnavailable, SearchError
from search.service import SourceStatus
from storage.database import Database, FileTrouble, in_words

#: How far back it is told which links were taken out, and how many hosts are named.
LOOKED_BACK, MOST_HOSTS = timedelta(days=30), 8


async def inside(settings: Settings) -> AsyncIterator[Finding]:
    """Yield what only shows once things are opened; stops at a database that does not answer."""
    if settings.owns_database and not settings.database_path.exists():
        yield note("schema", "the database is not made yet", "It is made on the first start.")
        return
    schema = await _schema(settings)
    yield schema
    if schema.advice:
        return
    model = await _model(settings)
    yield model
    if model.advice:
        return
    if settings.model != "rules":
        yield await _asked(settings)
    async with await compose(settings) as desk:
        async for finding in _index(desk, settings):
            yield finding
        async for finding in of_databases(desk):
            yield finding
        async for finding in of_clusters(desk):
            yield finding
        if blocked := await desk.runs.blocked_links(local_operator(), since=desk.clock.now() - LOOKED_BACK):
            yield _blocked(blocked)


def _blocked(links: Mapping[str, int]) -> Finding:
    """Tell which hosts answers would have led to."""
    advice = "Let answers lead to a host that you trust: agent.link_hosts in dutydesk.toml."
    return note("links", f"taken out of answers in {LOOKED_BACK.days} days: {told_links(links)}", advice)


def told_links(links: Mapping[str, int]) -> str:
    """Return hosts with how often each was taken out of an answer, the most frequent first."""
    often = sorted(links.items(), key=lambda pair: (-pair[1], pair[0]))
    told = ", ".join(f"{host} {times} times" if times > 1 else f"{host} once" for host, times in often[:MOST_HOSTS])
    return f"{told} and {len(often) - MOST_HOSTS} more" if len(often) > MOST_HOSTS else told


async def _schema(settings: Settings) -> Finding:
    database = Database(settings.resolved_database_url)
    try:
        await database.ping()
        if wrong := await database.damage():
            return bad("database", f"{database.named} is damaged: {wrong}", HELP[FileTrouble.DAMAGED])
        if await is_current(database):
            return good("schema", "newest")
    except (SQLAlchemyError, OSError) as error:
        if settings.owns_database:
            return bad("database", f"{database.named}: {in_words(error)}", help_for(error))
        where = "Check DUTYDESK_DATABASE_URL and the server."
        return bad("schema", f"the database does not answer: {in_words(error)}", where)
    finally:
        await database.close()
    if settings.owns_database:
        return note("schema", "older than this version", "It is brought up to date on the next start.")
    return bad("schema", "older than this version", "Run: dutydesk migrate")


async def _asked(settings: Settings) -> Finding:
    """Ask the language model a question, as a run would."""
    try:
        said = await ask(settings.agent_config.model, "Answer in one word: which colour has the sky on a clear day?")
    except BrainUnavailable as error:
        return bad("model", str(error), "Until it answers, the rules do. docs/how-to/connect-a-language-model.md")
    if not said:
        return bad("model", f"{settings.model} gave an empty answer", "Look at the server's log; the rules answer.")
    return good("model", f"{settings.model} answers")


async def _model(settings: Settings) -> Finding:
    try:
        embedder = await asyncio.to_thread(embedder_of, settings.search.embedding)
        await embedder.warm_up()
    except EmbedderUnavailable as error:
        return bad("vectors", str(error), "docs/how-to/use-another-embedding-model.md")
    return good("vectors", f"by {embedder.name}")


async def _index(desk: Desk, settings: Settings) -> AsyncIterator[Finding]:
    try:
        wrong = await desk.search.verify(local_operator())  # first: whatever else meets a damaged index sets it aside
        sources = () if wrong else await desk.search.sources(local_operator())
    except SearchError as error:
        elsewhere = settings.search.elasticsearch.url
        again = "Mend what it says, then: dutydesk knowledge rebuild"
        yield bad("index", str(error), "docs/how-to/use-elasticsearch.md" if elsewhere else again)
        return
    for each in wrong:
        yield bad("index", each, "The next question makes it again from the sources; now: dutydesk knowledge rebuild")
    if wrong:
        return
    unfilled = await desk.search.is_unfilled(local_operator())
    if unfilled:
        yield note("index", "not made from the sources yet", "The next start makes it; now: dutydesk knowledge rebuild")
    for damaged in sorted(settings.home.glob(f"{settings.index_path.name}.damaged-*Z")):
        yield note("index", f"a damaged one was put aside as {damaged}", "Nothing needs it: remove it when you like.")
    for finding in () if unfilled and sources else _sources(sources):
        yield finding


def _sources(sources: Sequence[SourceStatus]) -> Iterator[Finding]:
    if any(source.statistics.exceeds for source in sources):
        yield _crowded(sources)
    if not sources:
        yield note("index", "no documents yet", "dutydesk index PATH --allow staff")
    if sources and sources[0].other_model:
        yield _another_model(sources[0])
    for source in sources:
        yield good("index", f"{source.name}: {source.statistics.documents} pages, {source.statistics.chunks} passages")
        if source.statistics.abroad_pending:
            yield _abroad(source)
        if source.statistics.without_access:
            yield _without_access(source)


def _abroad(source: SourceStatus) -> Finding:
    return note(
        "vectors",
        f"{source.name}: {source.statistics.abroad_pending} to make by which who asks in Chinese finds it",
        "They are made in the background after all others; now: dutydesk knowledge refresh",
    )


def _crowded(sources: Iterable[SourceStatus]) -> Finding:
    made_for = max(source.statistics.exceeds for source in sources)
    passages = sum(source.statistics.chunks for source in sources)
    return note("index", f"{passages} passages, and this index is made for {made_for}", CROWDED)


def _another_model(source: SourceStatus) -> Finding:
    return note(
        "vectors",
        f"the index holds those of {source.other_model}, so that words alone are searched",
        "dutydesk knowledge rebuild",
    )


def _without_access(source: SourceStatus) -> Finding:
    return note(
        "access",
        f"{source.name}: {source.statistics.without_access} pages that only the local operator may read",
        f"Give access in .access.yaml or front matter, or: dutydesk index {source.source.path} --allow staff",
    )
