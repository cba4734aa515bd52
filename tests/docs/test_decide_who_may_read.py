"""The how-to about access, carried out: its files give exactly the people of its table what the table says."""

import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from bot.cli.main import build
from identity.actor import Actor, ActorKind
from identity.people import actors
from search.access import scope_of
from search.sources.folder import FolderSource
from tests.architecture.source import ROOT
from tests.docs.pages import Page

PATH = ROOT / "docs" / "how-to" / "decide-who-may-read.md"
PAGE = Page(PATH, PATH.read_text(encoding="utf-8"))
_FILE = re.compile(r"`([\w./-]+\.(?:yaml|md))`[^`]*\n\n```(?:yaml|markdown)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| `([\w/]+\.md)` \| (?:`([\w./]+)`|its own) \| (.*) \|$", re.MULTILINE)
_WHO = re.compile(r"^\| page \| whose list \| (.*) \|$", re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with every file that the page shows, and the pages of its table."""
    files = dict(_FILE.findall(PAGE.text))
    assert {"people.yaml", "handbook/.access.yaml", "handbook/it/.access.yaml"} < set(files)
    for page, *_ in _ROW.findall(PAGE.text):
        files.setdefault(f"handbook/{page}", f"# {page}\n\nHow long a VPN session lasts stands here.\n")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


async def test_the_table_tells_who_reads_what(home: Path) -> None:
    known = {each.id: each for each in actors(yaml.safe_load((home / "people.yaml").read_text()), path=PATH)}
    known["a guest"] = Actor(id="g", name="Guest", kind=ActorKind.GUEST)
    (who,) = _WHO.findall(PAGE.text)
    source = FolderSource("handbook", home / "handbook")
    listing = await source.listing()
    lists = {page.document.path: page.document.allow for page in (await source.load(tuple(listing.hashes))).pages}
    rows = _ROW.findall(PAGE.text)

    assert listing.problems == ()
    assert {page for page, *_ in rows} == set(lists)
    for page, nearest, told in rows:
        reads = {name: "reads" if scope_of(known[name]).allows(lists[page]) else "–" for name in who.split(" | ")}
        assert " | ".join(reads.values()) == told, page
        if nearest:
            assert list(lists[page]) == yaml.safe_load((home / nearest).read_text())["allow"]


def test_the_commands_print_what_the_page_shows(home: Path) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(build(), [*words, "--home", str(home)])
        assert done.exit_code == 0, done.output
        return done.output

    run("index", str(home / "handbook"))
    printed = run("search", "How long does a VPN session last?", "--as", "ada", "--explain").splitlines()
    (shown,) = PAGE.blocks("text")

    names = [line.split()[0] for line in shown.splitlines()[:4]]
    assert [line.split()[0] for line in printed[:4]] == names
    heads = next(line.split() for line in shown.splitlines() if line.startswith("#"))
    assert heads in [line.split() for line in printed]
    assert any(line.startswith("Kept back by access lists: ") for line in printed)
    assert "person:ada" in run("audit", "list", "--action", "knowledge.search_as")
