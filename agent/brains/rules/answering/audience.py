"""For whom a section is: visitors and suppliers have sections of their own, and staff who ask for themselves others."""

import re
from functools import lru_cache

from language.words import normalise

_OUTSIDER = r"(?:visitors?|guests?|contractors?|suppliers?|vendors?|customers?|clients?|agency (?:staff|workers?))"
_OUTSIDER_CHINESE = r"(?:访客|来访|来宾|客人|供应商|承包商|外包|客户)"
#: A heading of which nothing but one thing is said: "Visitors", "Parking for visitors", "Visitor parking", 访客停车.
_THEIRS = re.compile(
    rf"^(?:for )?{_OUTSIDER}$|^[\w-]+ for {_OUTSIDER}$|^{_OUTSIDER}(?:['’]s?)? [\w-]+$|"
    rf"^{_OUTSIDER_CHINESE}\S{{0,4}}$|^\S{{0,4}}{_OUTSIDER_CHINESE}$"
)
_OUTSIDERS = re.compile(rf"\b{_OUTSIDER}\b|{_OUTSIDER_CHINESE}")
#: Somebody else than the asker: a friend is a visitor.
_OTHERS = re.compile(
    r"\b(?:mum|mom|dad|parents?|mother|father|wife|husband|partner|kids?|child(?:ren)?|sons?|daughters?|friends?|"
    r"family|brothers?|sisters?|somebody|someone|people|they|them|he|she|him|her)\b|"
    r"妈|爸|父母|家人|老婆|老公|妻子|丈夫|孩子|小孩|朋友|亲戚|别人|他们|她们|有人"
)
_ONESELF = re.compile(r"\b(?:i|we|my|our|me)\b|我")


@lru_cache(maxsize=2_048)
def is_for_others(heading: str) -> bool:
    """Tell whether a section is headed as one for people who are not of the company."""
    return _THEIRS.search(normalise(heading)) is not None


@lru_cache(maxsize=256)
def asks_for_oneself(text: str) -> bool:
    """Tell whether a member of staff asks for themselves, and for nobody who comes from outside."""
    plain = normalise(text)
    named = _OUTSIDERS.search(plain) or _OTHERS.search(plain)
    return named is None and _ONESELF.search(plain) is not None
