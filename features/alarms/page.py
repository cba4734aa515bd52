"""Which section of the company's pages tells what to do in an alarm, and what of it is shown first."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from agent.results import Passage
from features.alarms.alarms import AlarmKind
from language.sentences import BLOCK, sentences, unwrapped
from language.words import chinese_runs, content_words, normalise, stem

#: A number to call: what looks like one, or what "call" stands before.
_NUMBER = re.compile(
    r"(?i)\b(?:call|phone|dial|ring|extension|on)\b[^.\n]{0,40}?(?<![\d-])\d{3}|"
    r"(?:电话|拨打?|打|报|分机|内线|热线)[^。\n]{0,20}?\d{3}|"
    r"(?<![\d.,-])(?:112|911|999)(?= (?:first|at once|immediately|straight away|then)\b)|"
    r"(?<![\d.,-])(?!(?:19|20)\d\d\b)\+?\(?\d[\d ()/-]{5,18}\d(?![\d-])"
)
#: How the emergency services are called: an extension of the house is none.
_SERVICES = re.compile(r"(?<![\d-])(?:112|911|999|000|11[0-9]|120|122|144)(?![\d-])")
#: A sentence that tells to do something.
_DO = re.compile(
    r"(?i)(?:^|[.!?:;,] |\b(?:please|then|and|must|should) )(?:call|ring|phone|dial|leave|get|go|do not|don't|keep|"
    r"rinse|wash|stop|turn|switch|pull|change|close|shut|press|break|stay|tell|report|inform|take|move|let|lock|evacuate|warn|"
    r"ask|fetch|disconnect|unplug)\b|请|立即|马上|立刻|不要|切勿|先|拨打|通知|联系"
)
#: Words in bold that head a paragraph or an item: "**Burns.** Hold the hand …", "- **受伤**：…"; plain ones that head
#: a paragraph: "Gas smell: get out, …".
_BOLD = r"[ \t]{0,3}(?:[-*•][ \t]{1,3})?(?:\*\*|__)"
_LEAD = re.compile(
    rf"^{_BOLD}(?P<bold>[^*_\n]{{1,60}})(?:\*\*|__)(?=[^*_]?\S)"
    r"|^(?P<plain>[^\W\d][^\n:：|.。,，*_]{1,40})[:：] ?(?=\S)"
)
_PARAGRAPHS = re.compile(rf"\n\s*\n|\n(?={_BOLD})")
#: A section of so many bytes (120 English words, 230 Chinese characters) is shown as it is.
_SHORT = 700
_EMERGENCY = re.compile(r"\b(?:emergency|security|ambulance|first aid|fire)\b|紧急|保安|安保|急救")
#: Whom to call where nobody is in danger of life.
_SECURITY = re.compile(r"\b(?:security|duty|service desk|help ?desk)\b|保安|安保|信息安全|值班|服务台")
#: Headings of a list of numbers to call.
_CONTACTS = re.compile(
    r"\b(?:emergenc(?:y|ies)|contacts?|(?:phone|telephone|important) numbers?|(?:who|whom) to (?:call|ring))\b"
    r"|紧急|电话|联系方式|联系人|通讯录"
)
#: What any alarm's page is looked for with.
_ANY_ALARM = frozenset(
    (
        *(
            "emergency",
            "contact",
            "number",
            "security",
            "report",
            "what",
            "whom",
            "to",
            "do",
            "tell",
            "or",
            "in",
            "the",
        ),
        *("and", "phone", "紧急", "电话", "联系", "处理", "怎么办", "报告", "物业", "安保"),
    )
)
#: Words of headings that say nothing of the matter: any alarm may stand below them.
_ANY_HEADING = re.compile(
    r"emergenc\w*|security(?: incidents?)?|safe\w*|incidents?|report\w*|conduct|facilit\w*|building|water"
    r"|\b(?:first|immediate\w*|at once|straight away|now|steps?)\b|紧急|安全(?:事件)?|安保|物业|设施|水"
)
#: Of whom to call, what is told above another reply.
_FEW_ROWS, _FEW_SENTENCES = 4, 2
#: Headings of a section about leave of many kinds.
_FOR_MUCH = re.compile(r"special leave|leave of absence|family emergenc\w*|特别假")
#: Words that narrow no heading down.
_ANYBODY = re.compile(r"\b(?:some(?:body|one|thing)|any(?:body|one|thing)|persons?|people|wrong|ill)\b")
#: What is told to who stays away from work: it helps nobody who lies on the floor.
_ABSENCE = re.compile(
    r"\b(?:sick (?:leave|pay|note)|(?:doctor'?s|sick|medical) (?:note|certificate)|note from (?:your|a|the) doctor"
    r"|before (?:your|the) shift|call(?:ing)? in sick|absen(?:ce|t)|full (?:wage|pay|salary))\b|病假|证明|请假"
)
_FIRST_HELP = re.compile(
    r"\b(?:first aid|accident\w*|emergenc\w*|injur\w*|hurt|bitten|bites?)\b|急救|受伤|工伤|紧急|事故|咬伤"
)


class Fit(IntEnum):
    """How well a passage fits an alarm."""

    CONTACTS = 0  # a list of numbers to call
    MENTIONS = 1  # its text speaks of the matter
    HEADED = 2  # its heading, or one above it, names the matter
    TOLD = 3  # … its own heading does, and it says whom to call: nothing can fit better


@dataclass(frozen=True)
class AlarmPage:
    """A section, how well it fits, and whom to call where it names nobody."""

    passage: Passage
    fit: Fit
    numbers: Passage | None = None


def best(found: Sequence[Passage], alarm: AlarmKind, *, said: str) -> AlarmPage | None:
    """Return the passage that tells best what to do, or a list of numbers to call; None where there is neither."""
    matter = _Matter(alarm, said)
    found = [part for passage in found for part in _led(passage)]
    rated = [(rating, -place, passage) for place, passage in enumerate(found) if (rating := matter.rating(passage))]
    listed = [each for passage in found if (each := matter.numbers(passage))]
    if not rated:
        return next((AlarmPage(each, Fit.CONTACTS) for each in listed), None)
    (_, fit), _, passage = max(rated, key=lambda each: (each[0][0], each[1]))
    return AlarmPage(matter.rows_of_it(passage), fit, None if calls(passage.shown) else next(iter(listed), None))


def calls(shown: str, *, services: bool = False) -> bool:
    """Tell whether a text says whom to call, or how the emergency services are called."""
    return (_SERVICES if services else _NUMBER).search(shown) is not None


def telling(text: str) -> str:
    """Return a long section with whom to call and what to do first, and without what tells neither."""
    if len(text.encode()) <= _SHORT or any(BLOCK.match(line) for line in text.splitlines()):
        return text
    parts = [_from_first(part) for part in re.split(r"\n\s*\n", text)]
    first = [part for part in parts if calls(part)]
    then = [part for part in parts if part and part not in first]
    return "\n\n".join([*first, *then]) or text


def whom_to_call(text: str) -> str:
    """Return the first words of a section that say whom to call, two sentences or four rows at most; "" for none."""
    lines = unwrapped(text).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    if called := [row for row in rows[2:] if calls(row)]:
        return "\n".join((*rows[:2], *called[:_FEW_ROWS]))
    spans = ((at, part[at:end].strip()) for part in lines for at, end in sentences(part, (0, len(part))))
    return " ".join([said for _, said in spans if calls(said)][:_FEW_SENTENCES])


def _led(passage: Passage) -> Sequence[Passage]:
    """Return each paragraph that words in bold head as a section of its own, below what tells whom to call for all.

    What stands before them is of the section itself. A passage with fewer than two of them stays whole.
    """
    paragraphs = _PARAGRAPHS.split(passage.shown)
    leads = [_LEAD.match(each) for each in paragraphs]
    if sum(each is not None for each in leads) < 2:
        return (passage,)
    for_all = [each for each, lead in zip(paragraphs, leads, strict=True) if lead is None and calls(each)]
    opening = "\n\n".join(itertools.takewhile(lambda each: _LEAD.match(each) is None, paragraphs))
    parts = [
        replace(
            passage,
            text="\n\n".join((*for_all, paragraph)),
            whole="",
            source=replace(
                passage.source, section=f"{passage.source.section} > {(lead['bold'] or lead['plain']).strip(' .:：。')}"
            ),
        )
        for paragraph, lead in zip(paragraphs, leads, strict=True)
        if lead is not None
    ]
    return [replace(passage, text=opening, whole=""), *parts] if opening.strip() else parts


def _from_first(part: str) -> str:
    """Return a paragraph from its first sentence that tells to do something; "" where none does.

    One that words in bold head stays whole.
    """
    if _LEAD.match(part):
        return part
    spans = ((at, part[at:end].strip()) for at, end in sentences(part, (0, len(part))))
    return part[next((at for at, said in spans if calls(said) or _DO.search(said)), len(part)) :].strip()


class _Matter:
    """What an alarm is about, and what somebody spoke of: the measure of a section."""

    def __init__(self, alarm: AlarmKind, said: str) -> None:
        self._alarm = alarm
        self._said = said
        self._plain = normalise(said)
        self._stems = frozenset(map(stem, content_words(said)))
        # Whom to call stands on the page alone; for an emergency everybody knows a number.
        self._of_desk = alarm.calls in ("desk", "confidant", "manager")
        self._called = _SECURITY if self._of_desk else _EMERGENCY
        words = _core(alarm)
        self._core = _any(words) or alarm.headings  # a list of the company's may name no matter
        self._things = _any([word for word in words if not alarm.headings.search(word)])

    def rating(self, passage: Passage) -> tuple[int, Fit] | None:
        """Return how well a section fits; None where it is about something else.

        One whose own heading names the matter goes before one that stands below such a heading, or speaks of it; one
        that says whom to call before one that does not. One whose heading narrows it down to what nobody spoke of
        ("Accident with a van") goes after all of its like, one whose heading names what somebody spoke of
        ("Chemicals in the eye") before them; before all, where no more is known than that somebody may be in danger.
        """
        if self._alarm.quiet:
            return self._comfort(passage)
        headings = self._alarm.headings
        section, shown = normalise(passage.source.section), normalise(passage.shown)
        heading = section.rpartition(" > ")[2]
        topics = [topic.search(self._plain) is not None for topic in self._alarm.topics if topic.search(heading)]
        topical = any(topics)
        named = topical or bool(self._narrow(heading) & self._stems) or self._pair(heading)
        narrow = bool(topics) or bool(self._narrow(heading))
        lists = _CONTACTS.search(heading) is not None
        numbered = calls(passage.shown)
        helps = named and headings.search(heading) is not None
        told_of = headings.search(_ANY_HEADING.sub(" ", f"{section} {shown}" if topical else shown)) is not None
        below = named and not lists and told_of  # a lost badge, below "Badges"
        beneath = headings.search(section.removesuffix(heading)) is not None
        under = self._of_desk and numbered and beneath and not (narrow or lists)
        names = self._core.search(heading) or headings.search(_ANY_HEADING.sub(" ", heading))
        heads = bool(helps or below or under or names)
        about = heads or self._core.search(section) is not None or len(self._spoken(shown)) > 1
        if not (about and (headings.search(section) or headings.search(shown))):
            return None
        is_absence = _ABSENCE.search(shown) is not None and not _FIRST_HELP.search(heading)
        if self._other(heading, f"{section} {shown}") or (not self._of_desk and is_absence):
            return None
        elsewhere = narrow and not named
        if not ((heads and not elsewhere) or numbered or (_DO.search(shown) and (topical or not topics))):
            return None  # it tells nobody what to do: care leave for a burst pipe at home, bites to who collapsed
        alone = elsewhere and not under and self._core.search(heading) and not self._shares(f"{heading} {shown}")
        if alone and len(self._spoken(f"{heading} {shown}")) < 2:
            return None  # "A secret was leaked", of a smell of gas
        score = 4 * heads + 2 * bool(names and not elsewhere) + 2 * bool(headings.search(section)) + 3 * numbered
        score += 2 * (helps or below) - 2 * elsewhere + 2 * (topical and self._alarm.general)
        score += any(topic.search(shown) and topic.search(self._plain) for topic in self._alarm.topics)
        told = numbered and names and not elsewhere
        return score, Fit.TOLD if told else Fit.HEADED if heads and not elsewhere else Fit.MENTIONS

    def _comfort(self, passage: Passage) -> tuple[int, Fit] | None:
        """Return how well a section fits a hard moment: it speaks of that, whomever it tells to do what."""
        heading = _heading(passage)
        if self.speaks_of_it(heading):
            return 2, Fit.TOLD
        return (1, Fit.HEADED) if self.speaks_of_it(normalise(passage.shown)) else None

    def speaks_of_it(self, text: str) -> bool:
        """Tell whether a text names the matter itself: "special leave" is for much else."""
        return self._alarm.headings.search(_FOR_MUCH.sub(" ", text)) is not None

    def rows_of_it(self, passage: Passage) -> Passage:
        """Return a section with a table of which some rows alone are about the matter with those only.

        Below a heading that names the matter all of them are.
        """
        lines = passage.shown.splitlines()
        rows = [at for at, line in enumerate(lines) if line.startswith("|")]
        kept = [at for at in rows[2:] if self.speaks_of_it(normalise(lines[at]))]
        headed = self.speaks_of_it(_heading(passage))
        if headed or not (self._alarm.quiet and kept):
            return passage
        return _with_lines(passage, (*rows[:2], *kept))

    def _spoken(self, text: str) -> frozenset[str]:
        """Return the words of the matter that a text holds."""
        return frozenset(self._core.findall(text))

    def numbers(self, passage: Passage) -> Passage | None:
        """Return a table of numbers with the rows alone that the matter or any alarm needs; None for any other.

        A list of numbers to call stays as it is where none of its rows says so.
        """
        if self._alarm.quiet:
            return None  # who mourns needs no number of the control room
        lines = passage.shown.splitlines()
        rows = [at for at, line in enumerate(lines) if line.startswith("|")]
        numbered = [at for at in rows[2:] if calls(lines[at])]
        ours = [at for at in numbered if self._speaks(normalise(lines[at]))]
        lists = _CONTACTS.search(_heading(passage))
        any_alarm = [at for at in numbered if lists and self._called.search(normalise(lines[at]))]
        if needed := ours or any_alarm:
            return _with_lines(passage, (*rows[:2], *needed))
        heading = _heading(passage)
        headed = self._alarm.general and self._alarm.headings.search(heading)
        told = headed or self._called.search(normalise(passage.shown))
        speaks = lists and not rows and calls(passage.shown) and told
        return passage if speaks else None

    def _speaks(self, row: str) -> bool:
        """Tell whether a row of a table is about the matter, or what somebody spoke of."""
        words = frozenset(map(stem, content_words(row))) & self._stems
        return self._core.search(row) is not None or any(word.isascii() and not word.isdigit() for word in words)

    def _pair(self, heading: str) -> bool:
        """Tell whether two Chinese characters of a heading that say more than the alarm stand in what was said."""
        runs = chinese_runs(self._core.sub(" ", heading))
        return any(run[at : at + 2] in self._plain for run in runs for at in range(len(run) - 1))

    def _narrow(self, heading: str) -> frozenset[str]:
        """Return the words of a heading that say more than what the alarm is about."""
        rest = _ANYBODY.sub(" ", _ANY_HEADING.sub(" ", heading) if self._of_desk else heading)
        words = (word for word in content_words(rest) if not self._core.search(word))
        return frozenset(stem(word) for word in words if not self._alarm.headings.search(word))

    def _other(self, heading: str, text: str) -> bool:
        """Tell whether a section is about another thing than somebody spoke of: "Lost receipts", of a laptop."""
        if not (self._of_desk and self._things) or self._things.search(text) or self._shares(text):
            return False
        rest = _ANY_HEADING.sub(" ", self._alarm.headings.sub(" ", heading))
        words = [word for word in content_words(rest) if word.isascii() and stem(word) not in self._stems]
        return bool(words) or any(len(run) > 1 and run not in self._said for run in chinese_runs(rest))

    def _shares(self, shown: str) -> bool:
        """Tell whether a section speaks of what somebody spoke of, beside what the alarm is about."""
        rest = self._alarm.headings.sub(" ", self._plain)
        words = frozenset(map(stem, content_words(shown)))
        pairs = (run[at : at + 2] for run in chinese_runs(rest) for at in range(len(run) - 1))
        return any(word.isascii() and stem(word) in words for word in content_words(rest)) or any(
            pair in shown for pair in pairs
        )


def _heading(passage: Passage) -> str:
    """Return the heading of a section's own, in one spelling."""
    return normalise(passage.source.section).rpartition(" > ")[2]


def _with_lines(passage: Passage, kept: Sequence[int]) -> Passage:
    """Return a passage with these of its lines alone: a table's first two, and some of its rows."""
    lines = passage.shown.splitlines()
    return replace(passage, text="\n".join(lines[at] for at in kept), whole="")


def _any(words: Sequence[str]) -> re.Pattern[str] | None:
    """Return what finds one of the words; None for no words."""
    found = (rf"\b{re.escape(each)}" if each.isascii() else re.escape(each) for each in words)
    return re.compile("|".join(found)) if words else None


def _core(alarm: AlarmKind) -> tuple[str, ...]:
    """Return the words that say what an alarm is about, of those with which its page is looked for."""
    words = (word for query in alarm.query.values() for word in query.split())
    return tuple(word.lower() for word in words if word.lower() not in _ANY_ALARM)
