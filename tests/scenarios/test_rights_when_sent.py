"""Rights change at any moment: no reminder, digest or news is sent that its readers may not read when it is sent.

Between what happens, its drawing and its sending people come and go, roles and groups change, pages are closed, others
join the channel and the platform is away. Each thing has a word of its own; whatever comes to stand somewhere is
searched for the words of what one of its readers may not read at that moment.
"""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seed_of
from hypothesis import strategies as st

from adapters.events import Message
from adapters.memory import RecordedPost
from adapters.port import Unavailable
from bot.compose.desk import Desk
from bot.delivery.events import dump_card
from features.anatomy.schedules import Slot
from features.digests.digest import TOPIC as DIGEST
from features.digests.digest import LastSent, SentDigest
from features.reminders.reminder import TOPIC as REMINDER
from features.reminders.reminder import Reminder, Where
from features.reminders.service import ReminderService
from identity.actor import Actor, local_operator
from identity.errors import Forbidden, UnknownPerson
from identity.permissions import Permission
from identity.policy import decide
from language.planning.plans import Again
from storage.database import Database
from storage.ids import JsonObject, canonical_json, new_id
from storage.queue import schedules
from storage.queue.schedules import SYSTEM, Rule
from tests.fakes.news_ways import Mailbox, Received, mail_server, webhook_receiver
from tests.scale import in_parts
from tests.scenarios.stage import MovableClock
from tests.scenarios.world import DOMAIN, NAMES, World, happen, world_in
from tickets.errors import TicketsError

Result = TypeVar("Result")

ROLES, GROUPS, UNITS = ("agent", "admin", "auditor"), ("it", "hr"), ("sales",)
PAGES = ("oxbow", "plinth", "quoin")
LISTS = ("staff", "group:it", "group:hr", "unit:sales", "role:agent", "public", "person:ada", None)
CHANNELS = {"north": ("ada", "ben"), "south": ("bao", "ben", "cleo")}
KINDS = ("news", "reminder", "digest", "channel digest", "mail", "webhook")
#: Who is told by another way than the chat.
WAYS = {"cleo": "mail", "bao": "webhook"}


def part_of(names: tuple[str, ...]) -> st.SearchStrategy[frozenset[str]]:
    return st.frozensets(st.sampled_from(names))


RIGHTS = st.tuples(part_of(ROLES), part_of(GROUPS), part_of(UNITS))


UNLIMITED: Any = {"limits": {"messages_per_minute": 100_000, "address_messages_per_minute": 100_000}}


