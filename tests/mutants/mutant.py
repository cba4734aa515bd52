"""A mutant: the product with one check taken out."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mutant:
    """What to write in the place of what, and the test that has to fail then: a file, `::`, and a function in it.

    `also` are further changes, for a check that two places make, as `(path, before, after)`.
    """

    path: str
    before: str
    after: str
    noticed_by: str
    also: tuple[tuple[str, str, str], ...] = ()

    @property
    def changes(self) -> tuple[tuple[str, str, str], ...]:
        """Return every change, the first one too."""
        return ((self.path, self.before, self.after), *self.also)

    @property
    def name(self) -> str:
        """Return a name of one line: where, and the check that is taken out."""
        return f"{self.path}: {' '.join(self.before.split())}"

    @contextmanager
    def applied(self, root: Path) -> Iterator[None]:
        """Have the check taken out of a copy of the source for the time of the block."""
        were = {path: (root / path).read_text(encoding="utf-8") for path, _, _ in self.changes}
        try:
            for path, before, after in self.changes:
                text = (root / path).read_text(encoding="utf-8")
                (root / path).write_text(text.replace(before, after), encoding="utf-8")
            yield
        finally:
            for path, text in were.items():
                (root / path).write_text(text, encoding="utf-8")
