"""Teams: people act in the local one, what reaches the desk is signed as Teams signs it, what they see is drawn."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from adapters.teams.chat import LIMITS
from adapters.teams.inbound.webhook import PATH
from bot.rendering import commands
from tests.desks.process import free_port
from tests.fakes.teams.controls import Control, controls, inputs, label_of
from tests.fakes.teams.dialog import Dialog, said_at_inputs
from tests.fakes.teams.drawing import card_lines, cards_of
from tests.fakes.teams.inputs import chosen, complaints, initial
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.organisation import thread_id
from tests.fakes.teams.people import Person, Reaction
from tests.fakes.teams.records import Conversation, Json, Message
from tests.fixtures.features import grammar
from tests.scenarios.platforms import MAIN, Choice, OpenForm, Place, Seen, together
from tests.scenarios.stage import Setting, Stage
from tests.scenarios.story import STORIES
from tests.scenarios.world import DOMAIN, NAMES
from tests.teams_desk.answers import whole
from tests.teams_desk.house import teams_settings

#: Seconds after which an answer in the making is shown: only a slow brain takes longer.
STREAM_AFTER_S = 0.2
#: Seconds that people let pass before they do the next thing.
PAUSE_S = 5.0
#: A thumb under an answer → the word of the catalogue for it; Teams has its own, in the reader's language.
THUMBS: Mapping[Reaction, str] = {"like": "feedback.up", "dislike": "feedback.down"}


@asynccontextmanager
async def open_teams(setting: Setting, *, forms: Literal["dialogs", "cards"]) -> AsyncIterator[Stage]:
    """Run a desk behind the real server, with a local Teams before it, whose clients open forms this way."""
    async with AsyncExitStack() as stack:
        teams = await stack.enter_async_context(LocalTeams(setting.clock))
        elsewhere = teams.organisation.add_tenant("Elsewhere")
        port = free_port()
        await teams.install(f"http://127.0.0.1:{port}{PATH}")
        known = {"email_domains": (DOMAIN,), "allowed_tenants": (elsewhere.id,)}
        given = teams_settings(teams, **known, forms=forms, stream_after_s=STREAM_AFTER_S)
        connected = replace(setting, settings={**setting.settings, "teams": given})
        desk, *others = await stack.enter_async_context(connected.served(port))
        yield Stage(desk, TeamsDriver(teams, elsewhere.id), setting.clock, pause_s=PAUSE_S, others=others)


@dataclass(frozen=True)
class Pressable:
    """A control, or a thumb, where it was seen: it may have changed since."""

    on: Message
    control: Control | None = None
    thumb: Reaction | None = None


@dataclass
class TeamsForm:
    """A dialog before a person."""

    dialog: Dialog

    def __post_init__(self) -> None:
        self.title = self.dialog.title
        self.values: Mapping[str, str] = self.dialog.values

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        for label, typed in values.items():
            self.dialog.fill(label, typed)
        wrong = await self.dialog.submit()
        self.values = self.dialog.values
        return wrong


@dataclass
class TeamsCardForm:
    """A form in the place of the card whose button was pressed; the first thing on it that can be pressed sends it."""

    who: Person
    on: Message
    card: int

    def __post_init__(self) -> None:
        self.title = next(card_lines(self._stands))
        self.values: Mapping[str, str] = {label_of(each): initial(each) for each in inputs(self._stands)}

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        self.values = {**self.values, **values}
        wrong = self._client_says()
        if not wrong:
            await self.who.press_control(self.on, replace(self._send, card=self.card), inputs=self.values)
            wrong = said_at_inputs(self._stands) if inputs(self._stands) else {}
        return wrong

    @property
    def _stands(self) -> Json:
        return cards_of(self.on, self.who.user)[self.card]

    @property
    def _send(self) -> Control:
        return next(controls([self._stands]))

    def _client_says(self) -> Mapping[str, str]:
        by_id = {str(each["id"]): label_of(each) for each in inputs(self._stands)}
        held = {each["id"]: chosen(each, self.values[label_of(each)]) for each in inputs(self._stands)}
        return {by_id[name]: words for name, words in complaints(self._stands, held).items()}


@dataclass
class TeamsDriver:
    """People at their Teams windows. A person's chat is one conversation; a channel has threads."""

    teams: LocalTeams
    elsewhere: str  # another company's tenant, whose people may write
    limits = LIMITS
    _people: dict[str, Person] = field(default_factory=dict)
    _roots: dict[tuple[str, str], str] = field(default_factory=dict)  # (channel, place) → its thread
    _sent: dict[tuple[str, Place], Message] = field(default_factory=dict)  # with files, the newest

    async def say(self, person: str, text: str, place: Place, *, addressed: bool = True, deliveries: int = 1) -> None:
        who, where = self.person(person), self._conversation(person, place)
        before = len(self.teams.deliveries.records)
        write = who.say if where.kind == "personal" or not addressed else who.mention
        said = await write(where, text, thread=self._roots.get((where.id, place.name)))
        self._roots.setdefault((where.id, place.name), said.root)
        await self._again(before, deliveries)

    async def send_file(
        self, person: str, name: str, content: bytes, place: Place, *, text: str = "", deliveries: int = 1
    ) -> None:
        before = len(self.teams.deliveries.records)
        said = await self.person(person).share(self._conversation(person, place), name, content, text)
        self._sent[person, place] = said
        await self._again(before, deliveries)

    async def delete(self, person: str, place: Place) -> None:
        await self.person(person).delete(self._sent[person, place])

    async def drop_files(self, person: str, place: Place) -> None:
        await self.person(person).drop_files(self._sent[person, place])

    async def _again(self, before: int, deliveries: int) -> None:
        if deliveries > 1:
            await self.teams.deliveries.settled()
            told = [each.body for each in self.teams.deliveries.records[before:] if each.body["type"] == "message"]
            for body in told * (deliveries - 1):
                self.teams.deliveries.send(body)

    async def press(self, person: str, choice: Choice, place: Place, *, times: int = 1) -> None:
        del place
        await asyncio.gather(*(self._press(person, choice) for _ in range(times)))

    async def open(self, person: str, choice: Choice, place: Place) -> OpenForm:
        del place
        await self._press(person, choice)
        shown = choice.handle
        assert isinstance(shown, Pressable)
        if shown.control is not None and not shown.control.opens_dialog:
            return TeamsCardForm(self.person(person), shown.on, shown.control.card)
        return TeamsForm(self.person(person).dialog)

    async def rate(self, person: str, choice: Choice, place: Place, *, reason: str = "") -> None:
        del place
        shown = choice.handle
        assert isinstance(shown, Pressable)
        assert shown.thumb is not None
        await self.person(person).rate(shown.on, shown.thumb, feedback=reason)

    async def command(self, person: str, line: str) -> None:
        is_known = (await asyncio.to_thread(grammar)).parse(line, bare=True) is not None
        await self.say(person, line if is_known else f"{commands.PREFIX} {line}", self.commands(person))

    def commands(self, person: str) -> Place:
        del person
        return MAIN

    async def read(self, person: str, place: Place) -> Sequence[Seen]:
        who, where = self.person(person), self._conversation(person, place)
        mine = [each for each in who.sees(where) if each.sender == self.teams.organisation.bot.id]
        if where.kind == "channel":
            root = self._roots.get((where.id, place.name))
            mine = [each for each in mine if each.root == root]
        return [together([self._seen(who, each) for each in said]) for said in whole(mine)]

    async def glimpses(self, person: str, place: Place) -> Sequence[str]:
        where = self._conversation(person, place)
        said = [each for each in self.person(person).sees(where) if each.sender == self.teams.organisation.bot.id]
        pieces = [piece.text for each in said if each.stream for piece in each.stream.pieces]
        return pieces + [str(old["text"]) for each in said for old in each.earlier]

    async def open_home(self, person: str) -> None:
        await self.say(person, "主页" if self.person(person).user.locale == "zh-CN" else "home", MAIN)

    def home(self, person: str) -> Seen:
        who = self.person(person)
        mine = [each for each in who.sees("chat") if each.sender == self.teams.organisation.bot.id]
        return together([self._seen(who, each) for each in whole(mine)[-1]])

    async def channel(self, *people: str, private: bool = True) -> Place:
        organisation, users = self.teams.organisation, tuple(self.person(each).user for each in people)
        is_shared = any(user.tenant_id != organisation.tenant.id for user in users)
        made = organisation.add_channel(
            f"floor-{len(organisation.conversations)}",
            users,
            channel_type="shared" if is_shared else "private" if private else "standard",
            listens=True,
        )
        return Place("main", channel=made.id)

    async def begun(self, person: str, place: Place) -> Sequence[Seen]:
        who, where = self.person(person), self._conversation(person, place)
        threads = set(self._roots.values())
        mine = [each for each in who.sees(where) if each.sender == self.teams.organisation.bot.id]
        return [
            together([self._seen(who, each) for each in said]) for said in whole(mine) if said[0].root not in threads
        ]

    def alone(self, person: str, place: Place) -> Place:
        del person, place
        return MAIN

    async def shared(self, *people: str) -> Place:
        users = tuple(self.person(each).user for each in people)
        return Place("main", channel=self.teams.organisation.add_group_chat(users).id)

    async def idle(self) -> bool:
        return not self.teams.deliveries.waiting()

    def thread(self, place: Place) -> str:
        """Return the conversation id of a place in a channel as the connector knows it."""
        where = self.teams.organisation.conversations[place.channel]
        return thread_id(where, self._roots[place.channel, place.name])

    def person(self, name: str) -> Person:
        """Return somebody of the company, a guest, or somebody of another one; they come in when first heard of."""
        if name not in self._people:
            self._people[name] = self.teams.add_person(NAMES.get(name, name.title()), **self._fields(name))
        return self._people[name]

    def _fields(self, name: str) -> dict[str, object]:
        mail = f"{name}@{DOMAIN}"
        fields: dict[str, object] = {"email": mail, "upn": mail, "locale": "zh-CN" if name == "bao" else "en-US"}
        match name:
            case "gus":
                fields |= {"user_role": "guest", "upn": f"gus_partner.example#EXT#@{DOMAIN}"}
            case "eve":
                fields |= {"tenant_id": self.elsewhere}
            case "uma":  # invited with Ben's address as her own
                fields |= {"email": f"ben@{DOMAIN}", "upn": f"uma_partner.example#EXT#@{DOMAIN}"}
            case _:
                pass
        return fields

    def _conversation(self, person: str, place: Place) -> Conversation:
        return self.person(person).place(place.channel or "chat")

    async def _press(self, person: str, choice: Choice) -> None:
        shown = choice.handle
        assert isinstance(shown, Pressable)
        assert shown.control is not None
        await self.person(person).press_control(shown.on, shown.control)

    def _seen(self, who: Person, said: Message) -> Seen:
        drawn = who.shown(said)
        choices = [
            Choice(each.label, Pressable(said, each)) for each in drawn.controls if each.kind != "Action.OpenUrl"
        ]
        if drawn.rated:
            told = next(story for story in STORIES if who.user.locale.startswith(story.language))
            choices += [Choice(told.says(word), Pressable(said, thumb=thumb)) for thumb, word in THUMBS.items()]
        sources = [f"{each.name}: {each.quote}" for each in drawn.citations]
        links = tuple(each.url for each in drawn.citations)
        return Seen("\n".join((drawn.words, *sources)), tuple(choices), links)
