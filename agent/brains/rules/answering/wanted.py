"""What kind of answer a question asks for, read from its wording."""

import re
from enum import StrEnum


class Wanted(StrEnum):
    """What an answer to the question looks like."""

    COMMAND = "command"
    STEPS = "steps"
    TIME = "time"
    AMOUNT = "amount"
    PERSON = "person"
    CONTACT = "contact"
    PLACE = "place"
    REASON = "reason"
    PERMISSION = "permission"
    DEFINITION = "definition"
    ANY = "any"


_PATTERNS: tuple[tuple[Wanted, re.Pattern[str]], ...] = tuple(
    (wanted, re.compile(pattern))
    for wanted, pattern in (
        (
            Wanted.COMMAND,
            (
                r"\b(command|commands|kubectl|cli|syntax|snippet|one-?liner|curl|yaml|manifest|script|query)\b|"
                r"命令|语法|脚本"
            ),
        ),
        (
            Wanted.TIME,
            (
                r"\b(when|how (long|soon|often|early|late|frequently)|(?:what|which) (time|day|date|weekday)|deadline|"
                r"how many (days|weeks|hours|minutes|months|years)|opening hours|retention)\b"
                r"|什么时[候间]|何时|几点|几号|多久|多长时间|多少(天|小时|分钟|个?月|年|周)|几(天|个?月|小时|年|"
                r"周)|截止|期限|频率|多快|多长"
            ),
        ),
        (
            Wanted.AMOUNT,
            (
                r"\b(how (much|many|large|big|far|high)|what(?:'s| is| are) the (default|limit|maximum|minimum|max|"
                r"largest|smallest|longest|shortest|highest|lowest|rate|price|cost|budget|"
                r"allowance|amount|number|size|port|quota|threshold|percentage)|limit|maximum|minimum|allowance|cost)\b"
                r"|\b(?:what|which) (?:[\w.-]{1,20} ){0,2}versions?\b|(?:什么|哪个|哪些|多少)版本"
                r"|默认的?[^，。？?]{0,10}(?:端口|范围|时间|大小|数量|周期|间隔|期限|值)(?:是什么|为何|呢|[?？]|$)"
                r"|多少|几[个次人台份]|上限|下限|额度|标准|限额|金额|价格|最[多高少低大]"
            ),
        ),
        (
            Wanted.PERSON,
            r"\b(who|whom|whose|which (team|person|group|department))\b|谁|哪(个|位)?(人|部门|团队|小组)|找谁|联系谁",
        ),
        (
            Wanted.CONTACT,
            (
                r"\bwhom? (?:do|should|can|must|to) (?:i |we |you )?(?:\w+ )?(?:call|contact|tell|ask|inform|"
                r"report|turn|reach|ring|phone|notify|talk|speak|write)\b"
                r"|\b(?:phone|telephone|contact) (?:number|details)"
                r"|\b(?:what|which) (?:number|extension|e-?mail address)|找谁|联系谁|打(?:什么|哪个|谁的)?电话|"
                r"电话(?:是)?多少|怎么联系|联系方式"
            ),
        ),
        (
            Wanted.PLACE,
            (
                r"\b(where|which (room|floor|page|portal|address|folder|channel))\b|哪里|哪儿|在哪|什么地方|"
                r"哪个(房间|楼|门户)"
            ),
        ),
        (Wanted.REASON, r"\b(why|reason|what causes?|how come)\b|为什么|为何|原因|怎么回事"),
        (
            Wanted.STEPS,
            (
                r"\bhow (do|does|can|could|should|would|to|am|is|are)\b|\b(steps?|procedure|process|instructions?|"
                r"guide|what (should|do|can|must) (i|we) do|what to do|walk me through|set ?up)\b"
                r"|^(?:please )?(?:make|take|keep|add|remove|delete|create|change|limit|run|start|stop|restart|"
                r"install|configure|enable|disable|move|copy|connect|reset|restore|renew|replace|mount|expose|rotate|scale|upgrade|encrypt)\b"
                r"|怎么|如何|怎样|步骤|流程|怎么办|办理|操作"
            ),
        ),
        (
            Wanted.PERMISSION,
            (
                r"^(can|may|could|am|are|is|do|does|must|should|will|has|have)\b|\b(allowed|permitted|forbidden|"
                r"required)\b"
                r"|能不能|可不可以|可以.{0,60}吗|能.{0,60}吗|是否|是不是|要不要|需要.{0,60}吗|允许|必须.{0,60}吗|吗[?？]?$"
            ),
        ),
        (
            Wanted.DEFINITION,
            r"^(what|which|define|explain|describe)\b|\bwhat (is|are|does)\b|什么是|是什么|是指|含义|介绍",
        ),
    )
)


