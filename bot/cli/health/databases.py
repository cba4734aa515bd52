"""The doctor's look at the databases that people ask: reachable, read-only, and as their catalogues say."""

import importlib
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING

from bot.cli.health.checks import Finding, Health, bad, good, note
from bot.compose.desk import Desk
from identity.actor import local_operator
from queries.sql.errors import SqlError

if TYPE_CHECKING:
    from queries.sql.datasource import Examined

#: What only a desk with databases pays for.
_CHECKING = "queries.sql.setup.checking"


async def of_databases(desk: Desk) -> AsyncIterator[Finding]:
    """Yield how each database of `datasources.yaml` stands; nothing where none is named."""
    for name, why in desk.sql.broken.items():
        yield bad("data", f"{name}: {why}", "Correct the file; people are told that it cannot be asked.")
    for name in desk.sql.sources:
        async for finding in _of_database(desk, name):
            yield finding


async def _of_database(desk: Desk, name: str) -> AsyncIterator[Finding]:
    source, operator = desk.sql.source(name), local_operator()
    try:
        examined = list(_examined(name, await desk.sql.examine(operator, name)))
        live = await desk.sql.describe(operator, name)
    except SqlError as error:
        yield bad("data", f"cannot be asked: {error}", f"Check its address and role, then: dutydesk sql check {name}")
        return
    for finding in examined:
        yield finding
    differences = importlib.import_module(_CHECKING).differences
    wrong = differences(source.catalog, live, path=source.catalog_path, dialect=source.database.dialect)
    for each in wrong:
        yield bad("data", f"{name}: {each}", f"Correct the catalogue, then: dutydesk sql catalog check {name}")
    if not wrong and all(finding.health is not Health.BAD for finding in examined):
        tables = len(source.catalog.tables)
        yield good("data", f"{name}: may only be read, and its catalogue fits ({tables} tables)")


def _examined(name: str, examined: "tuple[Examined, ...]") -> Iterator[Finding]:
    """Yield what the role can do and should not."""
    for each in examined:
        said = f"{name}: {each.code.replace('_', ' ')}{': ' + each.detail if each.detail else ''}"
        if each.ok:
            continue
        if each.needed:
            yield bad("data", f"{said}; it is not asked", f"The statements that mend it: dutydesk sql check {name}")
        else:
            yield note("data", said, f"The desk lives with it; what ends it: dutydesk sql check {name}")
