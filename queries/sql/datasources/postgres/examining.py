"""What the role of the desk can do in a PostgreSQL besides reading, and the statements that end it.

A finding that is needed keeps the source from being started: superuser, owner, any right to write or to create. The
others are rights that PostgreSQL gives to everybody: the guard lets no statement use them, and they can be taken away.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row

from queries.sql.datasource import Examined

#: Roles of the server itself that do more than read what they were granted.
POWERFUL = (
    "pg_checkpoint",
    "pg_create_subscription",
    "pg_database_owner",
    "pg_execute_server_program",
    "pg_maintain",
    "pg_read_server_files",
    "pg_signal_backend",
    "pg_use_reserved_connections",
    "pg_write_all_data",
    "pg_write_server_files",
)
#: Extensions that reach out of the database, or run programs in it.
REACHING_OUT = ("adminpack", "dblink", "file_fdw", "http", "pg_cron", "pg_net", "plperlu", "plpython3u", "postgres_fdw")

_ROLE = """
SELECT current_user::text AS name, quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
       quote_ident(%(schema)s) AS schema, current_setting('transaction_read_only') = 'on' AS read_only,
       EXISTS (SELECT FROM pg_roles o WHERE o.rolsuper AND pg_has_role(current_user, o.oid, 'MEMBER')) AS superuser,
       array_remove(ARRAY[CASE WHEN r.rolcreaterole THEN 'CREATEROLE' END, CASE WHEN r.rolcreatedb THEN 'CREATEDB' END,
                          CASE WHEN r.rolreplication THEN 'REPLICATION' END,
                          CASE WHEN r.rolbypassrls THEN 'BYPASSRLS' END], NULL) AS attributes,
       coalesce((SELECT s.ssl FROM pg_stat_ssl s WHERE s.pid = pg_backend_pid()), false) OR inet_client_addr() IS NULL
         OR inet_client_addr() << '127.0.0.0/8' OR inet_client_addr() = '::1' AS encrypted,
       (SELECT count(*) FROM pg_class c WHERE c.relnamespace = to_regnamespace(quote_ident(%(schema)s))
          AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND has_any_column_privilege(c.oid, 'SELECT')
          AND has_schema_privilege(c.relnamespace, 'USAGE')) AS tables,
       has_database_privilege(current_database(), 'TEMPORARY') AS temporary
FROM pg_roles r WHERE r.rolname = current_user
"""
_OWNED = """
SELECT 'table ' || c.oid::regclass::text FROM pg_class c
WHERE c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) AND c.relkind IN
  ('r', 'p', 'v', 'm', 'f', 'S') AND pg_has_role(current_user, c.relowner, 'MEMBER')
UNION ALL SELECT 'schema ' || quote_ident(nspname) FROM pg_namespace WHERE pg_has_role(current_user, nspowner, 'MEMBER')
UNION ALL SELECT 'database ' || quote_ident(datname) FROM pg_database
WHERE datname = current_database() AND pg_has_role(current_user, datdba, 'MEMBER')
LIMIT 20
"""
#: Rights by grantee: object, right, and whom it was granted to (0 is PUBLIC).
_GRANTED = """
WITH objects AS (
  SELECT 'TABLE ' || c.oid::regclass::text AS object, acl.*, '' AS columns
  FROM pg_class c, aclexplode(c.relacl) AS acl
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND acl.grantee <> c.relowner
    AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  UNION ALL
  SELECT 'TABLE ' || a.attrelid::regclass::text, acl.*, ' (' || quote_ident(a.attname) || ')'
  FROM pg_attribute a, aclexplode(a.attacl) AS acl
  UNION ALL
  SELECT 'SEQUENCE ' || c.oid::regclass::text, acl.*, ''
  FROM pg_class c, aclexplode(c.relacl) AS acl WHERE c.relkind = 'S' AND acl.grantee <> c.relowner
  UNION ALL
  SELECT 'SCHEMA ' || quote_ident(n.nspname), acl.*, ''
  FROM pg_namespace n, aclexplode(n.nspacl) AS acl WHERE acl.grantee <> n.nspowner
  UNION ALL
  SELECT 'DATABASE ' || quote_ident(d.datname), acl.*, ''
  FROM pg_database d, aclexplode(d.datacl) AS acl WHERE d.datname = current_database() AND acl.grantee <> d.datdba
)
SELECT object, privilege_type || columns, grantee FROM objects
WHERE (grantee = 0 OR pg_has_role(current_user, grantee, 'MEMBER')) AND (
  (object LIKE 'TABLE %' AND privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'MAINTAIN'))
  OR (object LIKE 'SEQUENCE %' AND privilege_type IN ('USAGE', 'UPDATE'))
  OR (object LIKE 'SCHEMA %' AND privilege_type = 'CREATE')
  OR (object LIKE 'DATABASE %' AND privilege_type = 'CREATE'))
