"""Whether what stands at a place can be the secret that was announced there, and how far it goes."""

import re
from typing import Literal

from storage.redaction import names
from storage.redaction.names import SecretKind
from storage.redaction.numbers import Span
from storage.redaction.stored import MARK

#: How a value is told: after a sign, after "is" or "changed to", beside the name, further on, in the next sentence.
How = Literal["sign", "is", "near", "far", "next"]
_BESIDE = frozenset({"near", "far", "next"})

#: Letters of a plain word, at least, and digits of a number, at least, that can be a secret of a kind.
_LEAST_LETTERS = {SecretKind.PASSWORD: 4, SecretKind.CODE: 5, SecretKind.KEY: 6, SecretKind.LOGIN: 99}
_LEAST_DIGITS = {SecretKind.PASSWORD: 4, SecretKind.CODE: 3, SecretKind.KEY: 4, SecretKind.LOGIN: 99}
_LEAST_DIGITS_BESIDE = {SecretKind.PASSWORD: 4, SecretKind.CODE: 3, SecretKind.KEY: 6, SecretKind.LOGIN: 99}

_QUOTED = re.compile(
    r"""[("“”'‘`「『《（*]{1,3}(?P<value>[^"“”'‘’`「」『』《》（）\n]{1,100}?)"""
    r"""(?:["“”'’`」』》）]|\*{2,3})(?![A-Za-z0-9])"""
)
#: What is written without a space; Chinese characters and punctuation end it, and so does the next assignment.
_RUN = re.compile(r"[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…]{1,400}")
_CUT = re.compile(r"[,;&](?=[A-Za-z_]{2,20}=)|</|\|\|")
_OPENING, _CLOSING = "(\"'`[*_~|{", ".,;:!?)]}>\"'`*_~|"
_GROUPS = re.compile(
    r"[A-Z0-9]{2,8}(?:[ -][A-Z0-9]{2,8}){1,15}(?![A-Za-z0-9])|[0-9a-z]{4}(?:[ -][0-9a-z]{4}){2,15}(?!\w)"
)
#: How a lock with a dial is opened, left and right in turn.
_TURNS = re.compile(r"(?:[左右](?:[一二两三四五六]圈)?[转到至]{0,2}[ ]?[0-9]{1,3}[，,、 ]{0,2}){2,6}")
#: Words in a row, up to where the sentence goes on about something else.
_GOES_ON = r"(?:and|but|so|because|which|or|please|yet|then)\b"
_SENTENCE = re.compile(
    rf"[a-z]{{2,14}}(?:[ ](?!{_GOES_ON})[a-z]{{2,14}}){{3,23}}(?:(?=[ ]{_GOES_ON})|(?![ ]?[A-Za-z0-9]))"
)
#: What may follow a plain word that is the secret: the end of what was said of it.
_ENDS = re.compile(
    r"""["'”’)\]*_`]{0,3}(?:[.,;:!?)\n]|\s{0,3}$|[ \t]{1,3}(?i:and|but|please|pls|so|or|if|can|could|because|thanks"""
    r"""|thank|which|though|then|before|until|till|und|-|–|—|\(|[a-z_-]{2,20}[=:])"""
    r"""|[ \t]{0,2}[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef])"""
)
_ACCOUNT = re.compile(
    r"(?P<user>[A-Za-z0-9._@\\+-]{1,64})[ \t]{0,2}"
    r"(?:[/|,;、，:]|(?i:and|with|pass(?:word)?)(?=[ \t])|和)[ \t]{0,2}(?=[\x21-\x7e])"
)
_TIME = re.compile(r"[ ](?i:yesterday|today|tonight|last|this|earlier|just[ ]now)\b")
#: "strawberry_fields", "Pumpkin.Spice": no sentence goes on so.
_JOINED = re.compile(r"[^\W\d][_.][^\W\d]")
_PATH = re.compile(r"/|\\\\|[A-Za-z]:\\")
_WRITTEN_OTHERWISE = re.compile(r"[=(){}<>\[\]\"`]|\.[a-z]{2,4}$")  # of programs, and files
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,15}://|[^\s@]{1,64}@[a-z0-9-]{1,60}\.|[^\s/\\]{0,60}[/\\]", re.IGNORECASE)
_SPELLED = re.compile(r"[^\W\d_]+(?:['’/.,_-][^\W\d_]+)*")
#: How names of things are made: a word, or words with hyphens, and a number behind.
_NUMBERED = re.compile(r"[^\W\d_]+(?:[-_.][^\W_]+)*[-_.]?[0-9]{1,4}")
#: Things that have numbers: no password is made of them, or it is as good as none.
NUMBERED_THINGS = frozenset(
    """
    admin android ap api app area backup ball base bay berth bios block bolt box branch bridge build building cam camera
    cart case cell chapter chrome class client code computer crane db deck depot desk desktop dev device dock edge
    error firefox fleet floor folder form gate group hall host hub inc ios ipad iphone item job kiosk lab lane laptop
    level lift line linux locker mac macbook machine meter mobile model module monitor net nginx node nodejs notebook
    office order outlook page panel part pc phone pier plant point port postgres printer prod pump python rack reader
    rechner release req robot room router samsung scale scanner sector sensor server session sheet shelf shift shop
    site slot srv ssh sso svc stage staging station step stock store switch system table tablet team teams terminal test
    thinkpad ticket tool track truck type ubuntu unit user van vehicle ver version vlan vm ward web wifi win windows
    wlan workstation zone drucker
    """.split()  # noqa: SIM905 - a hundred words read better as a text
)


