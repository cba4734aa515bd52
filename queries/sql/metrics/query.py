"""What is asked of a catalogue, as a value that can be stored, shown and changed by a follow-up."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from queries.sql.datasource import MOST_ROWS

#: Steps of time, one after the other.
Step = Literal["day", "week", "month", "quarter", "year"]
#: Steps, and what comes round again: all Mondays together, all hours from 8 to 9.
Grain = Literal["day", "week", "month", "quarter", "year", "weekday", "hour"]
Operator = Literal["is", "is_not", "more", "less", "at_least", "at_most"]
Aggregate = Literal["count", "sum", "average", "median", "largest", "smallest"]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Condition(_Asked):
    """A condition on a column, as `table.column`; several values of `is` are alternatives, null is an empty cell."""

    column: Annotated[str, Field(max_length=130)]
    values: Annotated[tuple[str | Decimal | bool | None, ...], Field(min_length=1, max_length=50)]
    operator: Operator = "is"


class Period(_Asked):
    """From a day on, until before another one; None where it is open."""

    start: date | None = None
    end: date | None = None


class Bound(_Asked):
    """What the value of a row of the result has to be for the row to be shown."""

    operator: Literal["more", "less", "at_least", "at_most", "is"]
    value: Decimal


class Without(_Asked):
    """Rows of another table that belong to none of those that are asked for: guests without a booking."""

    table: Annotated[str, Field(max_length=63)]
    where: Annotated[tuple[Condition, ...], Field(max_length=10)] = ()
    period: Period | None = None
    of: Annotated[str, Field(max_length=63, description="Only the rows that this metric of that table counts")] = ""


class MetricQuery(_Asked):
    """A metric, split and filtered. Without `by` and `grain` it is one number."""

    metric: Annotated[
        str,
        Field(
            max_length=130,
            description="Name of a metric of the catalogue; or a number column, or a table (see `aggregate`)",
        ),
    ]
    aggregate: Annotated[
        Aggregate | None,
        Field(description="Only where no metric says it: of a column or what a metric adds up, or `count` of a table"),
    ] = None
    by: Annotated[tuple[str, ...], Field(max_length=3, description="Columns to split by, as `table.column`")] = ()
    grain: Annotated[Grain | None, Field(description="Split over time by this step, weekday or hour")] = None
    where: Annotated[tuple[Condition, ...], Field(max_length=10)] = ()
    period: Period | None = None
    weekdays: Annotated[
        tuple[Annotated[int, Field(ge=1, le=7)], ...], Field(max_length=6, description="Only these; 1 is Monday")
    ] = ()
    hours: Annotated[
        tuple[Annotated[int, Field(ge=0, le=24)], ...],
        Field(max_length=2, description="Only from the first hour of the day on, until before the second: [18, 24]"),
    ] = ()
    time: Annotated[
        str, Field(max_length=130, description="With `count`: the column of the day, where it is not the table's own")
    ] = ""
    against: Annotated[Period | None, Field(description="Compare with this earlier period")] = None
    share: Annotated[bool, Field(description="Each part's share of the whole, in percent, beside its value")] = False
    part: Annotated[
        tuple[Condition, ...],
        Field(
            max_length=5,
            description="With `share`: what makes the part, of each row's whole; `where` holds for the whole",
        ),
    ] = ()
    rows: Annotated[int | None, Field(ge=1, le=MOST_ROWS, description="How many: of the largest, unless ascending")] = (
        None
    )
    ascending: bool = False
    from_place: Annotated[
        int | None, Field(ge=2, le=MOST_ROWS, description="With `rows`: without those before this place: the 2nd alone")
    ] = None
    by_change: Annotated[
        bool, Field(description="With `rows` and `against`: those that grew most, or fell most with `ascending`")
    ] = False
    per: Annotated[
        tuple[str, ...],
        Field(
            max_length=3,
            description="With `rows`: so many for each value of these, which stand in `by`, or each step of `grain`",
        ),
    ] = ()
    also: Annotated[
        tuple[str, ...], Field(max_length=3, description="More metrics of the same table, as columns beside the first")
    ] = ()
    minus: Annotated[
        str, Field(max_length=63, description="A metric of the same table that is taken off: revenue minus cost")
    ] = ""
    plus: Annotated[
        str, Field(max_length=63, description="A metric of the same table that is added: parts and labour together")
    ] = ""
    over: Annotated[
        str,
        Field(
            max_length=130,
            description="What it is divided by: a metric of the same table or a number column of it: revenue per order",
        ),
    ] = ""
    times: Annotated[
        Decimal | None, Field(gt=0, le=100, description="So much of the value: 0.15 for 15 % of the revenue")
    ] = None
    having: Annotated[
        tuple[Bound, ...], Field(max_length=2, description="With `by` or `grain`: show rows with such values only")
    ] = ()
    groups: Annotated[
        bool,
        Field(description="With `having`: only how many such rows there are; with one `by` alone: how many different"),
    ] = False
    mean: Annotated[Step | None, Field(description="The mean of the metric over these steps of time")] = None
    each: Annotated[
        str, Field(max_length=130, description="The mean of the metric over these, those without any left out: a key")
    ] = ""
    place: Annotated[
        Condition | None, Field(description="With `by` of this column: this value alone, and its place among all")
    ] = None
    absent: Annotated[
        bool, Field(description="With `by` and `period`: those values alone that have no row in it, but others")
    ] = False
    across: Annotated[
        tuple[str, ...],
        Field(
            max_length=20,
            description="With `against`: the largest changes by each of these columns, one after the other",
        ),
    ] = ()


class RowQuery(_Asked):
    """Rows of a table, with the columns that people know them by."""

    table: Annotated[str, Field(max_length=63)]
    columns: Annotated[tuple[str, ...], Field(max_length=12, description="`table.column`; its own when empty")] = ()
    where: Annotated[tuple[Condition, ...], Field(max_length=10)] = ()
    period: Period | None = None
    time: Annotated[
        str, Field(max_length=130, description="The column that `period` is of, where it is not the table's own")
    ] = ""
    of: Annotated[
        str,
        Field(max_length=63, description="Only the rows that this metric of the table counts: who works here today"),
    ] = ""
    order: Annotated[str, Field(max_length=130, description="Column to sort by, as `table.column`")] = ""
    ascending: bool = True
    rows: Annotated[int | None, Field(ge=1, le=MOST_ROWS)] = None
    count: Annotated[bool, Field(description="Only how many there are")] = False
    without: Annotated[Without | None, Field(description="Only rows to which no row of this other table belongs")] = (
        None
    )


DataQuery = MetricQuery | RowQuery
