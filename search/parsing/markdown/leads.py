"""Paragraphs that bold words head ("**Breaks.** Up to six hours …"), made sections where a page is built of them.

One such paragraph may be a remark; several in a row are the parts of their section, and each is a matter of its own.
"""

import re
from collections.abc import Iterable, Sequence

#: Bold words before a mark, and the text that goes on in the same line.
_LEAD = re.compile(
    r" {0,3}\*\*(?P<lead>[^*\n]{2,80}?)(?:(?P<asked>[?？!！])\*\*|[.:：。]\*\*|\*\* ?[.:：。](?!\S{0,3}//))\s*+(?=\S)"
)
_LABEL = re.compile(
    r"(?:please )?(?:note|nb|important|warning|tip|hint|caution|attention|example|remember|danger|update|edit|ps|"
    r"注意|提示|警告|重要|备注|说明|例如|示例|温馨提示)",
    re.IGNORECASE,
)
#: The words of a heading at most, and the paragraphs of one section that make it one of parts.
_WORDS, _FEWEST = 10, 3
_DEEPEST = 6


def with_leads(lines: Sequence[str], sections: Iterable[tuple[int, Sequence[int]]]) -> list[str]:
    """Return the lines of a page, bold words that head paragraphs made headings below the one above them.

    `sections` are, in order, the level of each heading of the page and the first lines of the paragraphs below it.
    """
    made = list(lines)
    for level, paragraphs in sections:
        led = {at: lead for at in paragraphs if (lead := _lead_of(lines[at]))}
        if len(led) >= _FEWEST:
            marks = "#" * min(level + 1, _DEEPEST)
            made = [f"{marks} {led[at][0]}\n\n{led[at][1]}" if at in led else line for at, line in enumerate(made)]
    return "\n".join(made).split("\n")


def _lead_of(line: str) -> tuple[str, str] | None:
    """Return the words that head a paragraph and the rest of its first line; None where none do."""
    found = _LEAD.match(line)
    if found is None or _LABEL.fullmatch(found["lead"].strip()) or len(found["lead"].split()) > _WORDS:
        return None
    return f"{found['lead'].strip()}{found['asked'] or ''}", line[found.end() :]
