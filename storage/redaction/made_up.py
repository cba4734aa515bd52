"""Passwords that are known by how they are made, in a message that speaks of signing in.

"I always log in with Kx7!pond" announces nothing by name. What people make up for a password mixes capitals, small
letters, digits and signs as no name of a thing does; what mixes less is one where it was typed, entered or given.
"""

import itertools
import re
from collections.abc import Iterable, Iterator

from storage.redaction import names
from storage.redaction.names import SecretKind
from storage.redaction.numbers import Span, is_called_otherwise
from storage.redaction.values import is_mixed, trimmed

#: What is said of signing in, beside the names of secrets.
_SIGNING_IN = re.compile(
    r"(?i:\b(?:log(?:s|ged|ging)?[ -]?(?:in|on|into)|sign(?:s|ed|ing)?[ -]?(?:in|on|into)|log(?:in|on)s?|unlock\w*"
    r"|locked|accounts?|wi-?fi|wlan|ssid|hotspot|bios|authenticat\w+|credentials?|intranet|vpn|ssh|permission denied"
    r"|(?:can['’]?t|cannot|unable to)[ ]get[ ](?:back[ ])?in(?:to)?|keeps?[ ](?:saying|asking|rejecting)"
    r"|(?:is|was|gets?|got)[ ](?:rejected|refused|denied|not[ ]accepted))\b)"
    r"|登[录陆]|登不[上进]|进不去|[账帐][号户]|解锁|无线|热点|提示(?:错误|不对)|(?:系统|电脑|它)[说显]示?(?:不对|错误|不正确)"
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
#: The shortest password that is known by itself; and with a sign between letters and digits, not of a numbered thing.
_LEAST_ALONE = 8
_SIGN_INSIDE = re.compile(
    r"(?=[^A-Z]{0,47}[A-Z])(?=[^a-z]{0,47}[a-z])(?=[^0-9]{0,47}[0-9])[A-Za-z0-9]{1,40}[!$#%^&*?~@][^\s]{1,40}"
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
#: "I enter x and it comes back", where only signing in is spoken of; what is used may be a thing.
_ENTERED = re.compile(
    r"(?:(?i:\b(?:put(?:ting)?[ ]in|typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?)[ ]{1,2}[(\"'“‘]?)|[输填打]入?(?:了|的是)|用)"
    r"(?P<value>[\x21-\x7e\u00c0-\u024f]{6,64})"
)
#: "user ada / x", "账号 ada / x".
_ACCOUNT = re.compile(
    r"(?:(?i:\b(?:user(?:name)?|login|account)[ :]{1,2})|(?:用户名?|[账帐]号|系统|后台)[ :：]{0,2})"
    r"[A-Za-z][\w.-]{1,40}[ ]?/[ ]?"
    r"(?P<value>[\x21-\x2e\x30-\x7e]{5,64})"
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
    yield from _mixed(text, _ROOT.finditer(text))
    yield from _mixed(text, _ACCOUNT.finditer(text))
    said = [each.span() for each in itertools.chain(names.NAME.finditer(text), _SIGNING_IN.finditer(text))]
    yield from _looking_made_up(text, said)
    if not said:
        return
    near = _Near(said)
    for found in _PAIR.finditer(text):
        value, start, end = trimmed(text, *found.span("value"))
        if near.within(start, end, _AROUND // 2) and _mixes_three(value) and not names.THING.fullmatch(value):
            yield start, end
    yield from _mixed(text, _ENTERED.finditer(text), _Near(said))
    yield from _mixed(text, _TYPED.finditer(text), _Near([each.span() for each in names.NAME.finditer(text)]))


def _mixed(text: str, found: Iterable[re.Match[str]], near: "_Near | None" = None) -> Iterator[Span]:
    """Yield the values that are no words, of what was found; only beside what was said, where that is given."""
    for each in found:
        value, start, end = trimmed(text, *each.span("value"))
        announced = near is None or near.within(start, end, _AROUND // 2)
        if announced and is_mixed(value, SecretKind.PASSWORD, how="near"):
            yield start, end


def _looking_made_up(text: str, said: list[Span]) -> Iterator[Span]:
    """Yield what looks like a password beside what was said, and what can be nothing else anywhere."""
    near, addresses = _Near(said), _Near([each.span() for each in _ADDRESS.finditer(text)])
    for found in _RUN.finditer(text):
        value, start, end = trimmed(text, *found.span())
        announced = near.within(start, end, _AROUND)
        if addresses.within(start, end, 0) or is_called_otherwise(text, start):
            continue
        if looks_made_up(value) and (announced or _is_password(value)):
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


def _is_password(value: str) -> bool:
    """Return whether a word has capitals, small letters, digits and, between them, a sign: nothing is named so."""
    return len(value) >= _LEAST_ALONE and _mixes_three(value) and bool(_SIGN_INSIDE.fullmatch(value))


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
