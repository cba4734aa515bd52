"""Passwords that are known by how they are made, in a message that speaks of signing in.

"I always log in with Kx7!pond" announces nothing by name. What people make up for a password mixes capitals, small
letters, digits and signs as no name of a thing does; what mixes less is one where it was typed, entered or given.
"""

import itertools
import re
from collections.abc import Iterator

from storage.redaction import names
from storage.redaction.numbers import Span, is_called_otherwise
from storage.redaction.told import SIGNING_IN, Near
from storage.redaction.values import mixes_three, trimmed

#: How far what was made up may stand from what was said of signing in, in characters.
_AROUND = 160
#: What is written without a space; slashes and colons end it, since a name may stand before them.
_RUN = re.compile(r"[^\s/:,;\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…]{6,48}")
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,15}://[^\s]{1,400}|[^\s@]{1,64}@[a-z0-9-]{1,60}\.[a-z0-9.-]{1,60}", re.IGNORECASE
)
_SIGNS = frozenset("!$#%^&*+?~@")
#: What has a sign and is a name: "R&D2024", "ada@host", "repo#12", "C++17", "Sheet1!B2".
_NAMED = re.compile(
    r"[A-Z]{1,4}[&+][A-Z0-9]{1,8}|[A-Za-z.-]{1,40}@[A-Za-z0-9.-]{1,40}|[A-Za-z._-]{1,40}[#+]{1,2}[0-9]{1,8}|[A-Za-z]{1,20}[0-9]{0,3}![A-Z]{1,3}[0-9]{1,5}|[\w.-]{1,48}[!?%+*#]{1,3}|[@#$&*+~%]{1,2}[A-Za-z]{1,48}[0-9]{0,4}"
)
#: The shortest password that is known by itself; and with a sign between letters and digits, not of a numbered thing.
_LEAST_ALONE = 8
_SIGN_INSIDE = re.compile(
    r"(?=[^A-Z]{0,47}[A-Z])(?=[^a-z]{0,47}[a-z])(?=[^0-9]{0,47}[0-9])[A-Za-z0-9]{1,40}[!$#%^&*?~@][^\s]{1,40}"
)
#: How often letters and digits take turns in what has no sign, at least.
_LEAST_TURNS = 4


def made_up_spans(text: str) -> Iterator[Span]:
    """Yield where passwords stand that no name announces: beside what was said of signing in, or alike nothing else."""
    said = [each.span() for each in itertools.chain(names.NAME.finditer(text), SIGNING_IN.finditer(text))]
    near, addresses = Near(said), Near([each.span() for each in _ADDRESS.finditer(text)])
    for found in _RUN.finditer(text):
        value, start, end = trimmed(text, *found.span())
        announced = near.within(start, end, _AROUND)
        if addresses.within(start, end, 0) or is_called_otherwise(text, start):
            continue
        if looks_made_up(value) and (announced or _is_password(value)):
            yield start, end


def _is_password(value: str) -> bool:
    """Return whether a word has capitals, small letters, digits and, between them, a sign: nothing is named so."""
    return len(value) >= _LEAST_ALONE and mixes_three(value) and bool(_SIGN_INSIDE.fullmatch(value))


def looks_made_up(value: str) -> bool:
    """Return whether a word mixes letters, digits and signs as passwords do and names of things do not."""
    if not 6 <= len(value) <= 48 or any(each.fullmatch(value) for each in (names.THING, names.PLACEHOLDER, _NAMED)):
        return False
    small, capital = any(each.islower() for each in value), any(each.isupper() for each in value)
    digits = sum(each.isdigit() for each in value)
    if any(each in _SIGNS for each in value):
        return digits > 0 and (small or capital) and (len(value) >= 8 or (small and capital))
    if not value.isalnum() or not small or not digits or all(each in "0123456789abcdef" for each in value.lower()):
        return False
    turns = sum(one.isdigit() != other.isdigit() for one, other in itertools.pairwise(value))
    return len(value) >= 8 and turns >= _LEAST_TURNS
