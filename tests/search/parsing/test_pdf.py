from datetime import date
from io import BytesIO

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import SimpleDocTemplate, Table

from search.documents import UnitKind
from search.errors import FileUnreadable
from search.parsing.converted import Kind, ParsedPage
from search.parsing.pdf import reader
from tests.search.parsing.making import CHINESE_FONT, page, pdf, sections, texts, units


def read(content: bytes) -> ParsedPage:
    return page(reader.convert(content), Kind.PDF, "hr/handbook.pdf")


def test_every_page_is_a_section_and_the_number_is_in_the_path() -> None:
    found = read(pdf([["First words."], [], ["Third words."]], title="Handbook"))
    assert {path: texts(section) for path, section in sections(found).items()} == {
        (): [],
        ("Page 1",): ["First words."],
        ("Page 3",): ["Third words."],
    }
    assert found.title == "Handbook"
    assert found.updated == date.today()  # noqa: DTZ011 - the file's own clock


def test_pages_are_named_in_the_language_of_the_file() -> None:
    found = read(pdf([["员工每年享有十天年假。"]], font=CHINESE_FONT))
    assert set(sections(found)) == {(), ("第 1 页",)}
    assert [section.anchor for section in found.root.walk()] == ["", "第-1-页"]


def test_lines_are_put_together_to_paragraphs() -> None:
    lines = [
        "This sentence is so long that it does not fit into a single line of the page, so that",
        "it goes on in the next one and ends there.",
        "",
        "Another paragraph.",
    ]
    assert texts(sections(read(pdf([lines])))["Page 1",]) == [f"{lines[0]} {lines[1]}", lines[3]]


def test_a_word_that_is_parted_at_the_end_of_a_line_is_whole_again() -> None:
    lines = [
        "The first line of this paragraph has to be a long one, since it ends in the middle of inform-",
        "ation about the hosts of the company and the network between them, and about kube-",
        "proxy, which is called kube-proxy elsewhere too.",
    ]
    found = texts(sections(read(pdf([lines])))["Page 1",])[0]
    assert "middle of information about" in found
    assert "about kube-proxy, which" in found


#: In a font that the file only names: where no font has these letters, their boxes are empty.
REPEATED = "第五条规定第五条规定第五条规定第五条规定"


def test_a_repeated_line_is_kept_whatever_fonts_the_machine_has() -> None:
    found = read(pdf([[REPEATED, "", REPEATED, "", REPEATED, "", "完"]], font=CHINESE_FONT))
    assert "".join(texts(sections(found)["第 1 页",])) == REPEATED * 3 + "完"


def test_a_letter_that_stands_alone_is_kept_whatever_fonts_the_machine_has() -> None:
    found = read(pdf([["条", "", REPEATED, "", "年"]], font=CHINESE_FONT))
    assert "".join(texts(sections(found)["第 1 页",])) == f"条{REPEATED}年"


def test_a_line_that_is_drawn_twice_to_be_bold_is_read_once() -> None:
    found = read(bold(REPEATED, CHINESE_FONT))
    assert texts(sections(found)["第 1 页",]) == [REPEATED]


def bold(text: str, font: str) -> bytes:
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    canvas.setFont(font, 10)
    for shift in (0, 0.3):
        canvas.drawString(72 + shift, 700, text)
    canvas.save()
    return file.getvalue()


def test_chinese_lines_are_joined_without_a_space() -> None:
    lines = ["员工每年享有十天年假须提前三天申请由部门经理批准后在系统里登记逾期未休的", "视为放弃。"]
    assert texts(sections(read(pdf([lines], font=CHINESE_FONT)))["第 1 页",]) == ["".join(lines)]


def test_larger_letters_are_headings_and_a_section_goes_on_over_the_page() -> None:
    first = ["24|Handbook", "16|Leave", "Ten days a year.", "", "16|Travel", "By train."]
    found = read(pdf([first, ["And second class.", "", "16|Expenses", "With receipts."]]))
    assert {path: texts(section) for path, section in sections(found).items() if section.units} == {
        ("Page 1", "Handbook", "Leave"): ["Ten days a year."],
        ("Page 1", "Handbook", "Travel"): ["By train."],
        ("Page 2", "Handbook", "Travel"): ["And second class."],
        ("Page 2", "Handbook", "Expenses"): ["With receipts."],
    }
    assert found.title == "Handbook"


