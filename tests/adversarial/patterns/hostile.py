"""Writes the worst strings for a regular expression: each repeated part pumped, after what leads there, and not ended.

A repeat is slow when it can begin at many places, or when two repeats can share a run of characters. So every string
is one of: what leads to a repeat and then its part many times; both together many times; and a piece of text that
people who attack send, many times; each with an end that fits nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import regex

from tests.scale import SCALE

#: What `sre_parse` was; there is no public one.
_parser: Any = re._parser  # type: ignore[attr-defined]

#: Pieces of text whose repetition attacks something.
PIECES = (
    *" \n1a中é-_*`#>|.:/\"'([<{\\&!~@",
    *("\t", " \n", "\r\n", "a ", "a, ", "1 ", "1.", "a.", "a-", "- ", "> ", "| ", "a@", "a@a.", "a_", ". ", "。 "),
    *("{{", "{{<", "{{< \t", "{#", "[a](", "![", "[](", "[a][", "](", "<a ", "<a href=", "</", "<!--", "](<http://a"),
    *(
        "http://",
        "www.",
        "a://",
        "a:",
        '"a',
        "**a",
        "*a ",
        "_a ",
        "<a href ",
        "``` ",
        "---\n",
        "a: b\n",
        "|-",
        "| - ",
        "我",
        "我的电脑",
        "，",
        "ab12",
    ),
)
#: What fits no pattern's end.
_ENDS = ("\x01", "!\n", "y")[: 3 if SCALE == 1 else 1]
#: Of the pieces each expression meets one in so many, another share by its length; its own repeats it meets all.
_ONE_IN = 1 if SCALE == 1 else 3
#: Of a set of characters, those that other parts are likely to take, too.
_LIKELY = " a1中*A\t\n-.,:/_\"'(@"
_MOST = 60


def hostile(expression: re.Pattern[Any] | regex.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the start, the repeated piece and the end of each string.

    None is hostile to an expression that repeats nothing: at each place of a text it takes a bounded time.
    """
    repeats: list[tuple[str, str]] = []
    if not isinstance(expression, regex.Pattern):  # of that dialect the pieces have to do
        text = expression.pattern if isinstance(expression.pattern, str) else expression.pattern.decode("latin-1")
        repeats = [*_repeats(_parser.parse(text, expression.flags & ~re.DEBUG), "")]
        if not repeats:
            return
    yield from (("", piece, "\x01") for piece in PIECES[len(expression.pattern) % _ONE_IN :: _ONE_IN])
    seen: set[tuple[str, str]] = set()
    for lead, part in repeats:
        for start, piece in ((lead, part), ("", lead + part), ("", lead), ("", part)):
            if piece and (start, piece) not in seen and len(seen) < _MOST:
                seen.add((start, piece))
                yield from ((start, piece, end) for end in _ENDS[: 1 if len(seen) > _MOST // 4 else None])


def _repeats(items: Any, lead: str) -> Iterator[tuple[str, str]]:
    """Yield, for each repeat in a parsed pattern, a text that leads to it and its part, several of each."""
    for operation, argument in items:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = argument
            if most > 8:
                yield from ((lead, part) for part in _examples(inner))
            yield from _repeats(inner, lead)
            lead += _examples(inner)[0] * min(max(least, 1), 50) if least else ""
        elif name == "SUBPATTERN":
            yield from _repeats(argument[-1], lead)
            lead += _examples(argument[-1])[0]
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _repeats(branch, lead)
            lead += _examples(argument[1][0])[0]
        elif name == "ATOMIC_GROUP":
            yield from _repeats(argument, lead)
            lead += _examples(argument)[0]
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from _repeats(argument[1], lead)
        else:
            lead += _characters(name, argument)[0]


def _examples(items: Any) -> Sequence[str]:
    """Return texts that a parsed part matches, the likeliest first."""
    texts = [""]
    for operation, argument in items:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, _, inner = argument
            more = [one * min(max(least, 1), 50) for one in _examples(inner)]
        elif name == "SUBPATTERN":
            more = [*_examples(argument[-1])]
        elif name == "ATOMIC_GROUP":
            more = [*_examples(argument)]
        elif name == "BRANCH":
            more = [one for branch in argument[1] for one in _examples(branch)[:1]]
        elif name in ("ASSERT", "ASSERT_NOT", "AT", "GROUPREF", "GROUPREF_EXISTS"):
            more = [""]
        else:
            more = [*_characters(name, argument)]
        texts = [text + one for text in texts for one in more][:4]
    return texts


def _characters(name: str, argument: Any) -> Sequence[str]:
    if name == "LITERAL":
        return (chr(argument),)
    if name in ("NOT_LITERAL", "ANY", "IN"):
        fits = [each for each in _LIKELY if _fits(name, argument, each)]
        return fits[:3] or _first(argument)
    return ("",)


def _fits(name: str, argument: Any, character: str) -> bool:
    if name == "ANY":
        return character != "\n"
    if name == "NOT_LITERAL":
        return bool(chr(argument) != character)
    negated = bool(argument) and str(argument[0][0]) == "NEGATE"
    return any(_holds(str(kind), what, character) for kind, what in argument[negated:]) is not negated


def _holds(kind: str, what: Any, character: str) -> bool:
    if kind == "LITERAL":
        return bool(chr(what) == character)
    if kind == "RANGE":
        return bool(what[0] <= ord(character) <= what[1])
    classes = {"SPACE": r"\s", "DIGIT": r"\d", "WORD": r"\w"}
    wanted = str(what).removeprefix("CATEGORY_").removeprefix("NOT_")
    return (re.match(classes[wanted], character) is not None) is not ("NOT_" in str(what))


def _first(argument: Any) -> Sequence[str]:
    for kind, what in argument if isinstance(argument, list) else ():
        if str(kind) in ("LITERAL", "RANGE"):
            return (chr(what if str(kind) == "LITERAL" else what[0]),)
    return ("x",)
