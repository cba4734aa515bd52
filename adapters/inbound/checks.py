"""What a check of a platform's installation found, as data; the words are the command line's."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True)
class InstallationFinding:
    """One answer; `details` are names: a workspace, missing scopes, the platform's word for an error."""

    code: str
    details: tuple[str, ...] = ()

    #: Codes that say that all is well, and those that say what somebody may want to know.
    good: ClassVar[frozenset[str]] = frozenset()
    notes: ClassVar[frozenset[str]] = frozenset()

    @property
    def health(self) -> Literal["good", "note", "bad"]:
        """Return whether there is something to mend (`bad`) or to know (`note`)."""
        return "good" if self.code in self.good else "note" if self.code in self.notes else "bad"
