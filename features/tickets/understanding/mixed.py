"""Messages with several matters in them: a report, and beside it a question about something else."""

import re
from dataclasses import dataclass

from agent.brains.rules.understanding.message import Message
from agent.brains.rules.understanding.parts import ANOTHER, parts_of, stands_alone
from features.tickets.understanding.reporting import is_report, names_fault

#: Questions about the report itself, and not about another matter.
_ABOUT_IT = re.compile(
    r"\b(?:(?:who|whom) (?:can|do|should|must) (?:i|we) (?:call|ask|contact|talk|tell)(?: to)?\b(?! (?:about|"
    r"for|regarding))|what (?:can|should|do|"
    r"must) (?:i|we) do|"
    r"what now|why|when (?:will|can)|how (?:soon|long|fast)|can (?:you|somebody|someone|anybody|anyone)|"
    r"could (?:you|somebody|someone)|"
    r"is (?:there|anybody|anyone|it)|any (?:idea|ideas|news)|what(?:'s| is) (?:wrong|going on|happening|the matter))\b|"
    r"怎么办|怎么回事|找谁|为什么|为啥|怎么处理|怎么修|什么时候(?:能|可以)修|能不能|可以帮|怎么解决"
)


@dataclass(frozen=True)
class Matters:
    """What a message is about: a report, and questions to the documents, each in the person's own words."""

    report: str
    questions: tuple[str, ...]


def matters_of(message: Message) -> Matters | None:
    """Return the matters of a message that reports something and asks something else; None for any other message."""
    pieces = parts_of(message)
    asked = [piece for piece in pieces if piece.question and _is_of_its_own(piece)]
    told = [piece for piece in pieces if piece not in asked]
    reports = is_report if ANOTHER.search(message.asked) else names_fault  # whoever says "also" has said something
    if not asked or not any(reports(piece) for piece in told):
        return None
    return Matters(". ".join(piece.text.rstrip(" .!！") for piece in told), tuple(piece.text for piece in asked))


def _is_of_its_own(piece: Message) -> bool:
    """Tell whether a question is one of its own, and not about what was reported beside it."""
    return stands_alone(piece) and not _ABOUT_IT.search(piece.core)
