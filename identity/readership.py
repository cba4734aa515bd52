"""Who reads along where something is asked: a closed union, made once where an event comes in and carried unchanged.

What may be shown depends on everybody who sees it. Search narrows what it finds to it, tools hand it on, rendering and
delivery ask it whether there are other eyes. `thread` is the chat thread that is answered in: whoever reads it has read
the files that were sent there, so these may be read there by everybody; "" stands for no thread.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Alone:
    """Nobody but the asker: what they may read may be said."""

    thread: str = ""


@dataclass(frozen=True)
class Shared:
    """Others read along: only what all of them may read may be said. `principals` are those that they have in common.

    Where nobody can tell who reads along, that is `PUBLIC`. `sources` are those whose pages may be said there; it only
    takes away, and None takes nothing.
    """

    principals: frozenset[str]
    thread: str = ""
    sources: frozenset[str] | None = None


@dataclass(frozen=True)
class ThreadOnly:
    """Files came with the message: they alone answer it where they meet it; else what `otherwise` allows does."""

    otherwise: Alone | Shared

    @property
    def thread(self) -> str:
        """Return the chat thread whose files these are."""
        return self.otherwise.thread


Readership = Alone | Shared | ThreadOnly

#: What people who are not known may read.
PUBLIC = frozenset({"public"})
#: Nobody reads along, and no thread is answered in: questions of the command line, jobs, the console.
ALONE = Alone()


def others_read(readership: Readership) -> bool:
    """Return whether anybody but the asker sees what is said."""
    match readership:
        case Alone():
            return False
        case Shared():
            return True
        case ThreadOnly(otherwise=otherwise):
            return isinstance(otherwise, Shared)
