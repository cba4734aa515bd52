"""A section tree to passages that fit the embedding model's window.

Short neighbours of one section are put together, long ones cut at sentences with an overlap; tables and code stay
whole, and where one is longer than the window it gets `windows`, so that no text is invisible to the dense leg.
Pure: the model's tokenizer comes in as `count`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from language.sentences import Span, blocks, clauses, paragraphs, sentences, trimmed
from search.documents import Chunk, Document, Section, Unit, UnitKind

CountTokens = Callable[[Sequence[str]], Sequence[int]]

_WHOLE = frozenset({UnitKind.TABLE, UnitKind.CODE})
#: Rows, items and paragraphs up to which each of a passage is embedded by itself, too.
MOST_PARTS = 24
#: Characters of a word (an address, a key) that stays whole in a passage, however many tokens it has.
_LONGEST_WORD = 4_000
#: Characters of a header row that each window of its table begins with: a word of any length may be one token.
_LONGEST_HEADER = 1_000
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class ChunkSizes:
    """Tokens of the embedding model. Below `least` a passage looks for a neighbour; `most` is its window."""

    least: int = 64
    core: int = 192
    most: int = 254
    overlap: int = 32
    context: int = 48  # of the window, kept for the title and section that are embedded with each passage

    @classmethod
    def of_window(cls, tokens: int) -> Self:
        """Return the sizes for a model that reads so many: smaller in a small window, not larger in a large one."""
        sizes = cls()
        shrunk = {name: size * tokens // sizes.most for name, size in vars(sizes).items()}
        return cls(**shrunk) if tokens < sizes.most else sizes


@dataclass(frozen=True)
class _Piece:
    kind: UnitKind
    text: str
    tokens: int
    gap: str
    lead: str = ""  # the end of the piece before, repeated for context when this one begins a chunk
    lead_tokens: int = 0


@dataclass
class _Draft:
    pieces: list[_Piece] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return sum(piece.tokens for piece in self.pieces) + (self.pieces[0].lead_tokens if self.pieces else 0)

    @property
    def text(self) -> str:
        first, *rest = self.pieces
        return first.lead + first.text + "".join(piece.gap + piece.text for piece in rest)

    @property
    def kind(self) -> UnitKind:
        kinds = {piece.kind for piece in self.pieces}
        return kinds.pop() if len(kinds) == 1 else UnitKind.PARAGRAPH


def chunk(document: Document, count: CountTokens, *, sizes: ChunkSizes | None = None) -> tuple[Chunk, ...]:
    """Return the passages of a document in reading order, numbered from 0."""
    chosen = sizes or ChunkSizes()
    sections = [section for section in document.root.walk() if section.units]
    counted = iter(count([unit.text for section in sections for unit in section.units]))
    drafts: list[tuple[Section, _Draft]] = []
    for section in sections:
        pieces = [piece for unit in section.units for piece in _pieces(unit, next(counted), count=count, sizes=chosen)]
        drafts.extend((section, draft) for draft in _packed(pieces, chosen))
    return tuple(
        Chunk(
            document_id=document.id,
            number=number,
            section_path=section.path,
            anchor=section.anchor,
            text=draft.text,
            tokens=draft.tokens,
            kind=draft.kind,
            windows=_windows(draft, count=count, sizes=chosen),
            gap=draft.pieces[0].gap,
            repeated=len(draft.pieces[0].lead),
        )
        for number, (section, draft) in enumerate(drafts)
    )


def _pieces(unit: Unit, tokens: int, *, count: CountTokens, sizes: ChunkSizes) -> Iterator[_Piece]:
    """Yield a unit whole, or in pieces of about the core size that cover all of it."""
    if tokens <= sizes.core or unit.kind in _WHOLE:
        yield _Piece(kind=unit.kind, text=unit.text, tokens=tokens, gap=unit.gap)
        return
    spans = _atoms(unit.text, count=count, most=sizes.core)
    end = 0
    for first, last, whole in _runs(spans, sizes.core):
        start, stop = trimmed(unit.text, (spans[first][0][0], spans[last][0][1]))
        lead = _overlap(unit.text, spans, first, sizes=sizes) if first and not whole else start
        yield _Piece(
            kind=UnitKind.CODE if whole else unit.kind,
            text=unit.text[start:stop],
            tokens=sum(tokens for _, tokens, _ in spans[first : last + 1]),
            gap=unit.text[end:start] if first else unit.gap,
            lead=unit.text[lead:start],
            lead_tokens=count([unit.text[lead:start]])[0] if lead < start else 0,
        )
        end = stop


_Atom = tuple[Span, int, bool]


def _atoms(text: str, *, count: CountTokens, most: int) -> list[_Atom]:
    """Return the smallest spans that are never cut, each with its tokens and whether it is a block of its own."""
    spans: list[tuple[Span, bool]] = []
    for span, whole in blocks(text):
        spans.extend([(span, True)] if whole else ((sentence, False) for sentence in sentences(text, span)))
    counted = count([text[start:end] for (start, end), _ in spans])
    atoms: list[_Atom] = []
    for (span, whole), tokens in zip(spans, counted, strict=True):
        if whole or tokens <= most:
            atoms.append((span, tokens, whole))
        else:
            cut = _shortened(text, span, count=count, most=most, longest_word=_LONGEST_WORD)
            atoms.extend((part, tokens, False) for part, tokens in cut)
    return atoms


def _shortened(
    text: str, span: Span, *, count: CountTokens, most: int, longest_word: int = 0
) -> Iterator[tuple[Span, int]]:
    """Cut one over-long sentence at commas and spaces, and where it has none, anywhere but in words so long."""
    parts = [
        (at, min(at + step, end))
        for start, end in clauses(text, span)
        for step in (most if _CHINESE.search(text, start, end) else max(most, longest_word),)
        for at in range(start, end, step)  # a character is at most about one token
    ]
    counted = count([text[start:end] for start, end in parts])
    begin, total = parts[0][0], 0
    for (start, _), tokens in zip(parts, counted, strict=True):
        if total and total + tokens > most:
            yield (begin, start), total
            begin, total = start, 0
        total += tokens
    yield (begin, span[1]), total


def _runs(atoms: Sequence[_Atom], core: int) -> Iterator[tuple[int, int, bool]]:
    """Yield first and last atom of each piece; a whole block longer than the core stands alone."""
    first, total = 0, 0
    for number, (_, tokens, _whole) in enumerate(atoms):
        if number > first and (total + tokens > core):
            yield first, number - 1, first == number - 1 and atoms[first][2] and total > core
            first, total = number, 0
        total += tokens
    yield first, len(atoms) - 1, first == len(atoms) - 1 and atoms[first][2] and total > core


def _overlap(text: str, atoms: Sequence[_Atom], first: int, *, sizes: ChunkSizes) -> int:
    """Return where the sentences before a piece begin that it repeats."""
    start, total = atoms[first][0][0], 0
    for span, tokens, whole in reversed(atoms[:first]):
        if whole or total + tokens > sizes.overlap:
            break
        start, total = span[0], total + tokens
    return trimmed(text, (start, atoms[first][0][1]))[0]


def _packed(pieces: Sequence[_Piece], sizes: ChunkSizes) -> list[_Draft]:
    drafts: list[_Draft] = []
    for piece in pieces:
        if drafts and _fits(drafts[-1], piece, sizes):
            drafts[-1].pieces.append(piece)
        else:
            drafts.append(_Draft([piece]))
    return drafts


def _fits(draft: _Draft, piece: _Piece, sizes: ChunkSizes) -> bool:
    """Say whether a piece joins: up to the core size, or up to the window while either side is too short."""
    if UnitKind.NAVIGATION in (draft.pieces[-1].kind, piece.kind) and draft.pieces[-1].kind is not piece.kind:
        return False
    together = draft.tokens + piece.tokens
    if together <= sizes.core:
        return True
    return together <= sizes.most and min(draft.tokens, piece.tokens) < sizes.least


def _windows(draft: _Draft, *, count: CountTokens, sizes: ChunkSizes) -> tuple[str, ...]:
    room = sizes.most - sizes.context
    whole = windows(draft.text, draft.kind, count=count, room=room) if draft.tokens > room else ()
    parts = _parts(draft.text) if draft.kind is not UnitKind.NAVIGATION else []
    return (*(whole or (draft.text,)), *parts) if 1 < len(parts) <= MOST_PARTS else whole


def _parts(text: str) -> list[str]:
    """Return the rows, items and paragraphs of a passage: each may speak of a matter of its own."""
    found: list[str] = []
    for span, whole in blocks(text):
        start, end = span
        if not whole:
            found += [text[slice(*trimmed(text, part))] for part in paragraphs(text, span)]
        elif "|" in text[start:end].partition("\n")[0]:
            found += text[start:end].strip().splitlines()[2:]
    return [part for part in found if part.strip()]


def windows(text: str, kind: UnitKind, *, count: CountTokens, room: int) -> tuple[str, ...]:
    """Return stretches of at most `room` tokens that cover a text; a table's begin with its header row."""
    head = _header(text, count=count, room=room) if kind is UnitKind.TABLE else ""
    left = room - (count([head])[0] if head else 0)
    lines = _lines(text, by_line=kind in _WHOLE)
    atoms: list[tuple[Span, int]] = []
    for span, tokens in zip(lines, count([text[start:end] for start, end in lines]), strict=True):
        atoms.extend([(span, tokens)] if tokens <= left else _shortened(text, span, count=count, most=left))
    found: list[str] = []
    begin, total = 0, 0
    for (start, _), tokens in atoms:
        if total and total + tokens > left:
            found.append(text[begin:start])
            begin, total = start, 0
        total += tokens
    found.append(text[begin:])
    return tuple(piece if number == 0 else head + piece for number, piece in enumerate(found))


def _lines(text: str, *, by_line: bool) -> list[Span]:
    if not by_line:
        return list(sentences(text, (0, len(text))))
    spans: list[Span] = []
    at = 0
    for line in text.splitlines(keepends=True):
        spans.append((at, at + len(line)))
        at += len(line)
    return spans


def _header(text: str, *, count: CountTokens, room: int) -> str:
    line = text.partition("\n")[0] + "\n"
    return line if "|" in line and len(line) <= _LONGEST_HEADER and count([line])[0] <= room // 3 else ""
