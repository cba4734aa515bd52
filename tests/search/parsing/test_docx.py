from datetime import UTC, date, datetime

import pytest
from docx.document import Document as WordDocument
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from search.documents import UnitKind
from search.errors import FileUnreadable
from search.parsing.converted import Kind, ParsedPage
from search.parsing.word import reader
from search.parsing.word.numbering import numeral
from tests.search.parsing.making import page, sections, texts, units, word

NUMBERING = """<w:numbering {ns}><w:abstractNum w:abstractNumId="7">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCounting"/><w:lvlText w:val="第%1章"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="第%2条"/></w:lvl>
</w:abstractNum><w:num w:numId="70"><w:abstractNumId w:val="7"/></w:num></w:numbering>"""


def read(content: bytes) -> ParsedPage:
    return page(reader.convert(content), Kind.DOCX, "hr/leave.docx")


def policy(document: WordDocument) -> None:
    document.core_properties.title = "Leave policy"
    document.core_properties.modified = datetime(2024, 5, 6, tzinfo=UTC)
    document.add_heading("Leave", 1)
    document.add_paragraph("Everybody has 10 days; *stars* stay.\nAnd a second line.")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("first", style="List Number")
    document.add_paragraph("second", style="List Number")
    document.add_heading("Sick leave", 2)
    table = document.add_table(rows=2, cols=3)
    for row, words in enumerate((("Days", "Who", "Proof"), ("3", "HR|IT", "a note\nof a doctor"))):
        for column, text in enumerate(words):
            table.cell(row, column).text = text
    merged = table.add_row().cells
    merged[0].merge(merged[1]).text = "over two"
    frame = document.add_table(rows=1, cols=1)
    frame.cell(0, 0).text = "In a frame."


def test_heading_styles_make_the_sections_and_properties_the_title_and_the_day() -> None:
    found = read(word(policy))
    assert set(sections(found)) == {(), ("Leave",), ("Leave", "Sick leave")}
    assert (found.title, found.updated) == ("Leave policy", date(2024, 5, 6))


def test_lists_and_tables_are_units_of_their_own() -> None:
    found = sections(read(word(policy)))
    assert texts(found["Leave",]) == [
        "Everybody has 10 days; \\*stars\\* stay.  \nAnd a second line.",
        "- one",
        "1. first\n2. second",
    ]
    assert texts(found["Leave", "Sick leave"]) == [
        "| Days | Who | Proof |\n| --- | --- | --- |\n| 3 | HR\\|IT | a note of a doctor |\n| over two |  |  |",
        "In a frame.",
    ]


def numbered(paragraph: Paragraph, depth: int) -> None:
    paragraph._p.get_or_add_pPr().append(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{depth}"/><w:numId w:val="70"/></w:numPr>')
    )


def test_the_numbers_that_word_draws_are_read_and_make_sections() -> None:
    def write(document: WordDocument) -> None:
        document.part.numbering_part._element = parse_xml(NUMBERING.format(ns=nsdecls("w")))
        for depth, text in ((0, "总则"), (1, "适用范围"), (1, "定义"), (0, "假期"), (1, "年假")):
            numbered(document.add_paragraph(text), depth)
            document.add_paragraph("略。")

    assert set(sections(read(word(write)))) == {
        (),
        ("第一章 总则",),
        ("第一章 总则", "第1条 适用范围"),
        ("第一章 总则", "第2条 定义"),
        ("第二章 假期",),
        ("第二章 假期", "第1条 年假"),
    }


@pytest.mark.parametrize(
    ("numerals", "shown"),
    [
        ("decimal", "21"),
        ("upperRoman", "XXI"),
        ("lowerLetter", "u"),
        ("chineseCounting", "二十一"),
        ("decimalZero", "21"),
    ],
)
def test_numerals(numerals: str, shown: str) -> None:
    assert numeral(21, numerals) == shown


def test_changes_are_taken_in_and_hidden_text_is_left_out() -> None:
    def write(document: WordDocument) -> None:
        paragraph = document.add_paragraph("kept ")
        for tag, text in (("w:ins", "inserted "), ("w:del", "deleted "), ("w:moveFrom", "moved-away ")):
            change = OxmlElement(tag)
            change.append(document.add_paragraph().add_run(text)._r)
            paragraph._p.append(change)
        paragraph.add_run("hidden ").font.hidden = True
        paragraph.add_run("end")

    assert read(word(write)).text == "kept inserted end"


