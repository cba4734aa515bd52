"""Texts made of what a format gives a meaning to: far more of them are read as markup than of any characters."""

from hypothesis import strategies as st

from tests.adapters.hostile import TOKENS
from tests.suite.hostile_files import TEXTS

_ODD = (
    "", " ", "  ", "    ", "\t", "\n", "\n\n", "\r\n", "\r", "\x0b", "\x0c", "\x00", "\x1c", "\x85", "\u2028",
    "\ufeff", "\u200b", "\u00a0", "\u3000", "\ud800", "\udfff", "e\u0301", "\U0001f468\u200d\U0001f469", "中文。", "، ",
    "a", "Word", "1", "0", "9" * 400, "x" * 300,
)  # fmt: skip
_MARKDOWN = (
    "# ", "## ", "### a {#a}", "{#", "}", "{{<", ">}}", "{%", "%}", "\n===\n", "\n---\n", "---\n", "...\n", "- ",
    "* ", "1. ", "1) ", "> ", "\n>> ", "```", "~~~", "`", "    code", "|", "| a | b |", "|---|:-:|", "[a](b)", "[",
    "](", ")", "![", "[a]: b", "<!--", "-->", "<b>", "</b>", "<", ">", "&amp;", "&#0;", "&#x110000;", "&", "**", "__",
    "*", "_", "~~", "\\", "- [ ] ", ":::", "!!! note", "\n  ", "https://a.example/b?c=d", "a@b.example", ":", "::",
    "See also: ", "[[", "]]", "$$",
)  # fmt: skip
_YAML = (
    "---\n", "\n---\n", "title: ", "title: [", "date: ", "2024-02-30", "2024-01-31", "0000-01-01", "access:\n",
    "  allow: ", "  allow: [staff]\n", "access: staff\n", "a: b\n", "- ", "? ", ": ", "[", "]", "{", "}", ", ", "&a ",
    "*a", "<<: ", "!!str ", "!", "|\n", ">-\n", "'", '"', "#", "%YAML 1.1\n", "~", "null", "yes", ".inf", ".nan",
    "0x1f", "1_000", "12:30:45", "\n", "  ", "\t", "1e999", "=", "@", "`", "2024-01-31T25:00:00Z",
    "2001-12-14t21:59:43.10-99:99",
)  # fmt: skip
_HTML = (
    "<html>", "<head>", "<body>", "<title>", "</title>", "<main>", "<nav>", "<h1>", "</h1>", "<h2 id=a>", "<p>",
    "</p>", "<div>", "</div>", "<ul>", "<ol start=99999999999>", "<ol start=-1>", "<ol reversed>", "<li>",
    "<li value=x>", "</li>", "</ul>", "<dl>", "<dt>", "<dd>", "<table>", "<thead>", "<tr>", "<td>", "<td colspan=3>",
    "<td rowspan=0>", "<th colspan=x>", "<caption>", "</td>", "</tr>", "</table>", "<pre>",
    "<code class='language-x y'>", "</code>", "</pre>", "<a href='b'>", "<a href='//[x'>", "<a href='http://[::1'>",
    "</a>", "<img alt=c>", "<br>", "<hr>", "<b>", "<i>", "</b>", "<script>", "</script>", "<style>", "<!--", "-->",
    "<![CDATA[", "]]>", "<?x", "<!DOCTYPE html>", "<svg>", "<math>", "<template>", "<details><summary>",
    "<base href='http://['>", "<base href=/x/>", "<meta charset=utf-16>", "<meta charset=x>",
    "<meta name=robots content=noindex>", "<meta name=date content=2024-13-01>",
    "<link rel=canonical href='http://a.example/b'>", "<link rel=canonical href='http://['>", "<time datetime='x'>",
    "<details>", "<blockquote>", "<select><option>", "<textarea>", "&#0;", "&#xD800;", "&lt", "&nbsp;", "<article>",
    "<loc>", "<urlset>", "<url>", "<lastmod>2024-01-99</lastmod>", "<loc>http://a.example/</loc>", "<noscript>",
    "<?xml version='1.0' encoding='x'?>", "---\ntitle: x\n---\n",
)  # fmt: skip
_BLOCKS = tuple(name for name in TEXTS if name not in {"nul", "one line", "one word", "marks"})


def _made(tokens: tuple[str, ...], *, most: int = 40) -> st.SearchStrategy[str]:
    some = st.sampled_from((*tokens, *_ODD)) | st.text(max_size=6)
    return st.lists(some, max_size=most).map("".join)


#: A piece of the texts that are hard in large: what they begin with is what their patterns look for.
_hard = st.builds(lambda name, length: TEXTS[name]()[:length], st.sampled_from(_BLOCKS), st.integers(1, 60))
markdown = _made((*_MARKDOWN, *TOKENS)) | st.lists(_hard, max_size=4).map("\n".join)
yaml_block = _made(_YAML, most=25)
front_matter = st.builds("---\n{}\n---\n".format, yaml_block) | yaml_block
page = st.builds("{}{}".format, st.just("") | front_matter, markdown)
html = _made((*_HTML, *_MARKDOWN[:12]), most=50)
#: Encoded in any way, or in none.
encodings = st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030", "latin-1", "cp1252", "shift_jis"))


def encoded(text: str, encoding: str) -> bytes:
    """Return the bytes of a text; what the encoding does not have becomes something else."""
    return text.encode("utf-8", "surrogatepass") if encoding == "utf-8" else text.encode(encoding, "replace")
