"""The tools of reminders: set one, list them, put one off, end one, delete one."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.approvals.book import ApprovalBook
from agent.errors import ToolAsks, ToolRefused
from agent.results import Records
from agent.runs.answer import Outcome
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Prepared, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.moments import known_zone, wall_time
from features.anatomy.planned import in_words, trigger_of
from features.anatomy.reader import Reader
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.reminders.arguments import (
    DeleteReminder,
    FinishReminder,
    ListReminders,
    OneReminder,
    SetReminder,
    SkipReminder,
    SnoozeReminder,
    WordReminder,
)
from features.reminders.errors import ReminderError
from features.reminders.reminder import LONGEST, POST, SET, Reminder, Waits, Where, dump_plan, kind_of, load_plan
from features.reminders.rendering import describe
from features.reminders.service import ReminderService
from features.reminders.talk import ASKS, ASKS_CHANGE, ASKS_UNTIL, ASKS_WHICH, speaks_of_reminders
from features.reminders.wish import ReminderWish, choice_of, holds, is_agreed, is_of_another, put_off, wish_in
from identity.policy import decide
from identity.readership import others_read
from language.planning.moving import is_later, moved, says_how_often
from language.planning.plans import Again, Plan, Unclear
from language.scripts import Language
from storage.ids import JsonObject, new_id
from storage.queue.schedules import At
from tickets.errors import TicketsError
from tickets.reference import mentions
from tickets.service import TicketService

#: The kind of record that stands for all of a person's reminders.
LIST = "reminders"
#: Choices that one question offers.
_CHOICES = 4
#: Questions in a row about one wish.
_QUESTIONS = 3
#: Bytes, three of a Chinese character, from which words say what a reminder is about: "ok thanks!" does not.
_SUBSTANCE = 12
#: What a thread remembers: that one got other words, the ids that were listed, and those that were deleted.
_WORDED, _LISTED, _DELETED = "reminder_worded", "reminders_listed", "reminders_deleted"
_RESTORED = "reminder_restored"
_NOTHING = {_WORDED: "", _DELETED: "", _RESTORED: ""}
#: Of what comes again and again, this time is put off, and the others stay.
_THIS_TIME = re.compile(r"(?i)\b(?:postpone|delay|put (?:\w{2,8} )?off|snooze)\b|推迟|延后|延迟|延到|推后|往后推|晚点")
#: The ticket that was last spoken of, or filed.
_LAST_TICKET = re.compile(
    r"(?i)\b(?:my|the) (?:last|latest|newest) ticket\b|\bth(?:is|at) ticket\b"
    r"|我?(?:的?上一单|最近的?(?:一张)?工单)|这[个张]工单"
)
#: What names nothing but the thread, or what was spoken of last in it.
_THIS = re.compile(
    r"(?i)(?:about )?(?:this|that|it|the same)(?: (?:thread|conversation|discussion|thing|matter))?"
    r"|(?:关于|看看?|跟进)?(?:(?:这个|这件|本|此|这)(?:话题|会话|讨论|帖子|对话|事情?)|这个|它)"
)


@dataclass(frozen=True)
class ReminderTools:
    """Handlers over the service."""

    service: ReminderService
    telling: Telling
    tickets: TicketService
    prefix: str  # of ticket numbers
    approvals: ApprovalBook

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        return (
            Tool(
                spec=ToolSpec(
                    name="set_reminder",
                    description="Remind the person, the thread or the channel of something at a time or again and"
                    " again. What everybody there will see waits for the person's button.",
                    arguments=SetReminder,
                ),
                policy=ToolPolicy(SET, Effect.WRITE, "reminder.set", Confirmation.AS_PREPARED),
                handler=self._set,
                prepare=self._prepare,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="list_reminders", description="List the person's reminders.", arguments=ListReminders
                ),
                policy=ToolPolicy(SET, Effect.READ, "reminder.list"),
                handler=self._list,
            ),
            Tool(
                spec=ToolSpec(name="snooze_reminder", description="Put a reminder off.", arguments=SnoozeReminder),
                policy=ToolPolicy(SET, Effect.WRITE, "reminder.snooze"),
                handler=self._snooze,
            ),
            Tool(
                spec=ToolSpec(
                    name="word_reminder",
                    description="Give a reminder other words; its time stays.",
                    arguments=WordReminder,
                ),
                policy=ToolPolicy(SET, Effect.WRITE, "reminder.change"),
                handler=self._word,
            ),
            Tool(
                spec=ToolSpec(
                    name="skip_reminder",
                    description="Leave out the next time of a reminder that comes again; those after it stay.",
                    arguments=SkipReminder,
                ),
                policy=ToolPolicy(SET, Effect.WRITE, "reminder.skip"),
                handler=self._skip,
            ),
            Tool(
                spec=ToolSpec(
                    name="finish_reminder",
                    description="Take what a reminder was about as done; one that repeats comes again.",
                    arguments=FinishReminder,
                ),
                policy=ToolPolicy(SET, Effect.WRITE, "reminder.done"),
                handler=self._finish,
            ),
            Tool(
                spec=ToolSpec(
                    name="delete_reminder",
                    description="Delete a reminder of the person's, with all its times.",
                    arguments=DeleteReminder,
                ),
                policy=ToolPolicy(SET, Effect.WRITE, "reminder.delete"),
                handler=self._delete,
            ),
        )

    async def _prepare(self, context: ToolContext, arguments: SetReminder) -> Prepared:
        """Read the wish: what is set, or waits for a button, is what is read back."""
        zone, language = known_zone(context.actor.timezone), language_of(context)
        plan = load_plan(arguments.resolved)
        if plan is not None and arguments.where is not None:  # the button is pressed: "in 2 hours" was said before
            await self._may_post(context, arguments.where)
            return _ready(arguments, plan, arguments.where, language=language, zone=zone)
        if arguments.change:
            return await self._changed(context, arguments)
        another = is_of_another(arguments.when)  # else yes takes what was offered
        answers = tuple(each for each in arguments.answers if not (another and is_agreed(each)))
        read = arguments.model_copy(update={"answers": answers})
        wish = self._read(read, zone=zone, language=language, now=wall_time(context.now, zone))
        if wish.another and len(answers) == len(arguments.answers):
            raise ToolAsks(f"{ASKS}another", options=(say(language, "reminder.remind_me"),))
        if wish.plan is None:
            raise ToolRefused("reminder_when") if _asked_enough(context) else _question(wish, language, zone)
        text = arguments.text or wish.text
        about = await self._about(context, text, draft=wish.draft)
        where = self._where(context, arguments.where or wish.where)
        if _THIS.fullmatch(text) or (wish.where is Where.THREAD and not text):
            text = _spoken_of(context) or (say(language, "reminder.this_thread") if wish.where is Where.THREAD else "")
        if not text and not about:
            raise ToolAsks(f"{ASKS}what")
        await self._may_post(context, where)
        read = read.model_copy(update={"text": text[:LONGEST], "about": about})
        return _ready(read, wish.plan, where, language=language, zone=zone)

    async def _changed(self, context: ToolContext, arguments: SetReminder) -> Prepared:
        """Return the reminder of this thread that waits for its button as words change it; it takes its place."""
        waiting = [each for each in await self.approvals.waiting(context.actor) if each.thread == context.thread]
        old = next((each for each in reversed(waiting) if each.tool == "set_reminder"), None)
        before = SetReminder.model_validate(old.arguments) if old else None
        plan = load_plan(before.resolved) if before else None
        if before is None or plan is None or before.where is None:
            raise ToolRefused("no_reminder")
        zone, language = known_zone(context.actor.timezone), language_of(context)
        if not arguments.text:
            meant = moved(plan, arguments.change, now=wall_time(context.now, zone))
            choices = {in_words(each, language, zone): each for each in meant}
            for answer in arguments.answers:
                chosen = choices.get(answer.strip()) or choice_of(meant, answer, now=wall_time(context.now, zone))
                meant = meant if chosen is None else (chosen,)
            if len(meant) != 1:
                raise ToolAsks(ASKS_CHANGE, options=tuple(choices))
            plan = meant[0]
        trigger = trigger_of(plan, zone)
        if isinstance(trigger, At) and trigger.instant <= context.now:
            raise ToolRefused("reminder_past", in_words(plan, language, zone))
        await self._may_post(context, before.where)
        after = before.model_copy(update={"text": arguments.text or before.text})
        return replace(_ready(after, plan, before.where, language=language, zone=zone), replaces=(before,))

    async def _set(self, context: ToolContext, arguments: SetReminder) -> ToolResult:
        zone, plan, where = known_zone(context.actor.timezone), load_plan(arguments.resolved), arguments.where
        if plan is None or where is None:
            raise ToolRefused("reminder_when")
        trigger = trigger_of(plan, zone)
        if isinstance(trigger, At) and trigger.instant <= context.now:
            raise ToolRefused("reminder_past", in_words(plan, language_of(context), zone))
        alone = where is Where.ALONE
        reminder = Reminder(
            id=new_id("reminder"),
            owner=context.actor.id,
            text=arguments.text,
            plan=plan,
            timezone=zone,
            where=where,
            about=arguments.about,
            # Who asked where others read along is reminded where nobody else does.
            address={} if alone and others_read(context.readership) else context.address,
            thread="" if alone and others_read(context.readership) else context.thread,
            channel=self.telling.channel_of(context.address) if where is Where.CHANNEL else None,
        )
        await self._may_post(context, where)
        with _refusing():
            kept = await self.service.set(context.actor, reminder)
        return _result(kept, "reminder.set", language_of(context))

    async def _list(self, context: ToolContext, arguments: ListReminders) -> ToolResult:
        del arguments
        with _refusing():
            found = await self.service.of(context.actor)
        lines = [_told_line(each, language_of(context)) for each in found]
        only = found[0].id if len(found) == 1 else ""  # what "it" is said of after a list
        remembers = {"reminder": only, _LISTED: " ".join(each.id for each in found)}
        return ToolResult((Records(LIST, tells={"reminders": lines}),), remembers=remembers)

    async def _snooze(self, context: ToolContext, arguments: SnoozeReminder) -> ToolResult:
        found = await self._one(context, arguments)
        if isinstance(found, ToolResult):
            return found
        if arguments.back:
            return await self._back(context, found)
        once = isinstance(found.plan, Again) and _THIS_TIME.search(arguments.until) is not None
        once = once and not (found.state is Waits.WAITING and is_later(arguments.until))
        often = says_how_often(arguments.until, now=wall_time(context.now, found.timezone))
        if often or (found.state is Waits.WAITING and not once):
            plan = self._moved(context, found, arguments)
            if plan is not None:
                return await self._change(context, found, plan)
        zone, planned = known_zone(context.actor.timezone), found.planned_at(context.now)
        until = put_off(arguments.until, now=context.now, zone=zone, planned=planned)
        if until is None or until <= context.now:
            raise ToolAsks(ASKS_UNTIL, options=_snoozes(language_of(context)))
        with _refusing():
            kept = await self.service.snooze(context.actor, found.id, until=until)
        await self.telling.redraw(kept.subject, version=new_id("snoozed"))
        return _result(kept, "reminder.snoozed", language_of(context))

    def _moved(self, context: ToolContext, found: Reminder, said: SnoozeReminder) -> Plan | None:
        """Return the plan that words give a reminder that is still to come; None where they put it off."""
        now, language = wall_time(context.now, found.timezone), language_of(context)
        choices = {in_words(each, language, found.timezone): each for each in moved(found.plan, said.asked, now=now)}
        chosen = choices.get(said.until.strip()) or choice_of(tuple(choices.values()), said.until, now=now)
        meant = () if chosen else moved(found.plan, said.until, now=now)
        if len(meant) > 1:
            raise ToolAsks(ASKS_WHICH, options=tuple(in_words(each, language, found.timezone) for each in meant))
        return chosen or next(iter(meant), None)

    async def _change(self, context: ToolContext, found: Reminder, plan: Plan) -> ToolResult:
        """Give a reminder that is still to come another time."""
        trigger = trigger_of(plan, found.timezone)
        if isinstance(trigger, At) and trigger.instant <= context.now:
            raise ToolRefused("reminder_past", in_words(plan, language_of(context), found.timezone))
        with _refusing():
            kept = await self.service.change(
                context.actor, found.id, text=found.text, plan=plan, timezone=found.timezone
            )
        await self.telling.redraw(kept.subject, version=new_id("changed"))
        return _result(kept, "reminder.set", language_of(context))

    async def _back(self, context: ToolContext, found: Reminder) -> ToolResult:
        """Take back that a reminder was put off, given another time, or left out once."""
        back = self.service.resume if found.state is Waits.SNOOZED else self.service.unchange
        with _refusing():
            kept = await back(context.actor, found.id)
        await self.telling.redraw(kept.subject, version=new_id("resumed"))
        return _result(kept, "reminder.set", language_of(context))

    async def _skip(self, context: ToolContext, arguments: SkipReminder) -> ToolResult:
        """Leave out the next time at which a reminder comes."""
        found = await self._one(context, arguments)
        if isinstance(found, ToolResult):
            return found
        with _refusing():
            kept = await self.service.skip(context.actor, found.id)
        await self.telling.redraw(kept.subject, version=new_id("skipped"))
        return _result(kept, "reminder.skipped", language_of(context))

    async def _word(self, context: ToolContext, arguments: WordReminder) -> ToolResult:
        """Give a reminder other words, or those that it had before; without any, say that it stays."""
        found = await self._one(context, arguments)
        if isinstance(found, ToolResult):
            return found
        words = found.worded if arguments.back else arguments.text
        if not words:
            return ToolResult((Records(LIST, (found.id,), "reminder.stays"),))
        with _refusing():
            kept = await self.service.change(
                context.actor, found.id, text=words, plan=found.plan, timezone=found.timezone
            )
        await self.telling.redraw(kept.subject, version=new_id("worded"))
        return _result(kept, "reminder.set", language_of(context), worded=True)

    async def _finish(self, context: ToolContext, arguments: FinishReminder) -> ToolResult:
        found = await self._one(context, arguments)
        if isinstance(found, ToolResult):
            return found
        with _refusing():
            kept = await self.service.done(context.actor, found.id)
        await self.telling.redraw(kept.subject, version=new_id("done"))
        return _result(kept, "reminder.done", language_of(context))

    async def _restore(self, context: ToolContext) -> ToolResult:
        """Bring back what was deleted last in the thread."""
        with _refusing():
            ids = context.memory.last.get(_DELETED, "").split()
            back = [await self.service.restore(context.actor, each) for each in ids]
        for each in back:
            await self.telling.redraw(each.subject, version=new_id("restored"))
        if len(back) == 1:
            restored = _result(back[0], "reminder.set", language_of(context))
            return replace(restored, remembers={**restored.remembers, _RESTORED: "yes"})
        return ToolResult((Records(LIST, tuple(each.id for each in back), "reminder.restored"),), remembers=_NOTHING)

    async def _delete(self, context: ToolContext, arguments: DeleteReminder) -> ToolResult:
        if arguments.back:
            return await self._restore(context)
        with _refusing():
            found = await self._meant(context, arguments.about)
            if arguments.numbers:
                ids = dict(enumerate(context.memory.last.get(_LISTED, "").split(), start=1))
                meant = {ids.get(number) for number in arguments.numbers}
                found = [each for each in await self.service.of(context.actor) if each.id in meant]
            if len(found) != max(1, len(set(arguments.numbers))):
                return _which(found)
            gone = [await self.service.delete(context.actor, each.id) for each in found]
        for each in gone:
            await self.telling.redraw(each.subject, version=new_id("deleted"))
        deleted = tuple(each.id for each in gone)
        return ToolResult((Records("reminder_gone", deleted),), remembers={**_NOTHING, _DELETED: " ".join(deleted)})

    def _read(self, arguments: SetReminder, *, zone: str, language: Language, now: datetime) -> ReminderWish:
        """Return the wish with its answers, of which each may repeat a choice that was offered before it."""
        said = (arguments.when, *arguments.answers)
        labels: dict[str, Plan] = {}
        for number in range(1, len(said)):
            before = wish_in(said[:number], now=now, labels=labels, zone=ZoneInfo(zone))
            labels |= {in_words(each, language, zone): each for each in before.choices}
        return wish_in(said, now=now, labels=labels, zone=ZoneInfo(zone))

    async def _about(self, context: ToolContext, text: str, *, draft: bool) -> str:
        """Return the ticket or draft that the words name, which the person may read; "" for none."""
        numbers = mentions(text, self.prefix)
        try:
            if len(numbers) == 1:
                return (await self.tickets.show(context.actor, numbers[0])).number
            if _LAST_TICKET.search(text):
                known = context.memory.last.get("ticket", "")
                ticket = await (
                    self.tickets.show(context.actor, known) if known else self.tickets.latest(context.actor)
                )
                return "" if ticket is None else ticket.number
            if draft and (draft_id := context.memory.last.get("draft")):
                return (await self.tickets.show_draft(context.actor, draft_id)).id
        except TicketsError as error:
            raise ToolRefused(error.code, str(error)) from error
        return ""

    def _where(self, context: ToolContext, wished: Where) -> Where:
        """Return where it is delivered: a thread that nobody else reads is one's own."""
        if wished is Where.THREAD and not others_read(context.readership):
            return Where.ALONE
        if wished is Where.CHANNEL and self.telling.channel_of(context.address) is None:
            raise ToolRefused("reminder_no_channel")
        return wished

    async def _may_post(self, context: ToolContext, where: Where) -> None:
        """Raise ToolRefused where somebody may not have the desk write."""
        if where is Where.ALONE:
            return
        if not decide(context.actor, POST).allowed:
            raise ToolRefused("forbidden", POST)
        if not await self.telling.is_member(context.actor.id, context.address):
            raise ToolRefused("reminder_not_member")

    async def _one(self, context: ToolContext, arguments: OneReminder) -> Reminder | ToolResult:
        """Return the reminder that is meant; where its words may mean several, or none, the question which it is."""
        with _refusing():
            meant = await self._meant(context, arguments.about) if arguments.about else ()
            if arguments.about and len(meant) != 1:
                return _which(meant)
            return meant[0] if meant else await self._named(context, arguments.reminder)

    async def _named(self, context: ToolContext, said: str) -> Reminder:
        last = context.memory.last
        known = last.get("told_reminder") or last.get("reminder", "") if said == "last" else said
        return await (self.service.find(context.actor, known) if known else self.service.last_told(context.actor))

    async def _meant(self, context: ToolContext, about: str) -> Sequence[Reminder]:
        """Return the reminders that words speak of: those whose words hold them; without words, the last one."""
        mine = await self.service.of(context.actor)
        if not about:
            last = context.memory.last.get("told_reminder") or context.memory.last.get("reminder", "")
            return [each for each in mine if each.id == last] or mine
        wanted = about.casefold().strip(" .。!！")
        return [each for each in mine if wanted in (each.id, each.text.casefold())] or [
            each for each in mine if holds(each.text, wanted)
        ]


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what the service refuses into what the gate understands."""
    try:
        yield
    except ReminderError as error:
        raise ToolRefused(error.code, str(error)) from error


def _ready(arguments: SetReminder, plan: Plan, where: Where, *, language: Language, zone: str) -> Prepared:
    """Return the call as it is made: at once for oneself, else when the button is pressed."""
    when = in_words(plan, language, zone)
    return Prepared(
        arguments.model_copy(update={"where": where, "resolved": dump_plan(plan)}),
        resource=say(language, f"reminder.to.{where}", when=when),
        waits=where is not Where.ALONE,
    )


def language_of(context: ToolContext) -> Language:
    """Return the language that the person is answered in."""
    return "zh" if context.language == "zh" else "en"


def _question(wish: ReminderWish, language: Language, zone: str) -> ToolAsks:
    options = tuple(in_words(each, language, zone) for each in wish.choices[:_CHOICES])
    return ToolAsks(f"{ASKS}{wish.unclear or Unclear.NOTHING}", options=options)


def _spoken_of(context: ToolContext) -> str:
    """Return what was asked or told last in the thread before this wish; "" where it was nothing of substance."""
    said = (turn.asked for turn in reversed(context.memory.turns) if not speaks_of_reminders(turn.asked))
    return next((each for each in said if len(each.encode()) >= _SUBSTANCE), "")


def _asked_enough(context: ToolContext) -> bool:
    """Return whether somebody was asked so often already that examples help more; a run asks no fifth time."""
    newest = context.memory.turns[-_QUESTIONS:]
    asked = [turn for turn in newest if turn.outcome == Outcome.ASKED_BACK and turn.answered.startswith(ASKS)]
    return len(asked) == _QUESTIONS


def _snoozes(language: Language) -> tuple[str, ...]:
    return tuple(say(language, f"reminder.again.{each}") for each in ("minutes", "hour"))


def _which(found: Sequence[Reminder]) -> ToolResult:
    """Return the reminders that words may mean: all of them, where they mean none."""
    return ToolResult((Records(LIST, tuple(each.id for each in found), "reminder.which", {"several": len(found)}),))


def _told_line(reminder: Reminder, language: Language) -> JsonObject:
    return {"id": reminder.id, "text": reminder.text, "when": describe(reminder, Reader(language, reminder.timezone))}


def _result(kept: Reminder, code: str, language: Language, *, worded: bool = False) -> ToolResult:
    shown = Records(kind_of(kept.where), (kept.id,), code, {"reminder": _told_line(kept, language)})
    spoken_of = {"reminder": kept.id, **({"told_reminder": kept.id} if kept.state is not Waits.WAITING else {})}
    return ToolResult((shown,), remembers={**_NOTHING, **spoken_of, _WORDED: "yes" if worded else ""})
