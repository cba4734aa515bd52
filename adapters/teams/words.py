"""The few words that the Teams adapter itself says, finished, in one language."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class TeamsWords:
    """Short, for titles, buttons and answers to presses."""

    taken: str  # a press was stored; what follows comes as a message
    not_saved: str  # a press or a form could not be stored: nothing typed is lost
    see_chat: str  # said in a channel: what is for one person alone stands in their chat with the desk
    no_chat: str  # said in a channel: what is for one person alone cannot be written to their chat with the desk
    see_conversation: str  # in place of a form that cannot be opened any more
    form_taken: str  # in place of a form that stood in a card, after it was sent
    form_closed: str  # in place of a form that stood in a card, after it was cancelled
    required: str  # at a field that has to be filled in, and is not
    working: str  # stands for an answer in the making until there is a status line
    shortened: str


#: The words of a language ("en", "zh"); one that is not known gets the desk's own.
WordsFor = Callable[[str], TeamsWords]
