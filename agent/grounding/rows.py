"""What an answer may say of a table or a sentence before it quotes it: yes, no, or how many rows it quotes.

Such an opening is judged by the quote that follows it; the quote itself is judged like any other claim.
"""

import re
from collections.abc import Sequence

from language.sentences import cells_of, is_mark, is_unmarked

_OPENING = re.compile(
    r"\s*(?:(?P<yes>Yes|是的?)|(?P<no>No|不是|否)|\*\*(?P<count>\d+)\*\*)(?:[.,:。，：]\s*|\s*\n\n)(?=\S)"
)
_RULE = re.compile(r"[\s|:]*-[\s|:-]*")


def opened(claim: str) -> tuple[str, str]:
    """Return the opening of a claim ("yes", "no", a number, "" for none), and the claim without it."""
    found = _OPENING.match(claim)
    rest = claim[found.end() :] if found else claim
    if found is None or (found["count"] and not rows_of(rest)):
        return "", claim
    return found["count"] or ("yes" if found["yes"] else "no"), rest


def follows(opening: str, rest: str, *, negations: int) -> bool:
    """Tell whether an opening follows from the rest of its claim; `negations`: how often that says no."""
    rows = rows_of(rest)
    match opening:
        case "":
            return True
        case "yes" | "no" if rows:
            marks = is_mark if opening == "yes" else is_unmarked
            return all(any(marks(cell) for cell in cells_of(row)) for row in rows)
        case "yes" | "no":
            return negations % 2 == (opening == "no")
        case _:
            return int(opening) == len(rows)


def rows_of(text: str) -> Sequence[str]:
    """Return the rows below the header of a text that is a table; nothing for any other text."""
    lines = text.strip().splitlines()
    return lines[2:] if len(lines) > 2 and "|" in lines[0] and _RULE.fullmatch(lines[1]) else ()
