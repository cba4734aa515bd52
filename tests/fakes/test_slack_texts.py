"""What Slack makes of typed text, and how the page draws its four kinds of text."""

import pytest

from tests.fakes.slack.composing import mrkdwn, rich_text
from tests.fakes.slack.text_drawing import TextDrawing
from tests.fakes.slack.workspace import SlackWorkspace


@pytest.fixture
def drawing() -> TextDrawing:
    workspace = SlackWorkspace()
    workspace.add_channel("ops", id="C1")
    return TextDrawing(workspace)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("<@U0DESK> see <#C1>", "<@U0DESK> see <#C1>"),
        ("<!channel> typed by hand", "&lt;!channel&gt; typed by hand"),
        ("@channel and @here", "<!channel> and <!here>"),
        ("see https://a.example/x?y=1&z=2.", "see <https://a.example/x?y=1&amp;z=2>."),
        ("ask it@harbour.com", "ask <mailto:it@harbour.com|it@harbour.com>"),
        ("see harbour.com now", "see <http://harbour.com|harbour.com> now"),
        ("run `a < b` *now*", "run `a &lt; b` *now*"),
    ],
)
def test_typed_text_becomes_mrkdwn(typed: str, text: str) -> None:
    assert mrkdwn(typed) == text


def test_typed_text_becomes_rich_text() -> None:
    block = rich_text("<@U1> *now* or `never`\n```\nx < y\n```> quoted\nend", block_id="b")

    section, code, quote, end = block["elements"]
    assert section["elements"] == [
        {"type": "user", "user_id": "U1"},
        {"type": "text", "text": " "},
        {"type": "text", "text": "now", "style": {"bold": True}},
        {"type": "text", "text": " or "},
        {"type": "text", "text": "never", "style": {"code": True}},
        {"type": "text", "text": "\n"},
    ]
    assert code["elements"] == [{"type": "text", "text": "x < y"}]
    assert quote == {"type": "rich_text_quote", "elements": [{"type": "text", "text": "quoted"}]}
    assert end["elements"] == [{"type": "text", "text": "end"}]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*b* _i_ ~s~ 2*3*4", "<b>b</b> <i>i</i> <s>s</s> 2*3*4"),
        ("`*x* &lt;` *y*", "<code>*x* &lt;</code> <b>y</b>"),
        ("&lt;script&gt;", "&lt;script&gt;"),
        ("<javascript:alert(1)|press>", "press"),
        ("<@U0DESK>", '<span class="mention">@Duty Desk</span>'),
        ("<#C1|ops>", '<span class="mention">#ops</span>'),
        ("<!channel>", '<span class="mention broadcast">@channel</span>'),
        ("&gt; a\n&gt; b\nc", "<blockquote>a<br>b</blockquote>c"),
    ],
)
def test_mrkdwn_is_drawn(drawing: TextDrawing, text: str, html: str) -> None:
    assert drawing.mrkdwn(text) == html


def test_no_style_is_found_inside_an_address(drawing: TextDrawing) -> None:
    assert 'href="https://a.example/_x_/*y*"' in drawing.mrkdwn("<https://a.example/_x_/*y*|here>")


def test_markdown_is_drawn_and_html_in_it_is_not(drawing: TextDrawing) -> None:
    drawn = drawing.markdown("# Title\n\n|a|\n|-|\n|1|\n\n<b>x</b> <!here> `<!here>` [y](javascript:alert(1))")

    assert "<h1>Title</h1>" in drawn
    assert "<td>1</td>" in drawn
    assert "&lt;b&gt;x&lt;/b&gt;" in drawn
    assert drawn.count("broadcast") == 1
    assert "href" not in drawn


def test_rich_text_is_drawn(drawing: TextDrawing) -> None:
    elements = [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "<b>", "style": {"bold": True}}]},
        {
            "type": "rich_text_list",
            "style": "ordered",
            "elements": [{"type": "rich_text_section", "elements": [{"type": "user", "user_id": "U0DESK"}]}],
        },
        {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x"}]},
    ]

    drawn = drawing.rich_text(elements)

    assert drawn.startswith("<b>&lt;b&gt;</b><ol")
    assert '<li><span class="mention">@Duty Desk</span></li>' in drawn
    assert drawn.endswith("<pre>x</pre>")
