"""Who somebody is whom an answer has called by their role alone: "call the practice manager", "who is that?"."""

import re

from agent.brains.rules.understanding.message import Message, answered_last
from agent.brains.rules.understanding.phrases import ASKS_WHO
from language.words import normalise

_A_ROLE = (
    r"(?:the|your|our|a|an) ((?:(?!line\b|new\b)[a-z][\w-]* ){1,2}?(?:manager|officer|lead|leader|head|director|nurse"
    r"|vet|doctor|supervisor|coordinator|warden|steward|marshal|representative|administrator|accountant|controller|foreman"
    r"|chef|engineer|planner|clerk|dispatcher|buyer|advis[eo]r|counsellor|secretary|treasurer|coach|curator|registrar"
    r"|caretaker|porter|receptionist|first aider|contact))\b"
)
_ROLE = re.compile(rf"\b{_A_ROLE}")
_NAMES_ROLE = re.compile(rf"(?:(?:and|so|but)[\s,]{{1,2}})?who(?:'s| is) {_A_ROLE}[\s?!.]{{0,3}}")
#: What names somebody: two capitalised words, or one within a sentence.
_NAME = re.compile(r"\b[A-Z][\w'-]+ [A-Z][\w'-]+|(?<=[a-z,(:|] )[A-Z][a-z][\w'-]*")
_ROLE_ZH = re.compile(
    r"([\u4e00-\u9fff]{0,4}?(?:经理|主管|主任|组长|店长|厂长|科长|班长|护士长|负责人|专员|管理员|会计|出纳|站长|队长|协调员))"
)
#: What stands before a role and belongs to the sentence: 联系, 告诉.
_LEADS_ZH = re.compile(r"^.*(?:联系|告诉|通知|找|问|给|由|让|经|向|和|与|请|交|的|到|在|要|报)")


def who_is_meant(message: Message) -> str:
    """Return the question who has the role that it names, or that the answer before has; "" where it asks none.

    A role names itself: what was spoken of before says who does what, and not who that is.
    """
    if named := _NAMES_ROLE.fullmatch(message.plain):
        return f"Who is the {named[1]}?"
    before = answered_last(message.memory) if message.follows_pages else None
    if before is None or ASKS_WHO.fullmatch(message.plain) is None:
        return ""
    told = normalise(before.answered)
    if named := _ROLE.search(told):
        return f"Who is the {named[1]}?"
    named = _ROLE_ZH.search(told)
    return f"{_LEADS_ZH.sub('', named[1])}是谁？" if named else ""


def is_nobody_named(asked: str, told: str) -> bool:
    """Tell whether somebody asks who has a role, and what is told names nobody."""
    return _NAMES_ROLE.fullmatch(normalise(asked)) is not None and _NAME.search(told) is None
