"""Words in the other language: what a Chinese question is called in English pages, and the other way round.

The list (`bilingual.txt`) holds general words of work, one thing a line. Chinese is cut where the longest word of the
list stands; English is looked up by stems, phrases before single words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import regex

from language.scripts import HAN
from language.stemming import stem

_LIST = Path(__file__).with_name("bilingual.txt")
_HAN = regex.compile(f"{HAN}+")
_WORD = regex.compile(r"[a-z0-9][a-z0-9'&-]*")
#: Words of the longest English phrase that is looked up.
_PHRASE = 4


@dataclass(frozen=True)
class Rendered:
    """A word or phrase of a text, with what it is called in the other language; nothing where the list has no word."""

    said: str
    others: tuple[str, ...]


def to_english(plain: str) -> tuple[Rendered, ...]:
    """Return the words of the Chinese in a normalised text, in order; what is no word of the list stays together."""
    return tuple(rendered for run in _HAN.findall(plain) for rendered in _cut(run))


def to_chinese(plain: str) -> tuple[Rendered, ...]:
    """Return the words and phrases of a normalised English text, in order."""
    words = _WORD.findall(plain)
    known = _TABLES.chinese
    found: list[Rendered] = []
    at = 0
    while at < len(words):
        lengths = range(min(_PHRASE, len(words) - at), 0, -1)
        length = next((count for count in lengths if _key(words[at : at + count]) in known), 1)
        said = words[at : at + length]
        found.append(Rendered(" ".join(said), known.get(_key(said), ())))
        at += length
    return tuple(found)


def _cut(run: str) -> Iterator[Rendered]:
    known, longest = _TABLES.english, _TABLES.longest
    at = start = 0
    while at < len(run):
        lengths = range(min(longest, len(run) - at), 0, -1)
        length = next((count for count in lengths if run[at : at + count] in known), 0)
        if not length:
            at += 1
            continue
        if start < at:
            yield Rendered(run[start:at], ())
        yield Rendered(run[at : at + length], known[run[at : at + length]])
        at = start = at + length
    if start < len(run):
        yield Rendered(run[start:], ())


def _key(words: list[str]) -> str:
    return " ".join(stem(word.removesuffix("'s").replace("'", "")) for word in words)


@dataclass(frozen=True)
class _Tables:
    english: Mapping[str, tuple[str, ...]]  # Chinese word → what it is in English
    chinese: Mapping[str, tuple[str, ...]]  # stems of an English word or phrase → what it is in Chinese
    longest: int  # characters of the longest Chinese word


def _read() -> _Tables:
    english: dict[str, dict[str, None]] = {}
    chinese: dict[str, dict[str, None]] = {}
    for line in _LIST.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        left, _, right = line.partition("|")
        words, meanings = left.split(), [meaning.strip().lower() for meaning in right.split(",")]
        for word in words:
            english.setdefault(word, {}).update(dict.fromkeys(meanings))
        for meaning in meanings:
            chinese.setdefault(_key(_WORD.findall(meaning)), {}).update(dict.fromkeys(words))
    return _Tables(
        {word: tuple(others) for word, others in english.items()},
        {words: tuple(others) for words, others in chinese.items()},
        max(map(len, english)),
    )


#: Read with the module (10 ms), so that no question waits for a file.
_TABLES = _read()
