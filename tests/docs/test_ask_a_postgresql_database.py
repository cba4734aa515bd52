"""`docs/how-to/ask-a-postgresql-database.md` and the next page, typed on a real server up to what is read in the end."""

import re
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import invoke
from tests.docs.test_write_a_catalogue import page, typed
from tests.fixtures.shop import PostgresShop

PEOPLE = """\
people:
  - {id: ada, email: ada@example.org, name: Ada, units: [north]}
  - {id: cy, email: cy@example.org, name: Cy, units: [south]}
  - {id: mia, email: mia@example.org, name: Mia, roles: [manager]}
  - {id: eve, email: eve@example.org, name: Eve}
"""


@pytest.fixture
def home(tmp_path: Path, own_postgres_shop: PostgresShop) -> Path:
    own_postgres_shop.owner.execute(b"""
        CREATE TABLE sales (id integer PRIMARY KEY, region text, amount numeric, seller_email text, sold_on date);
        COMMENT ON TABLE sales IS 'What was sold';
        INSERT INTO sales VALUES (1, 'north', 10, 'ada@example.org', '2026-10-05'),
            (2, 'south', 20, 'ada@example.org', '2026-10-06'), (3, 'south', 30, 'cy@example.org', '2026-10-07');
    """)
    (sources,) = page("ask-a-postgresql-database").blocks("yaml")
    (tmp_path / "datasources.yaml").write_text(sources, encoding="utf-8")
    (tmp_path / "people.yaml").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "catalog").mkdir()
    return tmp_path


def test_its_role_is_proved_and_its_database_is_asked(
    home: Path, own_postgres_shop: PostgresShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, role = own_postgres_shop, f"guide_{own_postgres_shop.role}"
    monkeypatch.setenv("SHOP_URL", shop.url(role))
    guide = page("ask-a-postgresql-database")
    for block in guide.blocks("sql"):
        shop.owner.execute(
            block.replace("dutydesk_reader", role).replace("DATABASE shop", f"DATABASE {shop.name}").encode()
        )
    (check,) = (line for block in guide.blocks("sh") for line in block.splitlines() if line.startswith("dutydesk"))
    try:
        first = typed(home, check)
        for mend in re.findall(r"^ +(REVOKE .*;)$", first, re.MULTILINE):  # what it could still do, with what ends it
            shop.owner.execute(mend.encode())
        proved = typed(home, check)
        assert ("  note " in first, "  note " in proved) == (True, False)
        assert {line.split()[0] for line in proved.splitlines()[1:] if line} == {"ok"}
        typed(home, "dutydesk sql catalog draft shop > catalog/shop.yaml")
        assert "What was sold" in (home / "catalog" / "shop.yaml").read_text(encoding="utf-8")
        _write_rules(home)
        assert "The catalogues fit" in typed(home, "dutydesk sql catalog check shop")
        asked = invoke("ask", "how many sales were there in October 2026?", "--as", "ada", home=home).output

        assert re.search(r"October 2026: 2\b", asked), asked
        assert "of the rows that you may read" in asked
    finally:
        shop.owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}".encode())


def test_the_role_of_the_application_is_refused_with_what_mends_it(
    home: Path, own_postgres_shop: PostgresShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = own_postgres_shop
    shop.owner.execute(f"GRANT INSERT ON sales TO {shop.role}".encode())
    monkeypatch.setenv("SHOP_URL", shop.url())
    checked = invoke("sql", "check", "shop", home=home)

    assert checked.exit_code != 0
    assert re.search(rf"REVOKE INSERT\b.* FROM \"?{shop.role}", checked.output), checked.output


@pytest.mark.parametrize(
    ("asker", "counted"), [("ada", {"north": 1, "south": 1}), ("cy", {"south": 2}), ("mia", {"north": 1, "south": 2})]
)
def test_the_rules_of_the_next_page_give_each_their_rows(
    home: Path, own_postgres_shop: PostgresShop, monkeypatch: pytest.MonkeyPatch, asker: str, counted: dict[str, int]
) -> None:
    shop = own_postgres_shop
    shop.owner.execute(f"GRANT SELECT ON sales TO {shop.role}".encode())
    monkeypatch.setenv("SHOP_URL", shop.url())
    _write_rules(home)
    lines = [line for block in page("decide-who-reads-which-rows").blocks("sh") for line in block.splitlines()]
    check, guard, run = (line.replace("orders", "sales").replace("--as ada", f"--as {asker}") for line in lines)

    assert "The catalogues fit" in typed(home, check)
    assert "WHERE" in typed(home, guard) or asker == "mia"
    told = typed(home, run)
    assert {name: int(number) for name, number in re.findall(r"\b(north|south)\W+(\d+)", told)} == counted


def _write_rules(home: Path) -> None:
    """Write the table of the page about rules, called as the one of the database."""
    (rules,) = page("decide-who-reads-which-rows").blocks("yaml")
    catalog = yaml.safe_load(rules)
    sales = catalog["tables"].pop("orders")
    sales["called"] = {"en": ["sales"]}
    sales["columns"]["sold_on"] = {"type": "date"}
    metric = {"table": "sales", "expression": "COUNT(*)", "time": "sold_on", "called": {"en": ["sales"]}}
    catalog = {"tables": {"sales": sales}, "metrics": {"sales_made": metric}}
    (home / "catalog" / "shop.yaml").write_text(yaml.safe_dump(catalog), encoding="utf-8")
