"""The catalogue of one database: tables, columns, joins, row rules and metrics, as they stand in `catalog/<name>.yaml`.

What is not in the catalogue does not exist for anybody. Names of tables and columns are those of the database; what
people call them stands under `called`, in both languages.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from storage.files.reading import LOOSE_ENDS
from storage.files.text import MOST_TOLD

#: An identifier that needs no quotes anywhere.
NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
Name = Annotated[str, Field(pattern=NAME, max_length=63)]
ColumnType = Literal["text", "number", "date", "time", "flag"]
Language = Literal["en", "zh"]


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Words(_Declared):
    """What people call a thing, in each language: the first is its name, the others are synonyms."""

    en: tuple[str, ...] = Field((), description="In English.")
    zh: tuple[str, ...] = Field((), description="In Chinese.")

    def first(self, language: str, otherwise: str) -> str:
        """Return the name in a language, in the other one where it has none."""
        return next(iter((*self.zh, *self.en) if language == "zh" else (*self.en, *self.zh)), otherwise)

    @property
    def every(self) -> tuple[str, ...]:
        """Return all of them."""
        return (*self.en, *self.zh)


class Described(_Declared):
    """A sentence in each language; one of them stands for both."""

    en: str = Field("", description="In English.")
    zh: str = Field("", description="In Chinese.")

    def in_language(self, language: str) -> str:
        """Return the sentence in a language."""
        return (self.zh or self.en) if language == "zh" else (self.en or self.zh)


class CatalogColumn(_Declared):
    """A column that may be asked for."""

    type: ColumnType = Field(description="What it holds.")
    called: Words = Field(Words(), description="What people call it.")
    meaning: Described = Field(Described(), description="What it means, in a sentence.")
    unit: str = Field("", description="What its numbers are measured in: `EUR`, `%`, `days`.")
    values: Mapping[str, Words] = Field(
        default_factory=dict, description="The values that it takes where they are few, and what people call each."
    )
    ahead: bool = Field(False, description="Its days lie ahead as well: due dates, ends of contracts.")
    masked: bool = Field(False, description="To all but `shown_to` each of its cells is empty, in conditions too.")
    shown_to: tuple[str, ...] = Field((), description="Principals that read it although it is masked.")

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        if self.ahead and self.type not in ("date", "time"):
            raise ValueError("`ahead: true` is of days")
        if self.shown_to and not self.masked:
            raise ValueError("`shown_to` names the exceptions of `masked: true`, which is missing")
        return self

    def held(self, value: str) -> str | bool:
        """Return one of its values as a condition compares it: a flag's is true or false."""
        return value.lower() == "true" if self.type == "flag" else value


class RowRule(_Declared):
    """Which rows some people read; rows of every rule that applies are added up.

    `where` is a condition over the table's columns and over the asker (`:person`, `:email`, `:units`, `:groups`,
    `:roles`), such as `region IN (:units)`.
    """

    to: tuple[str, ...] = Field(("staff",), min_length=1, description="Principals, as in `access.allow` of documents.")
    where: str = Field("TRUE", min_length=1, max_length=2_000, description="Which rows; every row when not given.")


class CatalogTable(_Declared):
    """A table or a view."""

    called: Words = Field(Words(), description="What people call it.")
    meaning: Described = Field(Described(), description="What a row of it is, in a sentence.")
    public: bool = Field(False, description="Everybody of the company reads every row.")
    rows: tuple[RowRule, ...] = Field((), description="Who reads which rows; needed unless it is public.")
    columns: Mapping[Name, CatalogColumn] = Field(min_length=1, description="Its columns that may be asked for.")
    label: str = Field("", description="The column that people know a row by: a name, a number.")

    @model_validator(mode="after")
    def _has_a_rule(self) -> Self:
        if self.public and self.rows:
            raise ValueError("either `public: true` or `rows`, not both")
        if not self.public and not self.rows:
            raise ValueError("who may read it? Give it `rows`, or say `public: true`")
        if self.label and self.label not in self.columns:
            raise ValueError(f"`label: {self.label}` is none of its columns")
        return self


class Join(_Declared):
    """How rows of one table belong to rows of another: many (`many`) to one (`one`), each as `table.column`."""

    many: str = Field(description="The column of the many, as `table.column`.")
    one: str = Field(description="The column of the one that they belong to, as `table.column`.")


#: What a whole sum is divided or multiplied by.
_SCALE = re.compile(r"(?<=\))[*/][0-9.]+$")


class Metric(_Declared):
    """A number that the company has agreed on."""

    called: Words = Field(description="What people call it.")
    meaning: Described = Field(Described(), description="What counts, in a sentence: it is shown beside the number.")
    table: Name = Field(description="The table that it is computed over.")
    expression: str = Field(min_length=1, max_length=2_000, description="An aggregate over the table's columns.")
    where: str = Field("", max_length=2_000, description="Which rows count.")
    unit: str = Field("", description="What it is measured in.")
    time: str = Field("", description="The column that says when a row counts; without one there are no periods.")
    dimensions: tuple[str, ...] = Field(
        (),
        description="Columns to split and filter by: `column` or `table.column`, which brings the texts of its table.",
    )
    questions: tuple[str, ...] = Field((), description="Questions that are offered to begin with, in each language.")

    @property
    def is_count(self) -> bool:
        """Tell whether it is a number of rows, of all or of some."""
        return self.expression.lower().replace(" ", "") == "count(*)"

    @property
    def counts_rows(self) -> bool:
        """Tell whether it is the number of all rows of its table."""
        return self.is_count and not self.where

    @property
    def adds_up(self) -> bool:
        """Tell whether the values of parts add up to the value of the whole, so that shares make sense."""
        plain = _SCALE.sub("", self.expression.lower().replace(" ", ""))
        return plain.startswith(("sum(", "count(")) and "distinct" not in plain and "/" not in plain


