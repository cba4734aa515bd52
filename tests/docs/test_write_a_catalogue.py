"""`docs/how-to/write-a-catalogue.md` typed by a new user, from the draft to the first answer as somebody else."""

import re
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.architecture.source import ROOT
from tests.cli.conftest import invoke
from tests.docs.pages import Page

PAGES = ROOT / "docs" / "how-to"


def page(name: str) -> Page:
    path = PAGES / f"{name}.md"
    return Page(path, path.read_text(encoding="utf-8"))


def typed(home: Path, line: str) -> str:
    """Run a line of the page; what it writes into a file is written there."""
    words = shlex.split(line)
    wanted = words[1 : words.index(">")] if ">" in words else words[1:]
    done = invoke(*wanted, home=home)
    assert done.exit_code == 0, f"{line}\n{done.output}"
    if ">" in words:
        (home / words[-1]).write_text(done.stdout, encoding="utf-8")
    return done.output


def test_the_lines_of_the_page_lead_from_a_draft_to_an_answer(tmp_path: Path) -> None:
    (tmp_path / "catalog").mkdir()
    named = "datasources:\n  shop: {kind: sqlite, path: shop.sqlite}\n"
    (tmp_path / "datasources.yaml").write_text(named, encoding="utf-8")
    (people,) = (block for block in page("sign-in-people").blocks("yaml") if block.startswith("people:"))
    (tmp_path / "people.yaml").write_text(people, encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as shop:
        shop.executescript("""
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, region TEXT, email TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), region TEXT,
                amount REAL, status TEXT, ordered_on TEXT);
            INSERT INTO customers VALUES (1, 'Aldermoor', 'north', 'a@example.org');
            INSERT INTO orders VALUES (1, 1, 'north', 12.5, 'paid', '2026-01-05');
        """)
    written = page("write-a-catalogue")
    lines = [line for block in written.blocks("sh") for line in block.splitlines() if line.startswith("dutydesk")]
    drafting, asking = lines[:2], lines[2:]

    assert "The catalogues fit" in [typed(tmp_path, line) for line in drafting][-1]
    (catalog,) = written.blocks("yaml")
    (tmp_path / "catalog" / "shop.yaml").write_text(catalog, encoding="utf-8")
    assert "The catalogues fit" in typed(tmp_path, drafting[1])
    told = [typed(tmp_path, line) for line in asking]

    assert "SELECT" in told[0]
    assert re.search(r"\b1\b", told[1])
