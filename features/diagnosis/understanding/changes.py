"""Whether words ask what was done to an app of late, which image it runs, and since when that is asked."""

import re
from datetime import datetime, timedelta

from agent.brains.rules.understanding.phrases import alternatives
from language.moments import durations_in
from language.words import normalise
from queries.observe.report.instants import zone_of

#: What may have been done to it of late: a rollout, an image, its settings.
_CHANGE = alternatives(
    "chang(?:e|ed|es)|differ(?:s|ent|ence|ences)|same as|touch(?:ed)?|edited|modified|switched|tweaked",
    "fiddled|commits?|patch(?:es|ed)?|(?:re-?)?(?:deploy(?:ed|ment|ments|s)?|releas(?:e|ed|es)|configured)",
    "roll(?:ed|s)? ?(?:out|back)|rollouts?|rollbacks?|reverted|(?:went|gone|go) (?:live|out)|upgraded?",
    r"updated?|updates|scaled|d(?:o|id|one) to|new (?:in|on|with|version|image|config\w*|settings?)|version",
    "image",
)
_CHANGE_CHINESE = alternatives(
    "变了|变化|变动|变更|改动|改了|改过|改的|被改|动了|动过|换了|换过|调整|操作|发布|部署|上线|更新|发版|回滚",
    "升级|版本|不同|不一样|镜像",
)
_CHANGED = re.compile(
    r"(?:^|[:,;] |\b(?:and|so) )(?:(?:hey|hi|please|can you|tell me|do you know),? ){0,3}"
    "(?:what|what's|which|who|when|did|was|were|has|have|had|is|any|anything|show|list|latest|recent"
    rf"|last)\b[^?]{{0,60}}\b(?:{_CHANGE})\b"
    r"|^(?:the )?(?:changes|deployments|releases|rollouts|updates) (?:of|in|to|on|with)\b"
    f"|(?:什么|啥|哪|谁|是不是|是否|何时|有人)[^?？]{{0,16}}(?:{_CHANGE_CHINESE})"
    f"|有没有[^?？]{{0,8}}(?:{_CHANGE_CHINESE})|(?:{_CHANGE_CHINESE})[^?？]{{0,6}}(?:什么|啥|哪些|吗|过|没有)"
    "|(?:最近的?|上次|上一个|最后一次)(?:发布|部署|更新|变更|上线|版本)|跟[^?？]{1,12}(?:不同|不一样)"
)
#: Days that are named: how many whole ones before today; of weeks, the first is this one. And the farthest back.
_WEEK = re.compile(r"\bthis week\b|(?:本|这|这个)(?:周|星期|礼拜)")
_LAST_WEEK = re.compile(r"\b(?:last|past) week\b|上(?:个)?(?:周|星期|礼拜)")
_SINCE = (
    (_LAST_WEEK, 2),
    (_WEEK, 1),
    (re.compile(r"\b(?:yesterday|last night|overnight)\b|昨(?:天|日|晚|夜)"), 1),
    (
        re.compile(
            r"\b(?:today|this (?:morning|afternoon|evening)|tonight)\b|今(?:天|日|早|晚)|(?:早上|上午|下午|中午)"
        ),
        0,
    ),
)
_FARTHEST = timedelta(days=30)
#: Who did something to it: whoever may, does or shall is asked of the documents.
_WHO_DID = re.compile(r"who (?:just |last |has |had )?(?:[a-z]{2,12}ed|did|made|went|wrote|rolled|put)\b")
_WHICH = re.compile(
    r"\b(?:which|what) (?:[a-z]{2,12} ){0,2}(?:images?|versions?|tags?)\b|(?:哪个|什么|哪一个|啥)(?:镜像|版本)"
)
_WHO = re.compile(r"\bwho\b|谁")
#: What is still to come, or compared with something else.
_LATER = re.compile(r"\b(?:will|going to|planned|plans?|next|between)\b|计划|打算|下次|将要|什么时候(?:会|要)")


def asks_what_changed(text: str) -> bool:
    """Return whether words ask what was done to something of late."""
    plain = normalise(text)
    return _CHANGED.search(plain) is not None and _LATER.search(plain) is None


def asks_what_runs(text: str) -> bool:
    """Return whether words ask which image or version runs."""
    return _WHICH.search(normalise(text)) is not None


def asks_who(text: str) -> bool:
    """Return whether words ask who did something."""
    return _WHO.search(normalise(text)) is not None


def asks_who_changed(plain: str) -> bool:
    """Return whether normalised words ask who did something to what runs: "who deployed payment?"."""
    return _WHO_DID.match(plain) is not None and asks_what_changed(plain)


def changes_since(text: str, timezone: str, now: datetime) -> datetime | None:
    """Return since when somebody asks what was changed, by a zone's days; a day where they do not say.

    None where they do not ask what was changed.
    """
    if not asks_what_changed(text):
        return None
    plain, day = normalise(text), timedelta(days=1)
    if said := max((each.value for each in durations_in(plain)), default=None):
        return now - min(max(said, timedelta(minutes=30)), _FARTHEST)
    midnight = now.astimezone(zone_of(timezone)).replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, days in _SINCE:
        if pattern.search(plain):
            back = midnight.weekday() + 7 * (days - 1) if pattern is _WEEK or pattern is _LAST_WEEK else days
            return midnight - back * day
    return now - day
