"""Messages with several matters in them: a report, and beside it a question about something else."""

import re
from dataclasses import dataclass

from agent.brains.rules.understanding.message import Message, read
from agent.brains.rules.understanding.phrases import BARE_PRONOUN, GREETING, POLITE_TAIL
from features.tickets.understanding.reporting import names_fault
from language.words import chinese_runs, content_words, is_generic

#: A longer message is told as a story, and no list of matters.
_MOST_CHARS = 600
#: What stands between two matters.
_BETWEEN = re.compile(
    r"(?<=[.!?]) |[。！？；;]|"
    r"[,，]? (?:and )?(?:also|btw|by the way|another thing|one more thing|besides|plus|on top of that)\b[,:]?|"
    r"[,，] ?(?=how|what|when|where|who|which|can |could |do |does |is there|are there)|"
    r" and (?=(?:how|what|when|where|who|which|can|could|do|does|is|are|my|our|the|i|we)\b)|"
    r"[,，]? ?(?:另外|还有|顺便(?:问一下|问下|问)?|对了|以及|同时|再问一下)[,，:：]?|"
    r"[,，](?=[^,，]{0,12}(?:多少|几天|几个|怎么|如何|什么|哪|谁|多久|吗))",
    re.IGNORECASE,
)
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
    if len(message.text) > _MOST_CHARS:
        return None
    line = " ".join(message.asked.replace("\n", "; ").split())
    parts = [part.strip(" ,，") for part in _BETWEEN.split(line) if part.strip(" ,，.!?。")]
    pieces = [piece for piece in map(read, parts) if not GREETING.match(piece.plain)]
    asked = [piece for piece in pieces if piece.question and _stands_alone(piece)]
    told = [piece for piece in pieces if piece not in asked]
    if not asked or not any(names_fault(piece) for piece in told):
        return None
    return Matters(". ".join(piece.text.rstrip(" .!！") for piece in told), tuple(piece.text for piece in asked))


def _stands_alone(piece: Message) -> bool:
    """Tell whether a question is one of its own, and not about what was reported beside it."""
    if POLITE_TAIL.search(piece.plain) or _ABOUT_IT.search(piece.core) or BARE_PRONOUN.search(piece.core):
        return False
    named = [word for word in content_words(piece.text) if not is_generic(word)]
    return bool(named) or sum(map(len, chinese_runs(piece.plain))) > 2