class House:
    """One desk for all examples; what happened in it is known by words."""

    def __init__(self, home: Path, database: Database, mailbox: Mailbox, received: Received) -> None:
        self.home = home
        self.mailbox = mailbox
        self.received = received
        self.read = {"mail": 0, "webhook": 0}
        self.database = database
        self.loop = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.clock = MovableClock()
        self.listed: dict[str, tuple[frozenset[str], ...]] = {}
        self.allowed: dict[str, str | None] = {}
        self.tickets: dict[str, str] = {}  # a word → the number of the ticket that has it
        self.asked: dict[str, str] = {}  # a word → who asked with it
        self.numbers = count(1)
        self.seen: dict[tuple[str, int], None] = {}
        self.shown: set[str] = set()
        self.world: World = self.do(self.open(database))

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run(work)

    @property
    def settings(self) -> Any:
        return {
            "tickets": {"group": "it"},
            "mail": self.mailbox.settings,
            "webhook": self.received.settings,
            **UNLIMITED,
        }

    async def open(self, database: Database) -> World:
        world = await self.stack.enter_async_context(
            world_in(self.home, database, clock=self.clock, settings=self.settings)
        )
        self.world = world
        for person in NAMES:
            await world.say(person, "/desk status")
        for person, way in WAYS.items():
            await world.say(person, f"/desk settings set way {way}")
        for name, members in CHANNELS.items():
            await self.named_in(name, members)
        known = await world.desk.job_control.channels(local_operator())
        self.targets = {name: each.target for name in CHANNELS for each in known if name in each.name}
        return world

    async def named_in(self, name: str, members: tuple[str, ...]) -> None:
        address = self.world.chat.address("ben", thread=name, members=members)
        await self.world.chat.deliver(
            Message(
                event_id=f"named-{name}",
                account=self.world.chat.people["ben"],
                address=address,
                thread=f"memory:{name}",
                received_at=datetime.now(UTC),
                text="/desk status",
                private=False,
                addressed=True,
            )
        )
        await self.world.settle("ben")

    def word(self, kind: str) -> str:
        return f"no{next(self.numbers)}{kind}"

    def close(self) -> None:
        self.do(self.stack.aclose())
        self.do(self.database.close())
        self.loop.close()

    def employ(self) -> None:
        """Write down who is here with which rights; a file of another size or time is read again."""
        lines = [
            f"  - {{id: {person}, email: {person}@{DOMAIN}, name: {NAMES[person]}, language: en, "
            f"roles: [{', '.join(sorted(roles))}], groups: [{', '.join(sorted(groups))}], "
            f"units: [{', '.join(sorted(units))}]}}\n"
            for person, (roles, groups, units) in sorted(self.listed.items())
        ]
        people = f"people:\n{''.join(lines)}# {next(self.numbers)}\n"
        (self.home / "people.yaml").write_text(people, encoding="utf-8")

    async def allow(self, page: str, to: str | None) -> None:
        self.allowed[page] = to
        path = self.home / "pages" / f"{page}.md"
        if to is None:
            path.unlink(missing_ok=True)
        else:
            text = (
                f"---\naccess:\n  allow: ['{to}']\n---\n\n# The {page}\n\nNumber {next(self.numbers)} of the {page}.\n"
            )
            path.write_text(text, encoding="utf-8")
        await self.world.desk.search.refresh(local_operator())

    async def forbidden(self, reader: Actor) -> set[str]:
        """Return the words of what somebody may not read now."""
        audits = decide(reader, Permission.RUNS_READ_ALL).allowed
        asked = {word for word, who in self.asked.items() if not audits and who != reader.id}
        principals = {*reader.principals, "public"}
        pages = {page for page, to in self.allowed.items() if to is None or to not in principals}
        tickets = {word for word, number in self.tickets.items() if not await self.may_open(reader, number)}
        return asked | pages | tickets

    async def may_open(self, reader: Actor, number: str) -> bool:
        try:
            await self.world.desk.tickets.show(reader, number)
        except (TicketsError, Forbidden):
            return False
        return True

    async def look(self) -> None:
        """Look at what came to stand somewhere since the last time, as each of those who see it."""
        for post in self.world.chat.posted():
            fresh = [at for at in range(len(post.revisions)) if (post.reference, at) not in self.seen]
            self.seen.update(dict.fromkeys((post.reference, at) for at in fresh))
            if fresh:
                await self._read(post, fresh)
        for message in self.mailbox.got[self.read["mail"] :]:
            parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
            await self._read_alone("mail", str(message["To"]).partition("@")[0], f"{message['Subject']} {parts}")
        for _, body in self.received.got[self.read["webhook"] :]:
            said = json.loads(body)
            await self._read_alone("webhook", said["person"]["id"], json.dumps(said, ensure_ascii=False))

    async def _read_alone(self, way: str, person: str, text: str) -> None:
        """Look at what came to a person by another way than the chat; it may have been refused there."""
        self.read[way] += 1
        found = {word for word in await self.forbidden(await self.world.desk.directory.person(person)) if word in text}
        assert not found, f"{person} may not read {found}, which came by {way}: {text}"
        if any(word in text for word in (*self.tickets, *self.asked, *PAGES)):
            self.shown.add(way)

    async def _read(self, post: RecordedPost, fresh: list[int]) -> None:
        text = "".join(canonical_json(dump_card(post.revisions[at])) for at in fresh)
        members = (await self.world.chat.members(post.address)).accounts
        for each in members:
            reader = await self.world.desk.people.behind(each)
            found = {word for word in await self.forbidden(reader) if word in text}
            assert not found, f"{each.user} may not read {found} in {post.key}: {text}"
        if any(word in text for word in (*self.tickets, *self.asked, *PAGES)):
            self.shown.add(_kind(post))


def _kind(post: RecordedPost) -> str:
    if post.key.startswith("told:ticket"):
        return "news"
    if "reminder" in post.key:
        return "reminder"
    return "channel digest" if post.address.get("members") else "digest"


@dataclass(frozen=True)
class Round:
    """What happens, how much of it is drawn, what changes then, and when it is sent."""

    happens: tuple[tuple[str, str, str, int], ...]  # what, who, in which channel, about which of the tickets
    drawn: int  # pieces of work that are done before the change
    rights: tuple[tuple[str, tuple[frozenset[str], ...] | None], ...]  # None: they leave the company
    moves: frozenset[str]  # who goes out of the channels, or in
    pages: tuple[tuple[str, str | None], ...]
    away: bool  # the platform is away for a moment
    passed_s: int


