"""What the tools of reminders take."""

from typing import Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from agent.tools.arguments import Arguments
from features.reminders.reminder import LONGEST, Where

#: Answers that belong to one wish.
_ANSWERS = 6

_Words = Annotated[str, Field(max_length=2_000)]


class SetReminder(Arguments):
    """When somebody is reminded, of what, and where."""

    when: Annotated[
        str,
        Field(
            min_length=1,
            max_length=2_000,
            description="When, in the person's own words: tomorrow at 9, in 2 hours, every Monday at 10, 明天下午三点."
            " It may hold the whole wish.",
        ),
    ]
    text: Annotated[str, Field(max_length=LONGEST, description="Of what, in their own words")] = ""
    where: Annotated[
        Where | None, Field(description='"channel" or "thread" when everybody there is to be reminded')
    ] = None
    answers: Annotated[
        tuple[_Words, ...], Field(max_length=_ANSWERS, description="What they answered to questions")
    ] = ()
    change: Annotated[
        str,
        Field(
            max_length=2_000,
            description='How a reminder that still waits for its button shall be another: "make it 4", "on Friday"',
        ),
    ] = ""
    resolved: SkipJsonSchema[Annotated[str, Field(max_length=400)]] = ""  # the plan, once it was read
    about: SkipJsonSchema[Annotated[str, Field(max_length=64)]] = ""  # a ticket or draft, once it was found


class ListReminders(Arguments):
    """All reminders of the person."""


class OneReminder(Arguments):
    """Which reminder is meant."""

    about: Annotated[str, Field(max_length=300, description="Words of the reminder, where they are said")] = ""
    reminder: Annotated[str, Field(max_length=64, description='Its id, or "last" for the one that came last')] = "last"


class SnoozeReminder(OneReminder):
    """Which reminder is put off, and until when."""

    until: Annotated[str, Field(min_length=1, max_length=2_000, description="As said: for an hour, until 3 pm")]
    asked: SkipJsonSchema[Annotated[str, Field(max_length=2_000)]] = ""  # what was said before it was asked which
    back: SkipJsonSchema[bool] = False  # take back that it was put off or given another time


class WordReminder(OneReminder):
    """Which reminder gets other words."""

    text: Annotated[str, Field(max_length=LONGEST, description='The new words; "" leaves it as it is')] = ""
    back: SkipJsonSchema[bool] = False  # take back that it got other words


class SkipReminder(OneReminder):
    """Of which reminder the next time is left out."""


class FinishReminder(OneReminder):
    """Which reminder is done."""


class DeleteReminder(Arguments):
    """Which reminder is deleted, or which of those that were listed last."""

    numbers: Annotated[tuple[int, ...], Field(max_length=20, description="Their numbers in that list, from 1")] = ()
    about: Annotated[str, Field(max_length=300, description='Words of it, its id, or "" for the last one')] = ""
    back: SkipJsonSchema[bool] = False  # bring back what was deleted last
