"""A role that could write is found, and what the finding says really mends it."""

from collections.abc import Mapping

import psycopg
import pytest

from queries.sql.config import SourceConfig
from queries.sql.datasource import Examined
from queries.sql.datasources.postgres.source import PostgresSource
from tests.fixtures.shop import PostgresShop, Shop

#: What was granted to the role {role}, and the finding that tells of it.
TOO_MUCH = (
    ("GRANT INSERT ON orders TO {role}", "role_may_write"),
    ("GRANT UPDATE, DELETE ON orders TO PUBLIC", "role_may_write"),
    ("GRANT TRUNCATE ON orders TO {role}", "role_may_write"),
    ("GRANT UPDATE (amount) ON orders TO {role}", "role_may_write"),
    ("CREATE ROLE writers_{role}; GRANT INSERT ON orders TO writers_{role}; GRANT writers_{role} TO {role}",
     "role_may_write"),
    ("CREATE SCHEMA other; CREATE TABLE other.things (a int); GRANT DELETE ON other.things TO {role}",
     "role_may_write"),
    ("GRANT CREATE ON SCHEMA public TO {role}", "role_may_create"),
    ("GRANT CREATE ON SCHEMA public TO PUBLIC", "role_may_create"),
    ("GRANT CREATE ON DATABASE {database} TO {role}", "role_may_create"),
    ("GRANT pg_write_all_data TO {role}", "powerful_role"),
    ("GRANT pg_execute_server_program TO {role}", "powerful_role"),
    ("ALTER ROLE {role} CREATEROLE CREATEDB", "powerful_role"),
    ("CREATE SEQUENCE counter; GRANT USAGE ON SEQUENCE counter TO {role}", "sequences"),
    ("REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM {role}", "reads"),
    ("CREATE FUNCTION wipe() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM orders'", "definer_functions"),
    ("CREATE EXTENSION dblink", "reaching_out"),
)  # fmt: skip
#: Rights that PostgreSQL gives to everybody.
USUAL = {"large_objects", "advisory_locks", "notify", "temporary_tables"}


async def found_by(shop: PostgresShop, role: str = "") -> Mapping[str, Examined]:
    config = SourceConfig.model_validate({"kind": "postgresql", "url": "env:SHOP"})
    source = PostgresSource("shop", shop.url(role), config)
    found = {each.code: each for each in await source.examine()}
    await source.close()
    return found


def wrong(found: Mapping[str, Examined]) -> set[str]:
    return {code for code, each in found.items() if not each.ok}


async def test_a_role_that_only_reads_may_be_asked(own_postgres_shop: PostgresShop) -> None:
    found = await found_by(own_postgres_shop)

    assert wrong(found) == USUAL
    assert not any(found[code].needed for code in USUAL)
    assert {"superuser", "owner", "role_may_write", "role_may_create", "powerful_role", "reads"} <= set(found)


@pytest.mark.parametrize(("grant", "code"), TOO_MUCH)
async def test_what_is_too_much_is_found_and_mended(own_postgres_shop: PostgresShop, grant: str, code: str) -> None:
    shop = own_postgres_shop
    shop.owner.execute(grant.format(role=shop.role, database=shop.name).encode())

    before = await found_by(shop)
    shop.owner.execute(before[code].mend.encode())
    after = await found_by(shop)

    assert wrong(before) == USUAL | {code}
    assert wrong(after) == USUAL
    shop.owner.execute(f"DROP OWNED BY {shop.role}".encode())
    _drop(shop.owner, f"writers_{shop.role}")


async def test_what_everybody_may_do_can_be_taken_away(own_postgres_shop: PostgresShop) -> None:
    for each in (await found_by(own_postgres_shop)).values():
        if not each.ok:
            own_postgres_shop.owner.execute(each.mend.encode())

    assert wrong(await found_by(own_postgres_shop)) == set()


async def test_a_superuser_is_refused_and_shown_a_role_of_its_own(own_postgres_shop: PostgresShop) -> None:
    superuser = await found_by(own_postgres_shop, role="postgres")

    assert wrong(superuser) == {"superuser"}
    await _another_role_works(own_postgres_shop, superuser["superuser"])


async def test_an_owner_is_refused_and_shown_a_role_of_its_own(own_postgres_shop: PostgresShop) -> None:
    shop = own_postgres_shop
    shop.owner.execute(f"ALTER TABLE orders OWNER TO {shop.role}".encode())

    owner = await found_by(shop)

    assert "owner" in wrong(owner)
    assert "orders" in owner["owner"].detail
    await _another_role_works(shop, owner["owner"])
    shop.owner.execute("ALTER TABLE orders OWNER TO postgres")


async def test_a_member_of_the_owner_is_refused(own_postgres_shop: PostgresShop) -> None:
    shop = own_postgres_shop
    shop.owner.execute(f"CREATE ROLE app_{shop.role}; GRANT app_{shop.role} TO {shop.role}".encode())
    shop.owner.execute(f"ALTER TABLE orders OWNER TO app_{shop.role}".encode())

    found = await found_by(shop)

    assert "owner" in wrong(found)
    shop.owner.execute("ALTER TABLE orders OWNER TO postgres")
    _drop(shop.owner, f"app_{shop.role}")


async def test_a_file_is_proven_to_be_read_only(shop: Shop) -> None:
    found = {each.code: each for each in await shop.source().examine()}

    assert found["read_only"].ok
    assert all(each.ok for each in found.values() if each.needed)


async def _another_role_works(shop: PostgresShop, finding: Examined) -> None:
    mend = finding.mend.replace("dutydesk_reader", f"asks_{shop.role}")
    shop.owner.execute(mend.encode())

    found = await found_by(shop, role=f"asks_{shop.role}")

    assert all(each.ok for each in found.values() if each.needed)
    shop.owner.execute(f"DROP OWNED BY asks_{shop.role}".encode())
    _drop(shop.owner, f"asks_{shop.role}")


def _drop(owner: psycopg.Connection, role: str) -> None:
    if owner.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is not None:
        owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}".encode())
