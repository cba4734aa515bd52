"""The one document that says which others count, and so makes every change whole.

Elasticsearch has no transactions. Every page that is written gets a version of its own, a number that is never used
again, and all its documents carry it. The head names the highest version and those that do not count: `open` ones are
being written, `dead` ones were replaced or deleted. A change is one compare-and-swap of the head, after everything that
it lets in was written and refreshed; a reader filters by one head and so sees each change whole or not at all. A
writer that dies leaves an open run behind, which nobody ever saw.

Dead documents stay for `GRACE_S`, so that a search that began with an older head still finds them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

#: Id of the document.
HEAD_ID = "head"
#: Longer than any request lasts.
GRACE_S = 60.0
#: A write that takes longer counts as abandoned; whoever made it begins again when it finds out.
OPEN_S = 600.0
#: What an abandoned writer might still send is waited for that long.
ABANDONED_S = 3_600.0


@dataclass(frozen=True)
class IndexRun:
    """Consecutive versions that no search may find; `until` (seconds since 1970) something is to be done about them."""

    first: int
    last: int
    until: float


@dataclass(frozen=True)
class Head:
    """What one commit of an index looks like. `commits` grows with every change that readers can see."""

    commits: int = 0
    last: int = 0  # highest version that was given out
    model: str = ""
    dimensions: int = 0  # of the model's vectors; 0 until the first ones are there
    chunks: int = 0
    windows: int = 0
    waiting: int = 0  # windows without a vector of the model
    open: tuple[IndexRun, ...] = ()
    dead: tuple[IndexRun, ...] = ()
    previous: str = ""  # the generation that a rollback would bring back
    held: float = 0.0  # until then (seconds since 1970) nothing may change: another generation takes over
    at: float = 0.0  # when it was last changed

    @classmethod
    def read(cls, state: Mapping[str, Any]) -> Self:
        """Return what was written with `written`."""
        runs = {name: tuple(IndexRun(*run) for run in state[name]) for name in ("open", "dead")}
        return cls(**{**state, **runs})

    def written(self) -> dict[str, Any]:
        """Return it as JSON."""
        runs = {name: [[run.first, run.last, run.until] for run in getattr(self, name)] for name in ("open", "dead")}
        return {**vars(self), **runs}

    def visible(self) -> dict[str, Any]:
        """Return the filter that every search carries."""
        hidden = merged((*self.open, *self.dead))
        single = [first for first, last in hidden if first == last]
        spans = [{"range": {"version": {"gte": first, "lte": last}}} for first, last in hidden if first < last]
        gone = [*spans, *([{"terms": {"version": single}}] if single else [])]
        return {"bool": {"filter": [{"range": {"version": {"lte": self.last}}}], "must_not": gone}}

    def reserved(self, count: int, *, now: float) -> Self:
        """Return the head with so many fresh versions being written: the last of `open`."""
        run = IndexRun(self.last + 1, self.last + count, now + OPEN_S)
        return replace(self, last=run.last, open=(*self.open, run))

    def tidied(self, *, now: float) -> Self:
        """Return the head with writes that were abandoned among the dead."""
        late = tuple(run for run in self.open if run.until < now)
        if not late:
            return self
        dead = tuple(replace(run, until=now + ABANDONED_S) for run in late)
        return replace(self, open=tuple(run for run in self.open if run not in late), dead=(*self.dead, *dead))

    def buried(self, versions: Sequence[int], *, now: float) -> Self:
        """Return the head in which these versions do not count any more."""
        spans = merged(IndexRun(version, version, 0) for version in versions)
        return replace(self, dead=(*self.dead, *(IndexRun(first, last, now + GRACE_S) for first, last in spans)))

    def purgeable(self, *, now: float) -> tuple[IndexRun, ...]:
        """Return the dead that no reader can have in view any more."""
        return tuple(run for run in self.dead if run.until < now)


def merged(runs: Iterable[IndexRun]) -> list[tuple[int, int]]:
    """Return runs as few spans in order."""
    spans: list[tuple[int, int]] = []
    for first, last in sorted((run.first, run.last) for run in runs):
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(last, spans[-1][1])
        else:
            spans.append((first, last))
    return spans
