"""What is said of reminders that are named by some of their words, or by their numbers in a list."""

import re

from agent.brains.rules.talk import Step
from features.reminders.reminder import LONGEST
from language.numbers.amounts import whole

#: Some of those that were listed just before, by their numbers.
_DELETE_NUMBERED = re.compile(
    r"^(?:please )?(?:delete|cancel|remove|drop|scrap|get rid of) (?:numbers?|nos?\.?|#|the)? ?(?P<en>"
    r"(?:#?\d{1,2}|first|second|third|fourth|fifth)(?:(?:,? and |, ?| & )(?:the |#)?"
    r"(?:\d{1,2}|first|second|third|fourth|fifth)){0,9})(?: ones?| reminders?)?$"
    r"|^(?:请|麻烦)?(?:删掉|删除|取消|去掉)(?P<zh>第[一二三四五六\d]{1,2}[个条]?"
    r"(?:[和、跟,，及]第?[一二三四五六\d]{1,2}[个条]?){0,9})(?:提醒)?$"
)
_NUMBER_WORDS = ("first", "second", "third", "fourth", "fifth")
#: One that is named by its words, where reminders were spoken of.
_DELETE_ONE = re.compile(
    r"^(?:please )?(?:delete|cancel|remove|drop|scrap|get rid of) (?:the|my) (?P<en>[^.?!]{1,60}?) (?:one|thing)$"
    r"|^(?:请|麻烦)?(?:把)?(?P<zh>[^，,。]{1,30}?)的?(?:那个|那条)(?:给我)?(?:删除|取消|删掉|删了)(?:吧|掉)?$"
    r"|^(?:请|麻烦)?(?:删除|取消|删掉)(?P<zh_after>[^，,。]{1,30}?)的?(?:那个|那条)$"
)
_DONE_NAMED = re.compile(
    r"^(?:i'?m )?(?:all )?done with (?:the|my) (?P<en>[^.?!]{1,60}?)(?: thing| one| reminder)?$"
    r"|^(?P<zh>[^，,。]{1,20}?)(?:的?那个|的?那条|的?提醒|的?事)(?:已经|都)?(?:完成|做完|搞定|办完|办好|弄好)了$"
)
#: Another time in place of the one that was set: "actually 10 not 9".
_RATHER = re.compile(
    r"^(?:(?:actually|no|sorry|wait|oops|i meant?),? ){0,2}(?:at )?(?P<en>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?),? "
    r"(?:and )?not (?:at )?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?$"
    r"|^不是.{1,8}?[点时]半?[，, ]{0,2}(?:而?是|改成)(?P<zh>.{1,8}?[点时].{0,4})$"
)


#: The next time of what comes again is left out, of one that is named or that was spoken of.
_SKIP = re.compile(
    r"^(?:please |just |ok(?:ay)?,? |but |and ){0,2}(?:(?:can|could) (?:you|we) )?(?:skip|leave out|miss out|omit)"
    r"(?: (?:it|this|that))?(?: (?:the )?next(?: (?:one|time|reminder|occurrence|round)|(?=$))| once| one(?: time)?)$"
    r"|^(?:please )?(?:not|don'?t remind (?:me|us)|do not remind (?:me|us)|no reminder) (?:the )?next time$"
    r"|^(?:please )?skip (?:the|my) next (?P<en>[^.?!]{1,60}?)(?: reminder| one)?$"
    r"|^(?:please )?skip (?:the|my) (?P<once>[^.?!]{1,60}?)(?: reminder| one)? (?:next time|once|one time)$"
    r"|^(?:请|麻烦)?下一?次(?:就|先)?(?:跳过|略过|免了|算了|不用(?:提醒)?|不要(?:提醒)?|别提醒|不提醒|不需要)(?:我|它|了|吧){0,2}$"
    r"|^(?:请|麻烦)?(?:跳过|略过)(?:它的?)?下一?次(?:的?(?P<zh>[^，,。]{1,30}?)?的?提醒)?(?:吧|好了)?$"
    r"|^(?:请|麻烦)?(?:把)?下一?次的?(?P<zh_first>[^，,。]{1,30}?)的?提醒(?:跳过|略过|免了|取消)(?:吧|了)?$"
)


#: Who asks when their own come, or whether one still stands, is shown them.
_ASKED_AFTER = re.compile(
    r"^(?:when(?:'s|’s|s| is| are| do| does| will)|is|are|do|does|will|at what time (?:is|does|will)) my "
    r"(?:[^.?!]{1,40} )?reminders?"
    r"(?: (?:come|due|set|still|at|going|coming|next|again|off|on|paused|for|about|there)\b[^.?!]{0,40})?$"
    r"|^我的?(?:[^，。？]{1,20}?的?)?提醒(?:是|在|会|设在|定在)?(?:什么时候|几点|哪天|何时)[^，。？]{0,8}$"
    r"|^我的?(?:[^，。？]{1,20}?的?)?提醒还(?:在|有|会来|会提醒)(?:吗)?$"
)


def asks_after(core: str) -> bool:
    """Return whether somebody asks how a reminder of theirs stands: "when is my dentist reminder"."""
    return _ASKED_AFTER.match(core) is not None


def skipped_in(core: str, *, spoken_of: bool) -> Step | None:
    """Return that the next time is left out of a reminder that is named, or that was spoken of."""
    found = _SKIP.match(core)
    if found is None:
        return None
    about = next((each for each in found.groups() if each), "")
    named = spoken_of or "reminder" in core or "提醒" in core
    return Step("skip_reminder", {"about": about} if about else {}) if named else None


def named_in(core: str, *, spoken_of: bool, known: bool, listed: bool) -> Step | None:
    """Return what shall become of reminders that words name, where the conversation is about some."""
    if skipped := skipped_in(core, spoken_of=spoken_of or known):
        return skipped
    if spoken_of and (rather := _RATHER.match(core)):
        return Step("snooze_reminder", {"until": f"make it {rather['en']}" if rather["en"] else f"改到{rather['zh']}"})
    if listed and (numbered := _DELETE_NUMBERED.match(core)):
        return Step("delete_reminder", {"numbers": _numbers(numbered["en"] or numbered["zh"])})
    if known and (finished := _DONE_NAMED.match(core)):
        return Step("finish_reminder", {"about": finished["en"] or finished["zh"]})
    if known and (one := _DELETE_ONE.match(core)):
        return Step("delete_reminder", {"about": next(each for each in one.groups() if each)})
    return None


def as_written(words: str, text: str) -> str:
    """Return words as they stand in a message, capitals included, without quotation marks."""
    at = text.casefold().rfind(words.casefold())
    return (text[at : at + len(words)] if at >= 0 else words).strip(" \"'“”‘’「」")[:LONGEST]


def _numbers(said: str) -> list[int]:
    """Return the numbers that words name: "2", "the first and third", 第一个和第三个."""
    words = re.findall(rf"\d+|{'|'.join(_NUMBER_WORDS)}|[一二三四五六]", said)
    return [_NUMBER_WORDS.index(word) + 1 if word in _NUMBER_WORDS else whole(word) for word in words]
