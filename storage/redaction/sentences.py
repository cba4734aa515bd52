"""Secrets in a sentence that names one: what stands there and is neither word nor number of anything else.

"The gate asks for a pin, I put 3907 and it beeps" links nothing to its name. Where a sentence speaks of a code, its
lone numbers are codes, unless they are called otherwise or counted; where it speaks of a password, what mixes letters
and digits is one, unless it is made as names of things are (laptop12): then only what somebody puts in, uses, changes.
"""

import re
from collections.abc import Iterator
from functools import partial

from storage.redaction import names
from storage.redaction.numbers import Span, is_called_otherwise
from storage.redaction.values import NUMBERED_THINGS, is_made, is_numbered, is_numbered_thing, trimmed

#: How far a sentence is followed from the name of a secret, in characters.
_FAR = 120
_ENDS = re.compile(r"[.!?;](?=\s|$)|[。！？；\n]")
#: A code is said in the sentence after its name, too: "It wants a host pin. 3907 doesn't work."
_NEXT = re.compile(r"[.!?;][ ]{1,2}|[。！？；]")
#: "They texted me 274905 but the code is expired": what is sent or shown by an app is no other code.
_SENT = re.compile(
    r"(?i:\b(?:text(?:ed|s)?|sms|keypad|authenticator|passcode|one[ -]time)\b[^.!?\n]{0,70}\bcodes?\b"
    r"|\bcodes?\b[^.!?\n]{0,70}\b(?:texted|text(?:[ ]message)?|sms|authenticator|expired|to log ?in|to sign ?in)\b"
    rf"|{names.CODE_WORD}[^.!?\n]{{0,40}}\b(?:opens?|unlocks?|disarms?|lets?[ ])"
    rf"|\b(?:{names.LOCKS}|key[ ]safe|shed|cellar|till)\b[^.!?\n]{{0,40}}{names.CODE_WORD}"
    rf"|\b(?:phoned|called|rang|caller|scam\w*|phish\w*|stranger)\b[^.!?\n]{{0,70}}{names.CODE_WORD}"
    r"|\b(?:wants?|asks?[ ](?:me[ ])?for|needs?|requires?|enter(?:ed)?|typed?)[ ]"
    r"(?:a|an|the|my|your|this|that)[ ]codes?\b)|短信[^。！？\n]{0,12}码"
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,:/#+-])(?P<value>[0-9]{4,8}|[0-9]{2,4}(?:[ -][0-9]{2,4}){1,3}"
    r"|(?=[A-Z0-9-]{0,20}[0-9])[A-Z0-9]{2,5}(?:-[A-Z0-9]{2,5}){2,4})(?![A-Za-z0-9_:/%-]|[.,][0-9])"
)
#: What a number is of, before it: no code.
_NUMBERED = re.compile(
    r"(?i:\b(?:room|floor|building|hall|gate|berth|bay|dock|desk|ext(?:ension)?|errors?|line|port|page|section|version"
    r"|no|nr|number|employee|staff|badge|personnel|postal|post|zip|cost|country|area|article|order|model|type|phone"
    r"|call|ring|tel|dial|mobile|fax|since|until|till|by|year|anno|event|status|http|id|code[ ]is)[ .:#]{1,3})$"
    r"|\b(?i:of|for|on|at)[ ](?!the\b|my\b|our\b|this\b)[A-Za-z]{2,12}[ ]{1,3}$"
    r"|(?:工号|房间?|楼|号|邮编|错误|代码|电话|手机|分机|端口|年|版本|编号|第|拨|打)(?:码|代码)?[是为:： ]{0,2}$"
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
#: What is written without a space, of letters and digits at least.
_RUN = re.compile(r"[^\s,;\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…]{5,48}")
#: Tags in capitals.
_TAG = re.compile(r"[A-Z0-9]{1,8}(?:[-_.&+][A-Z0-9]{1,8})*[a-z]?")
#: What names something before it: "for athena07", "user lena77", "on the server b-21".
_NAMING = re.compile(
    r"(?:(?i:\b(?:for|on|of|at|in|into|to|onto|via|by|the|a|an|this|that|our|called|named|with|and|or|than|like"
    r"|user(?:[ ]?name)?"
    r"|account|login|server|host|machine|device|laptop|computer|printer|room|network|ssid"
    r"|is[ ]called|user[ ]is|id))[ :]{1,2}"
    r"|(?:在|到|的|叫|是台|用户名?|[账帐][号户]|工号|电脑|服务器|打印机|设备|房间|网络|和|与)[ :：是]{0,2})$"
)
#: Before what is put in, used or changed: "I put x", "changed from x", "一直用的x", "改成x".
_PUT = re.compile(
    r"(?:(?i:\b(?:put(?:ting)?(?:[ ]in)?|typ(?:e|es|ed|ing)(?:[ ]in)?|enter(?:s|ed|ing)?|us(?:e|es|ed|ing)"
    r"|tr(?:y|ied|ying)|g[ai]ve(?:[ ](?:it|them|me|him|her))?|got|wrote|chang(?:e|ed)[ ](?:from|to)|set[ ](?:it[ ])?to"
    r"|wrong[ ]with|accepts?|takes?|if|(?:old|new|usual|same|original|default|temporary)[ ](?:one|password))|,)"
    r"[ ]{1,2}[(\"'“‘]?|(?:[用输填打写]入?[了的]?[ ]?|那个|就是|明明是|从|把|成了?|设了?)[是]?[ ]?[“「\"']?)$"
)
#: "What's wrong with x?"
_QUESTIONED = re.compile(r"(?i:wrong[ ]with|refuse[sd]?|rejects?)[ ]")
#: "I typed 4711 and it says wrong password".
_TYPED = re.compile(
    r"(?:(?i:\b(?:typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?|put)(?:[ ]in)?[ ]{1,2}[(\"'“‘]?)|[输填]入?了?的?是?)$"
)
#: "Changed the password of the mailbox to x".
_TO = re.compile(
    r"(?i:\b(?:chang|set|reset|updat)(?:e|es|ed|ing|ting)?\b[^.!?\n]{0,80}?"
    r"(?<!according)(?<!due)(?<!prior)(?<!up)[ ]to[ ]{1,2}(?=\S{0,40}[0-9]))"
)
#: After it: "is x strong enough", "if x works", "x这个密码", "x <- that's what I type".
_PUT_AFTER = re.compile(
    r"[\"'”’)]?(?:[ ]{1,2}(?i:(?:(?:is[ ])?(?:really[ ]|still[ ])?(?:strong|secure|safe|good|weak|complex|valid|correct"
    r"|right|wrong)\b|works?\b|isn['’]?t[ ]it\b)|(?:<?-+|←|->)?[ ]?(?:that['’]?s|which[ ]is|is)[ ](?:what|the[ ]one)\b)"
    r"|[?？]|这个|改[掉成为了]|[进登]不|不[对行]|也不)"
)
#: A word of letters that is put in as a password that was named before; what follows does not make it a thing's name.
_WORD = re.compile(
    r"(?:(?i:\b(?:i|we|he|she|they|you)[ ](?:always[ ]|just[ ]|then[ ])?(?:put|typed?|entered|enter)(?:[ ]in)?[ ]{1,2}"
    r"|(?<=\bpw)[ ]{1,2}|(?<=\bpwd)[ ]{1,2}|(?<=my password),[ ]{1,2}"
    r"|password[ ]{1,2}(?:was[ ])?changed[ ]from[ ]{1,2})"
    r"|[输填打]入?[了的]?(?:的是)?|一直用的是?|(?:原来|以前)那个|(?<=密码)从)[“\"'‘]?"
    r"(?P<value>[A-Za-z\u00c0-\u024f]{6,40})(?![\w-]|[“”\"'’]?[ ]?(?:的|密码|账|帐|邮箱|系统|password|account|as\b))"
)


def sentence_spans(text: str) -> Iterator[Span]:
    """Yield the secrets of sentences that speak of one. What stands around several names is looked at once."""
    codes = [_around(text, *sent.span(), further=True) for sent in _SENT.finditer(text)]
    passwords, mentions, before, words = [list[Span]() for _ in range(4)]
    for found, about in _spoken_of(text):
        begin, end = _around(text, found.start(), found.end(), further=found["code"] is not None)
        if found["password"]:
            (mentions if about else passwords).append((begin, end))
            before.append((max(0, begin - _FAR), begin))
            words += [] if about else [(found.start(), end)]
        elif not about:
            codes.append((begin, end))
    for look, spans in (
        (_codes, codes),
        (_passwords, passwords),
        (partial(_passwords, sure=True), mentions),
        (_questioned, before),
        (_words, words),
    ):
        for begin, end in _merged(spans):
            yield from look(text, begin, end)


def _spoken_of(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the names of passwords and codes, and whether each belongs to another word: "password box", "密码错误"."""
    for found in names.NAME.finditer(text):
        other = names.OTHER_BEFORE.search(text, max(0, found.start() - 12), found.start())
        if not other and (found["password"] or found["code"]):
            yield found, names.OTHER_AFTER.match(text, found.end()) is not None


def _merged(spans: list[Span]) -> Iterator[Span]:
    """Yield what the spans cover, each place once."""
    begin = end = -1
    for start, stop in sorted(spans):
        if start > end:
            if end > begin:
                yield begin, end
            begin, end = start, stop
        end = max(end, stop)
    if end > begin:
        yield begin, end


def _around(text: str, start: int, end: int, *, further: bool = False) -> Span:
    """Return where the sentence around a place begins and ends; with the one after it when it ends there."""
    since, until = max(0, start - _FAR), min(len(text), end + _FAR)
    begin = max((each.end() for each in _ENDS.finditer(text, since, start)), default=since)
    ended = _ENDS.search(text, end, until)
    asked = ended and ended[0] in "?？"
    if further and ended and (asked or ended.start() == end) and _NEXT.match(text, ended.start()):
        ended = _ENDS.search(text, ended.end(), until)
    return begin, ended.start() if ended else until


def _codes(text: str, begin: int, end: int) -> Iterator[Span]:
    for found in _NUMBER.finditer(text, begin, end):
        before = text[max(0, found.start() - 24) : found.start()]
        called = _NUMBERED.search(before) or is_called_otherwise(text, found.start())
        year = _YEAR.fullmatch(found["value"]) and before.lower().endswith(("in ", "of ", " 在", "since "))
        thing = names.THING.fullmatch(found["value"])
        if not (called or year or thing) and not names.UNITS.match(text, found.end()):
            yield found.span("value")


def _names(value: str, before: str) -> bool:
    """Return whether a word with a number behind names a thing, by what it is made of or by what stands before it."""
    called = NUMBERED_THINGS.isdisjoint(before.lower().split()[-1:])
    return is_numbered_thing(value) or not called or _NAMING.search(before) is not None


def _passwords(text: str, begin: int, end: int, *, sure: bool = False) -> Iterator[Span]:
    """Yield what is made as passwords are; `sure`: only what is put in, used or changed."""
    for typed in _NUMBER.finditer(text, begin, end):
        if _TYPED.search(text[max(0, typed.start() - 24) : typed.start()]):
            yield typed.span("value")
    changed_to = next((each.end() for each in _TO.finditer(text, begin, end)), -1)
    for found in _RUN.finditer(text, begin, end):
        value, start, stop = trimmed(text, *found.span())
        if not is_made(value) or is_called_otherwise(text, start):
            continue
        before = text[max(0, start - 24) : start]
        put = found.start() == changed_to or _PUT.search(before) or _PUT_AFTER.match(text, stop)
        if put or not (sure or _TAG.fullmatch(value) or (is_numbered(value) and _names(value, before))):
            yield start, stop


def _questioned(text: str, begin: int, end: int) -> Iterator[Span]:
    """Yield what a sentence before puts in question: "What's wrong with x? It is my password."."""
    for put in _QUESTIONED.finditer(text, begin, end):
        run = _RUN.match(text, put.end())
        value, start, stop = trimmed(text, *run.span()) if run else ("", 0, 0)
        if is_made(value):
            yield start, stop


def _words(text: str, begin: int, end: int) -> Iterator[Span]:
    for found in _WORD.finditer(text, begin, end):
        if names.is_plain_secret(found["value"]):
            yield found.span("value")
