"""Numbers make sections where they are sure to, and nowhere else."""

import pytest

from search.parsing.blocks import Block, HeadingBlock, Paragraph
from search.parsing.markdown.clauses import label_of, with_headings
from search.parsing.markdown.sections import parse_markdown


def outline(text: str) -> list[str]:
    """Return the headings, each with as many `#` as its level."""
    blocks: list[Block] = [Paragraph(line) for line in text.strip().split("\n")]
    return [f"{'#' * block.level} {block.text}" for block in with_headings(blocks) if isinstance(block, HeadingBlock)]


REGULATION = """\
员工手册
第一章 总则
第一条　为规范管理，制定本办法。
第二条 适用范围
本办法适用于全体员工，违反
第一条 的除外。
第二章 假期
第一节 年假
第三条　员工每年享有十天年假。
（一）入职满一年；
（二）无旷工。
第五条之一　另行规定。
第二节 病假
第10条：凭证明。"""


def test_chapters_sections_and_articles_are_three_levels() -> None:
    assert outline(REGULATION) == [
        "# 第一章 总则",
        "### 第一条",
        "### 第二条 适用范围",
        "# 第二章 假期",
        "## 第一节 年假",
        "### 第三条",
        "## 第二节 病假",
        "### 第10条",
    ]


def test_a_number_that_stands_alone_heads_those_below_it() -> None:
    text = "第一条　甲。\n第二条　乙。\n一、适用范围\n（一）正式员工\n（二）实习员工"
    assert outline(text) == ["# 第一条", "# 第二条", "## 一、适用范围", "### （一）正式员工", "### （二）实习员工"]


def test_what_follows_the_number_of_an_article_is_its_text() -> None:
    blocks = with_headings([Paragraph("第一条　甲。"), Paragraph("第二条：乙。\n丙。")])
    assert blocks == [HeadingBlock(1, "第一条"), Paragraph("甲。"), HeadingBlock(1, "第二条"), Paragraph("乙。\n丙。")]


def test_a_table_of_contents_is_no_outline() -> None:
    contents = "第一章 总则 ........ 1\n第二章 假期\t3\n第三章 附则 5\n"
    body = "第一章 总则\n甲。\n第二章 假期\n乙。\n第三章 附则\n丙。"
    assert outline(contents + body) == ["# 第一章 总则", "# 第二章 假期", "# 第三章 附则"]


def test_two_texts_in_one_file_that_begin_alike_both_have_their_headings() -> None:
    text = "第一章 总则\n甲。\n乙。\n第二章 附则\n丙。\n丁。\n"
    assert outline(text + text) == ["# 第一章 总则", "# 第二章 附则"] * 2


def test_articles_count_on_through_chapters_or_begin_again() -> None:
    on = "第一章 甲\n第一条　x。\n第二条　x。\n第二章 乙\n第三条　x。"
    again = "第一章 甲\n第一条　x。\n第二条　x。\n第二章 乙\n第一条　x。\n第二条　x。"
    assert outline(on).count("## 第三条") == 1
    assert outline(again).count("## 第一条") == 2


def test_lists_of_chinese_numerals_are_headings_only_when_they_are_titles_in_a_row() -> None:
    assert outline("一、工作目标\n提高质量。\n（一）指标\n略。\n（二）期限\n略。\n二、措施\n略。") == [
        "# 一、工作目标",
        "## （一）指标",
        "## （二）期限",
        "# 二、措施",
    ]
    assert outline("一、员工应当按时上班，不得迟到。\n二、员工应当打卡；忘记的补卡。") == []
    assert outline("二、措施\n三、其他") == []


def test_decimal_numbers_are_headings_with_their_parents() -> None:
    assert outline(
        "1 Scope\nText.\n1.1 Purpose\nText.\n1.2 Terms\nText.\n2. Rules\nText.\n2.1 Duties\n2.1.1 Staff\n2.1.2 Guests"
    ) == [
        "# 1 Scope",
        "## 1.1 Purpose",
        "## 1.2 Terms",
        "# 2. Rules",
        "## 2.1 Duties",
        "### 2.1.1 Staff",
        "### 2.1.2 Guests",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. Open the lid\n2. Press the button\n3. Close the lid",
        "1.5 million users\n2.5 million requests",
        "1.1 GB are needed, 1.2 GB are better.",
        "第五条规定的情形\n第六条规定的情形",
        "Section 5 of the act, which\nSection 9 repeals, is void.",
        "2024 年度\n2025 年度",
        "第一，说明\n第二，说明",
    ],
)
def test_numbers_in_running_text_and_lists_make_no_sections(text: str) -> None:
    assert outline(text) == []


def test_english_parts_chapters_and_articles() -> None:
    assert outline(
        "Part I General\nChapter 1: Scope\nx\nChapter 2: Terms\nx\nPart II Duties\nAppendix A\nAppendix B"
    ) == [
        "# Part I General",
        "## Chapter 1: Scope",
        "## Chapter 2: Terms",
        "# Part II Duties",
        "## Appendix A",
        "## Appendix B",
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("第三章 x", 3),
        ("第十条 x", 10),
        ("第二十一条 x", 21),
        ("第一百零五条 x", 105),
        ("第１２条 x", 12),
        ("第一二条 x", 12),
    ],
)
def test_numerals_are_read(text: str, number: int) -> None:
    label = label_of(text)
    assert label is not None
    assert label.number == number


def _shown(text: str) -> list[tuple[int, str, str]]:
    root = parse_markdown(text, path="rules.md").root
    return [(each.level, each.heading, "|".join(unit.text for unit in each.units)) for each in root.walk()][1:]


def test_numbered_paragraphs_of_markdown_are_sections_below_what_heads_them() -> None:
    assert _shown(
        "# 员工手册\n\n## 假期\n\n第三条　员工每年享有十天年假。\n第四条 加班\n须提前一天申请。\n\n"
        "## Yard\n\n1.1 Scope\n\nAll drivers.\n\n1.2 Speed\n\n12 km/h.\n\n1. Stop\n2. Look\n"
    ) == [
        (1, "员工手册", ""),
        (2, "假期", ""),
        (3, "第三条", "员工每年享有十天年假。"),
        (3, "第四条 加班", "须提前一天申请。"),
        (2, "Yard", ""),
        (4, "1.1 Scope", "All drivers."),
        (4, "1.2 Speed", "12 km/h.|1. Stop\n2. Look"),
    ]


def test_numbers_in_the_running_text_of_markdown_make_no_sections() -> None:
    text = "第五条规定的情形\n\n第六条规定的情形\n\n1.5 million users\n\n```\n1.1 Scope\n1.2 Speed\n```\n"
    assert _shown(text) == []
