"""Reminders to blocks, and their form: pure, every word from the catalogue."""

from datetime import datetime
from typing import assert_never

from adapters.cards import Block, Button, Buttons, Field, Form, Heading, Link, Note, Tone
from features.anatomy.moments import wall_time
from features.anatomy.planned import in_words
from features.anatomy.reader import Reader, when
from features.anatomy.texts import say
from features.reminders.reminder import Reminder, Waits, Where
from language.planning.plans import Once
from language.scripts import Language
from tickets.ticket import Draft, Ticket

#: The actions of the buttons. The first is its form's name, too.
CHANGE, UNDO, UNCHANGE, SKIP, SKIP_LISTED, RESTORE, RESUME, DELETE, REMOVE, DONE = (
    "reminder.change",
    "reminder.undo",
    "reminder.unchange",
    "reminder.skip",
    "reminder.skip_listed",
    "reminder.restore",
    "reminder.resume",
    "reminder.delete",
    "reminder.remove",
    "reminder.done",
)
SNOOZE_MINUTES, SNOOZE_HOUR, SNOOZE_TOMORROW = "reminder.minutes", "reminder.hour", "reminder.tomorrow"
#: Reminders that one message lists, and characters of a heading; the page has the rest.
LISTED, HEADING_CHARS = 10, 140

_TONES: dict[Waits, Tone] = {
    Waits.WAITING: "info",
    Waits.TOLD: "warn",
    Waits.SNOOZED: "info",
    Waits.DONE: "good",
}


def describe(reminder: Reminder, reader: Reader) -> str:
    """Return when and where a reminder comes, in a line."""
    language = reader.language
    if reminder.state is Waits.SNOOZED and not reminder.repeats:
        return say(language, f"reminder.to.{reminder.where}", when=_moved_to(reminder, reader))
    planned = in_words(reminder.plan, language, reminder.timezone)
    line = say(language, f"reminder.to.{reminder.where}", when=planned)
    if reminder.state is Waits.SNOOZED:
        line += say(language, "reminder.snoozed_until", when=_moved_to(reminder, reader))
    return line


def reminder_blocks(reminder: Reminder, reader: Reader, *, about: tuple[Block, ...] = ()) -> tuple[Block, ...]:
    """Return a reminder's card as it stands; `about` shows what it is about."""
    heading = Heading(
        text=shortened(reminder.text) or say(reader.language, "reminder.no_text"),
        badge=say(reader.language, f"reminder.state.{reminder.state}"),
        tone=_TONES[reminder.state],
    )
    return (heading, *_whole(reminder), *about, *_notes(reminder, reader), Buttons(_buttons(reminder, reader)))


def followed_blocks(reminder: Reminder, reader: Reader) -> tuple[Block, ...]:
    """Return an older card of a reminder: the newest one has its buttons."""
    heading, *_ = reminder_blocks(reminder, reader)
    return (heading, Note(say(reader.language, "reminder.superseded")))


def listed_blocks(found: tuple[Reminder, ...], reader: Reader) -> tuple[Block, ...]:
    """Return reminders, a line and two buttons each."""
    language = reader.language
    blocks: list[Block] = []
    for each in found[:LISTED]:
        text = shortened(each.text) or say(language, "reminder.no_text")
        blocks.append(Note(say(language, "reminder.line", text=text, when=describe(each, reader))))
        blocks.append(
            Buttons(
                (
                    Button(say(language, "reminder.button.change"), CHANGE, each.id),
                    *((Button(say(language, "reminder.button.skip"), SKIP_LISTED, each.id),) if each.repeats else ()),
                    Button(say(language, "reminder.button.delete"), REMOVE, each.id),
                )
            )
        )
    if len(found) > LISTED:
        blocks.append(Note(say(language, "reminder.more", count=len(found) - LISTED)))
        blocks.append(Buttons((Link(say(language, "reminder.button.page"), f"{reader.base}/reminders"),)))
    return tuple(blocks)


def ticket_blocks_of(ticket: Ticket, reader: Reader) -> tuple[Block, ...]:
    """Return what a reminder says of the ticket that it is about, to its owner alone."""
    status = say(reader.language, f"ticket.status.{ticket.status}")
    words = say(reader.language, "reminder.ticket", number=ticket.number, title=ticket.title, status=status)
    return (
        Note(words),
        Buttons((Button(say(reader.language, "reminder.button.ticket"), "ticket.show", ticket.number),)),
    )


def draft_blocks_of(draft: Draft, reader: Reader) -> tuple[Block, ...]:
    """Return what a reminder says of the draft that it is about, to its owner alone."""
    state = say(reader.language, f"draft.state.{draft.state}")
    return (Note(say(reader.language, "reminder.draft", title=draft.title, state=state)),)


