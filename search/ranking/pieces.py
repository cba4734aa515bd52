"""The sentences, items and rows of a passage, in the order in which they concern a question."""

from collections.abc import Iterator

from language.analysis import terms
from language.sentences import blocks, sentences


def nearest_first(text: str, asked: frozenset[str]) -> list[str]:
    """Return the sentences, items and rows of a passage, those first that share most index terms with a question."""
    return sorted(_pieces(text), key=lambda piece: -len(asked.intersection(terms(piece))))


def _pieces(text: str) -> Iterator[str]:
    """Yield sentences and items, rows each below the table's first line, and code blocks whole."""
    for (start, end), whole in blocks(text):
        lines = text[start:end].strip().splitlines()
        if not whole:
            yield from (text[begin:until].strip() for begin, until in sentences(text, (start, end)))
        elif len(lines) > 2 and lines[0].lstrip(" >").startswith("|"):
            yield from (f"{lines[0]}\n{row}" for row in lines[2:])
        elif lines:
            yield "\n".join(lines)
