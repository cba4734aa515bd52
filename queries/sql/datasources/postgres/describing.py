"""What is in a schema of PostgreSQL: tables, columns, comments, keys, and about how much."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from psycopg import AsyncConnection, sql

from queries.sql.catalog.private import looks_private
from queries.sql.datasource import LiveColumn, LiveTable
from queries.sql.datasources.sampling import FEW, LOOKED_AT, samples_of

_TABLES = """
SELECT c.oid, c.relname, coalesce(obj_description(c.oid, 'pg_class'), ''),
       CASE WHEN c.relkind IN ('r', 'p', 'm') AND c.reltuples >= 0 THEN c.reltuples::bigint END
FROM pg_class c
WHERE c.relnamespace = to_regnamespace(quote_ident(%s)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT c.relispartition AND has_any_column_privilege(c.oid, 'SELECT')
ORDER BY c.relname
"""
_COLUMNS = """
SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), coalesce(col_description(a.attrelid, a.attnum), ''),
       s.n_distinct, t.typcategory,
       (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)
FROM pg_attribute a
JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_class c ON c.oid = a.attrelid
LEFT JOIN pg_stats s ON s.schemaname = %s AND s.tablename = c.relname AND s.attname = a.attname AND NOT s.inherited
WHERE a.attrelid = ANY(%s) AND a.attnum > 0 AND NOT a.attisdropped
  AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
"""
_KEYS = """
SELECT k.conrelid, k.contype::text, array_agg(a.attname::text ORDER BY u.place),
       (SELECT relname FROM pg_class WHERE oid = k.confrelid),
       (SELECT attname FROM pg_attribute WHERE attrelid = k.confrelid AND attnum = k.confkey[1])
FROM pg_constraint k
CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS u(number, place)
JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number
WHERE k.conrelid = ANY(%s) AND k.contype IN ('p', 'f') AND k.conparentid = 0
GROUP BY k.oid, k.conrelid, k.contype, k.confrelid, k.confkey
"""


async def described(connection: AsyncConnection, schema: str, *, samples: bool) -> tuple[LiveTable, ...]:
    """Return what the role may read of a schema; with `samples` the values of text columns that have few."""
    tables = await _all(connection, _TABLES, (schema,))
    oids = [oid for oid, *_ in tables]
    keys: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for oid, *key in await _all(connection, _KEYS, (oids,)):
        keys[oid].append(tuple(key))
    columns: dict[int, list[LiveColumn]] = defaultdict(list)
    rows: Mapping[int, int | None] = {oid: count for oid, *_, count in tables}
    names: Mapping[int, str] = {oid: name for oid, name, *_ in tables}
    for oid, name, type_, comment, distinct, category, labels in await _all(connection, _COLUMNS, (schema, oids)):
        column = LiveColumn(name, type_, comment, _distinct(distinct, rows[oid]), tuple(labels or ()))
        if samples and category == "S" and not looks_private(name):
            column = await _sampled(connection, sql.Identifier(schema, names[oid]), column)
        columns[oid].append(column)
    return tuple(
        LiveTable(name, tuple(columns[oid]), _key(keys[oid]), _references(keys[oid]), count, comment)
        for oid, name, comment, count in tables
    )


async def _all(connection: AsyncConnection, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(query.encode(), values)
    return await cursor.fetchall()


def _distinct(stated: float | None, rows: int | None) -> int | None:
    """Return how many different values there are: below 0 it is stated as a part of the rows."""
    if stated is None or (stated < 0 and rows is None):
        return None
    return round(stated if stated >= 0 else -stated * (rows or 0))


def _key(keys: list[tuple[Any, ...]]) -> tuple[str, ...]:
    return next((tuple(columns) for kind, columns, *_ in keys if kind == "p"), ())


def _references(keys: list[tuple[Any, ...]]) -> Mapping[str, str]:
    """Return the foreign keys of one column: no join of one column says the others."""
    return {
        columns[0]: f"{table}.{column}" for kind, columns, table, column in keys if kind == "f" and len(columns) == 1
    }


async def _sampled(connection: AsyncConnection, table: sql.Identifier, column: LiveColumn) -> LiveColumn:
    if column.distinct is not None and column.distinct > FEW:
        return column
    query = sql.SQL(
        "SELECT {column}::text, count(*) FROM (SELECT {column} FROM {table} LIMIT {looked_at}) AS looked_at"
        " WHERE {column} IS NOT NULL GROUP BY 1 LIMIT {most}"
    ).format(column=sql.Identifier(column.name), table=table, looked_at=LOOKED_AT, most=FEW + 1)
    cursor = await connection.execute(query)
    return samples_of(column, {str(value): int(rows) for value, rows in await cursor.fetchall()})
