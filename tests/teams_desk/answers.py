"""What belongs together of what the desk posts in Teams: the text of an answer, and the card below it."""

from collections.abc import Iterable

from tests.fakes.teams.entity_rules import AI_MESSAGE, entity_of
from tests.fakes.teams.records import Message


def whole(messages: Iterable[Message]) -> list[list[Message]]:
    """Return the desk's messages of one place, in their order, as what it meant to say at once."""
    found: list[list[Message]] = []
    for each in messages:
        if found and each.attachments and not each.text and is_text(found[-1][-1]):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def is_text(said: Message) -> bool:
    """Return whether a message is the text of an answer, with its card still to come."""
    return not said.attachments and entity_of({"entities": said.entities}, AI_MESSAGE) is not None
