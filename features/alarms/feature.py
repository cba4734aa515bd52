"""Alarms, as one value."""

from adapters.cards import Block, Button, Buttons, Heading, Note, Text
from agent.brains.rules.talk import Step
from agent.results import Records
from features.alarms.alarms import AlarmKind, Alarms, alarms_of, asks_only
from features.alarms.maybe import judged
from features.alarms.over import talk
from features.alarms.tools import ABOUT, BELOW, MAYBE, MAYBE_PRIVATE, NUMBERED, OPEN, PRIVATE, TICKET, AlarmTools
from features.anatomy.feature import Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.reader import Reader
from features.anatomy.texts import prompt_of, say
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from search.documents import Meaning


def build(services: Services) -> Feature:
    """Return the feature over the company's list; raises `AlarmsMisspelt`."""
    alarms = alarms_of(services.home)
    drawing = _Drawing(alarms)

    def at_once(text: str) -> Step | None:
        name = alarms.of(text)
        return Step("sound_alarm", {"alarm": name}) if name else None

    def instead(text: str, meant: Meaning) -> Step | None:
        told = judged(text, meant, alarms)
        if told is not None and told.sure:
            return Step("sound_alarm", {"alarm": alarms.sure_of(told.group), "sure": True})
        # Who may be in despair and asks nothing reads whom to talk to, and no form or page of something else below.
        alone = told is not None and alarms.groups[told.group].calls == "crisis" and not asks_only(text)
        return Step("sound_alarm", {"alarm": told.group, "alone": True}) if told is not None and alone else None

    def above(text: str, meant: Meaning) -> Step | None:
        told = judged(text, meant, alarms)
        return Step("sound_alarm", {"alarm": told.group}) if told and not told.sure else None

    return Feature(
        name="alarms",
        tools=AlarmTools(alarms, services.search).tools(),
        at_once=at_once,
        instead=instead,
        above=above,
        talks=(talk(alarms),),
        kinds={
            OPEN: RecordKind(drawing.draw),
            PRIVATE: RecordKind(drawing.draw, private=True),
            TICKET: RecordKind(_draw_ticket),
            MAYBE: RecordKind(drawing.draw_maybe),
            MAYBE_PRIVATE: RecordKind(drawing.draw_maybe, private=True),
            BELOW: RecordKind(_draw_below),
        },
        prompt=prompt_of("features.alarms"),
    )


class _Drawing:
    """What is said at once."""

    def __init__(self, alarms: Alarms) -> None:
        self._alarms = alarms

    async def draw(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return what to do and whom to call, and what the page below is."""
        del actor  # whoever asked: what to do is no secret
        name, _, page, *foreign = shown.ids  # cards of before have no fourth
        alarm, language = self._alarms.called(name), reader.language
        own = alarm.say.get(language)
        # The company's own page says what to do; ours stands where it says nothing, and never against it.
        governs = page in (ABOUT, NUMBERED)
        title = say(language, f"alarm.{'kind' if governs and not alarm.quiet else 'do'}.{name}")
        heading = Heading(title) if alarm.quiet else Heading(title, badge=say(language, "alarm.badge"), tone="bad")
        call = "" if page == NUMBERED and not alarm.phone else _call(alarm, language)
        ours = say(language, f"alarm.then.{name}", call=call)
        words = f"{own or ''} {call}" if own or (governs and not alarm.quiet) else ours
        blocks: list[Block] = [heading, *([Text(words.strip())] if words.strip() else [])]
        if page:
            words = say(language, "alarm.page" if governs else "alarm.beside")
            blocks.append(Note(f"{words} {say(language, 'alarm.foreign')}" if any(foreign) else words))
        return tuple(blocks)

    async def draw_maybe(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the line for what may be an alarm; below it stands the company's page, and then the reply."""
        del actor
        name, _, page, *foreign = shown.ids
        group, language = self._alarms.groups[name], reader.language
        call = "" if page == NUMBERED and not group.phone else _call(group, language)
        line = Text(say(language, f"alarm.maybe.{name}", call=call).strip())
        if not page:
            return (line,)
        words = say(language, "alarm.page")
        return line, Note(f"{words} {say(language, 'alarm.foreign')}" if any(foreign) else words)


async def _draw_below(actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
    """Return the words that part the line above from the reply."""
    del actor, shown
    return (Note(say(reader.language, "alarm.below")),)


async def _draw_ticket(actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
    """Return the button for a ticket; nothing for who may file none."""
    if not decide(actor, Permission.TICKETS_CREATE).allowed:
        return ()
    label, (run_id,) = say(reader.language, "alarm.ticket"), shown.ids
    return (Buttons((Button(label=label, action="draft.urgent", id=run_id, style="danger"),)),)


def _call(alarm: AlarmKind, language: str) -> str:
    """Return whom to call: the company's number, or who answers such calls everywhere."""
    if alarm.phone:
        return say(language, "alarm.call", phone=alarm.phone)
    return say(language, f"alarm.{alarm.calls}")
