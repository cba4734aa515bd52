"""What goes on in a busy workspace: questions in channels, threads and direct messages, and talk that is nobody's."""

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random

from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.records import Channel, Json, Message
from tests.slack_desk.harbour import BERTHS, answers, question

PEOPLE, CHANNELS = 20, 10
#: Nobody asks on while so many wait for an answer.
WAIT_FOR = 24
#: The most seconds of Slack's clock between two messages.
PAUSE_S = 5.0


@dataclass(frozen=True)
class Asked:
    """A question that the desk has to answer, once, in its thread."""

    said: Message
    berth: str


@dataclass
class Traffic:
    """People who talk, at random but the same each time; `events` is how many events Slack makes of it."""

    slack: LocalSlack
    random: Random
    events: int = 0
    asked: list[Asked] = field(default_factory=list)
    _people: list[Person] = field(default_factory=list)
    _channels: list[Channel] = field(default_factory=list)
    _waiting: list[Asked] = field(default_factory=list)
    _berths: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self._people = [self.slack.add_person(f"mate{number}") for number in range(PEOPLE)]
        users = tuple(person.user for person in self._people)
        self._channels = [self.slack.workspace.add_channel(f"quay{number}", users) for number in range(CHANNELS)]

    async def step(self) -> None:
        """Let somebody say something, after a pause."""
        await self.slack.workspace.clock.sleep(self.random.uniform(0, PAUSE_S))
        self._waiting = [each for each in self._waiting if not self.answers_to(each)]
        person, channel = self.random.choice(self._people), self.random.choice(self._channels)
        if len(self._waiting) >= WAIT_FOR:
            return
        match self.random.choices(("mention", "follow", "thread", "direct", "talk"), (35, 15, 15, 15, 20))[0]:
            case "mention":
                await self._ask(person, channel, by_name=True)
            case "follow" if root := self._answered_thread():
                await self._ask(person, self.slack.workspace.channels[root.channel], thread=root, by_name=False)
            case "thread" if root := self._answered_thread():
                await self._ask(person, self.slack.workspace.channels[root.channel], thread=root, by_name=True)
            case "direct":
                await self._ask(person, self.slack.workspace.im(person.user), by_name=False)
            case _:
                await person.say(channel, "The tide is late today.")
                self.events += 1

    async def burst(self, *, threads: int, questions: int) -> None:
        """Ask so many questions in each of some new threads, all by name and all at once."""
        for number in range(threads):
            channel = self._channels[number % CHANNELS]
            root: Message | None = None
            for _ in range(questions):
                said = await self._ask(self.random.choice(self._people), channel, by_name=True, thread=root)
                root = root or said

    def give_up(self) -> list[Asked]:
        """Take out and return the questions that the desk never acknowledged, whatever Slack tried, nor answered."""
        taken = {_said_in(each.body) for each in self.slack.deliveries.records if each.reason is None}
        lost = [each for each in self.asked if (each.said.channel, each.said.ts) not in taken]
        lost = [each for each in lost if not self.answers_to(each)]
        self.asked = [each for each in self.asked if each not in lost]
        return lost

    def answers_to(self, asked: Asked) -> list[Message]:
        """Return the messages of the desk that answer a question, half-written ones not among them."""
        return [each for each in self.replies(asked.said) if answers(asked.berth, seen(each))]

    def replies(self, said: Message) -> list[Message]:
        """Return everything that the desk shows in a message's thread, oldest first."""
        workspace = self.slack.workspace
        return [each for each in workspace.replies(said.channel, said.root) if each.user == workspace.bot.id]

    def streaming(self) -> list[Message]:
        """Return what the desk has begun and not ended."""
        return [each for asked in self._waiting for each in self.replies(asked.said) if self._is_open(each)]

    def _is_open(self, said: Message) -> bool:
        return said.stream is not None and self.slack.workspace.is_streaming(said)

    async def _ask(
        self, person: Person, channel: Channel, *, by_name: bool, thread: Message | None = None
    ) -> Message | None:
        berth = self._fresh(channel, thread)
        if berth is None:
            return None
        say = person.mention if by_name else person.say
        said = await say(channel, question(berth), thread=thread)
        asked = Asked(said, berth)
        self._berths[channel.id, said.root].append(berth)
        self.asked.append(asked)
        self._waiting.append(asked)
        self.events += 2 if by_name else 1  # a message that names the desk is told twice
        return said

    def _fresh(self, channel: Channel, thread: Message | None) -> str | None:
        """Return a berth that was not asked about in the thread yet, so that each answer tells what it answers."""
        known = self._berths[channel.id, thread.root] if thread else []
        left = [berth for berth in BERTHS if berth not in known]
        return self.random.choice(left) if left else None

    def _answered_thread(self) -> Message | None:
        """Return the root of a thread in a channel where the desk has answered: people follow up on what they read."""
        for asked in self.random.sample(self.asked, min(5, len(self.asked))):
            is_direct = self.slack.workspace.channels[asked.said.channel].is_im
            if not is_direct and self.answers_to(asked):
                return self.slack.workspace.messages[asked.said.channel][asked.said.root]
        return None


def _said_in(body: Json) -> tuple[str, str]:
    event = body.get("event", {})
    return str(event.get("channel")), str(event.get("ts"))


def seen(said: Message) -> str:
    """Return the words of a message that people see: its blocks where it has some, else its text."""
    drawn = "\n".join(_words(said.blocks))
    return "\n".join(filter(None, (said.markdown, drawn))) or said.text


def _words(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["text"]] if isinstance(part.get("text"), str) else []
        return own + [word for value in part.values() for word in _words(value)]
    if isinstance(part, list):
        return [word for each in part for word in _words(each)]
    return []