def test_links_content_controls_and_text_boxes_are_read() -> None:
    def write(document: WordDocument) -> None:
        link = document.part.relate_to(
            "https://example.org/a",
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink",
            is_external=True,
        )
        body = document.element.body
        text = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'
        box = f"<w:txbxContent><w:p>{text.format('boxed')}</w:p></w:txbxContent>"
        space = nsdecls("w", "r") + ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
        choice = (
            f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
        )
        linked = f'<w:hyperlink r:id="{link}">{text.format("linked")}</w:hyperlink>'
        body.insert(
            0,
            parse_xml(f"<w:p {space}>{linked}<w:r>{choice}</w:r></w:p>"),
        )
        body.insert(
            1, parse_xml(f"<w:sdt {space}><w:sdtContent><w:p>{text.format('controlled')}</w:p></w:sdtContent></w:sdt>")
        )

    assert read(word(write)).text == "[linked](https://example.org/a)\n\nboxed\n\ncontrolled"


def test_the_outline_level_of_a_paragraph_makes_it_a_heading() -> None:
    def write(document: WordDocument) -> None:
        paragraph = document.add_paragraph("Own level")
        level = OxmlElement("w:outlineLvl")
        level.set(qn("w:val"), "1")
        paragraph._p.get_or_add_pPr().append(level)
        document.add_paragraph("Text.")

    assert read(word(write)).text == "## Own level\n\nText."


def test_lines_in_a_style_of_code_are_one_block_of_code() -> None:
    def write(document: WordDocument) -> None:
        document.styles.add_style("Source Code", 1)
        for line in ("if x:", "    # indented", "    y()"):
            document.add_paragraph(line, style="Source Code")

    (unit,) = units(read(word(write)))
    assert (unit.kind, unit.text) == (UnitKind.CODE, "```\nif x:\n    # indented\n    y()\n```")


def test_without_properties_the_only_first_heading_is_the_title() -> None:
    def write(document: WordDocument) -> None:
        document.core_properties.title = "Microsoft Word - Document3.docx"
        document.add_heading("Travel", 0)
        document.add_paragraph("Text.")

    assert read(word(write)).title == "Travel"


def test_an_empty_and_a_broken_file_are_told() -> None:
    with pytest.raises(FileUnreadable, match="no text"):
        read(word(lambda _: None))
    with pytest.raises(FileUnreadable, match="broken"):
        read(word(policy)[:3_000])


def lines(*marked: tuple[str, bool, int]) -> bytes:
    """Return a Word file without styles: each paragraph's text, whether it is bold, and the size of its letters."""

    def write(document: WordDocument) -> None:
        for text, bold, size in marked:
            run = document.add_paragraph().add_run(text)
            run.bold, run.font.size = bold, Pt(size)

    return word(write)


def test_bold_lines_are_headings_where_no_style_makes_any() -> None:
    text = ("Passwords have at least 14 characters.", False, 11)
    found = read(
        lines(("Guideline", True, 20), text, ("Passwords", True, 12), text, ("Laptops:", True, 12), text, text)
    )
    assert [path for path, section in sections(found).items() if section.units] == [
        ("Guideline",),
        ("Guideline", "Passwords"),
        ("Guideline", "Laptops:"),
    ]
    assert found.title == "Guideline"


def test_bold_sentences_and_texts_that_are_mostly_bold_make_no_headings() -> None:
    text = ("It is so.", False, 11)
    sentences = read(lines(("Mind the step.", True, 11), text, ("Do not run!", True, 11), text))
    mostly = read(lines(("One", True, 11), ("Two", True, 11), ("Three", True, 11), text))
    assert [len(sections(found)) for found in (sentences, mostly)] == [1, 1]


def test_bold_cells_of_tables_lend_nothing_to_other_paragraphs() -> None:
    def write(document: WordDocument) -> None:
        for number in range(20):
            table = document.add_table(rows=1, cols=2)
            for cell in table.rows[0].cells:
                cell.paragraphs[0].add_run(f"head {number}").bold = True
            document.add_paragraph(f"Plain {number}")

    assert len(sections(read(word(write)))) == 1