def test_the_files_own_outline_comes_first() -> None:
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for name, depth in (("Leave", 0), ("Sick leave", 1)):
        canvas.bookmarkPage(name)
        canvas.addOutlineEntry(name, name, depth)
        canvas.drawString(72, 700, name)
        canvas.drawString(72, 600, f"About {name}.")
        canvas.showPage()
    canvas.save()
    assert set(sections(read(file.getvalue()))) == {
        (),
        ("Page 1",),
        ("Page 1", "Leave"),
        ("Page 2", "Leave"),
        ("Page 2", "Leave", "Sick leave"),
    }


def test_numbered_clauses_are_headings() -> None:
    lines = ["第一章 总则", "第一条 为规范管理，制定本办法。", "第二条 本办法适用于全体员工。"]
    found = read(pdf([lines, ["第二章 附则", "第三条 自发布之日起施行。"]], font=CHINESE_FONT))
    assert ("第 2 页", "第二章 附则", "第三条") in sections(found)


def test_an_article_begins_anew_after_a_sentence_however_full_the_line_above_is() -> None:
    lines = ["第一条 新员工入职时由部门负责人提交账号申请。", "第二条 外包人员的账号最长有效期为九十天整。"]
    found = read(pdf([lines], font=CHINESE_FONT))
    assert ("第 1 页", "第二条") in sections(found)


def test_a_table_stays_one_unit_with_its_rows() -> None:
    file = BytesIO()
    SimpleDocTemplate(file).build([Table([["Code", "Meaning", "Who"], ["7", "asleep", "IT"], ["8", "gone", "HR"]])])
    (unit,) = units(read(file.getvalue()))
    assert unit.kind is UnitKind.TABLE
    assert unit.text == "| Code | Meaning | Who |\n| --- | --- | --- |\n| 7 | asleep | IT |\n| 8 | gone | HR |"


def test_lines_in_a_font_of_fixed_width_are_code_with_their_indents() -> None:
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for number, line in enumerate(
        ["Run:", "if up; then", "    vpn   --now", "fi", "It takes a minute.", "Then sign in."]
    ):
        canvas.setFont("Courier" if 0 < number < 4 else "Helvetica", 10)
        canvas.drawString(72, 700 - 14 * number, line)
    canvas.save()
    code = [unit.text for unit in units(read(file.getvalue())) if unit.kind is UnitKind.CODE]
    assert code == ["```\nif up; then\n    vpn   --now\nfi\n```"]


def test_what_was_filled_into_a_form_is_read() -> None:
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    canvas.drawString(72, 700, "Name:")
    canvas.acroForm.textfield(name="name", value="Ada Lovelace", x=120, y=690, width=200)
    canvas.save()
    assert "Ada Lovelace" in read(file.getvalue()).text


def scan(*, words: str = "") -> bytes:
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    if words:
        canvas.drawString(72, 700, words)
        canvas.showPage()
    canvas.drawInlineImage(Image.new("RGB", (8, 8), "grey"), 72, 300, 200, 200)
    canvas.save()
    return file.getvalue()


def test_a_scan_is_told_and_so_are_single_pages_of_pictures() -> None:
    with pytest.raises(FileUnreadable, match="OCR"):
        read(scan())
    found = read(scan(words="Cover."))
    assert "Cover." in found.text
    assert "pictures without text: 2" in found.problem


def test_a_locked_file_and_a_broken_one_are_told_apart() -> None:
    with pytest.raises(FileUnreadable, match="password"):
        read(pdf([["Secret."]], password="open sesame"))
    with pytest.raises(FileUnreadable, match="broken"):
        read(b"%PDF-1.7\nnothing of it")
    with pytest.raises(FileUnreadable, match="no text"):
        read(pdf([[]]))
