"""Secrets out of what people say: by shape, by check digits, and by the words around them, English and Chinese.

A scanner, not one expression: each name of a secret ("password", "PIN", "密码") is looked at with what stands around it
("is", ":", "changed to", "是"), and what stands there is judged: "is hunter2" is a secret, "is wrong" says something
about one. All expressions look a bounded way ahead, so that the time is linear in the text.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

from storage.redaction import names
from storage.redaction.keys import key_spans
from storage.redaction.made_up import made_up_spans
from storage.redaction.names import SecretKind
from storage.redaction.numbers import Span, number_spans
from storage.redaction.options import column_spans, option_spans
from storage.redaction.sentences import sentence_spans
from storage.redaction.stored import MARK, redact, without_shapes
from storage.redaction.told import told_spans
from storage.redaction.values import find_value, is_mixed, is_number, is_word, trimmed

#: "My password? x", "Here is my password. It's x".
_NEXT = re.compile(
    r"(?:[ \t]{0,2}(?:[.?!,](?=\s)|[。？！，]))?(?:\s{1,3}|(?<=[。？！，]))"
    r"(?P<said>(?i:(?:it|that|this|mine|here|there)(?:['’]s|[ ]is|[ ]goes)(?:[ ]it)?)[ \t:]{0,3}"
    r"|(?:就是|它是|是)[ \t:：]{0,2})?"
)
#: "The wifi is Guest and the key is x", "SSID: Guest / Key: x".
_WIRELESS = re.compile(r"(?i:\b(?:wi-?fi|wlan|ssid|hotspot|wireless)\b|无线|热点)[^\n]{0,80}?(?P<key>(?i:\bkey\b))")
#: "The old one is x": a secret whose name was said before.
_ANOTHER = re.compile(
    r"(?i:\b(?:old|new|usual|actual|real|right|correct|current|other|previous|last|latest|second|first)[ ]one\b)"
    r"|[旧新老]的|另一个"
)
#: "Changed the password from x to y", "把密码从x改成y".
_FROM_TO = re.compile(
    r"(?i:[ ]from|从)[ ]{0,2}(?P<old>[\x21-\x7e\u00c0-\u024f]{4,64})[ ]{0,2}(?:(?i:(?:in)?to)[ ]{1,2}|[改换]?成[ ]?)"
    r"(?P<new>[\x21-\x7e\u00c0-\u024f]{4,64})"
)
#: "60 71 22" before "as my PIN".
_GROUPS_BEFORE = re.compile(r"(?<![0-9A-Za-z.:-])[0-9]{2,4}(?:[ -][0-9]{2,4}){1,5}$")
#: "The passcode of the iPad? It was x", a question that names one and is answered.
_ANSWERED = re.compile(
    r"[^.!?。！？\n]{1,60}[?？]\s{0,2}(?:(?i:(?:it|that|this|mine)(?:['’]s|[ ]is|[ ]was))[ ]{1,2}|(?:就是|它是|是)[ ]?)"
)
#: A word, or two, after which nothing more is said: "The pw hasn't changed: x".
_LONE = re.compile(r"[ ]?(?P<value>[a-z]{6,24}|[A-Za-z]{3,16}-[A-Za-z]{3,16})(?=[ ]?(?:[.;\n–—]|$))")
#: How far a secret may stand from its name, in characters.
_FAR = 80
#: One more code of a list of recovery codes.
_ALSO = re.compile(
    r"(?:[ \t]{0,3}(?:[,;、，/|&]|(?i:and|or)(?=\s)|和)?\s{1,4}(?:\d{1,2}[.)][ ]|[-*•][ ])?"
    r"|[ \t]{0,2}[,;、，/|][ \t]{0,2})"
    r"(?P<value>(?=[A-Za-z-]{0,12}[0-9])[A-Za-z0-9]{3,16}(?:-[A-Za-z0-9]{2,16}){0,5})(?![A-Za-z0-9])"
)
#: "It was x or y", "ada's password is x, ben's: y".
_OR = re.compile(
    r"(?:[,，]?[ ]{0,2}(?:(?i:or)[ ]{1,2}|或者?是?[ ]?)"
    r"|[ ]{0,2}(?:[;,；，|]|//?)\s{0,2}(?i:and[ ])?(?!(?i:user|login|account|name|id|mail|e-?mail|ticket|room|phone"
    r"|ref|url"
    r"|host|server|port|device|site|ip|link)s?\b|用户|[账帐]|房|工号|电话)[\w]{1,20}(?:(?:['’]s"
    r"|的)[ ]{0,2}(?:(?i:is[ ])|[:：是])"
    r"|[:：])[ ]?)(?P<value>(?=[^\s0-9]{0,40}[0-9])[\x21-\x7e]{4,40})(?!\w)"
)
_MOST_CODES = 32
#: "ada:x@db.example.com", and what stands before a colon and an address of mail, too.
_AT_HOST = re.compile(
    r"(?<![A-Za-z0-9_@/.+-])(?P<user>[A-Za-z][A-Za-z0-9_.+-]{0,63}):(?P<value>[^\s/:]{1,64})@"
    r"(?=[A-Za-z0-9][A-Za-z0-9.-]{1,100})"
)
_CONNECTS = re.compile(
    r"(?i:\b(?:pass\w*|log ?in|connect\w*|db|database|ssh|s?ftp|smtp|imap|mongo\w*|redis|postgres\w*|mysql|curl"
    r"|wget|string"
    r"|refused|denied|time[sd]?[ -]?out|authenticat\w*)\b)|密码|连不上|连接|登"
)
_LABELS = frozenset(
    [
        "mail",
        "email",
        "e-mail",
        "mailto",
        "cc",
        "bcc",
        "to",
        "from",
        "contact",
        "sip",
        "xmpp",
        "reply-to",
        "sender",
        "user",
        "account",
        "owner",
        "requester",
        "by",
        "name",
        "author",
        "approver",
        "manager",
        "recipient",
    ]
)
_ROOTS = frozenset("root admin administrator sa postgres mysql oracle guest deploy".split())  # noqa: SIM905
#: Names that are words in other places, too.
_ALSO_WORDS = frozenset("pass pin tan secret secrets login logins sign-in token tokens seed code codes".split())  # noqa: SIM905


#: A text with secrets is looked through until nothing more is found, so often at most.
_MOST_LOOKS = 5


#: Characters of what is looked through beside the event loop: the worst of 8,000 take half a second.
LONG = 1_500


async def redact_beside(text: str) -> str:
    """Return the same as `redact_said`, and hold up nobody else meanwhile."""
    return redact_said(text) if len(text) <= LONG else await asyncio.to_thread(redact_said, text)


# What is said in the browser goes into the transcript and into the inbox: it is looked through once.
@lru_cache(maxsize=16)
def redact_said(text: str) -> str:
    """Return what a person said with every secret that is recognised replaced by a mark.

    A mark in place of one may show what its name stood beside, so that what was changed is looked through again.
    """
    for _ in range(_MOST_LOOKS):
        once = _redacted(text)
        if once == text:
            break
        text = once
    return text


def _redacted(text: str) -> str:
    text = without_shapes(text)
    found = [
        *number_spans(text),
        *key_spans(text),
        *option_spans(text),
        *column_spans(text),
        *_at_hosts(text),
        *_wireless(text),
        *_named(text),
    ]
    found += [*told_spans(text), *made_up_spans(text), *sentence_spans(text)]
    return redact(_marked(text, found))


def _marked(text: str, spans: Iterable[Span]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            parts += [text[done:start], MARK]
        done = max(done, end)
    return "".join((*parts, text[done:]))


def _named(text: str) -> Iterator[Span]:
    """Yield the secrets that their names announce."""
    found = list(names.NAME.finditer(text))
    for number, name in enumerate(found):
        if name["password"]:
            yield from _another(text, name.end(), name.end() + _FAR)
            yield from _from_to(text, name.end())
        before = text[max(0, name.start() - 12) : name.start()]
        if name[0].lower() in _ALSO_WORDS and names.OTHER_BEFORE.search(before):
            continue
        if names.OTHER_AFTER.match(text, name.end()):
            continue
        until = next((each.start() for each in found[number + 1 : number + 3] if not each["login"]), len(text))
        after, before_it = _after(text, name, until=until), _before(text, name)
        if before_it is not None:
            yield before_it
        if after is not None:
            yield after
            yield from _more(text, after[1], _OR if name["password"] else _ALSO)


def _wireless(text: str) -> Iterator[Span]:
    """Yield the keys of wireless networks, which may be words."""
    for found in _WIRELESS.finditer(text):
        said = names.SIGN.match(text, found.end()) or names.IS.match(text, found.end())
        near = None if said else names.NEAR.match(text, found.end())
        at = said or near
        key = find_value(text, at.end(), kind=SecretKind.PASSWORD, how="sign" if said else "near") if at else None
        if key:
            yield key


def _another(text: str, at: int, until: int) -> Iterator[Span]:
    """Yield the secrets that are told of as another one of what was named before."""
    for found in _ANOTHER.finditer(text, at, until):
        said = names.SIGN.match(text, found.end()) or names.IS.match(text, found.end())
        value = find_value(text, said.end(), kind=SecretKind.PASSWORD, how="is") if said else None
        if value:
            yield value


def _from_to(text: str, at: int) -> Iterator[Span]:
    """Yield both secrets of a change: where one of them is no word, the other may be; two numbers are, too."""
    about = names.OTHER_AFTER.match(text, at)
    for found in _FROM_TO.finditer(text, at, at + _FAR):
        sides = [trimmed(text, *found.span(side)) for side in ("old", "new")]
        mixed = any(is_mixed(value, SecretKind.PASSWORD, how="near") for value, _, _ in sides)
        if mixed or (not about and all(is_number(value, SecretKind.PASSWORD, how="near") for value, _, _ in sides)):
            yield from ((start, end) for _, start, end in sides)


def _after(text: str, name: re.Match[str], *, until: int) -> Span | None:
    """Return where the secret stands after its name; the next name begins at `until`."""
    kind, end = _kind_of(name), name.end()
    before = text[max(0, name.start() - 70) : name.start()]
    sign = None if before.endswith("/") else names.SIGN.match(text, end)  # not after the end of an element
    if sign:
        return find_value(text, sign.end(), kind=kind, how="sign")
    changed = names.TO.match(text, end) if names.CHANGED.search(before) else None
    if changed:
        return find_value(text, changed.end(), kind=kind, how="sign")
    said = names.IS.match(text, end)
    if said:
        return find_value(text, said.end(), kind=kind, how="is")
    return _near(text, end, kind=kind, before=before) or _further(text, end, until, kind=kind)


def _near(text: str, end: int, *, kind: SecretKind, before: str) -> Span | None:
    """Return where the secret stands beside its name: "password x", "user ada password x"."""
    near = names.NEAR.match(text, end)
    announced = names.ACCOUNT_BEFORE.search(before) or (end and not text[end - 1].isascii())
    how: Literal["is", "near"] = "is" if announced else "near"
    return find_value(text, near.end(), kind=kind, how=how) if near else None


def _further(text: str, end: int, until: int, *, kind: SecretKind) -> Span | None:
    """Return where the secret stands some words further: "the password for the VPN is x", "My password? x"."""
    since = end
    while far := names.FAR.match(text, since, min(until, end + _FAR)):
        if kind is SecretKind.KEY and "(" in far["sign"]:
            return None
        belongs = "," not in far["sign"] and names.BELONGS.match(text, end)
        found = find_value(text, far.end(), kind=kind, how="is" if belongs else "far")
        lone = _LONE.match(text, far.end()) if ":" in far["sign"] or "：" in far["sign"] else None
        if found is None and lone and kind is SecretKind.PASSWORD and is_word(lone["value"], "sign"):
            found = lone.span("value")
        if found:
            return found
        since = far.end()
    following, answered = _NEXT.match(text, end), _ANSWERED.match(text, end)
    how: Literal["far", "next"] = "far" if following and following["said"] else "next"
    found = find_value(text, following.end(), kind=kind, how=how) if following else None
    return found or (find_value(text, answered.end(), kind=kind, how="far") if answered else None)


def _before(text: str, name: re.Match[str]) -> Span | None:
    """Return where the secret stands in "x is my password", "use x as the PIN", "用x做密码"."""
    kind, start = _kind_of(name), name.start()
    since = max(0, start - 60)
    window = text[since:start]
    if not names.LINKS.search(window):
        return None
    link = names.BEFORE_CHINESE.search(window) or names.BEFORE.search(window)
    word = names.LAST_WORD.search(text[max(0, since + link.start() - 64) : since + link.start()]) if link else None
    if link is None or word is None:
        return None
    if link[0].lstrip()[:1] in ("(", "（") and text[name.end() : name.end() + 1] not in (")", "）"):
        return None  # "laptop12 (password forgotten)"
    end = since + link.start()
    value, begin, end = trimmed(text, end - len(word[0]), end)
    groups = _GROUPS_BEFORE.search(window, 0, end - since) if kind is SecretKind.CODE else None
    if groups:
        return since + groups.start(), end
    if is_mixed(value, kind, how="near") or is_number(value, kind, how="near"):
        return begin, end
    own = (
        (names.OF.match(text, name.end()) and names.ALONE.search(text[max(0, begin - 4) : begin]))
        or not link[0].isascii()
        or (link[0].lower().endswith(("my ", "our ")) and names.ALONE.search(text[max(0, begin - 4) : begin]))
    )
    told = (own or names.TAKEN.search(text[max(0, begin - 12) : begin])) and "这个" not in link[0]
    return (begin, end) if told and kind is SecretKind.PASSWORD and is_word(value, "sign") else None


def _more(text: str, at: int, link: re.Pattern[str]) -> Iterator[Span]:
    """Yield the further codes of a list, or what a password was otherwise."""
    for _ in range(_MOST_CODES):
        also = link.match(text, at)
        if also is None or names.UNITS.match(text, also.end("value")) or names.THING.fullmatch(also["value"]):
            return
        yield also.span("value")
        at = also.end("value")


def _at_hosts(text: str) -> Iterator[Span]:
    """Yield the passwords of `user:password@host`, where no scheme stands before it."""
    for found in _AT_HOST.finditer(text):
        user, value = found["user"].lower(), found["value"]
        told = not value.isalpha() or user in _ROOTS or _CONNECTS.search(text)
        if user not in _LABELS and told and not names.PLACEHOLDER.fullmatch(value):
            yield found.span("value")


def _kind_of(name: re.Match[str]) -> SecretKind:
    return SecretKind(name.lastgroup)