HAPPENS = ("report", "watch", "comment", "assign", "ask", "remind alone", "remind there", "digest", "digest there")
WHO = st.sampled_from(sorted(NAMES))
ROUNDS = st.builds(
    Round,
    happens=st.lists(
        st.tuples(st.sampled_from(HAPPENS), WHO, st.sampled_from(sorted(CHANNELS)), st.integers(0, 3)),
        min_size=2,
        max_size=4,
    ).map(tuple),
    drawn=st.integers(0, 6),
    rights=st.lists(st.tuples(WHO, st.none() | RIGHTS), max_size=2).map(tuple),
    moves=st.frozensets(WHO, max_size=1),
    pages=st.lists(st.tuples(st.sampled_from(PAGES), st.sampled_from(LISTS)), max_size=1).map(tuple),
    away=st.booleans(),
    passed_s=st.sampled_from((1, 10, 61, 3_700)),
)


class Playing:
    """Plays rounds in a house."""

    def __init__(self, house: House) -> None:
        self.house = house

    @property
    def desk(self) -> Desk:
        return self.house.world.desk

    async def begin(self) -> None:
        """Let everybody be here, send what is left of the example before, and look at none of it."""
        house = self.house
        house.world.chat.left.clear()
        self.refuse(away=False)
        house.tickets.clear()
        house.asked.clear()
        house.listed = {person: (frozenset(), frozenset(), frozenset()) for person in NAMES}
        house.listed["ben"] = (frozenset({"agent"}), frozenset({"it"}), frozenset())
        house.listed["cleo"] = (frozenset({"admin"}), frozenset(), frozenset())
        house.employ()
        for page in PAGES:
            await house.allow(page, "public")
        await self.send(3_700)
        await self.report("ada")
        await self.watch("ben")
        await self.send(61)

    async def play(self, played: Round) -> None:
        house = self.house
        for what, person, channel, which in played.happens:
            with suppress(TicketsError, Forbidden, UnknownPerson):
                await self.happens(what, person, channel, which)
        await self.desk.inbox.drain()
        for _ in range(played.drawn):
            await self.desk.outbox.drain_once()
            await house.look()
        for person, rights in played.rights:
            house.listed.pop(person, None)
            if rights is not None:
                house.listed[person] = rights
        house.employ()
        house.world.chat.left ^= played.moves
        for page, to in played.pages:
            await house.allow(page, to)
        self.refuse(away=played.away)
        await self.send(played.passed_s)

    def refuse(self, *, away: bool) -> None:
        """Let the platform, the mail server and the receiver of webhooks be away for now, or be there again."""
        self.house.world.chat.refuse = Unavailable("away", retry_after_s=30) if away else None
        self.house.mailbox.answer = "451 come later" if away else "250 OK"
        self.house.received.status = 503 if away else 204

    async def send(self, passed_s: int) -> None:
        self.house.clock.skip(passed_s)
        (job,) = [each for each in self.desk.jobs.table if each.name == "digests: keep current"]
        await job.work()
        await self.house.world.settle("ada")
        await self.house.look()

    async def happens(self, what: str, person: str, channel: str, which: int) -> None:
        match what:
            case "report":
                await self.report(person)
            case "watch":
                await self.watch(person)
            case "comment":
                await self.comment(which)
            case "assign":
                await self.assign(person, which)
            case "ask":
                await self.ask(person)
            case "remind alone":
                await self.remind(person, which, None)
            case "remind there":
                await self.remind(person, which, self.house.targets[channel])
            case "digest":
                await self.digest(person, None)
            case "digest there":
                await self.digest(person if which else SYSTEM, self.house.targets[channel])
            case _:
                raise KeyError(what)

    async def actor(self, person: str) -> Actor:
        return await self.desk.directory.person(person)

    async def report(self, person: str) -> None:
        word, tickets, actor = self.house.word("ticket"), self.desk.tickets, await self.actor(person)
        draft = await tickets.draft(
            actor, thread=word, category="other", title=f"Press {word}", description=f"It has a {word}.", address={}
        )
        ticket = await tickets.file(actor, draft.id, nonce=await tickets.nonce_for(actor, draft.id))
        self.house.tickets[word] = ticket.number

    async def watch(self, person: str) -> None:
        for number in {*self.house.tickets.values()}:
            await self.desk.tickets.watch(await self.actor(person), number)

    async def comment(self, which: int) -> None:
        word, number = self.house.word("comment"), self.number(which)
        self.house.tickets[word] = number
        await self.desk.tickets.comment(local_operator(), number, text=f"Look: {word}")

    async def assign(self, person: str, which: int) -> None:
        tickets, number = self.desk.tickets, self.number(which)
        version = (await tickets.show(local_operator(), number)).version
        await tickets.assign(local_operator(), number, assignee=await self.actor(person), version=version)

    async def ask(self, person: str) -> None:
        word = self.house.word("zeppelin")
        self.house.asked[word] = person
        await self.house.world.chat.say(person, f"Which colour has the {word} of the harbour?")

    async def remind(self, person: str, which: int, place: JsonObject | None) -> None:
        kept = await ReminderService(self.desk.database, self.house.clock).set(
            await self.actor(person),
            Reminder(
                id=new_id("reminder"),
                owner="",
                text="Look after it",
                plan=Again("FREQ=DAILY", time(9)),
                timezone="UTC",
                where=Where.ALONE if place is None else Where.CHANNEL,
                about=self.number(which),
                address=place or {},
                channel=place,
            ),
        )
        await self.due(REMINDER, kept.name, person)

    async def digest(self, person: str, place: JsonObject | None) -> None:
        begun = self.house.clock.now() - timedelta(days=1)
        kept = SentDigest(
            person,
            (),
            Rule("FREQ=DAILY", "09:00"),
            "UTC",
            place,
            name="configured" if person == SYSTEM else "",
            last=LastSent(begun, begun, ""),
        )
        async with self.desk.database.transaction() as session:
            await schedules.put(session, kept.schedule)
        await self.due(DIGEST, kept.id, person)

    async def due(self, topic: str, name: str, owner: str) -> None:
        await happen(self.desk, topic, Slot(name, f"slot {next(self.house.numbers)}", owner, "UTC"))

    def number(self, which: int) -> str:
        numbers = sorted({*self.house.tickets.values()})
        return numbers[which % len(numbers)]


