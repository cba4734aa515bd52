"""What was measured: the values that a query gave, by what they are of."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from queries.observe.reading import MetricRead
from queries.observe.report.report import ReportEvidence


@dataclass(frozen=True)
class Value:
    """One value at a moment, and what it is of."""

    labels: tuple[tuple[str, str], ...]
    value: float

    def label(self, name: str) -> str:
        """Return a label's value, or ""."""
        return dict(self.labels).get(name, "")


@dataclass(frozen=True)
class Measure:
    """What a query gave at a moment; no values: nothing was measured, which is not zero."""

    name: str  # of the intent: "throttle_ratio"
    query: str
    at: datetime
    values: tuple[Value, ...]
    sha256: str

    def of(self, pod: str, container: str = "") -> float | None:
        """Return the value of a container of a pod, or None."""
        for each in self.values:
            if each.label("pod") == pod and (not container or each.label("container") in {container, ""}):
                return each.value
        return None

    def cite(self, value: float, object_: str) -> ReportEvidence:
        """Return a value as evidence: query, moment, value."""
        return ReportEvidence(
            id="",
            source="metric",
            object=object_,
            request=self.query,
            field=self.name,
            value=f"{value:.5g}",
            at=self.at,
            sha256=self.sha256,
        )

    def lacks(self, object_: str) -> ReportEvidence:
        """Return the evidence that the query gave nothing."""
        return ReportEvidence(
            id="",
            source="absence",
            object=object_,
            request=self.query,
            field=self.name,
            value="no data",
            scope=f"at {self.at:%Y-%m-%dT%H:%M:%SZ}",
            at=self.at,
            sha256=self.sha256,
        )

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)


def read_measure(name: str, read: MetricRead, at: datetime) -> Measure:
    """Return the facts of an instant query; what is no number (a division by zero) is left out."""
    values = [
        Value(tuple(sorted(series.labels.items())), series.values[-1][1])
        for series in read.series
        if series.values and series.values[-1][1] == series.values[-1][1] and abs(series.values[-1][1]) != float("inf")
    ]
    values.sort(key=lambda each: each.labels)
    return Measure(name, read.request, at, tuple(values), read.sha256)
