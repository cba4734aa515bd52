"""What the how-to tells people to write works as it stands."""

from pathlib import Path

import pytest

from queries.sql.config import SourceConfig
from queries.sql.datasources.postgres.source import PostgresSource
from queries.sql.setup.reading import parse_catalog, read_sources
from tests.architecture.source import ROOT
from tests.docs import pages
from tests.fixtures.shop import PostgresShop


@pytest.fixture(scope="module")
def page() -> pages.Page:
    (found,) = (each for each in pages.read(ROOT) if each.path.name == "ask-a-postgresql-database.md")
    return found


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


def test_its_files_are_read(page: pages.Page, tmp_path: Path) -> None:
    sources, catalog = page.blocks("yaml")
    (tmp_path / "datasources.yaml").write_text(sources, encoding="utf-8")

    assert list(read_sources(tmp_path / "datasources.yaml").datasources) == ["shop"]
    assert list(parse_catalog(catalog, Path("shop.yaml"), dialects=("postgres",)).metrics) == ["revenue"]


def test_it_tells_the_settings_as_they_are(page: pages.Page) -> None:
    told = {name: SourceConfig.model_fields[name].default for name in ("pool", "most_bytes", "most_cost")}

    assert all(f"| `{name}` | {default} |" in page.text for name, default in told.items())
