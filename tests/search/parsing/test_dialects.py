"""Markdown as sites write it comes out as their readers see it."""

import pytest

from search.documents import UnitKind
from search.parsing.markdown.dialects import plain_markdown
from search.parsing.markdown.sections import parse_markdown

TABLE = """<table class="limits">
<thead><tr><th>What</th><th>At most</th></tr></thead>
<tr><td>Trucks&nbsp;per gate</td><td><code>4</code></td></tr>
</table>"""


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            r"The plan `x` costs 4\.50 \(a month\) for gp2\.small\-x\.",
            "The plan `x` costs 4.50 (a month) for gp2.small-x.",
        ),
        (r"keeps `a\.b` and my\_name", r"keeps `a\.b` and my_name"),
        (r"1\. is no item", r"1\. is no item"),
        (r"\- is no item\.", r"\- is no item."),
        (r"two \* three \* four", r"two \* three \* four"),
        ('a {{< glossary_tooltip text="pallet" term_id="pallet" >}} here', "a pallet here"),
        ('a {{< glossary_tooltip term_id="cold-store" >}} here', "a cold store here"),
        ("{{< note >}}", ""),
        ("{{% /note %}}", ""),
        ('{{< tab name="Debian" >}}', "**Debian:**"),
        ('{{< feature-state for_k8s_version="v1.2" state="beta" >}}', "(v1.2 beta)"),
        ("since {{< skew currentVersion >}}", "since [current version]"),
        ('[rules]({{< ref "/docs/rules" >}})', "[rules](/docs/rules)"),
        ('{{< code_sample file="pods/one.yaml" >}}', "`pods/one.yaml`"),
        ("{% include banner.html %}by {{ site.data.vendor }}", "by [vendor]"),
        ("## Limits {: .big #limits }", "## Limits"),
        ('!!! tip "Mind the gap"', "**Mind the gap:**"),
        (":::note", ""),
        ("> [!WARNING] hot", "> **Warning:** hot"),
        ('# Gates<a name="gates"></a>', "# Gates"),
        ("press <kbd>F5</kbd> &amp; wait&nbsp;now", "press F5 & wait now"),
        ('see <a href="/gates.md">the gates</a>', "see [the gates](/gates.md)"),
        ("run <ship-id> now", "run <ship-id> now"),
        ("Choose **Create **now", "Choose **Create** now"),
        (TABLE, "| What | At most |\n| --- | --- |\n| Trucks per gate | `4` |"),
    ],
)
def test_a_reader_sees_what_the_site_shows(written: str, shown: str) -> None:
    assert plain_markdown(written).strip() == shown
    assert plain_markdown(shown).strip() == shown


def test_a_short_code_may_go_on_in_the_next_line() -> None:
    first = 'if it is {{< glossary_tooltip text="drained"\n  term_id="drain" >}}, wait.\n'
    shown = plain_markdown(first + 'Next {{<glossary_tooltip\nterm_id="gate">}}')
    assert shown == "if it is drained, wait.\nNext gate"


def test_code_keeps_every_character() -> None:
    code = "```yaml\na: \\.b <b>\n{{ .Values.gate }} **\n```\n\n    <i>\\.indented\n"
    assert plain_markdown(code) == code


def test_what_only_the_site_knows_is_a_placeholder_in_code() -> None:
    assert "gate-v<current-version>" in plain_markdown("```\nget gate-v{{< skew current-version >}}\n```")


def test_a_bold_line_heads_what_follows() -> None:
    page = parse_markdown(
        "# Gates\n\n## Open\n\n**To open a gate (console)**\n\n1. Push.\n\n**Note**  \nMind it.\n", path="gates.md"
    )
    sections = list(page.root.walk())
    assert [section.path for section in sections][1:] == [
        ("Gates",),
        ("Gates", "Open"),
        ("Gates", "Open", "To open a gate (console)"),
    ]
    assert sections[-1].units[0].text == "1. Push."


def headings(text: str) -> list[str]:
    return [each.heading for each in parse_markdown(text, path="gates.md").root.walk()][1:]


def test_questions_in_bold_are_sections_with_their_answers_below_them() -> None:
    page = (
        "# Ill\n\n**Whom do I ring?**\nThe desk.\n\n**押金多少?**\n300 元。\n\n"
        "**Ill on holiday.**\nThe days come back.\n"
    )
    assert headings(page) == ["Ill", "Whom do I ring?", "押金多少?", "Ill on holiday"]


def test_bold_words_head_sections_where_a_page_is_built_of_such_paragraphs() -> None:
    page = parse_markdown(
        "# Yard\n\n**Breaks.** Up to six hours: 15 minutes.\n\n**Late:** ring.\nAt once.\n\n**Snow**: stay.\n",
        path="yard.md",
    )
    sections = {each.heading: [unit.text for unit in each.units] for each in page.root.walk()}
    assert sections["Breaks"] == ["Up to six hours: 15 minutes."]
    assert sections["Late"] == ["ring.\nAt once."]
    assert sections["Snow"] == ["stay."]


def test_bold_words_head_the_clauses_of_a_numbered_list() -> None:
    page = parse_markdown(
        "# Hours\n\n1. **Contract.** 40 hours.\n2. **Breaks.** 2.1 Fifteen minutes.\n   2.2 Nights: more.\n\n"
        "   - paid\n3. **Late?** Ring.\n4. **Snow:** stay.\n\nMore at the desk.\n",
        path="hours.md",
    )
    sections = {each.heading: [unit.text for unit in each.units] for each in page.root.walk()}
    assert list(sections)[2:] == ["1. Contract", "2. Breaks", "3. Late?", "4. Snow"]
    assert sections["2. Breaks"] == ["2.1 Fifteen minutes.\n2.2 Nights: more.", "- paid"]


@pytest.mark.parametrize(
    "text",
    [
        "# Yard\n\n**Breaks.** Fifteen minutes.\n\nNothing else.\n",
        "# Yard\n\n**Note:** one.\n\n**Tip:** two.\n\n**Important:** three.\n",
        "# Yard\n\n**Ann Lee, driver**\n**Ben Oss, clerk**\n",
        "# Yard\n\n1. **Open.** Push.\n2. **Go in.** Walk.\n3. **Close.** Pull.\n4. **Gate.** Look.\n",
    ],
    ids=["one-remark", "labels", "lines-of-names", "steps"],
)
def test_other_bold_words_head_nothing(text: str) -> None:
    assert headings(text) == ["Yard"]


def test_a_list_of_a_page_s_own_sections_is_no_text_of_it() -> None:
    page = parse_markdown("# Gates\n\n+ [Open](#open)\n+ [Close](#close)\n\n- [Form](/form.pdf)\n", path="gates.md")
    units = list(page.root.walk())[1].units
    assert [unit.kind for unit in units] == [UnitKind.NAVIGATION, UnitKind.LIST]
