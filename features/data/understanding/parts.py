"""Messages that ask several things: each question for numbers by itself, and what of it is for the documents."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from features.data.understanding.asked import AskedData, AskedPart, AskedParts, UnclearQuestion, is_list
from features.data.understanding.choosing.those import is_of_those
from queries.sql.metrics.query import DataQuery, MetricQuery, Period

Found = AskedData | UnclearQuestion | None
#: Most questions of one message.
_MOST = 4
_SENTENCES = re.compile(r"(?<=[?？。！!；;])\s*|(?<=[.\n])\s+")
_ASKING = (
    r"(?:how|what|which|who|whom|whose|when|where|why|is|are|was|were|do|does|did|can|may|must|should|could|show|list|"
    r"give|tell)\b"
)
_ASKING_ZH = r"什么|哪|谁|怎么|怎样|如何|多少|几|吗|是否|能否|为什么|为何|多久"
#: Where a joint may begin: at a sign, or at the first of several spaces, so that none is looked at twice.
_START = r"(?:[,;]|(?<!\s)(?=\s))"
_CLAUSES = (
    re.compile(
        rf"{_START}\s++(?:and|but|plus)\s++(?:also\s++)?(?:(?:for|at)\s++)?(?={_ASKING})|,\s++(?={_ASKING})",
        re.IGNORECASE,
    ),
    re.compile(r"(?:[，；]|(?<=[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff]))\s*(?:并且|还有|以及|另外|同时|而且)?"),
)
_LISTS = (re.compile(rf"{_START}\s++and\s++(?:the\s++)?|,\s++", re.IGNORECASE), re.compile(r"[，,、]|以及|还有|和"))
#: What was spoken of before: no list of all is asked for.
_IT = re.compile(r"\b(?:it|they|them|that|those)\b|[它他她]", re.IGNORECASE)
_HOW_MUCH = re.compile(
    r"(?:and |also )?how much(?: money)?(?: is (?:it|that)| are they| in (?:total|all)| altogether| worth){0,3}"
    r"|(?:一共|总共|合计|共)?(?:是|有|值)?(?:多少钱|总额是?多少|总金额是?多少|金额是?多少|多少金额)",
    re.IGNORECASE,
)
_QUESTION = re.compile(rf"(?:and |but |also )?{_ASKING}", re.IGNORECASE)
_QUESTION_ZH = re.compile(_ASKING_ZH)
#: What all questions of a message are about: "Berlin: how many orders, and what revenue?"
_TOPIC = re.compile(r"[^:：?？]{1,60}[:：](?!\d)")


@dataclass(frozen=True)
class Reads:
    """What reads one piece: alone or going on from a question, and what tells of the words in it."""

    one: Callable[[str, AskedData | None], Found]
    things: Callable[[str], Sequence[str]]  # the names of tables in a piece
    values: Callable[[str], frozenset[tuple[str, str]]]  # the values that a piece names, each with its column
    counts: Callable[[str], bool]  # whether a piece asks how many, or what share
    is_empty: Callable[[str], bool]  # whether nothing is said: "Hello"
    names_period: Callable[[str], bool]
    is_period: Callable[[str], bool]  # whether a piece is a period and nothing else
    fits: Callable[[AskedData], bool]  # the catalogue gives it
    lacks_period: Callable[[AskedData], bool]  # it has none, and could have one
    points_back: Callable[[str], bool]  # whether a piece is of what stands before it: "and their budget"
    of_those: Callable[[str, AskedData, AskedData], AskedData | None]  # a piece with what bounds the one before it


def parts_of(text: str, before: AskedData | None, reads: Reads) -> AskedParts | None:
    """Return the questions of a message where one of them at least is for numbers; None where it asks one thing."""
    for pieces, lists in _splits(text):
        if 1 < len(pieces) <= _MOST and (found := _parts(pieces, before, reads)) is not None:
            if lists and (found.documents or found.left):
                continue  # "revenue and what nobody knows" is one thing
            found = _split_alike(found, reads) if lists else found
            found = _with_one_period(found, reads)
            return None if found is None else replace(found, asked=_without_wider(_once(found.asked)))
    return None


def apart(text: str, before: AskedData | None, reads: Reads) -> AskedParts | None:
    """Return the questions of a message that asks each by itself: "How many in Chengdu, and how many in Hamburg?"."""
    for pieces, lists in _splits(text):
        found = _parts(pieces, before, reads) if 1 < len(pieces) <= _MOST and not lists else None
        if found is not None and not found.documents and not found.left and len(found.asked) == len(pieces):
            return _with_one_period(found, reads)
    return None


def _splits(text: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the ways to cut a message: at the ends of sentences, else before what asks, else at each "and".

    With each: whether it is but a list of what is measured.
    """
    sentences = _pieces(_SENTENCES.split(text.strip()))
    yield sentences, False
    seen = {sentences}
    for joint, lists in (*((clause, False) for clause in _CLAUSES), *((conjunction, True) for conjunction in _LISTS)):
        pieces = _with_topic(_pieces(piece for sentence in sentences for piece in joint.split(sentence)))
        if pieces not in seen:
            seen.add(pieces)
            yield pieces, lists


