"""What goes on on a busy platform: questions in channels, threads and direct messages, and talk that is nobody's."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from storage.clock import Clock
from tests.desks.harbour import BERTHS, answers, question

PEOPLE, CHANNELS = 20, 10
#: Nobody asks on while so many wait for an answer.
WAIT_FOR = 24
#: The most seconds of the platform's clock between two messages.
PAUSE_S = 5.0


@dataclass(frozen=True)
class Said:
    """What somebody said: its thread, and the id of the event that the desk knows it by."""

    channel: int | None  # None: among the person and the desk
    thread: str
    event_id: str


@dataclass(frozen=True)
class Shown:
    """A message of the desk as people see it now. Ids grow with time."""

    id: str
    text: str
    streaming: bool = False  # it grows before their eyes
    finished: bool = True  # it is all that the desk meant to say


class Floor(Protocol):
    """A platform with people and channels, both numbered from 0; everybody is in every channel."""

    clock: Clock
    #: How many events the platform made of what was said.
    events: int

    async def say(
        self, person: int, text: str, *, channel: int | None, thread: Said | None = None, by_name: bool
    ) -> Said:
        """Let somebody say something, to the desk alone without a channel."""
        ...

    def replies(self, said: Said) -> Sequence[Shown]:
        """Return everything that the desk shows in a message's thread, oldest first."""
        ...

    def everything(self) -> Sequence[Shown]:
        """Return everything that the desk shows anywhere."""
        ...

    def acknowledged(self) -> set[str]:
        """Return the ids of the events that the desk took."""
        ...


@dataclass(frozen=True)
class Asked:
    """A question that the desk has to answer, once, in its thread."""

    said: Said
    berth: str


@dataclass
class Traffic:
    """People who talk, at random but the same each time."""

    floor: Floor
    random: Random
    asked: list[Asked] = field(default_factory=list)
    _waiting: list[Asked] = field(default_factory=list)
    _berths: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # by thread, the known ones
    _direct: dict[int, str] = field(default_factory=dict)  # by person, the thread of what they last asked in private

    async def step(self) -> None:
        """Let somebody say something, after a pause."""
        await self.floor.clock.sleep(self.random.uniform(0, PAUSE_S))
        self._waiting = [each for each in self._waiting if not self.answers_to(each)]
        channel = self.random.randrange(CHANNELS)
        if len(self._waiting) >= WAIT_FOR:
            return
        match self.random.choices(("mention", "follow", "thread", "direct", "talk"), (35, 15, 15, 15, 20))[0]:
            case "mention":
                await self._ask(channel, by_name=True)
            case "follow" if said := self._answered_in_a_channel():
                await self._ask(said.channel, thread=said, by_name=False)
            case "thread" if said := self._answered_in_a_channel():
                await self._ask(said.channel, thread=said, by_name=True)
            case "direct":
                await self._ask(None, by_name=False)
            case _:
                person = self.random.randrange(PEOPLE)
                await self.floor.say(person, "The tide is late today.", channel=channel, by_name=False)

    async def burst(self, *, threads: int, questions: int) -> None:
        """Ask so many questions in each of some new threads, all by name and all at once."""
        for number in range(threads):
            root: Said | None = None
            for _ in range(questions):
                asked = await self._ask(number % CHANNELS, by_name=True, thread=root)
                root = root or (asked.said if asked else None)

    async def direct(self, people: int) -> None:
        """Let so many people ask the desk, each alone with it."""
        for person in range(people):
            await self._ask(None, by_name=False, person=person)

    def give_up(self) -> list[Asked]:
        """Take out and return what the desk never acknowledged, whatever the platform tried, nor answered."""
        taken = self.floor.acknowledged()
        lost = [each for each in self.asked if each.said.event_id not in taken and not self.answers_to(each)]
        self.asked = [each for each in self.asked if each not in lost]
        return lost

    def answers_to(self, asked: Asked) -> list[Shown]:
        """Return the messages of the desk that answer a question, half-written ones not among them."""
        return [each for each in self.floor.replies(asked.said) if answers(asked.berth, each.text)]

    def streaming(self) -> list[Shown]:
        """Return what grows before the eyes of those who wait."""
        return [each for asked in self._waiting for each in self.floor.replies(asked.said) if each.streaming]

    async def _ask(
        self, channel: int | None, *, by_name: bool, thread: Said | None = None, person: int | None = None
    ) -> Asked | None:
        person = self.random.randrange(PEOPLE) if person is None else person
        left = self._unknown_in(thread.thread if thread else self._direct.get(person, "") if channel is None else "")
        if not left:
            return None
        berth = self.random.choice(left)
        said = await self.floor.say(person, question(berth), channel=channel, thread=thread, by_name=by_name)
        asked = Asked(said, berth)
        self._berths[said.thread].append(berth)
        if channel is None:
            self._direct[person] = said.thread
        self.asked.append(asked)
        self._waiting.append(asked)
        return asked

    def _unknown_in(self, thread: str) -> list[str]:
        """Return the berths that were not asked about in a thread yet, so that each answer tells what it answers."""
        return [berth for berth in BERTHS if berth not in self._berths[thread]]

    def _answered_in_a_channel(self) -> Said | None:
        """Return something in a channel that the desk has answered: people follow up on what they read."""
        for asked in self.random.sample(self.asked, min(5, len(self.asked))):
            if asked.said.channel is not None and self.answers_to(asked):
                return asked.said
        return None
