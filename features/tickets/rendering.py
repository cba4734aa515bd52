"""Drafts, tickets and approvals to blocks, and their forms: pure, every word from the catalogue."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from adapters.cards import Block, Button, Buttons, Facts, Field, Form, Heading, Language, Link, Note, Text, Tone
from features.anatomy.reader import Reader, when
from features.anatomy.texts import say
from features.tickets.understanding.drafts import tells_since
from features.tickets.understanding.extract import deadline_in, priority_of
from features.tickets.understanding.faults import BEFELL, is_fault
from features.tickets.understanding.field_patterns import extractors
from features.tickets.understanding.statements import states_of_thing
from language.moments import days_in, times_in
from language.words import normalise
from tickets.config import TicketsConfig
from tickets.ticket import Draft, DraftState, Priority, Status, Ticket

_STATUS_TONE: Mapping[Status, Tone] = {
    Status.OPEN: "info",
    Status.IN_PROGRESS: "warn",
    Status.RESOLVED: "good",
    Status.CANCELLED: "neutral",
}
#: Longest text of a form's one-line and many-line inputs, in characters.
LINE_CHARS, PARAGRAPH_CHARS = 200, 4_000
#: Comments that a ticket's card shows; the console has the rest.
LAST_SAID = 5
#: Tickets shown in one message; the console has the rest.
LIST_LENGTH = 10


def draft_blocks(
    draft: Draft, reader: Reader, config: TicketsConfig, *, nonce: str, answerable: bool = True
) -> tuple[Block, ...]:
    """Return a draft's card: what would be filed, what is missing, and the buttons that fit its state.

    `answerable`: what is missing can be written below the card.
    """
    language = reader.language
    heading = Heading(
        text=say(language, "draft.heading", title=draft.title),
        badge=say(language, f"draft.state.{draft.state}"),
        tone="info" if draft.state is DraftState.OPEN else "neutral",
    )
    blocks: list[Block] = [heading, Text(_quoted(draft.description)), Facts(_draft_rows(draft, language, config))]
    if draft.state is not DraftState.OPEN:
        return (*blocks, Note(_draft_end(draft, reader), tone="good" if draft.ticket_number else "neutral"))
    if draft.missing:
        names = "、" if language == "zh" else ", "
        fields = names.join(field_label(config, name, language) for name in draft.missing)
        key = "asked_back.missing" if answerable else "draft.missing"
        blocks.append(Note(say(language, key, fields=fields), tone="warn"))
    else:
        blocks.append(Note(say(language, "draft.ready"), tone="info"))
    if answerable and (helps := _helps(draft, language)):
        blocks.append(Note(helps))
    return (*blocks, Buttons(_draft_buttons(draft, language, nonce)))


def tried_blocks(
    draft: Draft, reader: Reader, config: TicketsConfig, *, nonce: str, wished: bool = False
) -> tuple[Block, ...]:
    """Return a draft below what the documents say: it goes on when that is not enough."""
    language, kind = reader.language, "wished" if wished else "tried"
    heading, _, facts, *_ = draft_blocks(draft, reader, config, nonce=nonce)
    enough = Button(say(language, f"draft.{kind}.enough"), "draft.solved", draft.id, nonce, style="primary")
    goes_on = Button(say(language, f"draft.{kind}.goes_on"), "draft.continue", draft.id, nonce)
    helps = "" if wished else _helps(draft, language)
    asks = (Note(helps),) if helps else ()
    return (heading, facts, Note(say(language, f"draft.{kind}.below")), *asks, Buttons((enough, goes_on)))


def _helps(draft: Draft, language: str) -> str:
    """Return the question for what would help whoever mends it; "" where all of it was said."""
    items = [say(language, f"draft.unsaid.{each}") for each in unsaid(draft)]
    return say(language, "draft.helps", items=("、" if language == "zh" else ", ").join(items)) if items else ""


def undo_button(draft_id: str, language: str, nonce: str) -> Button:
    """Return the button that takes a discarding back."""
    return Button(say(language, "draft.undo"), "draft.undo", draft_id, nonce)


def draft_form(draft: Draft, reader: Reader, config: TicketsConfig, *, nonce: str) -> Form:
    """Return the form that completes or corrects a draft."""
    language = reader.language
    required = config.required_fields(draft.category, about=f"{draft.title}\n{draft.description}")
    asked = [*required, *(name for name in draft.fields if name)]
    extra = tuple(
        _extra_field(config, name, draft, language, required=name in required) for name in dict.fromkeys(asked)
    )
    categories = tuple((name, category_label(config, name, language)) for name in config.categories)
    priorities = tuple((each.value, say(language, f"ticket.priority.{each}")) for each in Priority)
    fields = (
        Field(name="title", label=say(language, "ticket.field.title"), value=draft.title),
        Field(
            name="description",
            label=say(language, "ticket.field.description"),
            value=draft.description,
            kind="paragraph",
        ),
        Field(
            name="category",
            label=say(language, "ticket.field.category"),
            value=draft.category,
            kind="choice",
            choices=categories,
        ),
        *extra,
        Field(
            name="priority",
            label=say(language, "ticket.field.priority"),
            value=draft.priority,
            kind="choice",
            choices=priorities,
        ),
    )
    return Form(
        form="draft.fields",
        id=draft.id,
        nonce=nonce,
        title=say(language, "draft.form_title"),
        submit=say(language, "draft.save"),
        cancel=say(language, "draft.cancel"),
        fields=fields,
        language=language,
    )


def ticket_blocks(
    ticket: Ticket, reader: Reader, config: TicketsConfig, *, actor_id: str, works: bool, tells: bool = False
) -> tuple[Block, ...]:
    """Return a ticket's card with the buttons that this reader may press; `tells` shows what was said on it last."""
    language = reader.language
    heading = Heading(
        text=f"{ticket.number} · {ticket.title}",
        badge=say(language, f"ticket.status.{ticket.stands}"),
        tone=_STATUS_TONE[ticket.status],
    )
    rows = [
        (say(language, "ticket.field.category"), category_label(config, ticket.category, language)),
        (say(language, "ticket.field.priority"), say(language, f"ticket.priority.{ticket.priority}")),
        (say(language, "ticket.field.requester"), ticket.requester_name),
        (say(language, "ticket.field.assignee"), ticket.assignee_name or say(language, "ticket.unassigned")),
        (say(language, "ticket.field.created"), when(ticket.created_at, reader)),
        *_field_rows(ticket.fields, language, config),
    ]
    if ticket.resolution:
        rows.append((say(language, "ticket.field.resolution"), ticket.resolution))
    said = tuple(
        (f"{each.author_name}, {when(each.created_at, reader)}", each.text) for each in ticket.comments[-LAST_SAID:]
    )
    talk = (Facts(said),) if said and tells else ()
    buttons = _ticket_buttons(ticket, language, actor_id=actor_id, works=works)
    link = Link(label=say(language, "ticket.open"), url=ticket_url(reader, ticket.number))
    return (heading, Facts(tuple(rows)), *talk, Buttons((*buttons, link)))


