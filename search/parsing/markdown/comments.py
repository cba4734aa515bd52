"""Finding HTML comments in Markdown, so that they are neither searched nor shown.

Translated pages keep their English source in comments; left in, they would be found in the wrong language.
"""

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<mark>`{3,}|~{3,})")
_OPEN = "<!--"
_CLOSE = "-->"
#: Stands where a comment stood; a noncharacter, so that no page holds it.
MASK = "\ufdd0"


@dataclass
class _State:
    last_close: int  # the last line on which a comment can end
    fence: str = ""
    inside: bool = False


def mask_comments(text: str) -> str:
    """Return the text with each character of a comment masked; every line stays where it was.

    What looks like a comment inside a code fence or a code span is code. A comment that never ends is text.
    """
    if _OPEN not in text:
        return text
    lines = text.split("\n")
    state = _State(last_close=max((number for number, line in enumerate(lines) if _CLOSE in line), default=-1))
    return "\n".join(
        line if not state.inside and _in_fence(line, state) else _masked(line, number, state)
        for number, line in enumerate(lines)
    )


def _in_fence(line: str, state: _State) -> bool:
    """Say whether a line belongs to a fence, and follow its opening and closing."""
    if state.fence:
        closing = line.strip()
        if len(closing) >= len(state.fence) and not closing.strip(state.fence[0]):
            state.fence = ""
        return True
    found = _FENCE.match(line)
    if found and not (found["mark"].startswith("`") and "`" in line[found.end() :]):
        state.fence = found["mark"]
        return True
    return False


def _masked(line: str, number: int, state: _State) -> str:
    done: list[str] = []
    while line:
        if state.inside:
            end = line.find(_CLOSE)
            cut = len(line) if end < 0 else end + len(_CLOSE)
            done.append(MASK * cut)
            state.inside = end < 0
            line = line[cut:]
            continue
        start = _opening(line)
        if start < 0 or not (_CLOSE in line[start:] or number < state.last_close):
            done.append(line)
            break
        done.append(line[:start])
        state.inside = True
        line = line[start:]
    return "".join(done)


def _opening(line: str) -> int:
    """Return where a comment begins that stands in no code span, or -1."""
    start = line.find(_OPEN)
    while start >= 0 and line.count("`", 0, start) % 2:
        start = line.find(_OPEN, start + 1)
    return start
