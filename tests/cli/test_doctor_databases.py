"""The doctor looks at the databases that people ask, and names the command that mends what is wrong with one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import invoke
from tests.fixtures.shop import PostgresShop
from tests.scenarios.shop import write_shop

POSTGRES = "datasources:\n  shop:\n    kind: postgresql\n    url: {url}\n"
CATALOG = "tables:\n  customers:\n    public: true\n    columns:\n      id: {type: number}\n      name: {type: text}\n"


@pytest.fixture
def shop(home: Path) -> Path:
    write_shop(home)
    return home


def test_a_database_that_can_be_asked_is_well(shop: Path) -> None:
    done = invoke("doctor", home=shop)

    assert done.exit_code == 0, done.output
    assert "shop: may only be read, and its catalogue fits (4 tables)" in done.output


def test_a_desk_without_databases_says_nothing_of_them(home: Path) -> None:
    assert "data " not in invoke("doctor", home=home).output


def test_a_database_that_is_away_is_named(shop: Path) -> None:
    (shop / "shop.sqlite").unlink()
    done = invoke("doctor", home=shop)

    assert done.exit_code == 1
    assert "wrong  data" in done.output
    assert "dutydesk sql check shop" in done.output


def test_a_catalogue_that_does_not_fit_is_named_with_its_line(shop: Path) -> None:
    with closing(sqlite3.connect(shop / "shop.sqlite")) as connection:
        connection.execute("ALTER TABLE huts RENAME COLUMN beds TO places")
        connection.commit()
    done = invoke("doctor", home=shop)

    assert done.exit_code == 1
    assert "has no column beds" in " ".join(done.output.split())
    assert "dutydesk sql catalog check shop" in done.output


def test_a_file_that_cannot_be_read_is_named(shop: Path) -> None:
    (shop / "datasources.yaml").write_text("datasources: [shop]", encoding="utf-8")
    done = invoke("doctor", home=shop)

    assert done.exit_code == 1
    assert "datasources.yaml" in done.output


def test_a_role_that_may_write_is_wrong_and_one_that_may_read_is_not(
    home: Path, own_postgres_shop: PostgresShop
) -> None:
    (home / "catalog").mkdir()
    (home / "catalog" / "shop.yaml").write_text(CATALOG, encoding="utf-8")
    (home / "address").write_text(own_postgres_shop.url(), encoding="utf-8")
    named = POSTGRES.format(url=f"file:{home / 'address'}")
    (home / "datasources.yaml").write_text(named, encoding="utf-8")
    assert "catalogue fits (1 tables)" in invoke("doctor", home=home).output

    owner: psycopg.Connection = own_postgres_shop.owner
    owner.execute(f"GRANT INSERT ON customers TO {own_postgres_shop.role}".encode())
    done = invoke("doctor", home=home)
    assert done.exit_code == 1
    assert "it is not asked" in " ".join(done.output.split())
    assert "dutydesk sql check shop" in done.output


def test_a_role_is_proved_before_there_is_a_catalogue(home: Path, own_postgres_shop: PostgresShop) -> None:
    (home / "address").write_text(own_postgres_shop.url(), encoding="utf-8")
    (home / "datasources.yaml").write_text(POSTGRES.format(url=f"file:{home / 'address'}"), encoding="utf-8")
    checked, doctor = invoke("sql", "check", "shop", home=home), invoke("doctor", home=home)

    assert checked.exit_code == 0, checked.output
    assert "role may write" in checked.output
    assert "dutydesk sql catalog draft shop" in " ".join(doctor.output.split())


def test_a_check_names_each_database_that_is_away(home: Path) -> None:
    (home / "datasources.yaml").write_text(POSTGRES.format(url="env:NO_SUCH_ADDRESS"), encoding="utf-8")
    done = invoke("sql", "check", home=home)

    assert done.exit_code == 1
    assert "env:NO_SUCH_ADDRESS holds no address" in done.output


def test_a_check_of_nothing_says_so(home: Path) -> None:
    done = invoke("sql", "check", home=home)

    assert done.exit_code != 0
    assert "datasources.yaml" in done.output