def ticket_list_blocks(tickets: tuple[Ticket, ...], reader: Reader, *, title: str) -> tuple[Block, ...]:
    """Return a list of tickets, a line each."""
    language = reader.language
    lines = [
        f"- {linked(each, reader)} · "
        f"{say(language, f'ticket.status.{each.stands}')}" + (f" · {each.assignee_name}" if each.assignee_name else "")
        for each in tickets[:LIST_LENGTH]
    ]
    blocks: list[Block] = [Heading(text=title), Text("\n".join(lines))]
    if len(tickets) > LIST_LENGTH:
        blocks.append(Note(say(language, "ticket.more", count=len(tickets) - LIST_LENGTH)))
    return tuple(blocks)


def linked(ticket: Ticket, reader: Reader) -> str:
    """Return a ticket's number, which leads to its page, and its title, in Markdown."""
    return f"[{ticket.number}]({ticket_url(reader, ticket.number)}) {_plain(ticket.title)}"


def line_form(form: str, ticket: Ticket, language: Language, *, title: str, label: str) -> Form:
    """Return a form with one paragraph, about a ticket."""
    return Form(
        form=form,
        id=ticket.number,
        nonce="",
        title=title,
        submit=say(language, "ticket.form.send"),
        cancel=say(language, "draft.cancel"),
        fields=(Field(name="text", label=label, kind="paragraph"),),
        language=language,
    )


