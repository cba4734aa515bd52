"""What apps are called, and whether a name in a sentence stands for its app: not in a longer name, nor as a verb."""

import re
from collections.abc import Collection, Iterable

from features.diagnosis.understanding.services import KIND
from features.diagnosis.understanding.trouble import HEALTH, OF_PROGRAMS, TROUBLE
from language.words import normalise
from queries.observe.config import AppConfig

#: After the name of an app: anything else makes it a word of a longer name, "the payment terms".
_GOES_ON = re.compile(
    "s?(?:['’]s)?"
    "(?:[ ](?:in|on|at|since|before|after|during|between|today|yesterday|tonight|last|this|and|or|to|from|around"
    "|by|we|redeployed|restarted|is|was|are|were|be|been|recently|lately|now|right|over|within|that|when|while"
    r"|cause[ds]?|break|broke|just|then|again|apps?|services?|api|pods?|deployments?|config\w*|settings?|versions?"
    "|images?|cluster|namespace|releases?|rollouts?|containers?|go|went|get|got|have|had|has|change[ds]?"
    r"|differ\w*|touched|deployed|released|rolled|running|updated|upgraded|scaled|unusable|help|urgent|last|please"
    r"|pls|asap|urgently|for me)\b|[ ]*(?:[^a-z ]|$))"
)
#: The same of what is in trouble: what it does, what it is made of, or what is wrong with it.
_AILS_ON = re.compile(
    "s?(?:['’]s)?[ ]"
    "(?:(?:keeps?|kept|responds?|reports?|shows?|got|returned|not|never|still|always|so|very|no|too|all|for|with"
    "|does|did|do|can|cannot|seems?|looks?|feels?|takes?|took|gives?|gave|throws?|threw|returns?|answers?|says"
    "|needs?|stopp?e?d?|goes|acts?|of|backend|frontend|server|gateway|system|portal|processing|widget|requests?"
    "|calls?|logs?|latency|traffic|endpoints?|jobs?|workers?|queues?|consumers?|database|page|pages|site|screen"
    r"|button|form|flow|namespace|process)\b|[a-z]+(?:ing|n['’]t)\b)"
)
#: One of several, as there are of things that an app is called after: "the last payment", "a payment".
_ONE_OF = re.compile(
    r"\b(?:an?|this|that|each|every|last|next|first|second|final|late|early|his|her|their|your|another|one|some"
    "|any|no)[ ]$"
)
_NEXT = re.compile(r"s?(?:['’]s)?[ ]")
#: What narrows a name down to a part of an app; other words make it another thing, "the training catalogue".
_NARROWED = re.compile(r"\b(?:the|our|this|that|whole|entire) ((?:[a-z]{2,16} ){1,2})$")
_SHORT_KIND = 4
_KIND_OF = re.compile(
    "new|old|main|whole|entire|online|web|mobile|guest|public|internal|external|live|prod(?:uction)?"
    "|stag(?:ing|e)|test|shop|store|product|item|customers?|users?|cards?|credit|debit|same|other|current|latest"
    r"|actual|damn|bloody|fuck\w{2,3}|stupid|poor|express|self|service|express|site|website|front|back|order"
    "|search|central|global|local|stripe|paypal|apple|google|visa|android|iphone|desktop|european?|german|english"
    "|chinese|american|french"
)
#: What offices have of what apps are called after.
_OF_OFFICE = re.compile(
    r"\b(?:training|course|library|laundry|furniture|stationery|uniform|spare parts|parts|paper|printed|golf"
    "|cleaning|shopping trolley|waste|canteen|office|travel|holiday|benefits?|garden|picnic|bike|warehouse) $"
)
#: Shorter names are not looked for in two words. What stands before a noun, and behind a verb: "check out this".
_JOINED = 6
_BEFORE_NOUN = r"\b(?:the|our|at|in|on|with|of|for|from|during|by|and|is|are|does|did|all|every|whole|still)"
_OF_VERB = r" (?:the|an?|this|that|these|those|my|our|your|their|his|her|what|why|how|if|whether|of|from|at|by)\b"


def names_of(name: str, app: AppConfig) -> Iterable[str]:
    """Yield what an app is called, as it is looked for."""
    for each in filter(None, (name, app.title.en, app.title.zh, *app.called.en, *app.called.zh)):
        called = normalise(each)
        yield called
        if called.isascii():
            yield f"{called}s"  # "the payments service"
        if "-" in called:
            yield called.replace("-", " ")


def has_name(plain: str, name: str) -> bool:
    """Return whether a name stands in a text; one in Latin letters as a word of its own."""
    if not name.isascii():
        return name in plain
    return re.search(rf"(?<![a-z0-9_-]){re.escape(name)}(?:-[a-z0-9-]++)?(?![a-z0-9_])", plain) is not None


def in_two_words(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of names that are written in two words, where a noun stands: "stuck at check out"."""
    halves = "|".join(
        f"{name[:at]}[ -]{name[at:]}"
        for name in sorted(names)
        if name.isascii() and name.isalpha() and len(name) >= _JOINED
        for at in range(2, len(name) - 1)
    )
    return re.compile(rf"(?P<before>^|{_BEFORE_NOUN} )(?P<name>{halves or '(?!)'})(?=s?\b(?!{_OF_VERB}))")


def ends_the_name(plain: str, called: Collection[str]) -> bool:
    """Return whether a name stands by itself somewhere: "the payment terms" are no app."""
    places = [found.end() for name in called if name.isascii() for found in re.finditer(re.escape(name), plain)]
    return not places or any(_GOES_ON.match(plain, at) for at in places)


def is_meant(plain: str, called: Collection[str], known: Collection[str]) -> bool:
    """Return whether a name stands for its app somewhere: not in a longer name, nor as one thing of several.

    `known` are the words of all names: they narrow an app down, and make no other thing of it.
    """
    places = [
        found
        for name in called
        if name.isascii()
        for found in re.finditer(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", plain)
    ]
    return not places or any(
        _goes_on(plain, each.end())
        and (re.match(KIND, plain[each.end() :]) or not _is_another(plain, plain[: each.start()], known))
        for each in places
    )


def _goes_on(plain: str, at: int) -> bool:
    """Return whether what follows a name is said of an app; the next word may be of trouble or health."""
    if _GOES_ON.match(plain, at) or _AILS_ON.match(plain, at):
        return True
    found = _NEXT.match(plain, at)
    return found is not None and any(each.match(plain, found.end()) for each in (TROUBLE, HEALTH))


def _is_another(plain: str, before: str, known: Collection[str]) -> bool:
    """Return whether what stands before a name makes one thing of several of it, or another kind of thing."""
    if _ONE_OF.search(before) or _OF_OFFICE.search(before):
        return True
    narrowed = None if OF_PROGRAMS.search(plain) else _NARROWED.search(before)
    words = narrowed[1].split() if narrowed else ()
    return any(len(each) >= _SHORT_KIND and each not in known and not _KIND_OF.fullmatch(each) for each in words)
