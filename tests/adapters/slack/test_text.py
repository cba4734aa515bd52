"""Untrusted text: nobody is mentioned, no link deceives, no character is cut in half."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from adapters.slack.text import WORD_JOINER, cleaned, escaped, fit, markdown, plain, settled, shorten, size, web_address
from tests.adapters.slack.hostile import MENTION, TOKENS, hostile

ONE_CHARACTER = (
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "👍🏽",
    "e\u0301\u0302",
    "\u1100\u1161\u11a8",
    "क्षि",
    "1️⃣",
    "🏴\U000e0067\U000e007f",
)


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
    for address, _words in links(markdown(text)):
        assert address.startswith(("http://", "https://"))


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


def test_code_stays_as_it_is() -> None:
    code = "```js\ncallbacks[0](event); // [x]: <https:a|b\n```\n`map[string](x)`"
    assert markdown(code.replace("<https:a|b", "")) == code.replace("<https:a|b", "")


def test_direction_and_control_characters_go_and_line_ends_are_one() -> None:
    assert cleaned("a\u202eb\x07c\r\nd\u2028e\u2066f\tg") == "abc\nd\ne" + "f\tg"
    assert cleaned("half \ud83d") == "half \ufffd"


@given(hostile, st.integers(2, 120))
def test_a_shortened_text_fits_and_is_a_beginning(text: str, limit: int) -> None:
    text = cleaned(text)
    short = shorten(text, limit)
    assert size(short) <= limit
    assert text.startswith(short.removesuffix("…"))


@pytest.mark.parametrize("before", ["", "a", "🇨🇳"])
@pytest.mark.parametrize("character", ONE_CHARACTER)
def test_what_reads_as_one_character_is_not_cut(character: str, before: str) -> None:
    whole = before + character
    text = whole * 3
    uncut = {text[:end] for n in range(4) for end in (len(whole) * n, len(whole) * n + len(before))}
    for limit in range(size(whole), size(text) + 1):
        assert text[: fit(text, limit)] in uncut


def test_a_character_that_is_too_large_is_cut_all_the_same() -> None:
    assert fit("e" + "\u0301" * 50, 10) == 10


def test_addresses_for_links() -> None:
    assert web_address("https://desk.example/a?b=1&c=<|>") == "https://desk.example/a?b=1&c=%3C%7C%3E"
    for bad in ("javascript:alert(1)", "/tickets/T-1", "https://", "https://a@b.example", "https://a.example/ b", ""):
        assert web_address(bad) is None
    assert web_address("https://a.example/" + "x" * 3_000) is None


def test_every_token_of_the_generator_is_used() -> None:
    assert len(set(TOKENS)) == len(TOKENS)
