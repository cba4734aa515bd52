"""Names of metrics whose words stand apart or are inflected: "How many crates were sold?" is about crates sold."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from features.data.understanding.words.forms import root
from features.data.understanding.words.signs import Sign, phrases
from features.data.understanding.words.units import unit_of
from features.data.understanding.words.vocabulary import tokens_of
from queries.sql.catalog.catalog import Catalog

#: Words of a name that a question leaves out.
_SMALL = frozenset({"who", "that", "of", "the", "a", "an", "number", "count", "in", "per"})
#: What stands between two things that are said, which are no name together.
_JOINTS = frozenset({"and", "or", "but"})
#: What 多少 stands for at the end of a Chinese name.
_COUNTED = re.compile(r"(?:数量|人数|次数|数|量)$")
#: What tells how many, so that what stands around it is no name.
_COUNTS = re.compile(r"[最一两二三四五六七八九十0-9]|多(?!少)")
#: Characters between the first and the last of a Chinese name that is torn apart.
_MOST_BETWEEN = 6
_AMOUNT = r"\b\d[\d,.]{0,12}[km]?(?: (?:euros?|eur|pounds|dollars|kg|pieces|items|units))?"
#: Turns of speech, with words that say the same: 前五大 is 前五.
_PLAINER = (
    (
        re.compile(rf"({_AMOUNT}) (?:or|and) (?:more|above|over|up|upwards|higher)\b|({_AMOUNT})\+", re.IGNORECASE),
        r"at least \1\2",
    ),
    (re.compile(rf"({_AMOUNT}) (?:or|and) (?:less|fewer|below|under|lower)\b", re.IGNORECASE), r"at most \1"),
    (re.compile(r"前([0-9]{1,2}|[一二三四五六七八九十]{1,2})大"), r"前\1"),
    (re.compile(r"^\s*who are (?:all )?(?:the|our) (.{1,100})$", re.IGNORECASE), r"list the \1"),
    (
        re.compile(
            r"^\s*what ([a-z]{3,20}) (?:do|does|did) (?:we|you|they) (?:pay|charge|get|owe) "
            r"(?:for|at|on|to) (.{1,60})$",
            re.IGNORECASE,
        ),
        r"what is the \1 of \2",
    ),
    (re.compile(r"(?:快|就|即将)?要(?=到期|截止|结束|过期|开始)"), ""),
    (
        re.compile(r"(除了?.{1,20}?)[,，]?其[他余]的?(地区|城市|国家|部门|产品|渠道)(?=.{0,20}分别)"),
        r"\1各\2",
    ),
    (re.compile(r"(除了?.{1,20}?)[,，]?其[他余](?:的|地方|地区|城市|国家|部门|人)?"), r"\1"),
    (
        re.compile(
            r"^\s*(?:when|on what day) (?:was|were|is) (?:the |our )?"
            r"(most recent|latest|last|newest|very first|first|earliest|oldest)\b",
            re.IGNORECASE,
        ),
        r"the \1",
    ),
    (re.compile(r"^\s*where (?:does|do|is|did) (.{1,60}) rank(?:ed)?\b", re.IGNORECASE), r"what rank has \1"),
    (
        re.compile(r"^\s*what (?:does|do) (.{1,60}) (?!mean\b|do\b)([a-z]{3,15})\s*\??$", re.IGNORECASE),
        r"what is the \2 of \1",
    ),
    (
        re.compile(r"\b(?:what|how much) (?:are|is|were|was) (?:they|those|these|it|that) worth\b", re.IGNORECASE),
        "how much",
    ),
    (re.compile(r"(最[早晚新近].{1,30}?)是(?:哪一?天|什么时候|几号)的?(?=\s*(?:[?？]\s*)?$)"), r"\1"),
    (re.compile(r"(最.{1,20})是什么(?=\s*(?:[?？]\s*)?$)"), r"\1是哪个"),
    (
        re.compile(
            r"(比.{1,16}?)是?[更变]?(?:多|高|涨|升|增加|好|大)了?(?:还是|或者?)[更变]?(?:少|低|跌|降|减少|差|小)了?"
            r"(?=[呢吗啊?？\s]{0,3}$)"
        ),
        r"\1",
    ),
    (re.compile(r"(最.{1,20})是什么(?=[\u4e00-\u9fff])(?!意思|原因|情况|时候)"), r"\1是哪个"),
    (re.compile(r"^\s*how (?:does|do|did) (.{1,200}) compare (?:to|with) ", re.IGNORECASE), r"\1 compared with "),
    (
        re.compile(r"^\s*how (?:does|do) (.{1,200}) (?:look|develop|evolve|change|trend)\b", re.IGNORECASE),
        r"trend of \1",
    ),
)
_TIMES = ("hours", "minutes", "days")
#: What asks for the mean of a column that is not named, with what kind of unit it has.
_MEANS_OF = {
    re.compile(
        r"^\s*how (?:long|many (?P<unit>hours|days|minutes)) (?:do|does|did) (?:it take (?:us )?)?(?P<of>.{1,80})$",
        re.IGNORECASE,
    ): _TIMES,
    re.compile(
        r"^(?P<of>.{1,40}?)平均(?:要|需要|得)?(?:花费?|用|修|做)?(?:多久|多长时间|(?:几|多少)个?(?P<unit>小时|天|分钟))"
    ): _TIMES,
    re.compile(
        r"^\s*(?:what|how much) (?:do|does|did) (?:an? |the |our )?(?P<of>.{1,40}?) (?:earn|make|get paid)"
        r"(?: (?:per|an?) (?:hour|month|year))?\s*\??$",
        re.IGNORECASE,
    ): ("money",),
    re.compile(
        r"^\s*(?:what|how much) do we pay (?:an? |the |our )?(?P<of>.{1,40}?) (?:per|an?) (?:hour|month|year)\s*\??$",
        re.IGNORECASE,
    ): ("money",),
}
#: What is left out of what such a mean is of.
_OBJECT = re.compile(
    r"\b(?:on average|usually|typically|normally|take|to (?:repair|fix|mend|do|finish|complete|resolve|solve|handle)|"
    r"in (?:hours|days|minutes)|an?|the)\b|^(?:维?修理?|做|处理|完成)(?!理|单)(?:一[次个单趟])?",
    re.IGNORECASE,
)
_WAGES = re.compile(r"wage|salar|\bpay|薪|工资", re.IGNORECASE)
_HOW_MANY = re.compile(r"多少|几")
_VERBS = sorted((each for each, sign in phrases() if sign is Sign.TRADE and not each.isascii()), key=len, reverse=True)
_IRREGULAR = {
    "sold": "sell", "bought": "sell", "buy": "sell", "purchase": "sell", "purchased": "sell", "ordered": "sell",
    "brought": "bring", "made": "make", "paid": "pay", "sent": "send",
    "spent": "spend", "left": "leave", "lost": "lose", "won": "win", "built": "build", "came": "come",
    "went": "go", "got": "get",
    "given": "give", "gave": "give", "taken": "take", "took": "take", "written": "write", "wrote": "write",
    "shown": "show", "held": "hold", "met": "meet", "kept": "keep", "found": "find", "begun": "begin",
    "began": "begin",
}  # fmt: skip
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def mended(text: str, catalog: Catalog, knows: Callable[[str], bool]) -> Iterator[str]:
    """Yield the text with the words of a metric's name put together, for each name that it holds in pieces.

    `knows` tells whether a word means something by itself.
    """
    for pattern, plainer in _PLAINER:
        if (plain := pattern.sub(plainer, text)) != text:
            yield plain
    yield from _of_columns(text, catalog)
    found = list(tokens_of(text))
    yield from _written_apart(text, catalog, found)
    things = {called for table in catalog.tables.values() for called in table.called.zh}
    for metric in catalog.metrics.values():
        for called in metric.called.every:
            if _HOW_MANY.search(called):
                continue  # 多少单 is said in one piece
            if called.isascii():
                places = _in_any_order(called, found)
            else:
                places = _in_order(called, found) or _in_order(_COUNTED.sub("", called), found)
                if not places:
                    yield from _done(called, text, is_thing=lambda rest: rest in things)
                    yield from _counted(called, text, knows)
            if places:
                yield _together(text, called, [found[at][1:] for at in places])


def _of_columns(text: str, catalog: Catalog) -> Iterator[str]:
    """Yield "how long does it take to fix a tyre", 修轮胎平均要几个小时, "what does a vet earn" as means of columns."""
    for pattern, kinds in _MEANS_OF.items():
        found = pattern.search(text)
        if found is None:
            continue
        said, kind = _OBJECT.sub(" ", found["of"]).strip(" ,?？"), unit_of(found.groupdict().get("unit") or "")
        english = text.isascii()
        for table in catalog.tables.values():
            for name, column in table.columns.items():
                called = column.called.first("en" if english else "zh", name.replace("_", " "))
                pays = "money" not in kinds or bool(_WAGES.search(f"{name} {called}"))
                if column.type == "number" and unit_of(column.unit) in ({kind} if kind else kinds) and pays:
                    yield f"average {called} of {said}" if english else f"{said}平均{called}"


def _written_apart(text: str, catalog: Catalog, found: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    """Yield the text with a name in one word where it is written in two: "turn over" for turnover, "broke down"."""
    called = [each.called.en for each in catalog.metrics.values()]
    called += [each.called.en for each in catalog.tables.values()]
    names = {root(each.lower()): each.lower() for words in called for each in words if each.isalpha()}
    for (one, start, _), (other, _, end) in pairwise(found):
        for joined in (one + other, root(one) + other):
            if joined.isalpha() and root(joined) in names:
                yield text[:start] + names[root(joined)] + text[end:]
                break


def _done(called: str, text: str, *, is_thing: Callable[[str], bool]) -> Iterator[str]:
    """Yield the text of a Chinese name that says what is done, done with another verb: 客户…买过 for 下单客户.

    Who asks for things without asking how many there are asks which: 买过冷链的客户.
    """
    verb = next((each for each in _VERBS if called.startswith(each)), "")
    rest = called.removeprefix(verb)
    if not verb or len(rest) < 2 or rest not in text or called in text:
        return
    ahead, _, behind = text.partition(rest)
    if "最" in ahead:
        return
    for each in _VERBS:
        if each in ahead or each in behind:
            lead = "哪些" if is_thing(rest) and not _HOW_MANY.search(text) and "哪" not in text else ""
            yield re.sub(rf"{each}[过了]?", "", ahead) + lead + called + re.sub(rf"{each}[过了]?", "", behind)
            return


def _counted(called: str, text: str, knows: Callable[[str], bool]) -> Iterator[str]:
    """Yield the text of a Chinese name with what is counted: 入职了多少人 for 入职人数."""
    bare = _COUNTED.sub("", called)
    if bare == called or len(bare) < 2 or called in text or knows(bare):
        return
    if bare in text and _HOW_MANY.search(text):
        yield re.sub(rf"{bare}了?", called, text, count=1)


def _in_any_order(called: str, found: Sequence[tuple[str, int, int]]) -> list[int]:
    """Return where the words of an English name stand, in whatever form; none where one is missing."""
    wanted = [_stem(word) for word, _, _ in tokens_of(called) if word not in _SMALL]
    stems = [_stem(word) for word, _, _ in found]
    if len(set(wanted)) < 2 or not set(wanted) <= set(stems):
        return []
    places = sorted({stems.index(each) for each in wanted})
    between = stems[places[0] : places[-1]]
    return places if not _JOINTS & set(between) else []  # "people who joined and left"


def _in_order(called: str, found: Sequence[tuple[str, int, int]]) -> list[int]:
    """Return where the characters of a Chinese name stand, one after the other with little between them."""
    wanted = [token for token, _, _ in tokens_of(called)]
    here = [token for token, _, _ in found]
    if len(wanted) < 2 or not set(wanted) <= set(here):
        return []
    for start in (at for at, token in enumerate(here) if token == wanted[0]):
        places = [start]
        for each in wanted[1:]:
            if each not in here[places[-1] + 1 :]:
                return []
            places.append(here.index(each, places[-1] + 1))
        between = "".join(here[start : places[-1]])
        counts = _COUNTS.search(between)  # 下单最多的客户, 下过三单的客户 are no 下单客户
        if 0 < places[-1] - start + 1 - len(wanted) <= _MOST_BETWEEN and not counts:
            return places
    return []


def _together(text: str, called: str, spans: Sequence[tuple[int, int]]) -> str:
    (start, end), *others = spans
    parts, at = [text[:start], called], end
    for begin, finish in others:
        parts.append(text[at:begin])
        at = finish
    return "".join((*parts, text[at:]))


@lru_cache(maxsize=4_096)
def _stem(word: str) -> str:
    """Return what the forms of an English word share: sold, sell; shipped, shipping, ship."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = _DOUBLED.sub(r"\1", word.removesuffix(ending))
            break
    return word.removesuffix("e")
