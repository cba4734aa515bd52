from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from language.analysis import terms
from search.documents import Section, SectionKind, Unit, UnitKind
from search.parsing.markdown.dialects import plain_markdown
from search.parsing.markdown.sections import parse_body, parse_markdown

PAGE = """\
---
title: Remote access
updated: 2025-03-01
access:
  allow: [staff]
---
# VPN

Intro line one.
Intro line two.

## Install the client {#install}

1. Download it.
   <!-- source: Herunterladen. -->
2. Run `setup`.

```bash
# not a heading
vpn up
```

| Code | Meaning |
| ---- | ------- |
| 7    | asleep  |

Setext heading
--------------

Text.

## See also

- [Passwords](passwords.md)
"""


def sections(text: str) -> dict[tuple[str, ...], Section]:
    return {section.path: section for section in parse_markdown(text, path="it/vpn.md").root.walk()}


def texts(section: Section) -> list[str]:
    return [unit.text for unit in section.units]


def test_the_heading_path_begins_with_the_pages_own_heading() -> None:
    assert set(sections(PAGE)) == {
        (),
        ("VPN",),
        ("VPN", "Install the client"),
        ("VPN", "Setext heading"),
        ("VPN", "See also"),
    }


def test_front_matter_gives_title_date_and_access() -> None:
    parsed = parse_markdown(PAGE, path="it/vpn.md")
    assert (parsed.title, parsed.updated) == ("Remote access", date(2025, 3, 1))
    assert parsed.front_matter["access"] == {"allow": ["staff"]}
    assert "updated:" not in parsed.text


def test_without_front_matter_the_first_heading_is_the_title_and_then_the_files_name() -> None:
    assert parse_markdown("# Printers\n\nText.", path="it/p.md").title == "Printers"
    assert parse_markdown("Text.", path="it/printers.md").title == "printers"


def test_anchors_are_the_headings_own_else_as_code_hosts_make_them() -> None:
    anchors = [section.anchor for section in parse_markdown(PAGE, path="x.md").root.walk()]
    assert anchors == ["", "vpn", "install", "setext-heading", "see-also"]


def test_a_repeated_heading_gets_a_number() -> None:
    root = parse_markdown("# A\n\n## Same\n\nx\n\n## Same\n\ny\n\n## 报销 流程\n\nz", path="x.md").root
    assert [section.anchor for section in root.walk()] == ["", "a", "same", "same-1", "报销-流程"]


def test_code_and_tables_are_units_of_their_own_and_whole() -> None:
    units = sections(PAGE)[("VPN", "Install the client")].units
    assert [unit.kind for unit in units] == [UnitKind.LIST, UnitKind.LIST, UnitKind.CODE, UnitKind.TABLE]
    assert units[2].text == "```bash\n# not a heading\nvpn up\n```"
    assert units[3].text.count("\n") == 2


def test_comments_are_left_out_and_what_stands_around_them_stays_verbatim() -> None:
    found = texts(sections(PAGE)[("VPN", "Install the client")])
    assert found[:2] == ["1. Download it.", "2. Run `setup`."]
    assert "Herunterladen" not in parse_markdown(PAGE, path="x.md").text


@pytest.mark.parametrize("code", ["```html\n<!-- kept -->\n```", "Write `<!-- kept -->` there.", "~~~\n<!-- kept\n~~~"])
def test_a_comment_inside_code_is_code(code: str) -> None:
    assert "kept" in parse_markdown(f"# T\n\n{code}\n\nEnd.", path="x.md").text
    assert any("kept" in text for section in parse_markdown(code, path="x.md").root.walk() for text in texts(section))


def test_a_comment_that_never_ends_is_text() -> None:
    assert texts(parse_markdown("Before <!-- never closed", path="x.md").root) == ["Before <!-- never closed"]


@pytest.mark.parametrize("heading", ["See also", "What's next", "Next steps", "相关", "下一步", "接下来"])
def test_what_only_leads_elsewhere_is_navigation(heading: str) -> None:
    (section,) = parse_markdown(f"## {heading}\n\n- [A](a.md)", path="x.md").root.children
    assert [unit.kind for unit in section.units] == [UnitKind.NAVIGATION]


