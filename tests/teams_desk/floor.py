"""People in a local Teams as a floor for traffic: a chat is one thread, and the desk may hear everything."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from tests.desks.traffic import CHANNELS, PEOPLE, Said, Shown
from tests.fakes.teams.drawing import shown
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.organisation import place_of, thread_id
from tests.fakes.teams.records import Message
from tests.fakes.teams.streams import is_open
from tests.teams_desk.answers import whole


class TeamsFloor:
    """Teams once the desk is installed."""

    def __init__(self, teams: LocalTeams) -> None:
        self.teams = teams
        self.clock = teams.organisation.clock
        self.events = 0
        self._forgiven: set[str] = set()
        self._people = [teams.add_person(f"mate{number}") for number in range(PEOPLE)]
        users = tuple(person.user for person in self._people)
        add = teams.organisation.add_channel
        self._channels = [add(f"quay{number}", users, listens=True) for number in range(CHANNELS)]

    async def say(
        self, person: int, text: str, *, channel: int | None, thread: Said | None = None, by_name: bool
    ) -> Said:
        who = self._people[person]
        place = self.teams.organisation.chat(who.user) if channel is None else self._channels[channel]
        write = who.mention if by_name else who.say
        said = await write(place, text, thread=place_of(thread.thread)[1] if thread else None)
        self.events += 1
        where = thread_id(place, said.root)
        return Said(channel, where, f"{where}:{said.id}")

    def replies(self, said: Said) -> Sequence[Shown]:
        conversation, root = place_of(said.thread)
        mine = [each for each in self._desks(conversation) if each.root == root and each.id not in self._forgiven]
        return [self._shown(each) for each in whole(mine)]

    def everything(self) -> Sequence[Shown]:
        return [self._shown(each) for mine in self._threads() for each in whole(mine)]

    def forgive(self, unknown: Collection[str]) -> int:
        """Leave out of sight what the desk said twice, for it cannot know of the first time; return how often.

        Of the messages of these ids that is what stands in its thread again later, and what was never finished.
        """
        twice = [
            each.id
            for mine in self._threads()
            for at, each in enumerate(mine)
            if each.id in unknown and (not _is_finished(each) or self._words(each) in map(self._words, mine[at + 1 :]))
        ]
        self._forgiven.update(twice)
        return len(twice)

    def _desks(self, conversation: str) -> Iterator[Message]:
        organisation = self.teams.organisation
        return (each for each in organisation.standing(conversation) if each.sender == organisation.bot.id)

    def _threads(self) -> Collection[list[Message]]:
        """Return what the desk shows, thread by thread."""
        threads = defaultdict[tuple[str, str], list[Message]](list)
        for conversation in self.teams.organisation.conversations:
            for each in self._desks(conversation):
                if each.id not in self._forgiven:
                    threads[conversation, each.root].append(each)
        return threads.values()

    def _words(self, said: Message) -> str:
        # What a text says can be had without drawing it.
        return said.text or shown(self.teams.organisation, self._people[0].user, said).words

    def acknowledged(self) -> set[str]:
        return {each.event_id for each in self.teams.deliveries.records if each.reason is None}

    def _shown(self, said: Sequence[Message]) -> Shown:
        # In a chat it is a stream, elsewhere a message that is edited.
        streaming = is_open(self.teams.organisation, said[0]) or not _is_finished(said[0])
        return Shown(said[0].id, self._words(said[0]), streaming=streaming, finished=bool(said[-1].attachments))


def _is_finished(said: Message) -> bool:
    return bool(said.attachments or said.entities)