def ticket_url(reader: Reader, number: str) -> str:
    """Return the link to a ticket's page."""
    return f"{reader.base}/tickets/{quote(number)}"


def category_label(config: TicketsConfig, name: str, language: str) -> str:
    """Return a category's label, or its bare name when the configuration has dropped it since."""
    category = config.categories.get(name)
    return category.labels.of(language) if category else name


def field_label(config: TicketsConfig, name: str, language: str) -> str:
    """Return a field's label, or its bare name when the configuration has dropped it since."""
    field = config.fields.get(name)
    return field.labels.of(language) if field else name


def _field_rows(fields: Mapping[str, str], language: str, config: TicketsConfig) -> list[tuple[str, str]]:
    """Return the fields that have a value, a choice by its label."""
    return [
        (field_label(config, name, language), _value_label(config, name, value, language))
        for name, value in fields.items()
        if value
    ]


def _value_label(config: TicketsConfig, name: str, value: str, language: str) -> str:
    choices = config.fields[name].choices if name in config.fields else ()
    return next((each.labels.of(language) for each in choices if each.value == value), value)


def _draft_rows(draft: Draft, language: str, config: TicketsConfig) -> tuple[tuple[str, str], ...]:
    rows = [
        (say(language, "ticket.field.category"), category_label(config, draft.category, language)),
        (say(language, "ticket.field.priority"), _priority(draft, language)),
    ]
    rows.extend(_field_rows(draft.fields, language, config))
    return tuple(rows)


def _priority(draft: Draft, language: str) -> str:
    """Return a draft's priority, with the words for which it was raised."""
    priority = say(language, f"ticket.priority.{draft.priority}")
    hurry = deadline_in(draft.description) if draft.priority is Priority.HIGH else ""
    return say(language, "draft.raised", priority=priority, words=hurry) if hurry else priority


def _draft_end(draft: Draft, reader: Reader) -> str:
    values = {"name": draft.requester_name, "when": when(draft.updated_at, reader), "number": draft.ticket_number or ""}
    return say(reader.language, f"draft.{draft.state}", **values)


def _draft_buttons(draft: Draft, language: str, nonce: str) -> tuple[Button, ...]:
    def button(name: str, action: str, style: str = "plain") -> Button:
        return Button(
            label=say(language, f"draft.{name}"),
            action=action,
            id=draft.id,
            nonce=nonce,
            style="primary" if style == "primary" else "plain",
        )

    discard = button("discard", "draft.discard")
    if draft.missing:
        return (button("complete", "draft.edit", "primary"), discard)
    return (button("confirm", "draft.confirm", "primary"), button("edit", "draft.edit"), discard)


def _ticket_buttons(ticket: Ticket, language: str, *, actor_id: str, works: bool) -> tuple[Button, ...]:
    own = ticket.requester_id == actor_id
    active = ticket.status in (Status.OPEN, Status.IN_PROGRESS)

    def button(name: str) -> Button:
        return Button(
            label=say(language, f"ticket.button.{name}"),
            action=f"ticket.{name}",
            id=ticket.number,
            style="danger" if name == "cancel" else "plain",
        )

    offered: list[str] = []
    if works and active:
        offered += ["resolve"] if ticket.assignee_id == actor_id else ["assign_me", "resolve"]
    if own and active:
        offered += ["urge", "comment", "cancel"]
    if own and not active:
        offered += ["reopen"]
    return tuple(button(name) for name in offered)


