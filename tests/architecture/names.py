"""Nobody else may own the names under which we are imported."""

from collections.abc import Iterable, Iterator, Mapping

#: Top-level names that distributions bring by accident and that are no packages of theirs.
OURS = "dutydesk"


def shadowed(ours: Iterable[str], provided: Mapping[str, Iterable[str]], *, distribution: str = OURS) -> Iterator[str]:
    """Yield each of our top-level names that another installed distribution provides too."""
    for name in ours:
        for owner in sorted(set(provided.get(name, ())) - {distribution}):
            yield f"{name} is also provided by {owner}"
