"""Slack: people act in the local one, what reaches the desk is signed as Slack signs it, what they see is drawn."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from adapters.slack.chat import LIMITS
from tests.desks.process import free_port
from tests.fakes.slack.controls import Control, controls, find
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.modal import Modal
from tests.fakes.slack.page_drawing import PageDrawing, Window
from tests.fakes.slack.people import Person
from tests.fakes.slack.records import Channel, Message, View
from tests.scenarios.page import Element, parse
from tests.scenarios.platforms import Choice, OpenForm, Place, Seen
from tests.scenarios.stage import LOOK_S, PATIENCE_S, Setting, Stage
from tests.scenarios.world import DOMAIN, NAMES
from tests.slack_desk.house import install, slack_settings

#: Seconds after which an answer in the making is shown: only a slow brain takes longer.
STREAM_AFTER_S = 0.2
#: Calls that show a message before it is finished.
IN_THE_MAKING = frozenset({"assistant.threads.setStatus", "chat.appendStream", "chat.startStream"})
#: Seconds that people let pass before they do the next thing.
PAUSE_S = 5.0


@asynccontextmanager
async def open_slack(setting: Setting, *, mode: Literal["http", "socket"]) -> AsyncIterator[Stage]:
    """Run a desk behind the real server, with a local Slack that reaches it by HTTP or over a websocket."""
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(LocalSlack(setting.clock))
        port = free_port()
        await install(slack, f"http://127.0.0.1:{port}" if mode == "http" else "")
        given = slack_settings(slack, mode=mode, email_domains=(DOMAIN,), stream_after_s=STREAM_AFTER_S)
        connected = replace(setting, settings={**setting.settings, "slack": given})
        desk, *others = await stack.enter_async_context(connected.served(port))
        await _connected(slack, mode)
        yield Stage(desk, SlackDriver(slack), setting.clock, pause_s=PAUSE_S, others=others)


async def _connected(slack: LocalSlack, mode: Literal["http", "socket"]) -> None:
    """Wait until Slack can tell the desk something: over a websocket that the desk opens by itself."""
    async with asyncio.timeout(PATIENCE_S):
        while mode == "socket" and not slack.socket.connections:  # noqa: ASYNC110 - a connection makes no change
            await asyncio.sleep(LOOK_S)


@dataclass(frozen=True)
class Shown:
    """A control where it was seen: it may have changed since."""

    on: Message | View
    control: Control
    verdict: Literal["positive", "negative"] | None = None


@dataclass
class SlackForm:
    """A modal before a person."""

    modal: Modal

    def __post_init__(self) -> None:
        self.title = self.modal.title
        self.values: Mapping[str, str] = {each.label: _typed(self.modal, each) for each in self._inputs()}

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        self.values = {**self.values, **values}
        for label, typed in values.items():
            await self.modal.fill(label, typed)
        wrong = await self.modal.submit()
        return {each.label: wrong[each.block_id] for each in self._inputs() if each.block_id in wrong}

    def _inputs(self) -> list[Control]:
        return [each for each in controls(self.modal.blocks) if each.block is not None]


def _typed(modal: Modal, control: Control) -> str:
    state = modal.values.get(control.block_id, {}).get(control.action_id, {})
    chosen = state.get("selected_option") or {}
    return str(state.get("value") or chosen.get("value") or "")


@dataclass
class SlackDriver:
    """People at their Slack windows. A conversation is a thread: of the direct messages, or of a channel."""

    slack: LocalSlack
    limits = LIMITS
    _people: dict[str, Person] = field(default_factory=dict)
    _outside: dict[str, Channel] = field(default_factory=dict)  # where people of other companies meet the desk
    _roots: dict[tuple[str, str], str] = field(default_factory=dict)  # (conversation, place) → its thread
    _sent: dict[tuple[str, Place], Message] = field(default_factory=dict)  # with files, the newest

    def __post_init__(self) -> None:
        self._drawing = PageDrawing(self.slack.scene)

    async def say(self, person: str, text: str, place: Place, *, addressed: bool = True, deliveries: int = 1) -> None:
        who, channel = self.person(person), self._channel(person, place)
        before = len(self.slack.deliveries.records)
        write = who.say if channel.is_im or not addressed else who.mention
        said = await write(channel, text, thread=self._roots.get((channel.id, place.name)))
        self._roots.setdefault((channel.id, place.name), said.root)
        await self._again(before, deliveries)

    async def send_file(
        self, person: str, name: str, content: bytes, place: Place, *, text: str = "", deliveries: int = 1
    ) -> None:
        who, channel = self.person(person), self._channel(person, place)
        before = len(self.slack.deliveries.records)
        thread = self._roots.get((channel.id, place.name))
        said = await who.share(channel, name, content, text, thread=thread, named=not channel.is_im)
        self._roots.setdefault((channel.id, place.name), said.root)
        self._sent[person, place] = said
        await self._again(before, deliveries)

    async def delete(self, person: str, place: Place) -> None:
        await self.person(person).delete(self._sent[person, place])

    async def drop_files(self, person: str, place: Place) -> None:
        await self.person(person).drop_files(self._sent[person, place])

    async def _again(self, before: int, deliveries: int) -> None:
        if deliveries > 1:
            await self.slack.deliveries.settled()
            told = [each.body for each in self.slack.deliveries.records[before:] if each.kind == "event"]
            for body in told * (deliveries - 1):
                self.slack.deliveries.send(body)

    async def press(self, person: str, choice: Choice, place: Place, *, times: int = 1) -> None:
        del place
        await asyncio.gather(*(self._press(person, choice) for _ in range(times)))

    async def open(self, person: str, choice: Choice, place: Place) -> OpenForm:
        del place
        await self._press(person, choice)
        return SlackForm(await self._modal(person))

    async def rate(self, person: str, choice: Choice, place: Place, *, reason: str = "") -> None:
        del place
        shown = choice.handle
        assert isinstance(shown, Shown)
        assert isinstance(shown.on, Message)
        assert shown.verdict is not None
        await self.person(person).rate(shown.on, shown.verdict)
        if shown.verdict == "negative":
            modal = await self._modal(person)
            if reason:
                await modal.fill(modal.labels[0], reason)
                assert not await modal.submit()
            else:
                await modal.close()

    async def command(self, person: str, line: str) -> None:
        await self.person(person).command(f"/desk {line}")

    def commands(self, person: str) -> Place:
        del person
        return Place("commands")

    async def read(self, person: str, place: Place) -> Sequence[Seen]:
        who, channel = self.person(person), self._channel(person, place)
        if place == self.commands(person):
            mine = set(self._roots.values())
            roots = {said.root for said in who.sees(channel)} - mine
        else:
            roots = {root for key, root in self._roots.items() if key == (channel.id, place.name)}
        return [seen for root in sorted(roots) for seen in self._thread(who, channel, root)]

    async def glimpses(self, person: str, place: Place) -> Sequence[str]:
        channel = self._channel(person, place).id
        shown = [each for each in self.slack.workspace.calls if each.method in IN_THE_MAKING and each.error is None]
        return [str(each.arguments) for each in shown if channel in each.arguments.values()]

    async def open_home(self, person: str) -> None:
        await self.person(person).open_home()

    def home(self, person: str) -> Seen:
        who = self.person(person)
        page = self._drawn(Window(who, self.slack.workspace.im(who.user), tab="home"))
        return _seen(page.one(class_="home"), self.slack.workspace.homes[who.user.id])

    async def channel(self, *people: str, private: bool = True) -> Place:
        users = tuple(self.person(each).user for each in people)
        name = f"floor-{len(self.slack.workspace.channels)}"
        made = self.slack.workspace.add_channel(name, users, is_private=private)
        return Place("main", channel=made.id)

    async def begun(self, person: str, place: Place) -> Sequence[Seen]:
        who, channel = self.person(person), self._channel(person, place)
        roots = {said.root for said in who.sees(channel)} - set(self._roots.values())
        return [seen for root in sorted(roots) for seen in self._thread(who, channel, root)]

    def alone(self, person: str, place: Place) -> Place:
        del place
        return self.commands(person)

    async def shared(self, *people: str) -> Place:
        return await self.channel(*people)

    async def idle(self) -> bool:
        return not self.slack.deliveries.waiting()

    def person(self, name: str) -> Person:
        """Return somebody of the workspace, or of another company's; they come in when first heard of."""
        if name not in self._people:
            self._people[name] = self.slack.add_person(name, **self._fields(name))
        return self._people[name]

    def _fields(self, name: str) -> dict[str, object]:
        fields: dict[str, object] = {
            "real_name": NAMES.get(name, name.title()),
            "email": f"{name}@{DOMAIN}",
            "locale": "zh-CN" if name == "bao" else "en-US",
        }
        match name:
            case "gus":
                fields["is_restricted"] = True
            case "eve":
                fields |= {"team_id": self.slack.workspace.add_team("Elsewhere").id, "is_stranger": True}
            case "uma":
                fields |= {"email": f"ben@{DOMAIN}", "is_email_confirmed": False}
            case _:
                pass
        return fields

    def _channel(self, person: str, place: Place) -> Channel:
        who = self.person(person)
        if place.channel or who.user.team_id == self.slack.workspace.team.id:
            return who.place(place.channel or "dm")
        if person not in self._outside:  # an app has no direct messages with people of other companies
            self._outside[person] = self.slack.workspace.add_channel("connect", (who.user,), is_ext_shared=True)
        return self._outside[person]

    async def _press(self, person: str, choice: Choice) -> None:
        shown = choice.handle
        assert isinstance(shown, Shown)
        # Not by name: what was seen may have been drawn anew since, and this person presses what they saw.
        await self.person(person)._act(shown.on, shown.control, {})

    async def _modal(self, person: str) -> Modal:
        """Return the modal before a person, once its inputs are there."""
        who = self.person(person)

        def filled() -> Modal | None:
            stands = self.slack.workspace.modals.get(who.user.id)
            return who.modal if stands and who.modal.labels else None

        found = await self.slack.workspace.until(filled)
        assert found is not None
        return found

    def _thread(self, who: Person, channel: Channel, root: str) -> list[Seen]:
        page = self._drawn(Window(who, channel, thread=root)).one("section", class_="thread")
        bot, found = self.slack.workspace.bot.id, []
        for article in page.all("article"):
            said = self.slack.workspace.message(channel.id, article.attributes["data-ts"])
            if said is not None and said.user == bot:
                found.append(_seen(article.one(class_="content"), said))
        return found

    def _drawn(self, window: Window) -> Element:
        return parse(self._drawing.page(window, number=0))


def _seen(drawn: Element, on: Message | View) -> Seen:
    blocks = on.blocks if isinstance(on, Message) else on.content["blocks"]
    choices: list[Choice] = []
    for button in drawn.all("button"):
        match button.attributes["data-act"]:
            case "press" if not button.has("data_url", "*"):
                choices.append(Choice(button.text, Shown(on, find(blocks, button.attributes["data-name"]))))
            case "rate":
                verdict: Literal["positive", "negative"] = (
                    "positive" if button.attributes["data-verdict"] == "positive" else "negative"
                )
                thumbs = next(each for each in controls(blocks) if each.kind == "feedback_buttons")
                choices.append(Choice(button.attributes["aria-label"], Shown(on, thumbs, verdict)))
            case _:
                pass
    return Seen(drawn.text, tuple(choices), drawn.links)