def _extra_field(config: TicketsConfig, name: str, draft: Draft, language: str, *, required: bool) -> Field:
    field = config.fields.get(name)
    label, value = field_label(config, name, language), draft.fields.get(name, "")
    if field is None:
        return Field(name=name, label=label, value=value, required=False)
    return Field(
        name=name,
        label=label,
        value=value,
        kind=field.kind.value,
        choices=tuple((choice.value, choice.labels.of(language)) for choice in field.choices),
        required=required,
    )


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines()) or ">"


def _plain(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace("\n", " ")


#: What is asked of a fault, by category; nothing of what is no thing that somebody mends.
_ASKED = {
    "facilities": ("since", "danger"),
    "access": ("shown",),
    "software": ("since", "shown", "held_up"),
    "network": ("since", "shown", "held_up"),
    "hr": (),
}
_OF_DAMAGE = ("which", "since", "danger")
_OF_A_THING = ("since", "which", "shown", "held_up")
#: A thing's own number, by which it is found: TR6108, M118, "till 3", 六号机.
_NUMBER = re.compile(
    r"\b[a-z]{1,5}-?\d{1,6}\b|\b(?!about|since|after|until|around|before|over|under|nearly)[a-z]{3,12} \d{1,4}\b(?!:|%)"
    r"|[\d一二三四五六七八九十]号(?!$|[，,。])|编号|全部|所有"
)
_SHOWN = re.compile(
    r"\b(?:says?|saying|shows?|showing|reads?|displays?|message|code|err(?:or)? ?\w*\d|lights?|screen|beep\w*|flash\w*"
    r"|noise|nothing (?:at all|on)|just (?:hangs?|stops?|dies|spins))\b"
    r"|[\"“「]|提示|显示|报错|代码|弹|灯|屏幕|声音|转圈|没反应"
)
_HELD_UP = re.compile(
    r"\b(?:wait\w*|stuck|due|deadline|urgent|blocked|can'?t work|cannot work|stands? still|still works?|annoying"
    r"|everyone|everybody|nobody|only me|just me|others?|customers?|patients?|orders?|queue\w*)\b"
    r"|等|急|耽误|卡住|大家|所有人|只有|就我|别人|隔壁|客人|客户|病人|订单|要[交发用]"
)
_DANGER = re.compile(r"\b(?:hurt|danger\w*|injur\w*|safe|slip\w*|trip\w*|shock)\b|危险|受伤|摔|滑倒|触电|安全")


#: When more of a report was said, as its description tells it.
_TOLD_AT = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d ", re.MULTILINE)


def unsaid(draft: Draft) -> tuple[str, ...]:
    """Return what a draft of a fault leaves unsaid, in the order in which it is asked; nothing for a wish."""
    text, title = normalise(_TOLD_AT.sub("", draft.description)), normalise(draft.title)
    befell = BEFELL.search(title) is not None
    asked = _OF_DAMAGE if befell else _ASKED.get(draft.category, _OF_A_THING)
    if not (befell or is_fault(title) or (draft.category != "other" and states_of_thing(title))):
        return ()
    today = draft.created_at.date()
    tells_when = tells_since(text) or any(True for _ in (*days_in(text, today), *times_in(text)))
    told = {
        "since": tells_when or any(each.search(text) for each in extractors("date")),
        "which": _NUMBER.search(text) is not None,
        "shown": _SHOWN.search(text) is not None,
        "held_up": _HELD_UP.search(text) is not None or priority_of(text) != "",
        "danger": _DANGER.search(text) is not None,
    }
    return tuple(each for each in asked if not told[each])
