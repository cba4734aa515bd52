"""What every source promises: the same pages from a folder and from the fake."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from search.sources.folder import FolderSource
from search.sources.memory import MemorySource
from search.sources.port import PageSource

PAGES = {
    "it/vpn.md": "# VPN\n\nText.\n",
    "zh/leave.md": "---\naccess:\n  allow: [group:hr]\n---\n# 请假\n\n年假十天。\n",
    "broken.md": "---\ntitle: [x\n---\n# Broken\n",
}


def folder(pages: Mapping[str, str], at: Path) -> PageSource:
    for path, text in pages.items():
        (at / path).parent.mkdir(parents=True, exist_ok=True)
        (at / path).write_text(text, encoding="utf-8")
    return FolderSource("book", at, default_allow=("staff",))


def memory(pages: Mapping[str, str], _at: Path) -> PageSource:
    return MemorySource("book", pages)


MAKERS: dict[str, Callable[[Mapping[str, str], Path], PageSource]] = {"folder": folder, "memory": memory}


@pytest.fixture(params=MAKERS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> PageSource:
    return MAKERS[request.param](PAGES, tmp_path)


async def test_every_page_is_listed_with_a_stable_hash(source: PageSource) -> None:
    first, second = await source.listing(), await source.listing()
    assert set(first.hashes) == set(PAGES)
    assert first.hashes == second.hashes
    assert len(set(first.hashes.values())) == len(PAGES)


async def test_pages_are_loaded_with_their_access_language_and_hash(source: PageSource) -> None:
    listing = await source.listing()
    loaded = await source.load(["it/vpn.md", "zh/leave.md"])
    pages = {page.document.path: page.document for page in loaded.pages}
    assert pages["it/vpn.md"].allow == ("staff",)
    assert pages["zh/leave.md"].allow == ("group:hr",)
    assert (pages["it/vpn.md"].language, pages["zh/leave.md"].language) == ("en", "zh")
    assert pages["it/vpn.md"].content_hash == listing.hashes["it/vpn.md"]
    assert pages["it/vpn.md"].id == "book:it/vpn.md"
    assert not loaded.problems


async def test_a_page_whose_access_cannot_be_read_is_the_operators_only(source: PageSource) -> None:
    await source.listing()
    loaded = await source.load(["broken.md"])
    assert [page.document.allow for page in loaded.pages] == [()]
    assert [problem.path for problem in loaded.problems] == ["broken.md"]