def _with_topic(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """Return the pieces, each with what stands before the colon of the first: "Berlin: how many, and what budget"."""
    topic = _TOPIC.match(pieces[0]) if pieces else None
    return pieces if topic is None else (pieces[0], *(f"{topic[0]} {piece}" for piece in pieces[1:]))


def _once(asked: Sequence[AskedPart]) -> tuple[AskedPart, ...]:
    """Return each question once: ", by month" has become part of what stands before it."""
    first = {(each.asked.source, each.asked.query.model_dump_json()): each for each in reversed(asked)}
    return tuple(reversed(first.values()))


def _without_wider(asked: Sequence[AskedPart]) -> tuple[AskedPart, ...]:
    """Return the questions without those that the next one only bounds: "orders per customer, only those over 50"."""
    bounded = {
        each.asked.query.model_copy(update={"having": (), "groups": False}).model_dump_json()
        for each in asked
        if isinstance(each.asked.query, MetricQuery) and each.asked.query.having
    }
    return tuple(each for each in asked if each.asked.query.model_dump_json() not in bounded)


def _split_alike(found: AskedParts, reads: Reads) -> AskedParts:
    """Return what is listed with the splits that only one names, where they can be: "orders and new hires by month"."""
    queries = [part.asked.query for part in found.asked]
    counted = [_counted(query) for query in queries]
    named = {(each.by, each.grain) for each in queries if isinstance(each, MetricQuery) and (each.by or each.grain)}
    if len(named) != 1:
        return found
    by, grain = named.pop()
    parts: list[AskedPart] = []
    for part, query in zip(found.asked, counted, strict=True):
        plain = query is not None and not (query.by or query.grain)
        changed = part if query is None else replace(part, asked=replace(part.asked, query=query))
        changed = _changed(changed, {"by": by, "grain": grain}) if plain else part
        parts.append(changed if reads.fits(changed.asked) else part)
    return replace(found, asked=tuple(parts))


def _counted(query: DataQuery) -> MetricQuery | None:
    """Return a number that can be split: of rows that are counted, as the metric that counts them."""
    if isinstance(query, MetricQuery):
        return query
    if not query.count or query.without or query.period:
        return None
    if query.of:
        return MetricQuery(metric=query.of, where=query.where)
    return MetricQuery(metric=query.table, aggregate="count", where=query.where)


def _with_one_period(found: AskedParts, reads: Reads) -> AskedParts | None:
    """Return the parts with the period that only one of them names: "orders and new hires last month".

    None where it is not known which period holds: it would be a number of all time that nobody asked for.
    """
    lacking = [part for part in found.asked if reads.lacks_period(part.asked)]
    if not lacking:
        return found
    named = [part for part in found.asked if _times(part.asked) != (None, None)]
    times = {_times(part.asked) for part in named}
    others = (*found.left, found.documents)
    if len(times) > 1 or (not times and any(map(reads.names_period, others))):
        return None
    if not times:
        return found
    changed = {"period": named[0].asked.query.period, "against": _times(named[0].asked)[1]}
    return replace(found, asked=tuple(_changed(part, changed) if part in lacking else part for part in found.asked))


def _times(asked: AskedData) -> tuple[Period | None, Period | None]:
    against = asked.query.against if isinstance(asked.query, MetricQuery) else None
    return asked.query.period, against


def _changed(part: AskedPart, changed: Mapping[str, object]) -> AskedPart:
    return replace(part, asked=replace(part.asked, query=part.asked.query.model_copy(update=changed)))


def _pieces(cut: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(piece.strip(" \n?？。！!；;,，.") for piece in cut if piece and piece.strip(" \n?？。！!；;,，."))


def _parts(pieces: Sequence[str], before: AskedData | None, reads: Reads) -> AskedParts | None:
    asked: list[AskedPart] = []
    documents: list[str] = []
    left: list[str] = []
    for at, piece in enumerate(pieces):
        last = asked[-1].asked if asked else before
        things = [name for each in pieces[:at] if each not in (*documents, *left) for name in reads.things(each)]
        found = _of_piece(piece, last, things, reads)
        found = _of_those(piece, found, asked[-1].asked, reads) if asked else found
        if not asked and at + 1 < len(pieces) and reads.is_period(piece):
            return None  # "this year, …" says of when all of it is
        if isinstance(found, AskedData) and _IT.search(piece) and _is_all(found.query):
            left.append(piece)
        elif isinstance(found, AskedData):
            asked.append(AskedPart(piece, found))
        elif isinstance(found, UnclearQuestion):
            left.append(piece)
        elif _is_question(piece):
            (left if asked and _IT.search(piece) else documents).append(piece)
        elif not reads.is_empty(piece):
            return None
    if not asked or any(_is_bounded_by(part, piece, reads) for part in asked for piece in (*documents, *left)):
        return None
    return AskedParts(tuple(asked), documents=" ".join(documents), left=tuple(left))


def _of_piece(piece: str, before: AskedData | None, things: Sequence[str], reads: Reads) -> Found:
    if before is not None and is_of_those(piece):
        return _narrower(piece, before, reads)
    return _read(piece, before, things, reads)


def _of_those(piece: str, found: Found, before: AskedData, reads: Reads) -> Found:
    """Return what is asked of rows that were spoken of, bounded as they are: "and their budget"."""
    if not isinstance(found, AskedData) or not reads.points_back(piece):
        return found
    meant = reads.of_those(piece, found, before)
    return meant if meant is not None and reads.fits(meant) else UnclearQuestion("those")


def _narrower(piece: str, before: AskedData, reads: Reads) -> Found:
    """Read a piece as a part of the rows that were spoken of."""
    found = reads.one(piece, before)
    within = isinstance(found, AskedData) and _is_within(found.query, before.query)
    return found if within else UnclearQuestion("combination")


def _read(piece: str, before: AskedData | None, things: Sequence[str], reads: Reads) -> Found:
    """Read a piece alone, going on from the one before it, or about what was spoken of there."""
    if before is None and reads.is_period(piece):
        return None  # it is of what stands before it
    of_those = before is not None and _HOW_MUCH.fullmatch(piece.strip()) is not None
    found = reads.one(piece, before if of_those else None)  # the money of what was counted, and not of all
    if of_those or isinstance(found, AskedData):
        return found
    found = None if found is not None and found.reason == "guess" else found  # the documents may know it
    further = reads.one(piece, before) if before is not None else None
    if before is not None and isinstance(further, AskedData) and further.query != before.query:
        return further  # one that changes nothing was not understood
    if isinstance(shown := reads.one(f"show {piece}", None), AskedData):
        return shown
    if not reads.things(piece):
        for name in things:
            if isinstance(about := reads.one(f"{piece} {name}", None), AskedData):
                return about
    return found


def _is_bounded_by(part: AskedPart, piece: str, reads: Reads) -> bool:
    """Tell whether a number is probably of what a piece names that was not understood: "Is China growing? Revenue"."""
    held = {(made.column, str(value)) for made in part.asked.query.where for value in made.values}
    named = reads.values(piece)
    if named and not any(each in held for each in named):
        return True
    return reads.counts(piece) and bool(reads.things(piece)) and not part.asked.query.where


def _is_within(query: DataQuery, wider: DataQuery) -> bool:
    """Tell whether a number is of a part of the rows that another one is of."""
    bounded = len(query.where) > len(wider.where) and all(made in query.where for made in wider.where)
    return bounded and query.period == wider.period


def _is_all(query: DataQuery) -> bool:
    """Tell whether all rows of a table are listed."""
    return is_list(query) and query.period is None and not query.where


def _is_question(piece: str) -> bool:
    return _QUESTION.match(piece) is not None or _QUESTION_ZH.search(piece) is not None
