import pytest

from search.documents import UnitKind
from search.errors import FileUnreadable
from search.parsing.converted import Kind, ParsedPage
from search.parsing.text import reader
from tests.search.parsing.making import page, sections, texts, units

MANUAL = """\
Printer manual
==============

Setup
-----
Plug in the *printer*, which takes about a minute,
and run:

    lpadmin -p x
    # no heading

+----+----+
| a  | b  |
+----+----+

• one
• two, which
  goes on
3. third
"""


def read(text: str) -> ParsedPage:
    return page(reader.convert(text.encode()), Kind.TEXT, "it/manual.txt")


def test_underlined_lines_are_headings_and_the_only_one_of_the_first_level_is_the_title() -> None:
    found = read(MANUAL)
    assert set(sections(found)) == {(), ("Printer manual",), ("Printer manual", "Setup")}
    assert found.title == "Printer manual"


def test_indented_and_drawn_blocks_are_code_and_stay_whole() -> None:
    code = [unit.text for unit in units(read(MANUAL)) if unit.kind is UnitKind.CODE]
    assert code == ["```\nlpadmin -p x\n# no heading\n```", "```\n+----+----+\n| a  | b  |\n+----+----+\n```"]


def test_bullets_of_every_kind_make_a_list() -> None:
    lists = [unit.text for unit in units(read(MANUAL)) if unit.kind is UnitKind.LIST]
    assert lists == ["- one\n- two, which  \n  goes on", "3. third"]


def test_lines_that_were_wrapped_are_joined_and_others_stay_lines() -> None:
    wrapped = "每年休假须提前三天申请，由部门经理批准后在系统里登记，逾期视为放弃，不再补\n休。\n" * 3
    assert texts(read(wrapped).root)[0].startswith(
        "每年休假须提前三天申请，由部门经理批准后在系统里登记，逾期视为放弃，不再补休。"
    )
    assert texts(read("Ada Lovelace\nRoom 12\nLondon\n").root) == ["Ada Lovelace  \nRoom 12  \nLondon"]


def test_a_title_of_its_own_is_the_files_name_else() -> None:
    assert read("Text.\n\nMore text.").title == "manual"


def test_an_empty_file_is_told() -> None:
    with pytest.raises(FileUnreadable, match="empty"):
        read(" \n\n")
