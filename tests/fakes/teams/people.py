"""What people do in Teams: talk, press, fill in; each act changes the organisation and reaches the app as in Teams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.fakes.teams.deliveries import Answer, Deliveries
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Conversation, Message, User

#: "chat" is the one with the app, "#name" a channel, an id any other.
Place = Conversation | str
Reaction = Literal["like", "dislike"]


class NotShown(Exception):
    """The person looks for something that is not there, or that cannot be used like this."""


@dataclass
class Scene:
    """Where people act: the organisation, and the way to the app."""

    organisation: Organisation
    deliveries: Deliveries
    _people: dict[str, "Person"] = field(default_factory=dict)

    def person(self, user: User) -> "Person":
        """Return the person behind a user, the same one each time."""
        return self._people.setdefault(user.id, Person(self, user))


@dataclass
class Person:
    """Somebody at their own Teams window."""

    scene: Scene
    user: User
    #: What Teams told them besides messages: failures, answers to presses; oldest first.
    notices: list[str] = field(default_factory=list)

    def place(self, where: Place) -> Conversation:
        """Return a conversation: "chat" (with the app), "#name", an id or the conversation itself."""
        raise NotImplementedError

    async def say(
        self, where: Place, typed: str, *, thread: Message | str | None = None, naming: Sequence[User] = ()
    ) -> Message:
        """Write into a conversation, a new post or a thread of a channel; `naming` mentions other people first."""
        raise NotImplementedError

    async def mention(self, where: Place, typed: str, *, thread: Message | str | None = None) -> Message:
        """Write to the app by name."""
        raise NotImplementedError

    async def edit(self, said: Message, typed: str) -> None:
        """Change an own message."""
        raise NotImplementedError

    async def delete(self, said: Message) -> None:
        """Take an own message away."""
        raise NotImplementedError

    async def react(self, said: Message, reaction: str) -> None:
        """Put a reaction under a message."""
        raise NotImplementedError

    def sees(self, where: Place) -> list[Message]:
        """Return what this person sees in a conversation, oldest first."""
        raise NotImplementedError

    async def press(
        self, label: str, *, on: Message | None = None, nth: int | None = None,
        inputs: Mapping[str, str] | None = None,
    ) -> Answer:  # fmt: skip
        """Press a button of a card by its words, with inputs of the card filled in; it may open a dialog."""
        raise NotImplementedError

    async def rate(self, said: Message, reaction: Reaction, *, feedback: str = "") -> Answer:
        """Press one of the thumbs under an answer, and send the form that it opens."""
        raise NotImplementedError

    async def stop(self, said: Message) -> None:
        """Press Stop under an answer that is being written."""
        raise NotImplementedError

    async def install(self, where: Place = "chat") -> None:
        """Add the app to the own chats, a group chat or a team."""
        raise NotImplementedError

    async def uninstall(self, where: Place = "chat") -> None:
        """Take the app away again."""
        raise NotImplementedError
