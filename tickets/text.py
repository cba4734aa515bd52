"""What people typed, made safe to keep: no control characters, no secrets, no endless lines."""

import unicodedata

from storage.redaction import redact

#: Characters that reorder what stands around them; a title must read as it is stored.
_DIRECTION = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
#: Line ends that are not "\n".
_LINE_ENDS = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\x85": "\n", "\x0b": "\n", "\x0c": "\n"})


def clean_line(text: str) -> str:
    """Return one line: control characters gone, runs of white space as one space, secrets redacted."""
    return redact(" ".join(_printable(text).split()))


def clean_paragraph(text: str) -> str:
    """Return a text that keeps its lines, with at most one empty line in a row, secrets redacted."""
    lines: list[str] = []
    for line in _printable(text).split("\n"):
        stripped = line.rstrip()
        if stripped or (lines and lines[-1]):
            lines.append(stripped)
    return redact("\n".join(lines).strip())


def _printable(text: str) -> str:
    unified = text.replace("\r\n", "\n").replace("\r", "\n").translate(_LINE_ENDS)
    return "".join(character for character in unified if _kept(character))


def _kept(character: str) -> bool:
    if character in "\n\t":
        return True
    # Cc: control; Cs: half a surrogate pair, which no database encoding can hold
    return unicodedata.category(character) not in ("Cc", "Cs") and character not in _DIRECTION
