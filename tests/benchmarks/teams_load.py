"""A busy company's Teams as a load: what is said in so many seconds.

Of 100 activities a second 4 are questions for the desk, by name in a channel or in somebody's own chat. The rest is
redeliveries, and what the desk hears because teams let it: talk in channels and threads, edits, reactions.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Literal

from tests.desks.harbour import BERTHS, question
from tests.fakes.teams import activities
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.records import Conversation, Json, Message, User

Kind = Literal["question", "redelivery", "thread talk", "edit", "reaction", "talk"]
#: How many of 100 activities are of each kind.
MIX: dict[Kind, int] = {"question": 4, "redelivery": 6, "thread talk": 20, "edit": 10, "reaction": 10, "talk": 50}
PER_SECOND = sum(MIX.values())


@dataclass(frozen=True)
class Asked:
    """A question for the desk."""

    said: Message
    berth: str

    @property
    def place(self) -> tuple[str, str, str]:
        """Return the conversation, the thread and the berth: in a chat, somebody may ask about the same one again."""
        return self.said.conversation, self.said.root, self.berth


@dataclass
class Load:
    """People in twenty channels, and what is sent of what they say; the same seed says the same."""

    teams: LocalTeams
    random: Random
    asked: list[Asked] = field(default_factory=list)
    _people: list[User] = field(default_factory=list)
    _channels: list[Conversation] = field(default_factory=list)
    _berths: Iterator[str] = field(default_factory=lambda: cycle(BERTHS))
    _sent: list[Json] = field(default_factory=list)  # questions
    _roots: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        organisation = self.teams.organisation
        self._people = [organisation.add_user(f"mate{number}") for number in range(20)]
        users = tuple(self._people)
        self._channels = [organisation.add_channel(f"quay{number}", users, listens=True) for number in range(20)]
        self._roots = [self._say("Who has seen the pilot?") for _ in range(20)]

    def write(self, plan: Path, *, seconds: int) -> None:
        """Let everything be said, and write the activities that Teams makes of it, signed, one a line, in order."""
        kinds = (kind for _ in range(seconds) for kind in self._second())
        plan.write_text("\n".join(json.dumps(self._request(kind)) for kind in kinds), encoding="utf-8")

    def _second(self) -> list[Kind]:
        kinds: list[Kind] = [kind for kind, count in MIX.items() if kind != "question" for _ in range(count)]
        self.random.shuffle(kinds)
        for place in range(MIX["question"]):
            kinds.insert(place * PER_SECOND // MIX["question"], "question")
        return kinds

    def _request(self, kind: Kind) -> Json:
        organisation, signing = self.teams.organisation, self.teams.server.signing
        headers = {"Authorization": signing.bearer(organisation.service_url)}
        return {"kind": kind, "body": json.dumps(self._activity(kind), ensure_ascii=False), "headers": headers}

    def _activity(self, kind: Kind) -> Json:
        organisation = self.teams.organisation
        match kind:
            case "question":
                return self._question()
            case "redelivery":
                return self.random.choice(self._sent[-PER_SECOND:])
            case "thread talk":
                return self._told(self._say("Not me.", root=self.random.choice(self._roots)))
            case "edit":
                said = self.random.choice(self._roots)
                return activities.message_changed(organisation, organisation.users[said.sender], said)
            case "reaction":
                said = self.random.choice(self._roots)
                return activities.reaction(organisation, self.random.choice(self._people), said, name="like")
            case _:
                return self._told(self._say("The tide is late today."))

    def _question(self) -> Json:
        organisation, berth = self.teams.organisation, next(self._berths)
        asker, words = self.random.choice(self._people), question(berth)
        if self.random.random() < 0.5:
            said = organisation.say(asker.id, organisation.chat(asker), text=words)
        else:
            named = activities.mention(organisation.bot.id, organisation.bot.name)
            said = self._say(f"{named['text']} {words}", by=asker, entities=[named])
        self.asked.append(Asked(said, berth))
        body = self._told(said)
        self._sent.append(body)
        return body

    def _say(self, text: str, *, root: Message | None = None, by: User | None = None, **fields: list[Json]) -> Message:
        organisation = self.teams.organisation
        place = organisation.conversations[root.conversation] if root else self.random.choice(self._channels)
        who = by or self.random.choice(self._people)
        return organisation.say(who.id, place, root=root.root if root else "", text=text, **fields)

    def _told(self, said: Message) -> Json:
        return activities.message(self.teams.organisation, self.teams.organisation.users[said.sender], said)