ORDER BY 1, 2
"""
#: The roles that were given to the role itself, each with all that come with it.
_MEMBER_OF = """
SELECT quote_ident(o.rolname), array_agg(inside.oid), array_agg(inside.rolname::text)
FROM pg_auth_members m JOIN pg_roles o ON o.oid = m.roleid
JOIN pg_roles inside ON pg_has_role(o.oid, inside.oid, 'MEMBER')
WHERE m.member = current_user::regrole GROUP BY o.rolname ORDER BY o.rolname
"""
_FUNCTIONS = """
SELECT CASE WHEN p.pronamespace = 'pg_catalog'::regnamespace THEN CASE
         WHEN p.proname ~ '^lo(_|read|write)' THEN 'large_objects'
         WHEN p.proname ~ '^pg_(try_)?advisory_' THEN 'advisory_locks'
         WHEN p.proname = 'pg_notify' THEN 'notify' END
       WHEN e.extname IS NOT NULL THEN 'reaching_out'
       WHEN p.prosecdef THEN 'definer_functions' END AS code,
       p.oid::regprocedure::text
FROM pg_proc p
LEFT JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
LEFT JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = ANY(%s)
WHERE has_function_privilege(p.oid, 'EXECUTE') AND has_schema_privilege(p.pronamespace, 'USAGE')
  AND (e.extname IS NOT NULL OR p.prosecdef OR p.proname ~ '^(lo(_|read|write)|pg_(try_)?advisory_|pg_notify$)')
