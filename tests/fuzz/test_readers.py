"""Whatever a file holds, its reader makes a page of it or says in one line why not, and soon where it is short."""

import contextlib
import json
import time
from collections.abc import Mapping, Sequence

from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.utils.exceptions import IllegalCharacterError

from search.errors import Reason
from search.parsing.apart.exchange import ReaderFile, Unreadable, dumped, understood
from search.parsing.apart.program import answer_to
from search.parsing.converted import Converted, Kind, ParsedPage
from search.parsing.fetched import Fetched
from search.parsing.markdown.front_matter import cut, read_front_matter
from search.parsing.markdown.safe_yaml import YamlRefused, load_plain
from storage.files.plain import DEEPEST
from tests.fuzz import texts
from tests.fuzz.effort import a_share
from tests.search.parsing.making import workbook

#: Seconds of the processor that a file of a few kilobytes may take; the slowest takes a hundredth.
LONGEST_S = 1.0
_texts = st.sampled_from((Kind.MARKDOWN, Kind.TEXT, Kind.HTML))
_addresses = st.sampled_from(("https://a.example/b/c?d=e", "https://a.example", "http://[", "", "mailto:x", "//a/b"))
_charsets = st.sampled_from(("", "utf-8", "utf-16", "gb2312", "x-unknown", "base64", "rot13", "\x00", "idna"))


def read(file: ReaderFile) -> Converted | ParsedPage | Unreadable:
    """Return what comes back of a file through the pipe, and hold what is true of every answer."""
    began = time.thread_time()
    line = dumped(answer_to(file))
    found = understood(line)
    assert time.thread_time() - began < LONGEST_S
    assert line.count(b"\n") == 1
    if isinstance(found, Unreadable):
        assert found.why.strip()
        assert "\n" not in found.why
        assert found.reason in Reason
    return found


@given(_texts, texts.page | texts.html, texts.encodings, _charsets)
def test_any_text_is_a_page_or_a_line(kind: Kind, text: str, encoding: str, charset: str) -> None:
    found = read(ReaderFile(kind, texts.encoded(text, encoding), path="folder/a page.md", charset=charset))
    if isinstance(found, ParsedPage):
        assert found.title.strip() or not text.strip()
        assert len(found.title) <= 300 or kind is not Kind.MARKDOWN
        assert "\n" not in found.problem
        assert all(section.heading == "" or section.level >= 1 for section in found.root.walk())
        json.dumps(dict(found.front_matter))


@given(st.sampled_from((Kind.WEB_PAGE, Kind.SITEMAP)), _addresses, texts.html, texts.encodings, _charsets)
@example(Kind.WEB_PAGE, "https://a.example", "\u0180", "utf-16-le", "\x00")
@example(Kind.SITEMAP, "https://a.example", "<?xml version='1.0' encoding='x'?>", "utf-8", "")
def test_whatever_a_site_sends_is_a_page_or_a_line(
    kind: Kind, address: str, text: str, encoding: str, charset: str
) -> None:
    found = read(ReaderFile(kind, Fetched(address, texts.encoded(text, encoding), charset).packed()))
    if isinstance(found, Converted):
        assert all(link.address.startswith(("http://", "https://")) for link in found.links)


@given(st.sampled_from([kind for kind in Kind if kind is not Kind.WEB_PAGE and kind is not Kind.SITEMAP]), st.binary())
def test_any_bytes_are_a_page_or_a_line(kind: Kind, content: bytes) -> None:
    read(ReaderFile(kind, content, path="a"))


_cells = st.none() | st.booleans() | st.integers() | st.floats() | texts.markdown | st.dates() | st.timedeltas()
_formats = st.sampled_from(
    ("General", "0.00", "0%", "yyyy-mm-dd", "[h]:mm:ss", "@", '"a"0', "[$€-407]#,##0", "0E+0", ";;;")
)


#: A workbook takes ten times as long to write as any of these to read.
_titles = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn")), max_size=31)


@a_share(4)
@given(st.lists(st.lists(st.tuples(_cells, _formats), max_size=5), max_size=6), _titles)
@example([[(1e26, "0%")]], "Sheet")
def test_any_cells_are_a_page(rows: list[list[tuple[object, str]]], title: str) -> None:
    content = workbook(lambda book: _fill(book, rows, title))
    found = read(ReaderFile(Kind.XLSX, content, path="a.xlsx"))
    assert not isinstance(found, Unreadable) or found.reason in {Reason.NO_TEXT, Reason.BROKEN}


def _fill(book: Workbook, rows: Sequence[Sequence[tuple[object, str]]], title: str) -> None:
    """Write what a workbook can hold of these."""
    with contextlib.suppress(ValueError):
        book.active.title = title
    for at, row in enumerate(rows, 1):
        for column, (value, form) in enumerate(row, 1):
            with contextlib.suppress(ValueError, OverflowError, IllegalCharacterError):
                known = value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
                book.active.cell(at, column, known).number_format = form


@given(texts.front_matter | texts.page)
def test_front_matter_is_values_or_a_line(text: str) -> None:
    block, rest = cut(text)
    assert text.startswith(block)
    assert rest in text
    found = read_front_matter(block)
    assert "\n" not in found.problem
    assert not (found.problem and found.values)
    assert len(found.title) <= 300
    assert found.updated is None or found.updated.year


@given(texts.yaml_block)
def test_yaml_is_plain_or_refused(text: str) -> None:
    with contextlib.suppress(YamlRefused):
        assert _depth(load_plain(text)) <= DEEPEST


def _depth(value: object) -> int:
    inner = [*value, *value.values()] if isinstance(value, Mapping) else value
    return 1 + max(map(_depth, inner), default=0) if isinstance(inner, list | tuple) else 0
