"""Of some 3,000 real pages no word is lost: what another reader of Markdown finds in a page is in its passages."""

import html
import re
from collections import Counter
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from search.documents import Document
from search.embedding.onnx import OnnxEmbedder
from search.sources.pages import read_page
from search.sync.chunking import chunk
from tests import kubernetes
from tests.scale import SCALE

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"(?P<code>(?P<mark>`+)(?!`).*?(?<!`)(?P=mark)(?!`))|<!--.*?-->", re.DOTALL)
#: What no reader of the site sees: short codes (their words have tests of their own) and tags of HTML.
_MARKUP = re.compile(r"\{\{[^{}]*\}\}|\{%.*?%\}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ANCHOR = re.compile(r"\{#[^}]*\}")
#: Chinese is written without spaces, so each of its characters is a word here.
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_READER = MarkdownIt("commonmark").enable("table")


def words(*texts: str) -> Counter[str]:
    return Counter(word for text in texts for word in _WORD.findall(text.casefold()))


def said(page: str) -> Iterator[str]:
    """Yield what the body of a page says, comments left out, and of headings the addresses in them, too."""
    tokens = _READER.parse(_FRONT_MATTER.sub("", page.replace("\r\n", "\n"), count=1))
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None and before.type == "heading_open":
            yield _ANCHOR.sub("", _plain(token))
        elif token.type == "fence":
            yield f"{token.info}\n{token.content}"
        elif token.type in {"inline", "code_block", "html_block"}:
            yield _COMMENT.sub(lambda found: found["code"] or " ", token.content)


def _plain(heading: Token) -> str:
    return "".join(
        child.content if child.type in {"text", "text_special", "code_inline"} else " " * (child.type == "softbreak")
        for child in heading.children or ()
    )


def kept(document: Document, embedder: OnnxEmbedder) -> Iterator[str]:
    """Yield every heading and every passage."""
    for section in document.root.walk():
        yield section.heading
    for passage in chunk(document, embedder.count_all):
        yield passage.text


def test_no_word_of_the_body_is_lost() -> None:
    embedder = OnnxEmbedder()
    lost: dict[str, Counter[str]] = {}
    count = 0
    for path, text in kubernetes.pages(every=round(1 / SCALE)):
        page, problems = read_page(text.encode(), source="k8s", path=path, allow=("staff",))
        assert page is not None, problems
        shown = (html.unescape(_TAG.sub(" ", _MARKUP.sub(" ", part))) for part in said(text))
        missing = words(*shown) - words(*kept(page.document, embedder))
        if missing:
            lost[path] = missing
        count += 1
    assert count > 3_000 * SCALE
    assert lost == {}
