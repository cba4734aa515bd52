"""Samples as OpenMetrics text, and the series that a query of PromQL is computed from."""

import re
from collections.abc import Iterable, Iterator

from queries.observe.reading import MetricRead

_STRING = r'"(?:[^"\\]|\\.)*+"'
#: A metric with its labels, `name{label="value",...}`; those of our templates all have labels.
_SELECTOR = re.compile(rf"(?<![A-Za-z0-9_:])[A-Za-z_:][A-Za-z0-9_:]*+\{{(?:[^\"{{}}]|{_STRING})*+\}}")
_NAME = "__name__"


def raw_selectors(query: str) -> Iterator[str]:
    """Yield each series selector of a query."""
    return (found[0] for found in _SELECTOR.finditer(query))


def written(reads: Iterable[MetricRead]) -> str:
    """Return raw samples as OpenMetrics text, each sample once; "" for none."""
    samples: dict[tuple[str, str], dict[float, float]] = {}
    for read in reads:
        for series in read.series:
            labels = ",".join(
                f'{name}="{_escaped(value)}"' for name, value in sorted(series.labels.items()) if name != _NAME
            )
            known = samples.setdefault((series.labels.get(_NAME, ""), labels), {})
            known |= {at.timestamp(): value for at, value in series.values}
    lines = [
        f"{name}{{{labels}}} {value!r} {at:.3f}"
        for (name, labels), found in sorted(samples.items())
        if name
        for at, value in sorted(found.items())
    ]
    return "\n".join([*lines, "# EOF", ""]) if lines else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
