"""How soon events were acknowledged: the figures, and a table of them."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Acked:
    """One event as it was acknowledged."""

    kind: str
    status: int
    milliseconds: float


def percentile(sorted_values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the sorted values lies."""
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * share))]


def figures(acked: Iterable[Acked]) -> dict[str, float]:
    """Return the figures of a run in milliseconds, and how many events there were."""
    times = sorted(each.milliseconds for each in acked)
    return {
        "events": len(times),
        "p50": statistics.median(times),
        "p95": percentile(times, 0.95),
        "p99": percentile(times, 0.99),
        "max": times[-1],
    }


def table(rows: dict[str, dict[str, Any]]) -> str:
    """Return figures as a table of Markdown."""
    names = list(next(iter(rows.values())))
    lines = [f"| | {' | '.join(names)} |", "| --- |" + " --- |" * len(names)]
    for title, row in rows.items():
        cells = (f"{value:,.0f}" if name == "events" else f"{value:.1f}" for name, value in row.items())
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def statuses(acked: Iterable[Acked]) -> Counter[int]:
    """Return how many events were answered with each status."""
    return Counter(each.status for each in acked)
