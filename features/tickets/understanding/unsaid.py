"""What whoever mends something asks first, and a report does not say: since when, what it shows, what stands still."""

import re

from features.tickets.understanding.drafts import tells_since
from features.tickets.understanding.extract import priority_of
from features.tickets.understanding.faults import BEFELL, is_fault
from features.tickets.understanding.field_patterns import extractors
from features.tickets.understanding.statements import states_of_thing
from language.moments import days_in, times_in
from language.words import normalise
from tickets.ticket import Draft

#: What is asked of a fault, by category; nothing of what is no thing that somebody mends.
_ASKED = {
    "facilities": ("since", "danger"),
    "access": ("shown",),
    "software": ("since", "shown", "held_up"),
    "network": ("since", "shown", "held_up"),
    "hr": (),
}
_OF_DAMAGE = ("which", "since", "danger")
_OF_A_THING = ("since", "which", "shown", "held_up")
#: A thing's own number, by which it is found: TR6108, M118, "till 3", 六号机.
_NUMBER = re.compile(
    r"\b[a-z]{1,5}-?\d{1,6}\b|\b(?!about|since|after|until|around|before|over|under|nearly)[a-z]{3,12} \d{1,4}\b(?!:|%)"
    r"|[\d一二三四五六七八九十]+号(?!$|[，,。])|编号|全部|所有"
)
_SHOWN = re.compile(
    r"\b(?:says?|saying|shows?|showing|reads?|displays?|message|code|err(?:or)? ?\w*\d|lights?|screen|beep\w*|flash\w*"
    r"|noise|nothing (?:at all|on)|just (?:hangs?|stops?|dies|spins))\b"
    r"|[\"“「]|提示|显示|报错|代码|弹|灯|屏幕|声音|转圈|没反应"
)
_HELD_UP = re.compile(
    r"\b(?:wait\w*|stuck|due|deadline|urgent|blocked|can'?t work|cannot work|stands? still|still works?|annoying"
    r"|everyone|everybody|nobody|only me|just me|others?|customers?|patients?|orders?|queue\w*)\b"
    r"|等|急|耽误|卡住|大家|所有人|只有|就我|别人|隔壁|客人|客户|病人|订单|要[交发用]"
)
_DANGER = re.compile(r"\b(?:hurt|danger\w*|injur\w*|safe|slip\w*|trip\w*|shock)\b|危险|受伤|摔|滑倒|触电|安全")


#: When more of a report was said, as its description tells it.
_TOLD_AT = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d ", re.MULTILINE)


def unsaid(draft: Draft) -> tuple[str, ...]:
    """Return what a draft of a fault leaves unsaid, in the order in which it is asked; nothing for a wish."""
    text, title = normalise(_TOLD_AT.sub("", draft.description)), normalise(draft.title)
    befell = BEFELL.search(title) is not None
    asked = _OF_DAMAGE if befell else _ASKED.get(draft.category, _OF_A_THING)
    if not (befell or is_fault(title) or (draft.category != "other" and states_of_thing(title))):
        return ()
    today = draft.created_at.date()
    tells_when = tells_since(text) or any(True for _ in (*days_in(text, today), *times_in(text)))
    told = {
        "since": tells_when or any(each.search(text) for each in extractors("date")),
        "which": _NUMBER.search(text) is not None,
        "shown": _SHOWN.search(text) is not None,
        "held_up": _HELD_UP.search(text) is not None or priority_of(text) != "",
        "danger": _DANGER.search(text) is not None,
    }
    return tuple(each for each in asked if not told[each])
