"""Keys that nothing announces: seeds of one-time codes, and what only a generator writes."""

import itertools
import re
from collections.abc import Iterator

from storage.redaction.numbers import Span, is_called_otherwise

#: Seeds of one-time codes: base 32 in capitals.
_SEED = re.compile(r"(?<![A-Za-z0-9/_-])[A-Z2-7]{16,64}={0,6}(?![A-Za-z0-9=/_-])")
_SEED_LENGTHS = frozenset({16, 24, 26, 32, 52, 56, 64})
#: What is written without a space and belongs to no address.
_RUN = re.compile(r"(?<![A-Za-z0-9+/_.-])[A-Za-z0-9+/_.-]{16,255}={0,2}(?![A-Za-z0-9+/=_@-])")
_IN_ADDRESS = re.compile(r"(?:://|@)[^\s\"'<>]{0,280}$")
_PART = re.compile(r"[A-Za-z0-9+/]{16,255}|[A-Za-z0-9_-]{16,255}")
#: The share of neighbours that differ in kind (capital, small letter, digit): 0.62 where letters and digits are drawn
#: by lot, 0.44 for small letters and digits, below 0.3 in names that people make.
_DRAWN, _DRAWN_SMALL = 0.4, 0.3
_LEAST_DRAWN, _LEAST_SMALL, _LEAST_ALONE, _LEAST_HEX = 20, 32, 40, 16
#: How often letters and digits take turns, at least; `OrderServiceImpl2Test` has two. A secret access key of Amazon has
#: no other shape than its length.
_LEAST_TURNS, _AMAZON_LENGTH = 3, 40
#: What people call a key; then one of small letters and digits, as digests are written too, is one.
_CALLED_KEY = re.compile(
    r"(?i:(?<![a-z])(?:(?:api[ _-]?)?(?:keys?|tokens?|secrets?)|unauthori[sz]ed|rotate|revoke|credentials?)"
    r"(?![a-z]))|凭证|密钥|秘钥|令牌|密码|口令"
)
_AROUND = 60


def key_spans(text: str) -> Iterator[Span]:
    """Yield where keys stand that are known by how they were drawn."""
    for found in _SEED.finditer(text):
        if _looks_like_seed(found[0].rstrip("=")) and not is_called_otherwise(text, found.start()):
            yield found.span()
    for found in _RUN.finditer(text):
        if is_called_otherwise(text, found.start()) or _IN_ADDRESS.search(text, found.start() - 300, found.start()):
            continue
        around = text[max(0, found.start() - _AROUND) : found.start()] + " " + text[found.end() : found.end() + _AROUND]
        if looks_drawn(found[0], as_key=_CALLED_KEY.search(around) is not None):
            yield found.start(), found.end() - len(found[0]) + len(found[0].rstrip("."))


def looks_drawn(run: str, *, as_key: bool = False) -> bool:
    """Return whether a part of what was written without a space is drawn by lot; as a key, one as short as a digest."""
    return any(_is_drawn(each[0], prefixed=each.start() > 0, as_key=as_key) for each in _PART.finditer(run))


def _is_drawn(part: str, *, prefixed: bool, as_key: bool) -> bool:
    kinds = ["A" if each.isupper() else "a" if each.islower() else "0" if each.isdigit() else "" for each in part]
    pairs = [(one, other) for one, other in itertools.pairwise(kinds) if one and other]
    drawn = sum(one != other for one, other in pairs) / max(1, len(pairs))
    small, capital, digits = (kinds.count(kind) for kind in "aA0")
    turns = sum((one == "0") != (other == "0") for one, other in pairs)
    if min(small, capital) >= 2 and digits >= 1:
        many = turns >= _LEAST_TURNS or len(part) == _AMAZON_LENGTH
        return len(part) >= _LEAST_DRAWN and drawn >= _DRAWN and many
    if digits < 4 or max(small, capital) < 4 or drawn < _DRAWN_SMALL:
        return False
    if as_key or _is_hex(part):
        return as_key and len(part) >= _LEAST_HEX
    return len(part) >= (_LEAST_SMALL if prefixed else _LEAST_ALONE)


def _is_hex(part: str) -> bool:
    return all(each in "0123456789abcdefABCDEF" for each in part)


def _looks_like_seed(key: str) -> bool:
    digits = sum(each.isdigit() for each in key)
    return len(key) in _SEED_LENGTHS and digits >= 2 and len(key) - digits >= 8
