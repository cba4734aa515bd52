"""Statements that have no subject of their own: "wont sign", "it just went off", 丢了一件.

They are said of what the thread has spoken of; one that names a thing of which nobody spoke stands by itself.
"""

import re

from agent.brains.rules.understanding import phrases
from agent.tools.context import Recollection
from language.words import chinese_characters, chinese_runs, content_words, is_generic, normalise, stem, stems

#: The turns whose words count as spoken of.
_RECENT = 3
_LEAD = r"^(?:(?:and|but|so|well|no|oh|ok|okay|actually|sorry|also|yeah|yes)[\s,]{1,3}){0,2}"
#: What stands first where the subject is nobody, or has been left out.
_NO_SUBJECT = re.compile(
    rf"{_LEAD}(?:(?:still|just|only|already|even|almost|nearly|been|got|none|nothing|no ?one|nobody|forgot|lost|paid"
    r"|missed|tried)\b|[a-z]{3,12}ed (?:it|them|him|her|that|this|up|off|last|yesterday|today)\b)"
)
#: … where a verb stands first, which may be said of anything.
_VERB_FIRST = re.compile(
    rf"{_LEAD}(?:had|did|never|not|has|have|was|is|can|could|does|do|will|would|are|were|isn|ain|won|didn|doesn|couldn)"
    r"(?:n'?t|t|'t)?\b"
)
_PRONOUN = re.compile(rf"{_LEAD}(?:(?:it|he|she|that)(?:'?s)?|they(?:'?re)?|mine)\b")
#: A thing that is named as one: "the printer", "my work badge".
_THING = re.compile(r"\b(?:the|my|our|an?|this|his|her|their|your|another) ((?:[a-z][a-z'-]*+ ?){1,2})")
#: A number of things that are not named: 丢了一件, 差了两个.
_SO_MANY = re.compile(r"[一两二三四五六几半\d]{1,3}[件个张把套次台双条份只块瓶箱](?:[了呢啊吧]|$)")
_NO_SUBJECT_CHINESE = re.compile(
    r"^(?:可是?|但是?|不过|那|嗯)?[，, ]?(?:都|已经|还|又|就|才|只|没|不|刚|快|今天|今晚|昨[天晚]|明天|突然|想|忘|丢)"
)


def leaves_subject_out(plain: str, memory: Recollection) -> bool:
    """Tell whether a statement names no subject, and no thing that the thread has not spoken of."""
    if chinese_characters(plain):
        return _NO_SUBJECT_CHINESE.match(plain) is not None or stays_with(plain, memory)
    told = _told(memory)
    begins = _NO_SUBJECT.match(plain) or _PRONOUN.match(plain) or (_VERB_FIRST.match(plain) and _says(plain, told))
    return bool(begins) and not _names_own(plain, told)


def stays_with(plain: str, memory: Recollection) -> bool:
    """Tell whether a statement surely is said of what the thread speaks of, also where it tells a mishap."""
    told = _told(memory)
    if chinese_characters(plain):
        pairs = {run[at : at + 2] for run in chinese_runs(plain) for at in range(len(run) - 1)}
        return _SO_MANY.search(plain) is not None or any(pair in told for pair in pairs)
    begins = any(way.match(plain) for way in (_NO_SUBJECT, _VERB_FIRST, _PRONOUN, phrases.TELLS))
    if not begins or _names_own(plain, told):
        return False
    return _PRONOUN.match(plain) is not None or _says(plain, told)


def _says(plain: str, told: str) -> bool:
    """Tell whether a word that names something was spoken of, or none names anything."""
    named = [word for word in content_words(plain) if not is_generic(word)]
    said = stems(told)
    return not named or any(stem(word) in said for word in named)


def _told(memory: Recollection) -> str:
    """Return what the thread has spoken of."""
    return normalise(" ".join(f"{turn.asked} {turn.answered}" for turn in memory.turns[-_RECENT:]))


def _names_own(plain: str, told: str) -> bool:
    """Tell whether a thing is named that was not spoken of."""
    said = stems(told)
    things = (found[1].split() for found in _THING.finditer(plain))
    return any(not any(stem(word) in said or is_generic(word) for word in thing) for thing in things)
