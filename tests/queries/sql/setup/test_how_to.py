"""What the how-to tells people to write works as it stands."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from bot.rendering.commands import Call
from features.data.saved.wish import wish_in
from identity.actor import Actor, ActorKind
from queries.sql.config import SourceConfig
from queries.sql.datasources.postgres.source import PostgresSource
from queries.sql.datasources.sqlite.source import SqliteSource
from queries.sql.errors import StatementRefused
from queries.sql.guard.guard import guard
from queries.sql.setup.reading import parse_catalog, read_sources
from tests.architecture.source import ROOT
from tests.docs import pages
from tests.fixtures.features import grammar
from tests.fixtures.shop import PostgresShop


def page_of(name: str) -> pages.Page:
    (found,) = (each for each in pages.read(ROOT) if each.path.name == f"{name}.md")
    return found


@pytest.fixture(scope="module")
def page() -> pages.Page:
    return page_of("ask-a-postgresql-database")


async def test_its_role_can_only_read(page: pages.Page, own_postgres_shop: PostgresShop) -> None:
    shop, role = own_postgres_shop, f"how_to_{own_postgres_shop.role}"
    for block in page.blocks("sql"):
        told = block.replace("dutydesk_reader", role).replace("DATABASE shop", f"DATABASE {shop.name}")
        shop.owner.execute(told.encode())
    source = PostgresSource("shop", shop.url(role), SourceConfig(kind="postgresql", url="env:SHOP"))

    found = await source.examine()

    assert [each.code for each in found if each.needed and not each.ok] == []
    assert "temporary_tables" in {each.code for each in found if each.ok}
    await source.close()
    shop.owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}".encode())


def test_its_file_of_databases_is_read(page: pages.Page, tmp_path: Path) -> None:
    (sources,) = page.blocks("yaml")
    (tmp_path / "datasources.yaml").write_text(sources, encoding="utf-8")

    assert list(read_sources(tmp_path / "datasources.yaml").datasources) == ["shop"]


def test_the_catalogue_that_it_shows_is_one() -> None:
    (catalog,) = page_of("write-a-catalogue").blocks("yaml")

    assert list(parse_catalog(catalog, Path("shop.yaml"), dialects=("postgres",)).metrics) == ["revenue"]


ORDERS = (
    (1, "north", 10, "ada@example.org"),
    (2, "south", 20, "ada@example.org"),
    (3, "south", 30, "ben@example.org"),
    (4, None, 40, "ben@example.org"),
)


@pytest.mark.parametrize(
    ("asker", "orders"),
    [
        (Actor(id="ada", name="Ada", email="ada@example.org", units=frozenset({"north"})), [1, 2]),
        (Actor(id="cy", name="Cy", units=frozenset({"south", "west"})), [2, 3]),
        (Actor(id="eve", name="Eve"), []),
        (Actor(id="mia", name="Mia", roles=frozenset({"manager"})), [1, 2, 3, 4]),
        (Actor(id="flo", name="Flo", groups=frozenset({"finance"})), [1, 2, 3, 4]),
        (Actor(id="gus", name="Gus", kind=ActorKind.GUEST), None),
    ],
    ids=lambda each: each.id if isinstance(each, Actor) else "",
)
async def test_the_rules_that_it_shows_give_these_rows(asker: Actor, orders: list[int] | None, tmp_path: Path) -> None:
    (text,) = page_of("decide-who-reads-which-rows").blocks("yaml")
    catalog = parse_catalog(text, Path("shop.yaml"), dialects=("postgres", "sqlite"))
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.execute("CREATE TABLE orders (id INTEGER, region TEXT, amount INTEGER, seller_email TEXT)")
        shop.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", ORDERS)
        shop.commit()
    source = SqliteSource("shop", tmp_path / "shop.db", SourceConfig(kind="sqlite", path="shop.db"))
    statement = "SELECT id, seller_email FROM orders ORDER BY id"
    if orders is None:
        with pytest.raises(StatementRefused):
            guard(statement, catalog, asker, dialect="sqlite")
        return
    found = (await source.run(guard(statement, catalog, asker, dialect="sqlite"))).rows

    assert [row[0] for row in found] == orders
    assert all((row[1] is not None) == ("manager" in asker.roles) for row in found)
    await source.close()


def test_what_it_says_to_type_and_to_say_is_understood() -> None:
    lines = [line for block in page_of("send-saved-questions").blocks("text") for line in block.splitlines()]
    typed = [grammar().parse(line) for line in lines if line.startswith("/desk")]
    now = datetime.fromisoformat("2026-11-24T10:00")
    said = [
        wish_in(line.removeprefix("/desk sql schedule "), now=now) for line in lines if "every" in line or "每" in line
    ]

    assert len(typed) == 5
    assert all(isinstance(each, Call) for each in typed)
    assert [wish.name for wish in said] == ["Open orders"] * 4
    assert all(wish.when is not None for wish in said)
    assert [wish.here for wish in said] == [False, False, False, True]


def test_it_tells_the_settings_as_they_are(page: pages.Page) -> None:
    told = {name: SourceConfig.model_fields[name].default for name in ("pool", "most_bytes", "most_cost")}

    assert all(f"| `{name}` | {default} |" in page.text for name, default in told.items())
