"""Words of our own that gave way to the field's; docs/glossary.md has the ones in use."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

#: For each retired word the one in its place.
RETIRED: Mapping[str, str] = {
    "door": "webhook, endpoint or entry point",
    "judging": "reranking",
    "second look": "reranking",
    "showing": "rendering",
    "slip": "edit distance",
    "surroundings": "context expansion",
    "upkeep": "maintenance",
}
_WORDS = re.compile(rf"(?<![a-z])(?:{'|'.join(RETIRED)})s?(?![a-z])")


def retired_words(files: Iterable[Path], *, root: Path, allowed: Iterable[str] = ()) -> Iterator[str]:
    """Yield each retired word in the names and lines of files; `allowed` are lines that mean something else."""
    for path in files:
        name = str(path.relative_to(root))
        if found := _WORDS.search(name):
            yield f"{name}: {found[0]}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if (found := _WORDS.search(line.lower())) and not any(each in line for each in allowed):
                yield f"{name}:{number}: {found[0]}"