@in_parts(60, least=6, parts=6)
def test_nothing_is_sent_that_one_of_its_readers_may_not_read_then(
    migrated_home: Path, tmp_path: Path, seed: int, turns: int
) -> None:
    with mail_server(tmp_path / "certificates") as mailbox, webhook_receiver() as received:
        database = Database(f"sqlite+aiosqlite:///{migrated_home / 'dutydesk.db'}")
        play_in(House(migrated_home, database, mailbox, received), seed, turns)


def test_a_page_that_is_closed_while_its_digest_is_on_its_way_is_not_named(migrated_home: Path, tmp_path: Path) -> None:
    with mail_server(tmp_path / "certificates") as mailbox, webhook_receiver() as received:
        house = House(
            migrated_home, Database(f"sqlite+aiosqlite:///{migrated_home / 'dutydesk.db'}"), mailbox, received
        )
        playing = Playing(house)

        async def closed_after(steps: int) -> None:
            await house.allow("oxbow", "public")
            for person in ("ada", "cleo", "bao"):  # by the chat, by e-mail, by webhook
                await playing.digest(person, None)
            for _ in range(steps):
                await playing.desk.outbox.drain_once()
                await house.look()
            await house.allow("oxbow", None)
            await playing.send(0)

        try:
            house.do(playing.begin())
            for steps in range(5):
                house.do(closed_after(steps))
        finally:
            house.close()
        assert "digest" in house.shown


def test_news_of_a_ticket_are_not_told_to_whom_it_is_closed_meanwhile(migrated_home: Path, tmp_path: Path) -> None:
    with mail_server(tmp_path / "certificates") as mailbox, webhook_receiver() as received:
        house = House(
            migrated_home, Database(f"sqlite+aiosqlite:///{migrated_home / 'dutydesk.db'}"), mailbox, received
        )
        playing, nothing = Playing(house), frozenset[str]()

        async def dismissed_after(passed_s: int) -> None:
            house.listed["ben"] = (frozenset({"agent"}), frozenset({"it"}), nothing)
            house.employ()
            playing.refuse(away=True)
            await playing.report("ada")
            await playing.send(passed_s)
            house.listed["ben"] = (nothing, nothing, nothing)
            house.employ()
            playing.refuse(away=False)
            await playing.send(61)

        try:
            house.do(playing.begin())
            for passed_s in (1, 10, 61):
                house.do(dismissed_after(passed_s))
        finally:
            house.close()
        assert house.shown


def play_in(house: House, part: int, examples: int) -> None:
    playing = Playing(house)

    async def play(rounds: Sequence[Round]) -> None:
        await playing.begin()
        for each in rounds:
            await playing.play(each)

    @seed_of(part)
    @settings(max_examples=examples, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(rounds=st.lists(ROUNDS, min_size=5, max_size=5))
    def played(rounds: Sequence[Round]) -> None:
        house.do(play(rounds))

    try:
        played()
    finally:
        house.close()
    assert house.shown == set(KINDS), "each kind has shown something to who may read it"
