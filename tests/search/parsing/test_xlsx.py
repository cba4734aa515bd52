from datetime import date, datetime, time, timedelta

import openpyxl
import pytest

from search.documents import UnitKind
from search.errors import FileUnreadable
from search.parsing import sheets
from search.parsing.converted import Kind, ParsedPage
from search.parsing.sheets import shown
from tests.search.parsing.making import page, sections, texts, units, workbook


def read(content: bytes) -> ParsedPage:
    return page(sheets.convert(content), Kind.XLSX, "finance/budget.xlsx")


def budget(book: openpyxl.Workbook) -> None:
    book.properties.title = "Budget 2024"
    sheet = book.active
    sheet.title = "Q3"
    sheet["B1"] = "All teams"
    sheet.append([])
    sheet.append([None, "Team", "Amount", "Share"])
    for number in range(40):
        sheet.append([None, f"Team {number}", number * 100.5, 0.125])
        sheet.cell(sheet.max_row, 4).number_format = "0.0%"
    sheet.append([])
    sheet.append([None, "Note", "By"])
    sheet.append([None, "a | b\nc", "Ada"])
    hidden = book.create_sheet("internal")
    hidden["A1"] = "secret"
    hidden.sheet_state = "hidden"
    book.create_sheet("empty")


def test_sheets_and_ranges_of_rows_are_the_sections() -> None:
    found = read(workbook(budget))
    paths = list(sections(found))
    assert paths[:2] == [(), ("Q3",)]
    assert paths[2] == ("Q3", "Rows 3–16")
    assert paths[-2:] == [("Q3", "Rows 41–43"), ("Q3", "Rows 45–46")]
    assert texts(sections(found)["Q3",]) == ["All teams"]
    assert (found.title, found.updated) == ("Budget 2024", date.today())  # noqa: DTZ011 - when it was saved


def test_every_range_repeats_the_header_and_no_row_is_cut() -> None:
    tables = [unit.text.split("\n") for unit in units(read(workbook(budget))) if unit.kind is UnitKind.TABLE]
    assert {table[0] for table in tables[:-1]} == {"| Team | Amount | Share |"}
    rows = [row for table in tables[:-1] for row in table[2:]]
    assert rows == [f"| Team {number} | {number * 100.5:g} | 12.5% |" for number in range(40)]
    assert tables[-1][0::2] == ["| Note | By |", "| a \\| b c | Ada |"]


def test_a_header_of_very_many_columns_stands_once() -> None:
    def wide(book: openpyxl.Workbook) -> None:
        book.active.append([f"column{number}" for number in range(600)])
        for number in range(1_000):
            book.active.append([f"row{number}"])

    text = read(workbook(wide)).text
    assert text.count("column599") == 1
    assert all(f"row{number} " in text for number in range(1_000))
    assert len(text) < 200_000


def test_hidden_sheets_are_left_out_and_told() -> None:
    found = read(workbook(budget))
    assert "secret" not in found.text
    assert "hidden sheets, which were left out: internal" in found.problem


def test_ranges_are_named_in_the_language_of_the_file() -> None:
    def write(book: openpyxl.Workbook) -> None:
        book.active.title = "差旅标准"
        book.active.append(["城市", "标准"])
        book.active.append(["上海", 500])

    assert ("差旅标准", "第 1–2 行") in sections(read(workbook(write)))


def test_a_sheet_of_lines_is_text() -> None:
    def write(book: openpyxl.Workbook) -> None:
        book.active["A1"], book.active["A2"] = "First line.", "Second line."

    assert texts(sections(read(workbook(write)))["Sheet",]) == ["First line.", "Second line."]


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (None, "General", ""),
        (True, "General", "TRUE"),
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (6222021234567890, "0", "6222021234567890"),
        (0.125, "0%", "13%"),
        (0.125, "0.00%", "12.50%"),
        (5, '0"%"', "5"),
        (datetime(2024, 3, 1), "yyyy", "2024-03-01"),  # noqa: DTZ001 - a sheet knows no time zone
        (datetime(2024, 3, 1, 14, 30), "yyyy", "2024-03-01 14:30"),  # noqa: DTZ001
        (time(9, 5), "h:mm", "09:05"),
        (timedelta(hours=30), "[h]:mm", "1 day, 6:00:00"),
        ("#N/A", "General", "#N/A"),
        ("two\nlines", "General", "two lines"),
    ],
)
def test_a_cell_says_what_is_shown(value: object, number_format: str, text: str) -> None:
    assert shown(value, number_format) == text


def test_an_empty_and_a_broken_workbook_are_told() -> None:
    with pytest.raises(FileUnreadable, match="no text"):
        read(workbook(lambda _: None))
    with pytest.raises(FileUnreadable, match="broken"):
        read(workbook(budget)[:2_000])


def test_a_header_of_two_rows_is_one_in_every_range() -> None:
    def write(book: openpyxl.Workbook) -> None:
        book.active.append(["Team", "Spring", None, "Autumn", None, "Remark"])
        book.active.append([None, "planned", "real", "planned", "real", None])
        for number in range(40):
            book.active.append([f"Team {number}", number, number + 1, number + 2, None, "fine"])

    tables = [unit.text.split("\n") for unit in units(read(workbook(write)))]
    assert len(tables) > 1
    head = "| Team | Spring planned | Spring real | Autumn planned | Autumn real | Remark |"
    assert {table[0] for table in tables} == {head}
    assert tables[0][2] == "| Team 0 | 0 | 1 | 2 |  | fine |"


@pytest.mark.parametrize(
    "rows",
    [
        [["Name", "Phone", None], ["Ann", "office", "call first"], ["Ben", "desk", None]],
        [["Name", "Phone", "Room"], [None, "office", "second floor"], ["Ben", "desk", "here"]],
        [["Name", "Phone", None], [None, "4711", "4712"], ["Ben", "4713", None]],
    ],
)
def test_a_row_of_values_is_no_second_header(rows: list[list[str | None]]) -> None:
    def write(book: openpyxl.Workbook) -> None:
        for row in rows:
            book.active.append(row)

    (unit,) = units(read(workbook(write)))
    assert len(unit.text.split("\n")) == 4
