"""What the console shows of a file has the anchors that citations use, and every passage stands in it word by word."""

from pathlib import Path

import httpx
import pytest

from features.knowledge.pages.html import to_html
from search.documents import IndexedPage
from search.embedding.memory import HashEmbedder
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
