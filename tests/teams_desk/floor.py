"""People in a local Teams as a floor for traffic: a chat is one thread, and the desk may hear everything."""

from collections import defaultdict
from collections.abc import Sequence

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
        stands = self.teams.organisation.standing(conversation)
        mine = [each for each in stands if each.root == root and self._own(each)]
        return [self._shown(each) for each in whole(mine)]

    def everything(self) -> Sequence[Shown]:
        organisation, places = self.teams.organisation, defaultdict[tuple[str, str], list[Message]](list)
        for place in organisation.conversations:
            for each in organisation.standing(place):
                if self._own(each):
                    places[place, each.root].append(each)
        return [self._shown(each) for mine in places.values() for each in whole(mine)]

    def acknowledged(self) -> set[str]:
        return {each.event_id for each in self.teams.deliveries.records if each.reason is None}

    def _own(self, said: Message) -> bool:
        return said.sender == self.teams.organisation.bot.id

    def _shown(self, said: Sequence[Message]) -> Shown:
        organisation, reader = self.teams.organisation, self._people[0].user
        # What has come to an end has a card; what its text says can be had without drawing it.
        text = said[0].text or shown(organisation, reader, said[0]).words
        streaming = is_open(organisation, said[0])
        return Shown(said[0].id, text, streaming=streaming, finished=bool(said[-1].attachments))