ORDER BY 2
"""
#: What somebody could do with functions that everybody may call.
_COULD = {
    "large_objects": "it could store large objects (before PostgreSQL 16 in a read-only transaction too)",
    "advisory_locks": "it could take advisory locks that others wait for",
    "notify": "it could notify those who LISTEN",
    "reaching_out": "it could reach other databases, files or programs through an extension",
    "definer_functions": "it could call functions that run with the rights of their owner",
}
NEW_ROLE = """\
CREATE ROLE dutydesk_reader LOGIN PASSWORD 'choose one' CONNECTION LIMIT 20;
ALTER ROLE dutydesk_reader SET default_transaction_read_only = on;
GRANT CONNECT ON DATABASE {database} TO dutydesk_reader;
GRANT USAGE ON SCHEMA {schema} TO dutydesk_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO dutydesk_reader;"""


async def examined(connection: AsyncConnection, schema: str) -> tuple[Examined, ...]:
    """Return every finding, good and bad."""
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_ROLE.encode(), {"schema": schema})
        about = await cursor.fetchone() or {}
    if about["superuser"]:  # may do anything, so that the other questions have no meaning
        detail = f"{about['name']} is a superuser, or may become one: let the desk ask with a role of its own"
        return (Examined("superuser", ok=False, detail=detail, mend=NEW_ROLE.format_map(about)),)
    return (
        Examined("superuser", ok=True, detail=f"{about['name']} is none"),
        _owner(about, [str(row[0]) for row in await _all(connection, _OWNED)]),
        *await _granted(connection, about),
        Examined("read_only", ok=about["read_only"], detail="every statement runs in a read-only transaction"),
        _reads(about),
        *await _callable(connection, about),
        _temporary(about),
        _encrypted(about),
    )


def _reads(about: Mapping[str, Any]) -> Examined:
    if about["tables"]:
        return Examined("reads", ok=True, detail=f"{about['tables']} tables and views in {about['schema']}")
    mend = "GRANT USAGE ON SCHEMA {schema} TO {role};\nGRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role};"
    detail = f"{about['name']} may read nothing in {about['schema']}"
    return Examined("reads", ok=False, detail=detail, mend=mend.format_map(about))


def _temporary(about: Mapping[str, Any]) -> Examined:
    if not about["temporary"]:
        return Examined("temporary_tables", ok=True, needed=False)
    mend = "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {role};".format_map(about)
    return Examined("temporary_tables", ok=False, detail="it could make temporary tables", mend=mend, needed=False)


def _encrypted(about: Mapping[str, Any]) -> Examined:
    detail = "" if about["encrypted"] else "the connection is not encrypted: add sslmode=verify-full to the address"
    return Examined("encrypted", ok=about["encrypted"], detail=detail, needed=False)


def _owner(about: Mapping[str, Any], owned: list[str]) -> Examined:
    if not owned:
        return Examined("owner", ok=True, detail=f"{about['name']} owns nothing here")
    detail = f"{about['name']} owns {_few(owned)}, or may become who does: let the desk ask with a role of its own"
    return Examined("owner", ok=False, detail=detail, mend=NEW_ROLE.format_map(about))


async def _granted(connection: AsyncConnection, about: Mapping[str, Any]) -> tuple[Examined, ...]:
    """Return what was granted to the role, to everybody, and to the roles that it is a member of."""
    grants = _Grants(about["role"], await _all(connection, _GRANTED), await _all(connection, _MEMBER_OF))
    return (
        grants.powerful(about["attributes"]),
        grants.rights("role_may_write", ("TABLE",)),
        grants.rights("role_may_create", ("SCHEMA", "DATABASE")),
        grants.rights("sequences", ("SEQUENCE",), needed=False),
    )


@dataclass(frozen=True)
class _Grants:
    """What a role was given: rights as (object, right, grantee), and roles as (name, all inside, their names)."""

    role: str
    granted: list[tuple[Any, ...]]
    members: list[tuple[Any, ...]]

    def powerful(self, attributes: list[str]) -> Examined:
        """Return the finding about what the server lets the role do everywhere."""
        given = {name: set(names) & set(POWERFUL) for name, _, names in self.members}
        mend = [f"ALTER ROLE {self.role} {' '.join('NO' + each for each in attributes)};"] if attributes else []
        mend += [f"REVOKE {name} FROM {self.role};" for name, found in given.items() if found]
        could = [*attributes, *sorted(set().union(*given.values()))]
        return Examined("powerful_role", ok=not could, detail=_few(could), mend="\n".join(mend))

    def rights(self, code: str, kinds: tuple[str, ...], *, needed: bool = True) -> Examined:
        """Return the finding about kinds of objects; a right that comes with another role goes with that role."""
        rights: dict[tuple[str, str], list[str]] = defaultdict(list)
        leave: set[str] = set()
        found = [row for row in self.granted if row[0].startswith(kinds)]
        for thing, right, grantee in found:
            through = [name for name, inside, _ in self.members if grantee in inside]
            if through:
                leave.update(through)
            else:
                rights[thing, self.role if grantee else "PUBLIC"].append(right)
        mend = [f"REVOKE {name} FROM {self.role};" for name in sorted(leave)]
        mend += [f"REVOKE {', '.join(each)} ON {thing} FROM {who};" for (thing, who), each in rights.items()]
        detail = _few([f"{right} on {thing.partition(' ')[2]}" for thing, right, _ in found])
        return Examined(code, ok=not found, detail=detail, mend="\n".join(mend), needed=needed)


async def _callable(connection: AsyncConnection, about: Mapping[str, Any]) -> tuple[Examined, ...]:
    """Return what could be done with functions."""
    names: dict[str, list[str]] = defaultdict(list)
    for code, name in await _all(connection, _FUNCTIONS, (list(REACHING_OUT),)):
        names[code].append(name)
    return tuple(
        Examined(
            code,
            ok=not names[code],
            detail=could if names[code] else "",
            mend=f"REVOKE EXECUTE ON FUNCTION {', '.join(names[code])} FROM PUBLIC, {about['role']};"
            if names[code]
            else "",
            needed=False,
        )
        for code, could in _COULD.items()
    )


def _few(things: Iterable[str]) -> str:
    listed = list(things)
    more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
    return ", ".join(listed[:5]) + more


async def _all(connection: AsyncConnection, query: str, values: Any = None) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(query.encode(), values)
    return await cursor.fetchall()
