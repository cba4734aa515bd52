"""Passwords that are known by how they are made, in a message that speaks of signing in.

"I always log in with Kx7!pond" announces nothing by name. What people make up for a password mixes capitals, small
letters, digits and signs as no name of a thing does; what mixes less is one where it was typed, entered or given.
"""

import itertools
import re
from collections.abc import Iterator

from storage.redaction import names
from storage.redaction.names import SecretKind
from storage.redaction.numbers import Span, is_called_otherwise
from storage.redaction.values import is_mixed, trimmed

#: What is said of signing in, beside the names of secrets.
_SIGNING_IN = re.compile(
    r"(?i:\b(?:log(?:s|ged|ging)?[ -]?(?:in|on|into)|sign(?:s|ed|ing)?[ -]?(?:in|on|into)|log(?:in|on)s?|unlock\w*"
    r"|locked|accounts?|wi-?fi|wlan|ssid|hotspot|bios|authenticat\w+|credentials?)\b)|登[录陆]|[账帐][号户]|解锁|无线|热点"
)
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
#: How often letters and digits take turns in what has no sign, at least.
_LEAST_TURNS = 4
#: "I typed x", "it is still the default x", "输入x", where a secret's name stands in the same sentence.
_TYPED = re.compile(
    r"(?:(?i:\b(?:put(?:ting)?[ ]in|using|typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?|g[ai]ve(?:s|n)?[ ](?:it|them|me|in)"
    r"|tr(?:y|ied|ies)|used?|uses|whether|(?:log|sign)(?:ged|ed|ging|ing|s)?[ -]?(?:in|on)[ ]with|default"
    r"|temp(?:orary)?)[ ]{1,2}[(\"'“‘]?)|[输填打]入?(?:了|的是)?|还是默认的?|默认的|临时的?|用)"
    r"(?P<value>[\x21-\x7e\u00c0-\u024f]{5,64})"
)
#: "ada:x", "ada // x".
_PAIR = re.compile(r"(?<![\w/.@:-])[A-Za-z][\w.-]{1,40}(?::|[ ]//[ ])(?P<value>[^\s/:@]{6,64})(?![/:@\w])")
#: "root/x", "admin:x", "admin x 这个密码".
_ROOT = re.compile(
    r"(?i:(?<![A-Za-z0-9_/.@:-])(?:root|admin|administrator|sysadmin|sa|sys|system|ubuntu|pi|cisco|ubnt))[ ]?[/:][ ]?"
    r"(?P<value>[^\s/:\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]{4,64})(?![/:A-Za-z0-9_])"
)


def made_up_spans(text: str) -> Iterator[Span]:
    """Yield where passwords stand that no name announces, beside what was said of signing in."""
    for found in _ROOT.finditer(text):
        value, start, end = trimmed(text, *found.span("value"))
        if is_mixed(value, SecretKind.PASSWORD, how="near"):
            yield start, end
    said = [each.span() for each in itertools.chain(names.NAME.finditer(text), _SIGNING_IN.finditer(text))]
    if not said:
        return
    near = _Near(said)
    addresses = _Near([each.span() for each in _ADDRESS.finditer(text)])
    for found in _RUN.finditer(text):
        value, start, end = trimmed(text, *found.span())
        announced = near.within(start, end, _AROUND) and not addresses.within(start, end, 0)
        if announced and looks_made_up(value) and not is_called_otherwise(text, start):
            yield start, end
    near = _Near(said)
    for found in _PAIR.finditer(text):
        value, start, end = trimmed(text, *found.span("value"))
        if near.within(start, end, _AROUND // 2) and _mixes_three(value) and not names.THING.fullmatch(value):
            yield start, end
    named = _Near([each.span() for each in names.NAME.finditer(text)])
    for found in _TYPED.finditer(text):
        value, start, end = trimmed(text, *found.span("value"))
        if named.within(start, end, _AROUND // 2) and is_mixed(value, SecretKind.PASSWORD, how="near"):
            yield start, end


class _Near:
    """Places in the order of the text, looked up by going on with the text."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans, self._at = sorted(spans), 0

    def within(self, start: int, end: int, distance: int) -> bool:
        """Return whether one of the places is so near; what is asked for next stands further on."""
        while self._at < len(self._spans) and self._spans[self._at][1] + distance < start:
            self._at += 1
        return self._at < len(self._spans) and self._spans[self._at][0] - distance <= end


def _mixes_three(value: str) -> bool:
    """Return whether a word has three of capitals, small letters, digits and signs."""
    kinds = (str.isupper, str.islower, str.isdigit, lambda each: not each.isalnum())
    return sum(any(kind(each) for each in value) for kind in kinds) >= 3


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
