"""The statement that shows where a change comes from: the whole, and the parts of each dimension that changed most."""

from sqlglot import exp

from queries.sql.metrics import expressions
from queries.sql.metrics.metric import MetricStatement
from queries.sql.metrics.statement import Built, BuiltColumn, place_of

#: Parts that are shown below the whole.
PARTS = 10


class ChangesStatement(MetricStatement):
    """A metric in two periods, by several dimensions one after the other."""

    def built(self) -> Built:
        """Return the whole statement: the first row is the whole, its dimension is ""."""
        slices = [self._slice(named) for named in ("", *self.query.across)]
        union: exp.Query = slices[0]
        for each in slices[1:]:
            union = exp.union(union, each, distinct=False)
        inner = [expressions.column("periods", each.name, self.dialect) for each in self.columns]
        statement = self._compared(union, 2)
        first = exp.Case().when(exp.EQ(this=inner[0].copy(), expression=exp.Literal.string("")), exp.Literal.number(0))
        change = exp.func("ABS", self._change(*inner[2:4]))
        ordered = statement.order_by(
            exp.Ordered(this=first.else_(exp.Literal.number(1)), nulls_first=False),
            exp.Ordered(this=change, desc=True, nulls_first=False),
            *(exp.Ordered(this=place_of(number), nulls_first=False) for number in (1, 2)),
        )
        return self.finished(ordered.limit((self.query.rows or PARTS) + 1))

    def _slice(self, named: str) -> exp.Select:
        """Return both periods by one dimension, or as a whole."""
        self.selected, self.columns, self.joined, self.assumptions = [], [], {}, []
        place = ".".join(self.catalog.place(named, self.metric.table)) if named else ""
        part: exp.Expr = exp.cast(self.column(named), "text") if named else exp.Literal.string("")
        self.result(exp.Literal.string(place), BuiltColumn("dimension", "dimension", "", "text"))
        self.result(part, BuiltColumn("part", "part", "", "text"))
        where = [self._counted(), *self.conditions(self.query.where), self._periods(), *self._of_days()]
        if self.query.period is not None and self.query.against is not None:
            self._both(self.query.period, self.query.against)
        statement = self.select(expressions.all_of(where))
        return statement.group_by(place_of(2)) if named else statement
