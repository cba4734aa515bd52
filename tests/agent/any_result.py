"""Any result that a made-up tool may return: words with a mark each, so that one can look for them in what is shown."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import assert_never

from hypothesis import strategies as st

from agent.results import (
    Advice,
    Bilingual,
    Column,
    DocumentSource,
    Finding,
    Findings,
    Message,
    Observation,
    Passage,
    Passages,
    Point,
    Records,
    Result,
    Series,
    Table,
)

WORDS = st.text(alphabet="abcdefghkmnprstuvxyzäßé值班人", min_size=3, max_size=12)
BOTH = st.builds(lambda words: Bilingual(words, words), WORDS)
NUMBERS = st.integers(-(10**9), 10**9) | st.decimals(-1000, 1000, places=2) | st.none()
DAYS = st.dates(date(2000, 1, 1), date(2099, 1, 1)) | st.none()
INSTANTS = st.integers(10**9, 4 * 10**9).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
_CELLS = {"text": WORDS | st.none(), "number": NUMBERS, "date": DAYS, "time": INSTANTS, "flag": st.booleans()}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Return a table of a few rows."""
    types = draw(st.lists(st.sampled_from(sorted(_CELLS)), min_size=1, max_size=4))
    columns = tuple(Column(f"{draw(WORDS)} {at}", kind) for at, kind in enumerate(types))  # type: ignore[arg-type]
    rows = draw(st.lists(st.tuples(*(_CELLS[kind] for kind in types)), max_size=6))
    return Table(columns, tuple(rows), title=draw(BOTH), statement=draw(WORDS | st.just("")), datasource=draw(WORDS))


@st.composite
def reports(draw: st.DrawFn) -> Findings:
    """Return a report whose findings rest on what was seen."""
    seen = tuple(
        Observation(f"key{at}", draw(st.sampled_from(["k8s", "log", "metric"])), draw(BOTH))
        for at in range(draw(st.integers(1, 3)))
    )
    findings = tuple(Finding(draw(BOTH), (each.key,)) for each in seen)
    both = st.lists(BOTH, max_size=2).map(tuple)
    advice = st.lists(st.builds(Advice, BOTH, command=WORDS | st.just("")), max_size=2).map(tuple)
    return Findings(
        draw(BOTH), findings, seen, draw(both), advice=draw(advice), not_read=draw(both), changed=draw(both)
    )


def any_result() -> st.SearchStrategy[Result]:
    """Return any member of the union."""
    passage = st.builds(Passage, WORDS, st.builds(DocumentSource, WORDS, section=WORDS))
    points = st.lists(st.builds(Point, INSTANTS, NUMBERS), max_size=6).map(tuple)
    return st.one_of(
        st.builds(Passages, st.lists(passage, min_size=1, max_size=3).map(tuple)),
        tables(),
        st.builds(Series, WORDS, points, unit=WORDS, query=WORDS, datasource=WORDS),
        reports(),
        st.builds(Records, WORDS, st.lists(WORDS, max_size=3).map(tuple)),
        st.builds(Message, BOTH, author=WORDS | st.just("")),
    )


def content_of(result: Result) -> Iterator[str]:
    """Yield the words of a result that a person has to see."""
    match result:
        case Passages(items=items):
            yield from (item.text for item in items)
        case Table():
            yield result.title.en
            is_one_cell = len(result.rows) == len(result.columns) == 1  # its title tells it
            if result.rows and not is_one_cell:
                yield from (column.name for column in result.columns)
            yield from (value for row in result.rows for value in row if isinstance(value, str))
        case Series():
            yield result.name
        case Findings():
            yield result.summary.en
            yield from (finding.text.en for finding in result.findings)
            yield from (each.text.en for each in result.observations)
            yield from (each.text.en for each in result.advice)
            yield from (each.command for each in result.advice)
            yield from (each.en for each in (*result.not_read, *result.changed))
        case Records():
            yield from result.ids
        case Message():
            yield result.text.en
        case _:
            assert_never(result)
