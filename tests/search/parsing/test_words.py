"""No word is lost, and none is made up: what real programs write into a file is what is found in it."""

import html
from collections import Counter
from io import BytesIO

import openpyxl
from docx.document import Document as WordDocument
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from language.analysis import terms
from search.documents import Unit, UnitKind
from search.parsing import sheets
from search.parsing.converted import Kind, ParsedPage
from search.parsing.html import reader as from_html
from search.parsing.pdf import reader as from_pdf
from search.parsing.text import reader as from_text
from search.parsing.word import reader as from_docx
from tests.search.parsing.making import CHINESE_FONT, page, units, word, workbook

WRITTEN = r"""
alpha Beta kube-proxy 0x80070005 snake_case __init__ C:\temp\x a*b*c *all* <tag> &amp; `code` [1] [x](y) # > | - 1. 2)
50% naïve Größe don't x=1; 10.0.0.1 ada@example.org https://example.org/a_b?c=d {x} $y \\server\share ~~~ --- ![a]
年假 十天，须提前申请。 （一）适用范围 第五条 VPN配置 𠮷野家 ﹏
"""
WORDS = st.sampled_from(WRITTEN.split())
SENTENCE = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
CELLS = st.lists(st.lists(SENTENCE, min_size=2, max_size=4), min_size=1, max_size=4)
BLOCKS = st.lists(
    st.one_of(
        st.tuples(st.just("heading"), SENTENCE),
        st.tuples(st.just("paragraph"), SENTENCE),
        st.tuples(st.just("bullet"), SENTENCE),
        st.tuples(st.just("number"), SENTENCE),
        st.tuples(st.just("code"), SENTENCE),
        st.tuples(st.just("table"), CELLS),
    ),
    min_size=1,
    max_size=8,
)
Blocks = list[tuple[str, str | list[list[str]]]]
QUICK = settings(max_examples=40)


def said(blocks: Blocks) -> list[str]:
    """Return the texts that were written, a cell of a table each for itself."""
    return [
        text
        for _, content in blocks
        for text in ([content] if isinstance(content, str) else [cell for row in content for cell in row])
    ]


def found(read: ParsedPage) -> list[str]:
    headings = [section.heading for section in read.root.walk()]
    return [*headings, *(_without_markup(unit) for unit in units(read))]


def _without_markup(unit: Unit) -> str:
    """Drop what a table or a fence adds; marks of lists are words that programs draw."""
    if unit.kind is UnitKind.TABLE:
        return "\n".join(cell for row in unit.text.split("\n") for cell in row.split(" | "))
    return unit.text


def counted(texts: list[str]) -> Counter[str]:
    return Counter(term for text in texts for term in terms(text.replace("\\", " ")))


def only_numbers(counts: Counter[str]) -> bool:
    return all(term.isdigit() for term in counts)


def same(written: list[str], read: ParsedPage) -> None:
    """Say that both hold the same words; the numbers that a program draws before items may come on top."""
    before, after = counted(written), counted(found(read))
    assert before - after == Counter()
    assert only_numbers(after - before)


@QUICK
@given(BLOCKS)
def test_word(blocks: Blocks) -> None:
    def write(document: WordDocument) -> None:
        document.styles.add_style("Source Code", 1)
        for kind, content in blocks:
            if isinstance(content, list):
                table = document.add_table(rows=0, cols=max(len(row) for row in content))
                for row in content:
                    for cell, text in zip(table.add_row().cells, row, strict=False):
                        cell.text = text
            elif kind == "heading":
                document.add_heading(content, 2)
            else:
                style = {"bullet": "List Bullet", "number": "List Number", "code": "Source Code"}.get(kind)
                document.add_paragraph(content, style=style)

    same(said(blocks), page(from_docx.convert(word(write)), Kind.DOCX))


@QUICK
@given(BLOCKS)
def test_web_page(blocks: Blocks) -> None:
    tags = {"heading": "h2", "paragraph": "p", "bullet": "li", "number": "li", "code": "pre"}
    parts = []
    for kind, content in blocks:
        if isinstance(content, list):
            rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}" for cell in row) for row in content)
            parts.append(f"<table>{rows}</table>")
        else:
            text = f"<{tags[kind]}>{html.escape(content)}</{tags[kind]}>"
            parts.append(f"<ul>{text}</ul>" if kind == "bullet" else f"<ol>{text}</ol>" if kind == "number" else text)
    same(said(blocks), page(from_html.convert("\n".join(parts).encode()), Kind.HTML))


@QUICK
@given(BLOCKS)
def test_plain_text(blocks: Blocks) -> None:
    text = "\n\n".join(said(blocks))
    same([text], page(from_text.convert(text.encode()), Kind.TEXT))


@QUICK
@given(st.lists(CELLS, min_size=1, max_size=3))
def test_workbook(tables: list[list[list[str]]]) -> None:
    def write(book: openpyxl.Workbook) -> None:
        for rows in tables:
            for row in rows:
                book.active.append(row)
            book.active.append([])

    read = page(sheets.convert(workbook(write)), Kind.XLSX)
    written = counted([cell for rows in tables for row in rows for cell in row])
    headings = counted([section.heading for section in read.root.walk()])
    assert written - counted(found(read)) == Counter()
    assert set(counted(found(read)) - headings) <= set(written)


STYLE = ParagraphStyle("text", fontName=CHINESE_FONT, fontSize=10, leading=14, spaceAfter=8, wordWrap="CJK")
LATIN = st.lists(WORDS.filter(str.isascii), min_size=1, max_size=12).map(" ".join)
CHINESE = st.lists(WORDS.filter(lambda word: word[0] >= "\u4e00" and word.isalnum()), min_size=1, max_size=40).map(
    "".join
)


@QUICK
@example(["年假年假年假年假" + "第五条" * 12], False)
@example(["年假" * 80], False)
@given(st.lists(st.one_of(LATIN, CHINESE), min_size=1, max_size=6), st.booleans())
def test_pdf(paragraphs: list[str], table: bool) -> None:
    file = BytesIO()
    story: list[object] = [Paragraph(html.escape(text), STYLE) for text in paragraphs]
    if table:
        font = [("FONTNAME", (0, 0), (-1, -1), CHINESE_FONT)]
        story += [Spacer(1, 20), Table([[text[:8], "7"] for text in paragraphs], style=font)]
    SimpleDocTemplate(file).build(story)
    read = page(from_pdf.convert(file.getvalue()), Kind.PDF)
    named = counted([section.heading for section in read.root.walk() if section.level == 1])
    written = counted([*paragraphs, *(word for text in paragraphs if table for word in (text[:8], "7"))])
    after = counted(found(read)) - named
    assert written - after == Counter()