class Catalog(_Declared):
    """All that may be asked of one database."""

    tables: Mapping[Name, CatalogTable] = Field(min_length=1, description="The tables and views, by name.")
    joins: tuple[Join, ...] = Field((), description="How their rows belong together.")
    metrics: Mapping[Name, Metric] = Field(default_factory=dict, description="The agreed numbers, by name.")

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        found = tuple(islice(self._loose_ends(), MOST_TOLD))
        if found:
            words = "; ".join(problem for _, problem in found)
            raise PydanticCustomError(LOOSE_ENDS, "{words}", {"words": words, "found": found})
        return self

    def _loose_ends(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield each name that leads nowhere, with the way to it in the file."""
        for number, join in enumerate(self.joins):
            for side in ("many", "one"):
                yield from self._missing(getattr(join, side), ("joins", number, side))
        for name, metric in self.metrics.items():
            here = ("metrics", name)
            if metric.table not in self.tables:
                yield (*here, "table"), f"there is no table {metric.table}"
                continue
            if metric.time:
                yield from self._missing(metric.time, (*here, "time"), within=metric.table)
            for number, dimension in enumerate(metric.dimensions):
                at = (*here, "dimensions", number)
                yield from self._missing(dimension, at, within=metric.table)
                table = self.place(dimension, metric.table)[0]
                if table in self.tables and table != metric.table and table not in self._reached(metric.table):
                    yield at, f"no join leads from {metric.table} to {table}, many to one at each step"

    def _missing(self, named: str, at: tuple[str | int, ...], within: str = "") -> Iterator[tuple[Any, str]]:
        try:
            self.column(named, within)
        except ValueError as error:
            yield at, str(error)

    def column(self, named: str, within: str = "") -> CatalogColumn:
        """Return the column called `table.column`, or `column` of the table `within`; ValueError for none."""
        table, name = self.place(named, within)
        found = self.tables[table].columns.get(name) if table in self.tables else None
        if found is None:
            raise ValueError(f"there is no column {table}.{name}" if table else f"{named} names no table")
        return found

    @cached_property
    def named_columns(self) -> tuple[tuple[str, str], ...]:
        """Return table and column of the names by which people know rows, where the catalogue does not list them."""
        labels = ((name, table.label, table) for name, table in self.tables.items() if table.label)
        return tuple(
            (name, label)
            for name, label, table in labels
            if table.columns[label].type == "text" and not table.columns[label].values
        )

    @staticmethod
    def place(named: str, within: str = "") -> tuple[str, str]:
        """Return table and column of a name."""
        table, dot, name = named.rpartition(".")
        return (table, name) if dot else (within, name)

    @cached_property
    def folded(self) -> Mapping[str, str]:
        """Return the name of each table by its name in lower case: SQL does not tell the two apart."""
        return {name.lower(): name for name in self.tables}

    @cached_property
    def same(self) -> Mapping[str, str]:
        """Return for each metric the one that stands for all that give the same number: a drafted one, and its heir."""
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, metric in self.metrics.items():
            sums = metric.expression.lower().replace(" ", "")
            alike.setdefault((metric.table, sums, metric.where, metric.time), []).append(name)
        best = (max(names, key=self._told) for names in alike.values() for _ in names)
        return dict(zip((name for names in alike.values() for name in names), best, strict=True))

    def _told(self, name: str) -> tuple[int, int]:
        metric = self.metrics[name]
        return len(metric.called.every), len(metric.dimensions)

    def path(self, start: str, end: str) -> tuple[Join, ...] | None:
        """Return the joins that lead from a table to another one, always from many to one; None when none do."""
        if start == end:
            return ()
        came = self._reached(start)
        steps = []
        while end in came:
            steps.append(came[end])
            end = self.place(came[end].many)[0]
            if end == start:
                return tuple(reversed(steps))
        return None

    def _reached(self, start: str) -> Mapping[str, Join]:
        """Return each table that joins lead to from another one, with the last join on the shortest way there."""
        if start not in self._ways:
            came, waiting = dict[str, Join](), deque([start])
            while waiting:
                for join in self._joins_of.get(waiting.popleft(), ()):
                    there = self.place(join.one)[0]
                    if there != start and there not in came:
                        came[there] = join
                        waiting.append(there)
            self._ways[start] = came
        return self._ways[start]

    @cached_property
    def _ways(self) -> dict[str, Mapping[str, Join]]:
        return {}

    @cached_property
    def _joins_of(self) -> Mapping[str, list[Join]]:
        joins: dict[str, list[Join]] = {}
        for join in self.joins:
            joins.setdefault(self.place(join.many)[0], []).append(join)
        return joins

    def belonging(self, named: str) -> str:
        """Return the table to whose rows a column leads; "" for one that is no key of another table."""
        place = self.place(named)
        return next((self.place(join.one)[0] for join in self.joins if self.place(join.many) == place), "")

    def is_key(self, named: str) -> bool:
        """Tell whether a column only joins rows: nobody has a name for it, and its table is known by another one."""
        table, name = place = self.place(named)
        joins = any(place in (self.place(join.many), self.place(join.one)) for join in self.joins)
        own = name == "id" and bool(self.tables[table].label)
        return (joins or own) and name != self.tables[table].label and not self.column(named).called.every
