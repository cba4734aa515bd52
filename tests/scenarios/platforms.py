"""What a person does and sees on a platform, in neutral terms. A platform joins the suite by one `Driver`.

A driver goes in by what the platform really sends, and reads back what the person is really shown: labels, not
actions; words, not cards. What it cannot do stands in its adapter's `Limits`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from adapters.port import Limits


@dataclass(frozen=True)
class Place:
    """A conversation: of one person alone, or a thread of a channel."""

    name: str
    channel: str = ""


#: Where a person and the desk talk unless a case says otherwise.
MAIN = Place("main")


@dataclass(frozen=True)
class Choice:
    """Something that can be pressed, as its reader knows it: by its label. `handle` is the driver's own."""

    label: str
    handle: object


@dataclass(frozen=True)
class Seen:
    """One message as it stands now, or several of them as one."""

    text: str
    choices: tuple[Choice, ...] = ()
    links: tuple[str, ...] = ()  # where what can be followed leads

    @property
    def labels(self) -> tuple[str, ...]:
        """Return what can be pressed."""
        return tuple(choice.label for choice in self.choices)

    def choice(self, label: str) -> Choice:
        """Return the newest choice of that label; raise LookupError when there is none."""
        for choice in reversed(self.choices):
            if choice.label == label:
                return choice
        raise LookupError(f"{label!r} cannot be pressed on: {self.text}")


def together(messages: Sequence[Seen]) -> Seen:
    """Return several messages as one, in their order."""
    return Seen(
        "\n".join(each.text for each in messages),
        tuple(choice for each in messages for choice in each.choices),
        tuple(link for each in messages for link in each.links),
    )


class OpenForm(Protocol):
    """A form before a person. Fields are named by their labels."""

    title: str
    values: Mapping[str, str]

    async def send(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Send it with these values over what stands there; return what is wrong (label → words), nothing if taken.

        After errors it is still open, with all that was typed: send it again.
        """
        ...


class Driver(Protocol):
    """One platform with its people. Nobody needs to be introduced: an unknown name is signed in when first heard."""

    limits: Limits

    async def say(self, person: str, text: str, place: Place, *, addressed: bool = True, deliveries: int = 1) -> None:
        """Write a message; the platform delivers it that often. In a channel, `addressed` names the desk."""
        ...

    async def press(self, person: str, choice: Choice, place: Place, *, times: int = 1) -> None:
        """Press a button or choose a suggestion, so often at once."""
        ...

    async def open(self, person: str, choice: Choice, place: Place) -> OpenForm:
        """Press a button that opens a form."""
        ...

    async def rate(self, person: str, choice: Choice, place: Place, *, reason: str = "") -> None:
        """Press one of the two judgements of an answer, with a reason when asked for one."""
        ...

    async def command(self, person: str, line: str) -> None:
        """Enter a line of the desk's grammar."""
        ...

    def commands(self, person: str) -> Place:
        """Return where a person sees what their commands are answered with."""
        ...

    async def read(self, person: str, place: Place) -> Sequence[Seen]:
        """Return the messages of a conversation that the person sees now, in their order."""
        ...

    async def open_home(self, person: str) -> None:
        """Go to the person's home; only where `limits.home`."""
        ...

    def home(self, person: str) -> Seen:
        """Return the home that was opened, as it stands now."""
        ...

    async def shared(self, *people: str) -> Place:
        """Return a conversation in which a press of any of these people reaches the desk."""
        ...

    async def idle(self) -> bool:
        """Return whether nothing is on its way between the people and the desk."""
        ...


@runtime_checkable
class InChannels(Protocol):
    """What a driver does beside where `limits.channels`."""

    async def channel(self, *people: str, private: bool = True) -> Place:
        """Make a channel with the desk and these people in it, and return a conversation there."""
        ...

    async def begun(self, person: str, place: Place) -> Sequence[Seen]:
        """Return the messages with which the desk itself began a thread in that channel."""
        ...

    def alone(self, person: str, place: Place) -> Place:
        """Return where the desk says to one person alone what was begun in a channel."""
        ...


@runtime_checkable
class WithFiles(Protocol):
    """What a driver does beside where `limits.files`."""

    async def send_file(
        self, person: str, name: str, content: bytes, place: Place, *, text: str = "", deliveries: int = 1
    ) -> None:
        """Send a file with words or without; the platform delivers the message that often."""
        ...


@runtime_checkable
class WithWithdrawals(Protocol):
    """What a driver does beside where `limits.withdrawals`."""

    async def delete(self, person: str, place: Place) -> None:
        """Take away the newest message with a file that this person sent there."""
        ...


@runtime_checkable
class DroppingFiles(Protocol):
    """What a driver does beside where a file can be taken out of its message."""

    async def drop_files(self, person: str, place: Place) -> None:
        """Take the files out of that message; its words stay."""
        ...


@runtime_checkable
class Glimpsing(Protocol):
    """What a driver tells beside where `limits.streams`."""

    async def glimpses(self, person: str, place: Place) -> Sequence[str]:
        """Return what the person saw of messages before they were finished, oldest first."""
        ...