#: Kinds that one sentence, row or item answers.
FACTS = frozenset({Wanted.TIME, Wanted.AMOUNT, Wanted.PERSON, Wanted.CONTACT, Wanted.PLACE, Wanted.PERMISSION})
_HOW_LONG = re.compile(
    r"\bhow long\b|\bhow many (?:days|weeks|months|hours|minutes)\b|\bdeadline"
    r"|多久|多长时间|几[天周]|几个[月小]|期限"
)
#: Who asks which there are, and wants all of them.
_LISTS = re.compile(
    r"\b(?:what|which) (?:are|kinds?|types?|sorts?)\b|\b(?:what|which) \w+(?: \w+)? (?:are|exist)\b"
    r"|\b(?:list|all) (?:of )?the\b|有哪些|有哪几|哪些|列出|有什么|清单"
)
#: A text has a length that is no time.
_LENGTH = re.compile(
    r"\bhow long (?:can|may|should|must|is|are) (?:[\w-]{1,20} ){0,3}?"
    r"(?:texts?|names?|titles?|descriptions?|passwords?|strings?|messages?|keys?|values?|labels?|tags?|comments?)\b"
)
_ONE, _OTHER = r"(?:an? |the )?(?P<one>[^,?]{2,60}?)", r"(?:an? |the )?(?P<other>[^,?]{2,60})"
#: Two things that are set side by side.
_BETWEEN = re.compile(rf"\bbetween {_ONE} and {_OTHER}")
_EITHER = re.compile(
    rf"(?:[:,]|\bis|\bare|\bdoes|\b[a-z]{{3,12}}er) {_ONE} (?:or|than|versus|vs\.?|compared (?:to|with)) {_OTHER}"
)
_BESIDE = re.compile(
    r"(?P<one>[^，,？?。]{1,20}?) ?(?:和|跟|与|同|还是|比) ?(?P<other>[^，,？?。]{1,20}?) ?(?:之间)?(?:的|有|是|，)?"
    r"(?:什么|啥)?(?:区别|差别|不同|不一样|哪个|哪种|哪一|谁)"
)
_COMPARES = re.compile(r"\bdiffer|\bcompar|\bversus\b|\bvs\b|\bor\b|\bthan\b|区别|差别|不同|不一样|哪个|哪种|哪一|谁")
_PARTS = re.compile(r"[,;，；、]|\band\b|以及|还有|并且")


def wants_one_fact(plain: str) -> bool:
    """Tell whether one sentence is what a normalised question asks for: a time, a person, yes or no, and no more."""
    return bool(wanted_by(plain) & FACTS) and Wanted.STEPS not in wanted_by(plain) and not has_parts(plain)


#: Who asks whether something may be, at the beginning of a sentence or behind a comma.
_MAY = re.compile(
    r"(?:^|[,.;!?] ?|\b(?:and|so|but) )(?:can|may|could|are) "
    r"(?:i|we|he|she|they|you|staff|somebody|guests?|customers?)\b|"
    r"\b(?:allowed|permitted)\b|能不能|可不可以|(?:可以|能)[^，。？?]{0,20}[吗么]|允许"
)


def asks_leave(plain: str) -> bool:
    """Tell whether a normalised question asks whether something may be, and not how it is done: "can we?"."""
    return _MAY.search(plain) is not None and Wanted.STEPS not in wanted_by(plain)


def asks_for_all(plain: str) -> bool:
    """Tell whether a normalised question asks which there are of something."""
    return _LISTS.search(plain) is not None


def compared_in(plain: str) -> tuple[str, str] | None:
    """Return the two things that a normalised question sets side by side ("the difference between A and B")."""
    if not _COMPARES.search(plain):
        return None
    found = next((match for pattern in (_BETWEEN, _EITHER, _BESIDE) if (match := pattern.search(plain))), None)
    return (found["one"], found["other"]) if found else None


def asks_how_long(plain: str) -> bool:
    """Tell whether a normalised question asks for a span of time and not for a point in it."""
    return _HOW_LONG.search(plain) is not None and _LENGTH.search(plain) is None


def has_parts(plain: str) -> bool:
    """Tell whether a normalised question asks for two different things ("what is it, and who approves it?")."""
    asked = (wanted_by(part.strip()) for part in _PARTS.split(plain))
    return len({kinds for kinds in asked if Wanted.ANY not in kinds}) > 1


def wanted_by(plain: str) -> frozenset[Wanted]:
    """Return every kind that a normalised question asks for; `ANY` alone when it does not say."""
    found = {wanted for wanted, pattern in _PATTERNS if pattern.search(plain)}
    if _LENGTH.search(plain):
        found = (found - {Wanted.TIME}) | {Wanted.AMOUNT}
    return frozenset(found or {Wanted.ANY})
