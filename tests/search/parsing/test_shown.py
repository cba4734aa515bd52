"""What the console shows of a file has the anchors that citations use, and every passage stands in it word by word."""

import asyncio
import threading
import time
from pathlib import Path

import httpx
import pytest

from features.knowledge.pages.html import DRAWN_WITHIN_S, PLAIN_CHARS, to_html
from search.documents import Document, IndexedPage, Section, SectionKind
from search.embedding.memory import HashEmbedder
from search.parsing.apart.threads import LongWork
from search.parsing.markdown.sections import parse_body
from search.sources.folder import FolderSource
from search.sources.port import SourcePage
from search.sync.chunking import chunk
from tests.console.site import look
from tests.search.parsing.making import CHINESE_FONT, pdf, word, workbook
from tests.search.parsing.test_docx import policy
from tests.search.parsing.test_html import GUIDE
from tests.search.parsing.test_text import MANUAL
from tests.search.parsing.test_xlsx import budget

COUNT = HashEmbedder().count_all
CLAUSES = ["第一章 总则", "第一条 为规范管理，制定本办法。", "第二条 本办法适用于全体员工，含 <外包> 与 *临时* 人员。"]
FILES = {
    "guide.html": GUIDE.encode(),
    "manual.txt": MANUAL.encode(),
    "handbook.pdf": pdf([["24|Handbook", "16|Leave & more", "Ten days for #1 <b>.", ""], ["It goes on."]]),
    "手册.pdf": pdf([CLAUSES, ["并依法执行。"]], font=CHINESE_FONT),
    "leave.docx": word(policy),
    "budget.xlsx": workbook(budget),
}


@pytest.fixture
async def pages(tmp_path: Path) -> dict[str, SourcePage]:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    source = FolderSource("book", tmp_path, default_allow=("staff",))
    loaded = await source.load(sorted((await source.listing()).hashes))
    return {page.document.path: page for page in loaded.pages}


@pytest.mark.parametrize("name", FILES)
async def test_every_passage_is_shown_word_by_word_below_its_anchor(name: str, pages: dict[str, SourcePage]) -> None:
    page = pages[name]
    anchors = [section.anchor for section in page.document.root.walk()][1:]
    assert [section.anchor for section in parse_body(page.markdown).walk()][1:] == anchors
    drawn = look(httpx.Response(200, text=to_html(IndexedPage(page.document, page.markdown))))
    assert [section["id"] for section in drawn.all("section") if "id" in section] == anchors
    passages = chunk(page.document, COUNT)
    assert passages
    for passage in passages:
        assert passage.text in page.markdown
        assert passage.anchor == "" or passage.anchor in anchors


async def test_a_passage_of_a_pdf_names_its_page_and_the_section_that_is_open_there(
    pages: dict[str, SourcePage],
) -> None:
    found = {passage.text: passage.section_path for passage in chunk(pages["手册.pdf"].document, COUNT)}
    assert found["并依法执行。"] == ("第 2 页", "第一章 总则", "第二条")
    found = {passage.text: passage.section_path for passage in chunk(pages["handbook.pdf"].document, COUNT)}
    assert found["It goes on."] == ("Page 2", "Handbook", "Leave & more")


async def test_access_files_hold_for_every_format(tmp_path: Path) -> None:
    (tmp_path / "hr").mkdir()
    (tmp_path / "hr" / ".access.yaml").write_text("allow: ['group:hr']\n", encoding="utf-8")
    for name, content in FILES.items():
        (tmp_path / "hr" / name).write_bytes(content)
    source = FolderSource("book", tmp_path, default_allow=("staff",))
    loaded = await source.load(sorted((await source.listing()).hashes))
    assert {page.document.allow for page in loaded.pages} == {("group:hr",)}
    assert len(loaded.pages) == len(FILES)


#: What costs a reader of Markdown much for each character, and what is long only.
COSTLY = {
    "pictures": "![a](",
    "stars": "**a*",
    "rows": "|a|b|\n|-|-|\n|x|y|\n",
    "headings": "# a\n\nb\n\n",
    "lists": "- a\n  1. b\n",
    "words": "the crane lifts ",
}


@pytest.mark.parametrize("name", COSTLY)
def test_a_page_that_takes_long_to_be_drawn_is_shown_as_it_is_written(name: str) -> None:
    text = COSTLY[name] * (3_000_000 // len(COSTLY[name])) + "<b>"
    began = time.thread_time()
    drawn = to_html(_page(text), within_s=0.3)
    assert time.thread_time() - began < 0.3 + 2.0  # what is left of one step, on a busy machine
    assert name == "words" or drawn.startswith('<pre class="prose-plain">')
    assert len(drawn) < 6 * max(PLAIN_CHARS, len(text))


def test_what_is_shown_as_it_is_written_is_words_and_no_markup() -> None:
    assert to_html(_page("# A <script>alert(1)</script> & more"), within_s=-DRAWN_WITHIN_S) == (
        '<pre class="prose-plain"># A &lt;script&gt;alert(1)&lt;/script&gt; &amp; more</pre>'
    )


def _page(text: str) -> IndexedPage:
    root = Section(heading="", level=0, path=(), anchor="", kind=SectionKind.ROOT)
    return IndexedPage(
        Document(
            source="book", path="page.md", title="Page", root=root, content_hash="", allow=("staff",), language="en"
        ),
        text,
    )


async def test_who_waits_for_short_work_does_not_stand_behind_long_work() -> None:
    over, long = threading.Event(), LongWork("long", threads=2)
    reading = [asyncio.create_task(long.run(over.wait, 60.0)) for _ in range(100)]
    async with asyncio.timeout(30):
        assert await asyncio.to_thread(lambda: "short") == "short"
        assert not any(each.done() for each in reading)
        over.set()
        assert await asyncio.gather(*reading) == [True] * 100
    long.close()


class CountedClock:
    """A thread's clock on which every look takes a second."""

    def __init__(self) -> None:
        self.looks = 0

    def thread_time(self) -> float:
        self.looks += 1
        return float(self.looks)


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("---\n" * 400, 400),  # blocks without a line of text, in one section
        ("*a* " * 400, 800),  # pieces of one line
        ("#\n" * 400, 800),  # sections, of a block each
    ],
    ids=["blocks", "pieces", "sections"],
)
def test_each_block_each_piece_of_a_line_and_each_section_looks_at_the_clock(
    text: str, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = CountedClock()
    monkeypatch.setattr("features.knowledge.pages.html.time", clock)
    to_html(_page(text), within_s=1e9)
    assert looks <= clock.looks < 10 * looks
