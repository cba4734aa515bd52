"""People in a local Slack as a floor for traffic: each direct message begins a thread of its own."""

from collections.abc import Sequence

from tests.desks.traffic import CHANNELS, PEOPLE, Said, Shown
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.records import Json, Message


class SlackFloor:
    """Slack once the desk is installed."""

    def __init__(self, slack: LocalSlack) -> None:
        self.slack = slack
        self.clock = slack.workspace.clock
        self.events = 0
        self._people = [slack.add_person(f"mate{number}") for number in range(PEOPLE)]
        users = tuple(person.user for person in self._people)
        self._channels = [slack.workspace.add_channel(f"quay{number}", users) for number in range(CHANNELS)]

    async def say(
        self, person: int, text: str, *, channel: int | None, thread: Said | None = None, by_name: bool
    ) -> Said:
        who = self._people[person]
        place = self.slack.workspace.im(who.user) if channel is None else self._channels[channel]
        write = who.mention if by_name else who.say
        said = await write(place, text, thread=thread.thread.split(":")[1] if thread else None)
        self.events += 2 if by_name else 1  # a message that names the desk is told twice
        return Said(channel, f"{said.channel}:{said.root}", f"{said.channel}:{said.ts}")

    def replies(self, said: Said) -> Sequence[Shown]:
        channel, root = said.thread.split(":")
        return [self._shown(each) for each in self.slack.workspace.replies(channel, root) if self._own(each)]

    def everything(self) -> Sequence[Shown]:
        workspace = self.slack.workspace
        stands = [each for channel in workspace.channels for each in workspace.standing(channel)]
        return [self._shown(each) for each in stands if self._own(each)]

    def acknowledged(self) -> set[str]:
        return {_event_id(each.body) for each in self.slack.deliveries.records if each.reason is None}

    def _own(self, said: Message) -> bool:
        return said.user == self.slack.workspace.bot.id

    def _shown(self, said: Message) -> Shown:
        streaming = said.stream is not None and self.slack.workspace.is_streaming(said)
        return Shown(said.ts, seen(said), streaming=streaming, finished=_ended(said.metadata))


def _event_id(body: Json) -> str:
    event = body.get("event", {})
    return f"{event.get('channel')}:{event.get('ts')}"


def _ended(metadata: dict[str, object] | None) -> bool:
    payload = (metadata or {}).get("event_payload")
    return isinstance(payload, dict) and "key" in payload and not payload.get("unfinished")


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