def test_a_see_also_line_of_its_own_is_navigation_and_a_step_is_not() -> None:
    root = parse_markdown("See also: [A](a.md)\n\n下一步：点击确认。", path="x.md").root
    assert [unit.kind for unit in root.units] == [UnitKind.NAVIGATION, UnitKind.PARAGRAPH]


def test_kinds_tell_where_a_section_stands() -> None:
    root = parse_markdown("# A\n\n## B\n\ntext\n\n### C\n\ntext", path="x.md").root
    assert [section.kind for section in root.walk()] == [
        SectionKind.ROOT,
        SectionKind.CONTAINER,
        SectionKind.SECTION,
        SectionKind.LEAF,
    ]


def test_code_in_a_heading_is_no_markup() -> None:
    root = parse_markdown("## Run `kubectl delete -f <file>` for `__init__`\n", path="x.md").root
    assert root.children[0].heading == "Run kubectl delete -f <file> for __init__"


def test_markup_in_a_heading_is_no_part_of_its_name() -> None:
    root = parse_markdown("## Using **kubectl** `get` with [links](x.md) in snake_case", path="x.md").root
    assert root.children[0].heading == "Using kubectl get with links in snake_case"


@pytest.mark.parametrize(
    ("front", "why"),
    [
        ("---\ntitle: [broken\n---\n", "no valid YAML"),
        ("---\ntitle: open\naccess: staff\n\n# Text", "never closed"),
        ("---\njust words\n---\n", "no list"),
        ("---\ndate: 2024-13-45\n---\n", "wrong value"),
    ],
)
def test_broken_front_matter_is_a_problem_and_hides_who_may_read(front: str, why: str) -> None:
    parsed = parse_markdown(f"{front}\n# Page\n\nText.", path="x.md")
    assert why in parsed.problem
    assert parsed.access_unreadable
    assert any(texts(section) == ["Text."] for section in parsed.root.walk())


def test_byte_order_mark_and_windows_line_ends_change_nothing() -> None:
    windows = "\ufeff" + PAGE.replace("\n", "\r\n")
    assert parse_markdown(windows, path="x.md").root == parse_markdown(PAGE, path="x.md").root


def test_the_shown_text_parses_to_the_same_headings_and_anchors() -> None:
    parsed = parse_markdown(PAGE, path="x.md")
    again = parse_body(parsed.text)
    assert [(s.path, s.anchor) for s in again.walk()] == [(s.path, s.anchor) for s in parsed.root.walk()]


BLOCK = st.sampled_from(
    [
        "# Heading one",
        "## 第二章 安装",
        "Setext\n===",
        "A paragraph, with words.\nAnd a second line.",
        "- item alpha\n- item beta\n\n  continued",
        "1. first\n   ```sh\n   run it\n   ```\n2. second",
        "```\n# code\n\nmore code\n```",
        "    indented code",
        "| a | b |\n| - | - |\n| cell | 单元格 |",
        "> quoted words\n> go on",
        "<div>\nhtml words\n</div>",
        "中文段落，没有空格。第二句。",
        "***",
        "word " * 30,
    ]
)


@given(st.lists(BLOCK, max_size=12), st.sampled_from(["\n\n", "\n"]))
@example(["Setext\n===", "***", "- item alpha\n- item beta\n\n  continued"], "\n")
def test_no_word_is_lost_and_every_unit_is_verbatim(blocks: list[str], between: str) -> None:
    source = plain_markdown(between.join(blocks))
    assert plain_markdown(source) == source
    root = parse_markdown(source, path="x.md").root
    units: list[Unit] = [unit for section in root.walk() for unit in section.units]
    headings = [section.heading for section in root.walk()]
    assert all(unit.text in source for unit in units)
    kept = [term for text in (*headings, *(unit.text for unit in units)) for term in terms(text)]
    assert sorted(kept) == sorted(terms(source))
