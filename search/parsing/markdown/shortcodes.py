"""Short codes of site generators (Hugo, Jekyll, Docusaurus, MkDocs, vendors' own) to the words that a reader sees."""

import re
from collections.abc import Mapping

#: `{{< name … >}}`, `{{% name … %}}`, `{{ name }}`, `{% name … %}`.
_CODE = re.compile(
    r"\{\{(?P<hugo>[<%](?:[^{}\n]|\{(?!\{)|\}(?!\}))*+)\}\}"
    r"|\{\{(?P<value>(?:[^{}\n<%]|\}(?!\}))[^{}\n]{0,200})\}\}"
    r"|\{%(?P<liquid>(?:[^%{\n]|\{(?!%)|%(?!\}))*+)%\}"
)
_ARGUMENT = re.compile(r"""(?:(?P<name>[\w-]+)=)?(?:"(?P<quoted>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'=]++))""")
_QUOTED = re.compile(r'"([^"]*+)"')
#: Lines of their own that open or close a box: `:::note Title`, `:::`, `!!! tip "Title"`, `[!NOTE]`, `::: zone-end`.
_BOX = re.compile(r"^(?P<indent>\s*+(?:>\s*+)?)(?::{3,}|!{3}|\?{3}\+?)[ \t]*+(?P<rest>.*)$")
_ALERT = re.compile(r"^(?P<before>\s*+>\s*+)\[!(?P<kind>[A-Za-z]++)\]\s*+")
#: Attributes behind a heading or a block, as Jekyll and Pandoc write them: `{: .note }`, `{:.class}`.
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*+\{:[^{}\n]*+\}")
_SAID = ("text", "title", "label", "caption", "alt", "heading", "name")
_STATE = ("for_k8s_version", "version", "since", "state", "status")
_FILES = ("file", "path", "src")
_REFERENCES = frozenset({"ref", "relref", "link", "url", "xref", "doc"})
_VALUES = frozenset({"param", "skew", "site", "page", "variables", "var", "data", "product", "env"})
_LOST = frozenset(
    {"include", "figure", "image", "img", "youtube", "video", "toc", "table_of_contents", "comment", "tabs"}
)
_TITLES = {
    "whatsnext": "What's next",
    "prerequisites": "Before you begin",
    "seealso": "See also",
    "cleanup": "Clean up",
}
_TABS = frozenset({"tab", "tabitem", "tab-item", "tab_item"})


def without_shortcodes(line: str, *, in_code: bool = False) -> str:
    """Return a line with what a reader of the site sees in place of each short code.

    What only the site knows (a version number) becomes its name in brackets, so that nobody takes a gap for the text.
    """
    if not in_code:
        line = _without_boxes(line)
    if "{" not in line:
        return line
    line = line if in_code else _ATTRIBUTES.sub("", line)
    return _CODE.sub(lambda found: _shown(found, in_code=in_code), line) if "{{" in line or "{%" in line else line


def _without_boxes(line: str) -> str:
    if found := _ALERT.match(line):
        return f"{found['before']}**{found['kind'].capitalize()}:** {line[found.end() :]}".rstrip()
    if line.lstrip(" >").startswith((":::", "!!!", "???")) and (found := _BOX.match(line)):
        quoted = _QUOTED.search(found["rest"])
        title = quoted[1] if quoted else found["rest"].partition(" ")[2].strip(" {}[]")
        plain = title and not re.search(r"[=:<>]", title)
        return f"{found['indent']}**{title}:**" if plain else found["indent"]
    return line


def _shown(found: re.Match[str], *, in_code: bool) -> str:
    if found["value"] is not None:  # a variable; templates in code (`{{ .Values.x }}`) are what they say
        return found[0] if in_code or found["value"].lstrip().startswith((".", "$")) else _bracketed(found["value"])
    if found["liquid"] is not None:
        inside = found["liquid"]
        if in_code:
            return found[0]
    else:
        inside = found["hugo"][1:].strip().removesuffix(">").removesuffix("%")
    inside = inside.strip().strip("-").strip()
    if inside.startswith("/*"):  # one that is shown and not run
        return found[0].replace("/*", "").replace("*/", "")
    name, _, rest = inside.removesuffix("/").partition(" ")
    return "" if name.startswith("/") else _said(name.lower(), rest, in_code=in_code)


def _said(name: str, rest: str, *, in_code: bool) -> str:
    named, plain = _arguments(rest)
    if name in _TABS:
        label = next((named[key] for key in ("name", "header", "label", "title", "text") if key in named), "")
        return f"**{label or ' '.join(plain)}:**" if label or plain else ""
    if name in _REFERENCES:
        return plain[0] if plain else next(iter(named.values()), "")
    if name in _LOST:
        return next((named[key] for key in ("caption", "alt", "title") if key in named), "")
    if name in _VALUES:
        key = (plain or [""])[-1].replace("_", "-").rpartition(".")[2]
        return f"<{key}>" if in_code else f"[{_words(key)}]" if key else ""
    if named:
        return _of_named(named, in_code=in_code)
    return " ".join(_TITLES.get(each, each) for each in plain) if rest.lstrip()[:1] in {'"', "'"} else ""


def _of_named(named: Mapping[str, str], *, in_code: bool) -> str:
    """Return what arguments say that have names: words, the version something holds from, or a file."""
    if said := next((named[key] for key in _SAID if named.get(key)), ""):
        return said
    if state := [named[key] for key in _STATE if named.get(key)]:
        return f"({' '.join(state)})"
    if file := next((named[key] for key in _FILES if named.get(key)), ""):
        return file if in_code else f"`{file}`"
    return named.get("term_id", "").replace("-", " ")


def _arguments(rest: str) -> tuple[Mapping[str, str], list[str]]:
    named: dict[str, str] = {}
    plain: list[str] = []
    for found in _ARGUMENT.finditer(rest[:2_000]):
        value = next((found[key] for key in ("quoted", "single", "bare") if found[key] is not None), "")
        if found["name"]:
            named[found["name"].lower()] = value
        else:
            plain.append(value)
    return named, plain


def _bracketed(value: str) -> str:
    name = value.strip().partition("|")[0].strip()
    return f"[{_words(name.rpartition('.')[2])}]" if re.fullmatch(r"[\w.\- ]{1,80}", name) else ""


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]+", " ", name).strip().lower()