def change_form(reminder: Reminder, reader: Reader) -> Form:
    """Return the form of a reminder's words and time."""
    language = reader.language
    planned = in_words(reminder.plan, language, reminder.timezone)
    return Form(
        form=CHANGE,
        id=reminder.id,
        nonce="",
        title=say(language, "reminder.form.title"),
        submit=say(language, "reminder.form.submit"),
        cancel=say(language, "draft.cancel"),
        fields=(
            Field(name="text", label=say(language, "reminder.form.text"), value=reminder.text),
            Field(
                name="when",
                label=say(language, "reminder.form.when"),
                required=False,
                hint=say(language, "reminder.form.keep", when=planned),
            ),
        ),
        language=language,
    )


def shortened(text: str) -> str:
    """Return words as they fit into a heading."""
    return text if len(text) <= HEADING_CHARS else text[: HEADING_CHARS - 1] + "…"


def left_out_in_words(reminder: Reminder, language: Language) -> str:
    """Return which time is left out, and when it comes next after that; "" where none is."""
    following = reminder.after_left_out()
    if reminder.left_out is None or following is None:
        return ""
    left_out, after = (_at(each, reminder, language) for each in (reminder.left_out, following))
    return say(language, "reminder.left_out", when=left_out, after=after)


def _at(instant: datetime, reminder: Reminder, language: Language) -> str:
    return in_words(Once(wall_time(instant, reminder.timezone)), language, reminder.timezone)


def _moved_to(reminder: Reminder, reader: Reader) -> str:
    """Return until when a reminder is put off, as it was read back."""
    return _at(reminder.moved_to, reminder, reader.language) if reminder.moved_to else ""


def _whole(reminder: Reminder) -> tuple[Block, ...]:
    return (Note(reminder.text),) if len(reminder.text) > HEADING_CHARS else ()


def _notes(reminder: Reminder, reader: Reader) -> tuple[Block, ...]:
    language = reader.language
    # The time that is left out is said below: "every Monday, from 7 December" beside it would say it twice.
    plan = reminder.before if reminder.left_out and reminder.before else reminder.plan
    planned = in_words(plan, language, reminder.timezone)
    further = in_words(reminder.further, language, reminder.timezone) if reminder.further else ""
    by = () if reminder.where is Where.ALONE else (Note(say(language, "reminder.by", name=reminder.owner_name)),)
    left_out = (Note(left_out_in_words(reminder, language)),) if reminder.left_out else ()
    comes_again = (*((Note(say(language, "reminder.repeats", when=further)),) if further else ()), *left_out)
    match reminder.state:
        case Waits.WAITING:
            return (Note(say(language, f"reminder.waits.{reminder.where}", when=planned), tone="good"), *left_out, *by)
        case Waits.TOLD:
            due = when(reminder.due, reader) if reminder.due else ""
            late = (Note(say(language, "reminder.late", when=due), tone="warn"),) if reminder.late else ()
            return (*late, *by, *comes_again)
        case Waits.SNOOZED:
            until = say(language, f"reminder.put_off.{reminder.where}", when=_moved_to(reminder, reader))
            return (Note(until, tone="good"), *by, *comes_again)
        case Waits.DONE:
            done = when(reminder.since, reader) if reminder.since else ""
            return (Note(say(language, "reminder.done", when=done), tone="good"), *by, *comes_again)
        case _:
            assert_never(reminder.state)


def _buttons(reminder: Reminder, reader: Reader) -> tuple[Button, ...]:
    def button(name: str, action: str) -> Button:
        return Button(say(reader.language, f"reminder.button.{name}"), action, reminder.id)

    delete = button("delete_all" if reminder.repeats else "delete", DELETE)
    skip = (button("skip", SKIP),) if reminder.repeats else ()
    match reminder.state:
        case Waits.WAITING:
            undo = delete if reminder.restored else button("undo", UNDO)
            back = (button("undo", UNCHANGE), delete) if reminder.before else (undo,)
            return (button("change", CHANGE), *back, *skip)
        case Waits.TOLD:
            done = Button(say(reader.language, "reminder.button.done"), DONE, reminder.id, style="primary")
            return (
                done,
                button("minutes", SNOOZE_MINUTES),
                button("hour", SNOOZE_HOUR),
                button("tomorrow", SNOOZE_TOMORROW),
                delete,
            )
        case Waits.SNOOZED:
            return (button("done", DONE), button("change", CHANGE), button("undo", RESUME), delete)
        case Waits.DONE:
            return (button("hour", SNOOZE_HOUR), button("tomorrow", SNOOZE_TOMORROW), *skip, delete)
        case _:
            assert_never(reminder.state)


def removed_blocks(gone: Reminder, reader: Reader) -> tuple[Block, ...]:
    """Return that a reminder was deleted, with its words where nobody else reads them, and what brings it back."""
    text = shortened(gone.text) or say(reader.language, "reminder.no_text")
    key = "reminder.removed" if gone.where is Where.ALONE else "reminder.deleted"
    return (
        Note(say(reader.language, key, text=text), tone="good"),
        Buttons((Button(say(reader.language, "reminder.button.undo"), RESTORE, gone.id),)),
    )
