"""About how many rows a statement reads, from the plan that PostgreSQL makes for it without running it."""

from collections.abc import Mapping
from typing import Any

from psycopg import AsyncConnection

#: Steps that take in all of their input before they give their first row, so that a LIMIT above them saves nothing.
_BLOCKING = ("Aggregate", "Hash", "Sort", "Materialize", "Memoize", "Bitmap")
_HOW_MANY = """
SELECT oid::regclass::text, reltuples::float8 FROM pg_catalog.pg_class
WHERE relname = ANY(%s) AND relkind IN ('r', 'p', 'm') AND reltuples > 0
"""


async def rows_read(connection: AsyncConnection, statement: str) -> int:
    """Return the estimate; raise what PostgreSQL says of a wrong statement."""
    # Binary asks for the extended protocol, which takes one statement only.
    found = await connection.execute(f"EXPLAIN (FORMAT JSON) {statement}".encode(), binary=True)
    row = await found.fetchone()
    plan: Mapping[str, Any] = row[0][0]["Plan"] if row else {}
    cursor = await connection.execute(_HOW_MANY, (list(_relations(plan)),))
    sizes = {str(name).rpartition(".")[2].strip('"'): float(rows) for name, rows in await cursor.fetchall()}
    return round(_read(plan, sizes, part=1.0, times=1.0))


def _relations(plan: Mapping[str, Any]) -> set[str]:
    below = set().union(*(_relations(each) for each in plan.get("Plans", [])))
    return below | ({plan["Relation Name"]} if "Relation Name" in plan else set())


def _read(plan: Mapping[str, Any], sizes: Mapping[str, float], *, part: float, times: float) -> float:
    """Return the rows that a step and those below it read, when this part of its output is wanted so many times."""
    kind, below = str(plan.get("Node Type", "")), plan.get("Plans", [])
    if kind.startswith(_BLOCKING):
        part = 1.0
    if kind == "Limit" and below:
        part *= _part(plan, below[0])
    if not below:
        whole = sizes.get(plan.get("Relation Name", ""), 0.0) if kind == "Seq Scan" else 0.0
        return max(whole, float(plan.get("Plan Rows", 0))) * part * times
    inner = times
    if kind == "Nested Loop":  # its second step runs once for each row of its first
        inner = times * max(1.0, float(below[0].get("Plan Rows", 1)) * part)
    return sum(_read(each, sizes, part=part, times=times if at == 0 else inner) for at, each in enumerate(below))


def _part(limit: Mapping[str, Any], below: Mapping[str, Any]) -> float:
    """Return how much of the step below a LIMIT runs, from their costs."""
    whole = float(below["Total Cost"]) - float(below["Startup Cost"])
    wanted = float(limit["Total Cost"]) - float(limit["Startup Cost"])
    return min(1.0, wanted / whole) if whole > 0 else 1.0
