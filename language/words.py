"""Words of a text in English and Chinese: one spelling, stems, stop words, and what stands for the same thing.

No vocabulary of any company is in here: only what the two languages share among all workplaces.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import regex

from language.scripts import HAN
from language.spelling import one_edit_apart
from language.stemming import stem as plain_stem
from language.synonyms.chinese import SYNONYMS_CHINESE
from language.synonyms.english import SYNONYMS_ENGLISH
from language.word_tables import COUNTRIES, GENERIC_ENGLISH, STOP_CHINESE, STOP_ENGLISH, TRADITIONAL

_CHINESE_RUN = regex.compile(f"{HAN}+")
_CHINESE_CHARACTER = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[a-z0-9]+(?:['._/:@+#-]+[a-z0-9]+)*[+#]*")
_PART = re.compile(r"[a-z]+|[0-9]+")
#: What people write to have something done is called, in English and Chinese: "cancel the ticket", 工单不用了.
RECORDED, RECORDED_CHINESE = "(?:draft|ticket|request|report)", "(?:草稿|工单|单子)"
#: Letters of a word that is long enough to be told by all but one of them.
_LONG = 8
STOP_PHRASE = re.compile("|".join(sorted(map(re.escape, STOP_CHINESE), key=len, reverse=True)))


@lru_cache(maxsize=4_096)
def normalise(text: str) -> str:
    """Return the text in one spelling: half width, lower case, simplified characters, plain quotes, single spaces."""
    folded = unicodedata.normalize("NFKC", text).lower().translate(TRADITIONAL)
    return " ".join(folded.replace("’", "'").replace("‘", "'").split())


def stem(word: str) -> str:
    """Return a short form that the inflections of an English word share; identifiers stay as they are."""
    word = word.removesuffix("'s").replace("'", "")
    return plain_stem(word)


def latin_words(text: str) -> Iterator[str]:
    """Yield the Latin words and identifiers of a normalised text, unstemmed."""
    for match in _WORD.finditer(text):
        yield match.group().strip("'.")


@lru_cache(maxsize=4_096)
def stems(text: str) -> frozenset[str]:
    """Return the stems of all Latin words of a text; an identifier gives itself and its parts."""
    found: set[str] = set()
    for word in latin_words(normalise(text)):
        found.add(stem(word))
        if not word.isalpha():
            found.update(stem(part) for part in _PART.findall(word))
            found.update(stem(part) for part in re.split(r"[^a-z0-9]+", word) if part)
    return frozenset(found)


def chinese_characters(text: str) -> int:
    """Return how many Chinese characters a text has."""
    return len(_CHINESE_CHARACTER.findall(text))


def chinese_runs(text: str) -> tuple[str, ...]:
    """Return the runs of Chinese characters of a normalised text that are left when question words are taken out."""
    runs: list[str] = []
    for run in _CHINESE_RUN.findall(text):
        runs.extend(piece for piece in STOP_PHRASE.split(run) if piece)
    return tuple(runs)


def content_words(text: str) -> tuple[str, ...]:
    """Return the Latin words of a text that carry meaning, in order, each once, unstemmed."""
    return tuple(dict.fromkeys(word for word in latin_words(normalise(text)) if word not in STOP_ENGLISH))


@lru_cache(maxsize=4_096)
def is_generic(word: str) -> bool:
    """Tell whether a word says little about the subject ("company", "need", "new"), also with a letter too many or few.

    With another letter it is mostly another word: an employer is no employee.
    """
    if word in GENERIC_ENGLISH or stem(word) in _GENERIC_STEMS:
        return True
    others = (each for each in GENERIC_ENGLISH if abs(len(each) - len(word)) == 1)
    return len(word) >= _LONG and any(one_edit_apart(word, each) for each in others)


def is_identifier(word: str) -> bool:
    """Tell whether a word is a name of something exact: it holds a digit or inner punctuation."""
    return any(character.isdigit() for character in word) or bool(re.search(r"[a-z0-9][._/:@#-]+[a-z0-9]", word))


def synonyms(word: str) -> frozenset[str]:
    """Return the stems of words that people use for the same thing (without the word's own stem)."""
    return _SYNONYM_STEMS.get(stem(word), frozenset())


@lru_cache(maxsize=4_096)
def chinese_synonyms(run: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Return start, end and alternatives of every word of a run that others would call differently."""
    places = ((run.find(word), word, others) for word, others in _SYNONYM_CHINESE.items())
    return tuple((start, start + len(word), others) for start, word, others in places if start >= 0)


def chinese_for(word: str) -> tuple[str, ...]:
    """Return the Chinese words for a thing that Chinese colleagues also call by a Latin word ("wifi")."""
    return _SYNONYM_CHINESE.get(word, ())


def countries_in(text: str) -> frozenset[str]:
    """Return the codes of the countries that a text names, in lower case."""
    plain = normalise(text)
    latin = {COUNTRIES[word] for word in content_words(plain) if word in COUNTRIES}
    return frozenset(latin | {code for name, code in COUNTRIES.items() if not name.isascii() and name in plain})


#: What has happened to a thing, in one character at the end: "电脑坏了".
_HAPPENED = frozenset("坏丢断偷堵漏")


#: Leave, said in words of which none says so.
OFF_WORK = re.compile(r"\b(?:days?|time|weeks?) off(?: work)?\b", re.IGNORECASE)
#: Other words for one, and for all of an English question, by which it is looked for once more.
_MOST_OTHERS, _MOST_ADDED = 5, 12


def widened(text: str) -> str:
    """Return a question followed by other words for the same things; "" when there are none.

    Without a dense leg nothing else leads from 结婚 to 婚假, and even with one little leads from a holiday to leave.
    """
    plain = normalise(text)
    if not chinese_runs(plain):
        return _widened_english(text)
    others = (
        other
        for run in chinese_runs(plain)
        for start, end, alternatives in chinese_synonyms(run)
        if end - start >= 2 or (end == len(run) and run[start:] in _HAPPENED)
        for other in alternatives
        if other not in plain
    )
    added = " ".join(dict.fromkeys(others))
    return f"{text} {added}" if added else ""


def _widened_english(text: str) -> str:
    named = [word for word in content_words(OFF_WORK.sub("holiday leave", text)) if not is_generic(word)]
    others = (other for word in named for other in _SYNONYM_WORDS.get(stem(word), ())[:_MOST_OTHERS])
    said = stems(text)
    added = [other for other in dict.fromkeys(others) if stem(other) not in said][:_MOST_ADDED]
    return f"{text} {' '.join(added)}" if added else ""


_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC_ENGLISH)


def _others(groups: Iterable[str], key: Callable[[str], str] = str) -> dict[str, tuple[str, ...]]:
    """Return what else each word of the groups is called, by the word or its stem."""
    table: dict[str, list[str]] = {}
    for group in groups:
        members = group.split()
        for member in members:
            table.setdefault(key(member), []).extend(other for other in members if other != member)
    return {word: tuple(others) for word, others in table.items()}


def _stems_of_others() -> dict[str, frozenset[str]]:
    table = {word: frozenset(map(stem, others)) - {word} for word, others in _SYNONYM_WORDS.items()}
    abroad = frozenset({stem("abroad")})  # one way: who says Spain means abroad, and not the reverse
    return table | {word: table.get(word, frozenset()) | abroad for word in map(stem, COUNTRIES)}


_SYNONYM_WORDS = _others(SYNONYMS_ENGLISH, stem)
_SYNONYM_STEMS = _stems_of_others()
_SYNONYM_CHINESE = _others(SYNONYMS_CHINESE)
