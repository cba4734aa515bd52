"""Addresses become paths that are safe anywhere."""

import re
import unicodedata
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.sources.crawling.kept.folder import folded, path_of, safe
from search.sources.walk import NAMES

HOST = "https://example.com"


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("/", "index.md"),
        ("/docs/setup/", "docs/setup/index.md"),
        ("/docs/setup", "docs/setup.md"),
        ("/docs/setup.html", "docs/setup.md"),
        ("/docs/v1.2", "docs/v1.2.md"),
        ("/%E4%B8%AD%E6%96%87/", "中文/index.md"),
        ("//a//b", "a/b.md"),
        ("/..%2f..%2fetc/passwd", "-..-etc/passwd.md"),
        ("/%2e%2e/x", "x.md"),
        ("/.access.yaml", "access.yaml.md"),
        ("/.git/config", "git/config.md"),
        ("/con/aux.txt", "_con/_aux.md"),
        ("/a.md/b", "a.md_/b.md"),
        ("/a%00b/%E2%80%AEc", "ab/c.md"),
    ],
)
def test_the_sites_own_structure(address: str, path: str) -> None:
    assert path_of(HOST + address) == path


def test_a_file_keeps_its_suffix() -> None:
    assert path_of(f"{HOST}/files/plan.pdf", suffix=".pdf") == "files/plan.pdf"
    assert path_of(f"{HOST}/download?id=3", suffix=".pdf").startswith("download-id=3-")


def test_pages_that_differ_in_their_query_are_files_of_their_own() -> None:
    paths = {path_of(f"{HOST}/page?id={number}") for number in range(20)}
    assert len(paths) == 20
    assert all(re.fullmatch(r"page-id=\d+-[0-9a-f]{8}\.md", path) for path in paths)


def test_a_name_that_is_taken_gets_a_mark() -> None:
    path = path_of(f"{HOST}/Docs/Setup", taken={folded("docs/setup.md")})
    assert re.fullmatch(r"Docs/Setup-[0-9a-f]{8}\.md", path)


@given(st.lists(st.text(max_size=400), max_size=40), st.text(max_size=50))
def test_no_address_leads_out_or_hides_or_breaks_a_file_system(segments: list[str], query: str) -> None:
    written = "/".join(quote(segment.encode("utf-8", "surrogatepass"), safe="") for segment in segments)
    path = path_of(f"{HOST}/{written}" + (f"?{quote(query.encode('utf-8', 'surrogatepass'))}" if query else ""))
    parts = PurePosixPath(path).parts
    assert path == "/".join(parts)
    assert not path.startswith("/")
    assert len(path.encode()) <= 500
    assert unicodedata.is_normalized("NFC", path)
    for part in parts:
        assert not part.startswith((".", "~"))
        assert not part.endswith((".", " "))
        assert len(part.encode()) <= 200
        assert part.isprintable() or all(letter.isprintable() or letter.isspace() for letter in part)
        assert not set(part) & set('<>:"\\|?*')
        assert part not in NAMES
        assert not PureWindowsPath(part).is_reserved()
    assert not any(part.lower().endswith((".md", ".pdf", ".docx", ".xlsx")) for part in parts[:-1])


@given(st.text())
def test_a_safe_name_stays_as_it_is(text: str) -> None:
    assert safe(safe(text)) == safe(text)