def find_value(text: str, at: int, *, kind: SecretKind, how: How) -> Span | None:
    """Return where the secret stands that begins at a place; None where what stands there is none."""
    if kind is SecretKind.LOGIN:
        return _after_account(text, at, how=how)
    quoted = _QUOTED.match(text, at)
    if quoted and quoted["value"].strip():
        value, start, end = trimmed(text, quoted.start("value"), quoted.end("value"))
        plain = kind is SecretKind.PASSWORD and (is_word(value, how) or (" " in value and how in ("sign", "is")))
        return (start, end) if plain or _is_secret(text, start, end, kind=kind, how=how) else None
    several = _several(text, at, kind=kind, how=how)
    run = None if several else _RUN.match(text, at)
    if run is None:
        return several
    cut = _CUT.search(run[0])
    _, start, end = trimmed(text, at, at + cut.start() if cut else run.end())
    return (start, end) if _is_secret(text, start, end, kind=kind, how=how) else None


def trimmed(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return a value without the marks around it, and where it stands."""
    while start < end and text[start] in _OPENING:
        start += 1
    while end > start and text[end - 1] in _CLOSING:
        end -= 1
    return text[start:end], start, end


def is_word(value: str, how: How) -> bool:
    """Return whether a value of letters alone, or of words that are joined by signs, can be a secret."""
    parts = re.split(r"[-_.'’]", value)
    least = 1 if len(parts) == 1 else 2 if how == "sign" or "_" in value or "." in value else 3
    says_something = value.lower() in names.SAYS_SOMETHING
    return not says_something and len(parts) >= least and all(map(names.is_plain_secret, parts))


def is_number(value: str, kind: SecretKind, *, how: How) -> bool:
    """Return whether a value of digits alone is long enough for what was announced."""
    least = (_LEAST_DIGITS_BESIDE if how in _BESIDE or (how == "sign" and kind is SecretKind.KEY) else _LEAST_DIGITS)[
        kind
    ]
    return value.isdecimal() and least <= len(value) <= 40


def is_mixed(value: str, kind: SecretKind, *, how: How) -> bool:
    """Return whether a value is no word and no number, and nothing else that stands in such a place."""
    beside = how in _BESIDE
    if (
        value.isdecimal()
        or any(each.fullmatch(value) for each in (names.THING, names.PLACEHOLDER))
        or _PATH.match(value)
    ):
        return False
    if _SPELLED.fullmatch(value):  # words: only two that are written as one
        return re.search(r"[a-z][A-Z]", value) is not None and "/" not in value and not beside and len(value) >= 6
    letters, digits = any(each.isalpha() for each in value), any(each.isdigit() for each in value)
    match kind:
        case SecretKind.CODE:
            return digits and len(value) >= (6 if beside and letters else 4)
        case SecretKind.KEY:
            return digits and len(value) >= (8 if beside else 6)
        case SecretKind.PASSWORD | SecretKind.LOGIN:
            return (letters or digits) and len(value) >= (5 if beside else 4)


def is_made(value: str) -> bool:
    """Return whether letters and digits are mixed, in what is no address, no date and no thing of another kind."""
    digits, letters = any(each.isdigit() for each in value), any(each.isalpha() for each in value)
    mixed = digits and letters and len(value) >= 6 and is_mixed(value, SecretKind.PASSWORD, how="near")
    return mixed and not _ADDRESS.match(value) and not _WRITTEN_OTHERWISE.search(value)


def is_numbered(value: str) -> bool:
    """Return whether a word is made as names of things are: words, and a number behind."""
    return _NUMBERED.fullmatch(value) is not None


def is_numbered_thing(value: str) -> bool:
    """Return whether a word is made of what names things that have numbers: "laptop12"."""
    return not NUMBERED_THINGS.isdisjoint(re.split(r"[\W\d_]+", value.lower()))


def mixes_three(value: str) -> bool:
    """Return whether a word has three of capitals, small letters, digits and signs."""
    kinds = (str.isupper, str.islower, str.isdigit, lambda each: not each.isalnum())
    return sum(any(kind(each) for each in value) for kind in kinds) >= 3


def _after_account(text: str, at: int, *, how: How) -> Span | None:
    """Return where the password stands in "ada / x"; written without a space between them, both go."""
    account = _ACCOUNT.match(text, at)
    if account is None or how in ("far", "next"):
        return None
    found = find_value(text, account.end(), kind=SecretKind.PASSWORD, how="near" if how == "near" else "sign")
    return found and (found[0] if " " in account[0] else at, found[1])


def _several(text: str, at: int, *, kind: SecretKind, how: How) -> Span | None:
    """Return where a secret of several parts stands: groups of digits, a sentence to remember, a Chinese one."""
    turns = _TURNS.match(text, at)
    if turns:
        return turns.span()
    groups = _GROUPS.match(text, at) if kind is not SecretKind.PASSWORD or text[at : at + 1].isdigit() else None
    if groups and how != "next" and any(each.isdigit() for each in groups[0]):
        digits = re.sub("[ -]", "", groups[0])
        if not digits.isdigit() or (4 <= len(digits) <= 12 and not names.UNITS.match(text, groups.end())):
            return groups.span()
    if how not in ("sign", "is") or kind not in (SecretKind.PASSWORD, SecretKind.KEY):
        return None
    sentence = _SENTENCE.match(text, at)
    words = sentence[0].split() if sentence else []
    if sentence and sum(each in names.SAYS_SOMETHING or len(each) < 3 for each in words) <= max(1, len(words) // 4):
        return sentence.span()
    chinese = names.CHINESE_WORD.match(text, at)
    return chinese.span() if chinese and not names.SAYS_SOMETHING_CHINESE.search(chinese[0]) else None


def _is_secret(text: str, start: int, end: int, *, kind: SecretKind, how: How) -> bool:
    value = text[start:end]
    place = any(names.PLACEHOLDER.fullmatch(each) for each in (value, text[max(0, start - 1) : end + 1]))
    inside = how != "sign" and text[max(0, start - 1) : start] in ("{", "[", "<")
    if not value or place or inside or text.startswith(MARK[:-1], max(0, start - 1)):
        return False
    ends = _ENDS.match(text, end) is not None
    if is_number(value, kind, how=how):
        return (ends or how != "next") and not names.UNITS.match(text, end)
    if is_word(value, how):
        told = ends or _JOINED.search(value) or (how == "sign" and _TIME.match(text, end))
        return bool(told) and how in ("sign", "is") and len(value) >= _LEAST_LETTERS[kind]
    return (ends or how != "next") and is_mixed(value, kind, how=how)
