"""What is corrected in a draft: the wrong words give way in title and fields, and stay legible in the description."""

import re
from collections.abc import Mapping

from features.tickets.understanding.drafts import Correction
from features.tickets.understanding.extract import PLACES
from language.scripts import is_chinese
from tickets.ticket import Draft

#: Numbers of rooms, tables and floors; no error code, no time of day.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_:.-])(?<!err )(?<!error )(?<!code )(?<!错误)"
    r"[A-Za-z]?\d{1,5}[A-Za-z]?(?![A-Za-z0-9_:]|\.\d|[点月日年](?!房|楼))"
)
#: What a thing is called at the beginning of a title, before what is said of it.
_SAYS = r"(?:in|at|on|near|from|by|of|is|are|was|has|keeps|shows|says|makes|needs|won'?t|doesn'?t|isn'?t|can'?t)\b"
_NAMES = rf"(?!{_SAYS}|no\b)[\w-]{{1,30}}+"
_THING = re.compile(rf"(?:(?:the|my|our|an?) )?(?P<it>{_NAMES}(?: {_NAMES}){{0,2}}) (?={_SAYS})", re.IGNORECASE)
#: A word that belongs to the name behind it: "tumble dryer".
_BEFORE = (
    r"(?:(?!(?:the|an?|my|our|this|that|in|on|at|of|by|is|are|for|to|from|with|near|and|room|no|first|second|third|other|"
    r"same|left|right)\b)[a-z-]{3,} )?"
)
_LEAST_SHARED = 2


def corrected(draft: Draft, said: Correction) -> Mapping[str, str] | None:
    """Return what changes in a draft: title, description, fields; None where nothing in it is meant."""
    wrong = said.old or _wrong(draft, said.new)
    if _NUMBER.fullmatch(said.new):  # "not room 12 but 14"
        wrong = _number(wrong) or wrong
    whole = draft.title if _found(draft.title, wrong, said.new) else draft.description
    found = _found(whole, wrong, said.new) if wrong else None
    if found is None:
        return None
    old, new = found.group(), _number(said.new) if _NUMBER.fullmatch(found.group()) else said.new
    mark = f"{new}（原写：{old}）" if is_chinese(draft.description) else f"{new} (first written: {old})"
    changes = {"title": _swapped(draft.title, old, new), "description": _swapped(draft.description, old, mark)}
    for name, value in draft.fields.items():
        if value and (_place(value, old) or (not _NUMBER.fullmatch(old) and _place(old, value))):
            changes[name] = _swapped(value, old, new) if _place(value, old) else new
    kept = {"title": draft.title, "description": draft.description, **draft.fields}
    return {name: value for name, value in changes.items() if value != kept[name]}


def _wrong(draft: Draft, new: str) -> str:
    """Return what a value stands in place of: a number of a number, a thing of a thing; "" where that is unclear."""
    if number := _number(new):
        if numbered := _numbered_alike(draft.title, new, number):
            return numbered
        told = [each.group() for each in _NUMBER.finditer(draft.title)]
        alike = [each for each in told if len(each) == len(number)] or told
        return alike[0] if len(set(alike)) == 1 else ""
    if _IS_PLACE.search(new):
        return _place_told(draft)
    if pair := _alike(draft.title, new):
        return pair
    device = next((draft.fields[name] for name in ("device", "equipment", "asset") if draft.fields.get(name)), "")
    if device and _place(draft.title, device):
        return device
    thing = _THING.match(draft.title)
    named = thing["it"].strip() if thing else ""
    return named if new.isascii() else _shared(draft.title, new)


#: What ends as the name of a place does.
_IS_PLACE = re.compile(
    r"(?:室|厅|楼|层|库|间|院|房|区|台|门口)$"
    r"|\b(?:room|floor|hall|lab|ward|office|kitchen|reception|corridor|workshop|canteen|foyer|lobby|basement)$",
    re.IGNORECASE,
)
#: Letters at the end of two words that make them a pair: nearside and offside, upstairs and downstairs.
_PAIRED = 4


def _place_told(draft: Draft) -> str:
    """Return the place of a draft that its title names; "" for none."""
    told = (draft.fields.get(name, "") for name in PLACES)
    return next((each for each in told if each and _place(draft.title, each)), "")


def _alike(title: str, new: str) -> str:
    """Return the word of a title that makes a pair with a word: "nearside" of "offside"; "" for none or several."""
    pairs = {each for each in re.findall(r"[A-Za-z]+", title) if _are_pair(each.lower(), new.lower())}
    return pairs.pop() if len(pairs) == 1 else ""


def _are_pair(one: str, other: str) -> bool:
    long = other.isascii() and other.isalpha() and min(len(one), len(other)) > _PAIRED
    return long and one != other and one[-_PAIRED:] == other[-_PAIRED:] and not other.endswith(_ENDINGS)


#: What many words end with.
_ENDINGS = ("tion", "ment", "ness", "able", "ible", "ting", "ning", "king", "ring", "ling", "ding", "sing", "ally")


def _numbered_alike(title: str, new: str, number: str) -> str:
    """Return the thing of a title that bears another number than "cam 4" gives it: "Cam 3" of "Cam 3 on pen 8"."""
    before, _, after = new.partition(number)
    if not (before.strip() or after.strip()):
        return ""
    found = re.findall(rf"{re.escape(before)}\d{{1,6}}{re.escape(after)}", title, re.IGNORECASE)
    return found[0] if len(set(found)) == 1 else ""


def _shared(title: str, new: str) -> str:
    """Return the beginning that a value shares with what stands in a title: 大堂 of 大堂吧."""
    lengths = range(len(new), _LEAST_SHARED - 1, -1)
    return next((new[:length] for length in lengths if new[:length] in title), "")


def _number(new: str) -> str:
    found = _NUMBER.findall(new)
    return found[0] if len(found) == 1 else ""


def _found(text: str, wrong: str, new: str) -> re.Match[str] | None:
    if not wrong:
        return None
    if not wrong.isascii() or not wrong[:1].isalnum():
        return re.search(re.escape(wrong), text)
    alone = " " not in wrong and not _number(new) and not _are_pair(wrong.lower(), new.lower())
    pattern = rf"(?<![A-Za-z0-9_]){_BEFORE if alone else ''}{re.escape(wrong)}(?![A-Za-z0-9_])"
    return re.search(pattern, text, re.IGNORECASE)


def _place(text: str, wrong: str) -> re.Match[str] | None:
    edge = r"\w" if wrong.isascii() and not is_chinese(text) else r"\d"
    return re.search(rf"(?<!{edge}){re.escape(wrong)}(?!{edge})", text, re.IGNORECASE)


def _swapped(text: str, old: str, new: str) -> str:
    """Return a text with the first of the old words exchanged, large at its beginning as before."""
    found = _place(text, old)
    if found is None:
        return text
    large = found.start() == 0 and text[:1].isupper()
    return text[: found.start()] + (new[:1].upper() + new[1:] if large else new) + text[found.end() :]
