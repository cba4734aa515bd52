"""Untrusted text: nobody is mentioned, no link deceives, no character is cut in half."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from adapters.markdown.text import WORD_JOINER, cleaned, settled
from adapters.slack.drawing.text import escaped, markdown, plain
from tests.adapters.hostile import hostile
from tests.adapters.slack.hostile import MENTION


def links(text: str) -> list[tuple[str, str]]:
    """Return the (address, words) of all links and pictures that CommonMark sees."""
    found: list[tuple[str, str]] = []
    for block in MarkdownIt("commonmark").parse(text):
        children = block.children or []
        for index, token in enumerate(children):
            if token.type == "link_open":
                words = "".join(each.content for each in children[index + 1 : index + 2])
                found.append((str(token.attrGet("href")), words))
            if token.type == "image":
                found.append(("picture", token.content))
    return found


def words(text: str) -> str:
    """Return what CommonMark shows: entities and backslashes are gone."""
    blocks = MarkdownIt("commonmark").parse(text)
    return "\n".join(
        "".join(child.content for child in block.children) if block.children else block.content for block in blocks
    )


@pytest.mark.parametrize("token", ["<!channel>", "<!here|here>", "<@U1>", "<#C1|general>", "<!subteam^S1>"])
def test_a_mention_becomes_words(token: str) -> None:
    for harmless in (markdown(token), plain(token), markdown(f"`{token}`"), markdown(f"```\n{token}\n```")):
        assert not MENTION.search(harmless)
        assert harmless.replace(WORD_JOINER, "").strip("`\n") == token
    assert escaped(token) == token.replace("<", "&lt;").replace(">", "&gt;")


@given(hostile)
def test_no_mention_comes_out(text: str) -> None:
    for harmless in (markdown(text), plain(text), escaped(text)):
        assert not MENTION.search(harmless)
    assert not MENTION.search(words(markdown(text)))


@given(hostile)
def test_links_lead_to_the_web_and_pictures_are_not_loaded(text: str) -> None:
    addresses = [address for address, _words in links(markdown(text))]
    assert [each for each in addresses if not each.startswith(("http://", "https://"))] == []


@given(hostile)
def test_nothing_is_added_but_what_is_invisible(text: str) -> None:
    assert markdown(text).replace(WORD_JOINER, "") == cleaned(text).replace(WORD_JOINER, "")


@given(hostile, st.integers(0, 400))
@example("x `code` and [a](https://b.example) <", 25)
def test_a_growing_text_only_grows(text: str, at: int) -> None:
    assert markdown(text).startswith(markdown(settled(text[:at])))


def test_a_growing_text_is_not_held_back_for_long() -> None:
    assert settled("See [1] and `code` in the [guide](https://a.example), then") != ""
    assert settled("Use `code` and then wait") == "Use `code` and then wait"
    assert settled("Open [the gui") == "Open "
    assert settled("Hello <!chan") == "Hello "


def test_a_link_to_the_web_stays_and_others_are_drawn_as_words() -> None:
    assert markdown("[VPN](https://desk.example/vpn#a)") == "[VPN](https://desk.example/vpn#a)"
    for text in ("[x](javascript:alert(1))", "[x](/page)", "![x](https://a.example/p.png)", "[1]: https://a.example"):
        assert not links(f"{markdown(text)}\n\n[1]") or links(markdown(text)) == [("https://a.example/p.png", "x")]
    assert links(markdown("[https://bank.example/in](https://evil.example)")) == []
    assert links(markdown("[www.desk.example](https://desk.example/x)")) == [
        ("https://desk.example/x", "www.desk.example")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`a\nb` [https://bank.example](https://evil.example) `",
        "\\` [https://bank.example](https://evil.example) \\`",
        "    ```\n[https://bank.example](https://evil.example)\n    ```",
        "> ```\n\n[https://bank.example](https://evil.example)",
        "[see [https://bank.example] here](https://evil.example)",
        "[https&#58;//bank.example](https://evil.example)",
    ],
)
def test_no_link_says_another_place_wherever_it_hides(text: str) -> None:
    assert links(markdown(text)) == []


def test_code_stays_as_it_is() -> None:
    code = "```js\ncallbacks[0](event); // [x]: <https:a|b\n```\n`map[string](x)`"
    assert markdown(code.replace("<https:a|b", "")) == code.replace("<https:a|b", "")
