"""What the documents are asked about a message: in which manner, and with which words."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.brains.rules.answering.question import Question
from agent.brains.rules.understanding.message import read
from agent.brains.rules.understanding.parts import stands_alone

#: The least weight of what is named where a message, or a question of it, is a matter of its own.
OWN_WEIGHT = 1.5
#: Characters of a message by whose meaning pages in the other language are ranked.
MAX_MEANT = 300


class Manner(StrEnum):
    """How the documents are asked."""

    OWN = "own"  # in the person's own words
    PART = "part"  # one of several questions of the message
    PAGE = "page"  # the page that was cited last
    JOINED = "joined"  # together with the subject before
    APART = "apart"  # what went on with a thread that does not answer it, by itself
    WIDENED = "widened"  # with other words for the same things
    MISHAP = "mishap"  # the thing alone to which something has happened, and that
    CLOSELY = "closely"  # in its own words once more, each sentence that is found compared with them
    TRANSLATED = "translated"  # in the words of the other language


@dataclass(frozen=True)
class Inquiry:
    """One question to the documents."""

    manner: Manner
    query: str
    page: str = ""
    meant: str = ""  # what the query says in the other language

    @property
    def arguments(self) -> dict[str, str | bool]:
        """Return what it adds to the arguments of the tool."""
        if self.manner is Manner.CLOSELY:
            return {"closely": True}
        return {"meant": self.meant[:MAX_MEANT]} if self.meant else {"page": self.page} if self.page else {}


def depends(part: str, language: str) -> bool:
    """Tell whether a question of a message says too little to be asked without the first one."""
    return not stands_alone(read(part)) or Question.of(part, language).weight < OWN_WEIGHT


def joined_to_first(part: str, parts: Sequence[str], language: str) -> str:
    """Return what is looked for to answer a question of a message: with the first one where it hangs on that."""
    return f"{parts[0]} {part}" if part != parts[0] and depends(part, language) else part
