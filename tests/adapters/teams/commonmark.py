"""What readers of Markdown make of a text, the most generous one among them; and texts that try them."""

import re

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.adapters.hostile import hostile

#: Reads all that any client of Teams might, HTML above all.
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TAG = re.compile(r"<[A-Za-z/!?]")
#: What only Teams reads in a text.
TEAMS = st.lists(
    st.sampled_from(
        (
            "<at>Ada</at>",
            "&lt;at&gt;Ada&lt;/at&gt;",
            "<img src=https://evil.example/x.png>",
            "<a href='https://evil.example'>bank.example</a>",
            "<!-- ",
            "{{DATE(2026-01-01T00:00:00Z)}}",
            "https://bank.example@evil.example/",
            "[https&#58;//bank.example](https://evil.example)",
            "[a\\](https://evil.example)",
            "[![p](https://evil.example/p.png)](https://evil.example)",
            "[b](<https://evil.example/a b>)",
            "[b][1]",
            "\n[1]: https://evil.example\n",
            "\\`",
            "`",
            "\n",
            "    ",
            "[ok](https://desk.example/a_(b)) ",
            "word ",
        )
    ),
    max_size=12,
).map("".join)
any_text = st.one_of(hostile, TEAMS)


def tokens(markdown: str) -> list[Token]:
    """Return everything that CommonMark sees, blocks and what is in them."""
    blocks = READER.parse(markdown)
    return [each for block in blocks for each in (block, *(block.children or ()))]


def shown(markdown: str) -> str:
    """Return what is read, line by line."""
    texts = [each.content for each in tokens(markdown) if each.type in ("text", "code_inline", "fence", "code_block")]
    return "".join(texts)


def links(markdown: str) -> list[tuple[str, str]]:
    """Return (address, words) of every link."""
    found: list[tuple[str, str]] = []
    for block in READER.parse(markdown):
        inside = block.children or []
        for at, each in enumerate(inside):
            if each.type == "link_open":
                end = next(after for after in range(at, len(inside)) if inside[after].type == "link_close")
                found.append((str(each.attrGet("href")), "".join(token.content for token in inside[at:end])))
    return found
