"""Secrets that a link announces, where no name of one stands beside them: "log in as ada with x", "root / x".

A grammar of rows: what links (a pattern with the value in it), what the value must be made of, and what must be spoken
of near it. A new way to say a secret is a row here, or a word in `names.py`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storage.redaction import names
from storage.redaction.names import SecretKind
from storage.redaction.numbers import Span
from storage.redaction.values import is_made, is_mixed, is_number, is_numbered_thing, is_word, mixes_three, trimmed

#: What is said of signing in, beside the names of secrets.
SIGNING_IN = re.compile(
    r"(?i:\b(?:log(?:s|ged|ging)?[ -]?(?:in|on|into)|sign(?:s|ed|ing)?[ -]?(?:in|on|into)|log(?:in|on)s?|unlock\w*"
    r"|locked|accounts?|wi-?fi|wlan|ssid|hotspot|bios|authenticat\w+|credentials?|intranet|vpn|ssh|permission denied"
    r"|phish\w*"
    r"|let(?:s|ting)?[ ](?:me|us|him|her|them|you)[ ](?:back[ ])?in(?:to)?"
    r"|(?:can['’]?t|cannot|unable to)[ ]get[ ](?:back[ ])?in(?:to)?|keeps?[ ](?:saying|asking|rejecting)"
    r"|(?:is|was|gets?|got)[ ](?:rejected|refused|denied|not[ ]accepted))\b)"
    r"|登[录陆]|登不[上进]|进不去|[账帐][号户]|解锁|内网|无线|热点|提示(?:错误|不对)|(?:系统|电脑"
    r"|它)[说显]示?(?:不对|错误|不正确)"
)
_SPOKEN = re.compile(rf"{names.NAME.pattern}|{SIGNING_IN.pattern}", re.IGNORECASE)
_ACCOUNT = re.compile(rf"{_SPOKEN.pattern}|\buser\b|用户", re.IGNORECASE)
_REFUSED = re.compile(
    r"(?i:\b(?:account|log(?:ged|ging)?[ -]?(?:in|on)|login|let[ ]me[ ]in|get[ ]in|locked|reset|denied|rejected)\b)"
)
_ANY = r"(?P<value>[\x21-\x7e\u00c0-\u024f]{4,64})"
_DIGITS = r"(?P<value>[0-9]{3,8}[A-Z#*]?|[0-9]{1,4}(?:[ -][0-9]{1,4}){1,3})(?![A-Za-z0-9_:/%-]|[.,][0-9])"
#: What staff make of the time of the year: "Sommer2031!".
_SEASON = (
    r"(?i:spring|summer|autumn|fall|winter|fr(?:ü|ue)hling|sommer|herbst|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|januar|februar|m(?:ä|ae)rz|mai|juni|juli|oktober|dezember)"
    r"[-_.]?(?:19|20)[0-9]{2}[!?.$#*]{0,3}"
)


#: How words end that say what something is like.
_QUALITY = re.compile(r"(?i:ed|ing|ly|ous|ful|less|[ai]ble|ive|ish|nt|al|ic|er|est)$")


@dataclass(frozen=True)
class _Link:
    """One way to announce a value; `near` must stand within so many characters of it."""

    pattern: re.Pattern[str]
    holds: Callable[[str], bool]
    near: re.Pattern[str] | None = None
    within: int = 80
    unless: re.Pattern[str] | None = None  # what may not stand in the text


def _is_password(value: str) -> bool:
    return is_mixed(value, SecretKind.PASSWORD, how="near") and not is_numbered_thing(value)


def _made(value: str) -> bool:
    return is_made(value) and not is_numbered_thing(value)


def _opens(value: str) -> bool:
    return is_number(value, SecretKind.CODE, how="near") or _is_password(value)


def _pairs(value: str) -> bool:
    return mixes_three(value) and not names.THING.fullmatch(value)


def _pairs_password(value: str) -> bool:
    return _is_password(value) and _pairs(value)


def _are_words(value: str) -> bool:
    """Return whether words in a row say nothing about a passphrase, and so are one."""
    words = re.split("[ -]", value)
    said = [word in names.SAYS_SOMETHING or word.endswith(("ed", "ing")) for word in words]
    return not said[0] and said.count(True) <= len(words) // 3


def _are_quoted(value: str) -> bool:
    """Return whether quoted words are a passphrase, and no message of a program: "wrong password or user name"."""
    words = value.split(" ")
    return sum(word in names.SAYS_SOMETHING or word.endswith("ed") for word in words) <= len(words) // 3


def _is_said(value: str) -> bool:
    """Return whether what somebody said is a password, if only a word."""
    return is_word(value, "is") or _is_password(value) or (value.isdecimal() and len(value) >= 4)


def _is_named(value: str) -> bool:
    """Return whether what "it is" is a password, and nothing that is said of one: "it's ridiculous"."""
    return _is_said(value) and not _QUALITY.search(value)


def _any_digit(value: str) -> bool:
    return any(each.isdigit() for each in value)


def _any(_value: str) -> bool:
    return True


_LINKS = (
    # "is x a good password?", "he asked for my password and I said x"
    _Link(
        re.compile(
            r"(?i:\bis)[ ][\"“'‘]?(?P<value>[\x21-\x7e\u00c0-\u024f]{4,48})[ ](?i:an?|really|still|too|strong|safe"
            r"|secure|ok(?:ay)?|good)\b"
            r"[^.!?\n]{0,30}?(?i:\b(?:password|passphrase|pin|passcode|pw)\b)(?![ -](?i:manager|policy|app|store"
            r"|vault))"
        ),
        _is_said,
    ),
    _Link(
        re.compile(
            r"(?i:\bpass(?:word|phrase|code)\b[^.!?\n]{0,60}?\b(?:i|and|we)[ ](?:just[ ])?(?:said|told[ ](?:him|her"
            r"|them)|replied|answered"
            r"|say|typed?|enter(?:ed)?|gave[ ](?:him|her|it"
            r"|them)))[ :,]{1,2}[\"“'‘]?(?P<value>[\x21-\x7e\u00c0-\u024f]{4,48})(?=[\"”'’]?[ ]?(?:[.!?\n]|$))"
        ),
        _is_said,
    ),
    # "she can log in with x"
    _Link(
        re.compile(
            r"(?i:\b(?:log(?:s|ged|ging)?|sign(?:s|ed|ing)?|g[eo]t(?:s|ting)?)[ -]?(?:back[ ])?(?:in|on"
            r"|into)(?:(?:[ ]to)?(?:[ ][\w-]{1,20}){1,4})?"
            r"[ ](?:with|using|by[ ]typing))[ ]{1,2}[\"“'‘]?" + _ANY
        ),
        _pairs_password,
    ),
    # "use x to sign in"
    _Link(
        re.compile(r"(?i:\bus(?:e|ed|ing))[ ]" + _ANY + r"(?=[ ](?i:to[ ](?:log|sign)[ -]?(?:in|on)))"), _pairs_password
    ),
    # "I keep typing x as my password", "user ada, then x for the password", "I got x as temporary password"
    _Link(
        re.compile(
            r"(?i:\b(?:typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?|put|got|given|then))[ ][\"“'‘]?"
            + _ANY
            + r"[ ](?i:(?:as|for)"
            r"[ ](?:(?:an?|the|my|our|his|her|their)[ ])?(?:(?:new|old|temp(?:orary)?|initial|first|default)[ ])?"
            r"(?:pass(?:word|phrase|code)|pwd?)\b(?![ -](?:manager|policy|app|store|vault|reset|field|box|hint)))"
        ),
        _is_said,
    ),
    # "the pass for the VPN was changed, it's x now"
    _Link(
        re.compile(
            r"(?i:\bpass(?:word|phrase|code)?\b(?![ -](?:polic|rule|manager|box|field))[^.!?\n]{0,50}?"
            r"\b(?:changed|reset|new)\b[^.!?\n]{0,20}?[,;:–-][ ]"
            r"(?:now[ ])?(?:it['’]?s|it[ ]is)(?:[ ]now)?)[ ][\"“'‘]?"
            + _ANY
            + r"(?=[\"”'’]?(?:[ ]now\b|[ ]?(?:[.!?,\n]|$)))"
        ),
        _is_named,
    ),
    # "数据库的密码我设的x"
    _Link(
        re.compile(
            r"(?:密[码碼]|口令)[^。！？，,：:\n\x21-\x7e]{0,6}?(?:设|改|换|定)(?:的是?|成了?|为|了)[ ]?[“\"'‘]?"
            + _ANY
            + r"(?![A-Za-z0-9])"
        ),
        _is_said,
    ),
    # "服务器root/x登不进去"
    _Link(
        re.compile(
            r"(?<![\w/.@:-])(?i:root|admin|administrator)[ ]?[/:][ ]?(?P<value>[\x21-\x2e\x30-\x7e]{4,48})(?=[登进连])"
        ),
        _is_said,
    ),
    # Of "the same as before, x"
    _Link(
        re.compile(
            r"(?i:\b(?:the[ ]same|unchanged|as[ ](?:before|always|usual))\b)[^.!?,:\n]{0,30}[,:][ ]{1,2}" + _ANY
        ),
        _is_password,
        names.NAME,
        60,
    ),
    # "log in as ada with x", "ssh ada@srv then x", "it opens with x"
    _Link(
        re.compile(
            r"(?i:\b(?:log(?:ged|ging)?|sign(?:ed|ing)?|connect(?:ed|ing)?)[ -]?(?:in|on|into)?\b[^.\n]{0,30}?"
            r"\bas[ ]\S{1,64}[ ](?:with|using|and|/|:)"
            r"|\bssh[ ][^\n]{1,40}?[ ](?:with|using|then)|\b[a-z][a-z0-9_-]{0,30}@[0-9a-z.-]{1,60}[ ](?:with|using)"
            r"|\blet(?:s|ting)?[ ](?:me|us|him|her|them|you)[ ](?:back[ ])?in(?:to)?(?:[ ]it)?[ ](?:with|using)"
            r"|\b(?:log(?:ged|ging)?|sign(?:ed|ing)?)[ -]?(?:in|on)[ ](?:with|using)[ ][a-z][\w.-]{1,40}(?:[ ]?[/,"
            r"|]|[ ]and)"
            r"|\b(?:unlock|decrypt|open)(?:s|ed)?[ ](?:\w{1,20}[ ]){0,4}(?:with|using))[ ]{1,2}" + _ANY
        ),
        _opens,
    ),
    # "the alarm panel takes x", "code to disarm x", "道闸输x"
    _Link(
        re.compile(
            rf"(?i:\b(?:keypad|padlock|lock[ ]?box|alarm[ ]panel|safe)\b[^.!?,:\n]{{0,30}}:"
            rf"|\b(?:{names.LOCKS})(?:[ ]is|\b[^.!?,\n]{{0,40}}?\b(?:takes|wants|accepts|needs|use|is[ ]on))|"
            r"\b(?:disarm|unlock)(?:s|ed)?(?:[ ](?:it|the[ ]\w{1,20}))?(?:[ ](?:with|is|by))?)[ :]{1,2}"
            rf"(?:the[ ]code[ ])?{_DIGITS}"
        ),
        _any,
    ),
    _Link(
        re.compile(
            rf"(?:{names.LOCKS_CHINESE})[^。！？，,\n]{{0,16}}?(?:[输按]入?|是|[:：]"
            rf"|用(?=[0-9]{{3,8}}[打开进解]))[ ]?{_DIGITS}"
        ),
        _any,
    ),
    _Link(re.compile(rf"[输按]入?[ ]?{_DIGITS}"), _any, re.compile("解锁|开锁|撤防|进后台")),
    # "punch in x at the gate", "to get into the garage press x", "set the lock of the case to x"
    _Link(
        re.compile(rf"(?i:\b(?:punch|press|key|tap|dial)(?:ed|ing)?(?:[ ]in)?)[ ]{_DIGITS}"),
        _any,
        re.compile(rf"(?i:\b(?:{names.LOCKS}))"),
    ),
    _Link(
        re.compile(
            rf"(?i:\b(?:re)?set[ ](?:\w{{1,20}}[ ]){{1,4}}?(?:{names.LOCKS})\b(?:[ ]\w{{1,20}}){{0,6}}?[ ]to)[ ]"
            + _DIGITS
        ),
        _any,
    ),
    # The turns of a lock: "保险柜：左32右18", "the padlock: left 12, right 4"
    _Link(
        re.compile(
            r"(?P<value>(?:[左右](?:[一二两三四五六]圈)?[转到至]{0,2}[ ]?[0-9]{1,3}[，,、 ]{0,2}){2,6}"
            r"|(?:(?i:left|right)[ ](?:(?i:to)[ ])?[0-9]{1,2}[, ]{1,2}(?:(?i:then|and)[ ])?){1,5}(?i:left"
            r"|right)[ ](?:to[ ])?[0-9]{1,2})"
        ),
        _any,
        re.compile(rf"(?i:\b(?:{names.LOCKS}|safe|vault|combination)\b)|{names.LOCKS_CHINESE}"),
    ),
    # "the safe? 11-28-40 doesn't open it"
    _Link(
        re.compile(
            r"(?i:(?<!on)(?<!by)(?<!until)(?<!since)(?<!from)(?<!of))[ ]"
            r"(?P<value>[0-9]{1,2}(?:-[0-9]{1,2}){2})(?![\w-])"
        ),
        _any,
        re.compile(r"(?i:\b(?:safe|vault|combination|padlock|locker)\b)"),
        60,
    ),
    # "the key is four digits, x"
    _Link(
        re.compile(
            r"(?i:\b(?:[3-8]|three|four|five|six|eight)[ -]digits?)(?:[ ](?:code|pin|number))?[,:(]{1,2}[ ]?" + _DIGITS
        ),
        _any,
    ),
    # "the code they gave visitors today is x"
    _Link(
        re.compile(rf"{names.CODE_WORD}[^.!?,:\n]{{0,50}}?[ ](?:(?i:is|was|be)|=)[ ]{{1,2}}{_DIGITS}"),
        _any,
        unless=re.compile(
            r"(?i:\b(?:errors?|faults?|status|warnings?|display|screen|logs?|exceptions?|crash\w*|exit|fail(?:s|ed"
            r"|ure)?|blink\w*"
            r"|cost|post(?:al|code)?|area|country)\b)"
        ),
    ),
    # "guest network FJORD, use x to connect", "WiFi之前一直用x"
    _Link(
        re.compile(
            r"(?:(?i:\b(?:us(?:e|es|ed|ing)|is|was|be|with|now))[ ]{1,2}|[用是成为：]"
            r"|:[ ]?)(?P<value>[a-z]{4,24}[-_]?[0-9]{2,6}[!?*#.]?)(?![\w-])"
        ),
        _made,
        re.compile(r"(?i:\b(?:wi-?fi|wlan|ssid|hotspot|(?:guest|wireless)[ ]network)\b)|无线|热点|(?i:wifi)"),
    ),
    # "the wifi wants a key, the card says x"
    _Link(
        re.compile(
            r"(?i:\b(?:card|sticker|label|note|leaflet|paper|box|back)[ ](?:says|reads|shows))[ :]{1,2}[\"“]?" + _ANY
        ),
        _made,
        re.compile(r"(?i:\b(?:wi-?fi|wlan|password|passphrase|passcode|pin)\b)"),
    ),
    # "the admin account uses x everywhere"
    _Link(re.compile(r"(?i:\baccounts?\b[^.!?\n]{0,30}?[ ](?:uses|used|has))[ ]{1,2}[\"“]?" + _ANY), _pairs_password),
    # "the password is her birthday, x"
    _Link(
        re.compile(
            r"(?i:\b(?:birth(?:day|[ ]?date|[ ]year)|date of birth|anniversary|(?:licen[cs]e|number)[ ]plate)\b"
            r"[^.!?\n0-9]{0,12}?[,:(= ][ ]?|(?:生日|纪念日"
            r"|车牌)[^。\n0-9A-Z]{0,6})(?P<value>[A-Z0-9][A-Za-z0-9.-]{3,11})(?![A-Za-z0-9-])"
        ),
        _any_digit,
        names.NAME,
    ),
    # "password for the invoice? x doesn't open it"
    _Link(
        re.compile(
            r"[?？]\s{1,2}(?P<value>[\x21-\x7e]{5,64})(?=[ ](?:(?i:doesn|does[ ]not|didn|won|fails|works|is[ ]wrong)))"
        ),
        _made,
        names.NAME,
        60,
    ),
    # Of "sort code 20-00-00 account x"
    _Link(
        re.compile(
            r"(?i:\b(?:sort[ ]code|routing(?:[ ]n\w+)?|bsb|blz)\b[^\n]{0,30}?\b(?:account|acct?|a/c"
            r"|konto)\b[^\n0-9]{0,12})"
            r"(?P<value>[0-9]{6,12})(?![0-9-])"
        ),
        _any,
    ),
    # "the passphrase for the wifi is four candles"
    _Link(
        re.compile(
            r"(?i:\bp[a@4]ss[ -]?phrases?\b(?:(?:[ ](?:for|of|to|on)(?:[ ][\w-]{1,20}){1,3}){0,2}(?:,?[ ](?:is|was"
            r"|it['’]?s|it[ ]is)[ ]|[ ]?[:=][ ]?)))"
            r"(?P<value>[a-z]{3,14}(?:[ -][a-z]{3,14}){1,5})(?![A-Za-z0-9])"
        ),
        _are_words,
    ),
    _Link(
        re.compile(r"(?i:\bp[a@4]ss[ -]?phrases?)[ ](?P<value>[a-z]{3,14}(?:[ -][a-z]{3,14}){2,5})(?![ ]?[A-Za-z0-9])"),
        _are_words,
    ),
    _Link(
        re.compile(
            r"(?i:\b(?:p[a@4]ss[ -]?(?:phrase|word)|pw|wi-?fi[ ]key)s?\b[^.!?\n\"“]{0,40})[\"“]"
            r"(?P<value>[a-z]{2,14}(?:[ -][a-z]{2,14}){2,7})[\"”]"
        ),
        _are_quoted,
    ),
    # "user ada / x", "账号 ada / x"
    _Link(
        re.compile(
            r"(?:(?i:\b(?:user(?:name)?|login|account)[ :]{1,2})|(?:用户名?|[账帐]号|系统|后台)[ :：]{0,2})"
            r"[A-Za-z][\w.-]{1,40}(?:[ ]?/[ ]?|,?[ ]then[ ])(?P<value>[\x21-\x2e\x30-\x7e]{5,64})"
        ),
        _is_password,
    ),
    # Of "root/x", "admin:x", "admin and x"
    _Link(
        re.compile(
            r"(?i:(?<![A-Za-z0-9_/.@:-])(?:root|admin|administrator|sysadmin|sa|sys|system|ubuntu|pi|cisco|ubnt))"
            r"(?:[ ]?(?:(?i:account|user)|[账帐][号户]|用户))?"
            r"(?:[ ]?[/:][ ]?|[ ](?:and|then)[ ])"
            r"(?P<value>[^\s/:\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]{4,64})(?![/:A-Za-z0-9_])"
        ),
        _is_password,
    ),
    # Of "my login is ada@firm.example and x", "user unknown: a.lovelace, x", "amex …, code x"
    _Link(
        re.compile(
            r"(?:[^\s@,;]{1,64}@[a-z0-9-]{1,60}\.[a-z0-9.-]{1,60}(?:,|[ ](?:and|with|then)|[ ]/)[ ]"
            r"|(?<![\w.])[a-z]{1,20}[._][a-z]{1,20}[,，][ ]?)" + _ANY
        ),
        _made,
        _ACCOUNT,
    ),
    _Link(
        re.compile(r"(?i:\bcode)[ :]{1,2}(?P<value>[0-9]{3,4})(?![\w-])"),
        _any,
        re.compile(r"(?i:\b(?:amex|visa|mastercard|credit card|exp)\b)"),
        60,
    ),
    # Of "ada:x", "ada // x"
    _Link(
        re.compile(
            r"(?<![\w/.@:-])[A-Za-z][\w.-]{1,40}(?::|[ ]//?[ ])(?P<value>[^\s/:@]{6,64})(?![/:@\w])",
        ),
        _pairs_password,
        _SPOKEN,
    ),
    # "I enter x and it comes back", where only signing in is spoken of; what is used may be a thing
    _Link(
        re.compile(
            r"(?:(?i:\b(?:put(?:ting)?[ ]in|typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?)[ ]{1,2}[(\"'“‘]?)"
            r"|(?:[输填打]入?(?:了|的是)|用)[ ]?)(?P<value>[\x21-\x7e\u00c0-\u024f]{6,64})"
        ),
        _is_password,
        _SPOKEN,
    ),
    # "I typed x", "it is still the default x", "输入x", where a secret's name stands in the same sentence
    _Link(
        re.compile(
            r"(?:(?i:\b(?:put(?:ting)?[ ]in|using|typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?|g[ai]ve(?:s|n)?[ ](?:it"
            r"|them|me|in)"
            r"|tr(?:y|ied|ies)|used?|uses|whether|(?:log|sign)(?:ged|ed|ging|ing|s)?[ -]?(?:in|on)[ ]with|default"
            r"|temp(?:orary)?)[ ]{1,2}[(\"'“‘]?)|(?:[输填打]入?(?:了|的是)?|还是默认的?|默认的|临时的?|用)[ ]?)"
            r"(?P<value>[\x21-\x7e\u00c0-\u024f]{5,64})"
        ),
        _is_password,
        names.NAME,
    ),
    # Of "changed it from x to y", "从x改成y", both are one, where signing in is spoken of
    _Link(
        re.compile(
            r"(?:(?i:\bfrom[ ]{1,2})|从[ ]?)(?P<value>[\x21-\x7e\u00c0-\u024f]{6,64})"
            r"(?=[ ]?(?:(?i:(?:in)?to[ ])|[改换]?成))"
        ),
        _pairs,
        _SPOKEN,
        120,
    ),
    _Link(
        re.compile(
            r"(?:(?i:\bfrom[ ]{1,2})|从[ ]?)[\x21-\x7e\u00c0-\u024f]{6,64}[ ]?(?:(?i:(?:in)?to[ ]{1,2})|[改换]?成[ ]?)"
            r"(?P<value>[\x21-\x7e\u00c0-\u024f]{6,64})"
        ),
        _pairs,
        _SPOKEN,
        120,
    ),
    # "The code is 889 211": six digits in a row count nothing else
    _Link(
        re.compile(
            r"(?i:\b(?:the|my|your|this|it)[ ]code(?:[ ](?:is|was|reads))?:?[ ]{1,2})"
            r"(?P<value>[0-9]{3}[ -]?[0-9]{3})(?![\w-])"
        ),
        _any,
    ),
    # "I changed it from Season2031 to Season2032": no thing is named so
    _Link(re.compile(rf"(?i:\bfrom[ ]{{1,2}})(?P<value>{_SEASON})(?=[ ](?i:(?:in)?to[ ]))"), _any),
    _Link(re.compile(rf"(?i:\bfrom[ ]{{1,2}})\S{{6,64}}[ ](?i:(?:in)?to[ ]{{1,2}})(?P<value>{_SEASON})(?!\w)"), _any),
    # "x <- that's what I type": enough without the name of a secret
    _Link(
        re.compile(
            r"(?<!\S)(?P<value>[\x21-\x7e\u00c0-\u024f]{5,48})[ ]{1,2}(?:<-+|←|<=)?[ ]?"
            r"(?i:(?:that|this)(?:['’]?s|[ ]is)[ ]what"
            r"[ ](?:i|we|he|she|they)(?:['’]m)?[ ](?:type|typed|enter|entered|use|used|put|typing|entering|using)\b)"
        ),
        _made,
    ),
    # "they said to use x, doesn't let me in": enough beside signing in
    _Link(
        re.compile(
            r"(?i:\b(?:said|told[ ](?:me|us)|asked[ ](?:me|us))[ ](?:to[ ])?(?:use|try|enter|type"
            r"|take)[ ]{1,2}[\"'“‘(]?)"
            r"(?P<value>[\x21-\x7e\u00c0-\u024f]{5,48})"
        ),
        _made,
        _REFUSED,
        120,
    ),
    # Of "I use the same as everywhere, x", "跟别的网站用同一个:x"
    _Link(
        re.compile(
            r"(?:(?i:\bus(?:e|es|ed|ing)[ ]the[ ]same\b)|用的?(?:都是)?(?:同一个"
            r"|一样的))[^.!?。！？,，:：\n]{0,40}[,，:：][ ]?"
            r"(?P<value>[\x21-\x7e\u00c0-\u024f]{5,48})"
        ),
        _made,
        _SPOKEN,
    ),
)


def told_spans(text: str) -> Iterator[Span]:
    """Yield the values that a link announces."""
    for link in _LINKS:
        near = Near([each.span() for each in link.near.finditer(text)]) if link.near else None
        if link.unless and link.unless.search(text):
            continue
        for found in link.pattern.finditer(text):
            value, start, end = trimmed(text, *found.span("value"))
            spoken = near is None or near.within(start, end, link.within)
            if spoken and link.holds(value) and not names.UNITS.match(text, end):
                yield start, end


class Near:
    """Places in the order of the text, looked up by going on with the text."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans, self._at = sorted(spans), 0

    def within(self, start: int, end: int, distance: int) -> bool:
        """Return whether one of the places is so near; what is asked for next stands further on."""
        while self._at < len(self._spans) and self._spans[self._at][1] + distance < start:
            self._at += 1
        return self._at < len(self._spans) and self._spans[self._at][0] - distance <= end
