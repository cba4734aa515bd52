"""What the buttons and the form of a channel do: in the channel in which they are pressed, and no other."""

from collections.abc import Mapping

from adapters.cards import Block, Button, Buttons, Form, Note
from adapters.events import Event, FormSubmit, Press
from agent.runs.answer import Outcome
from features.anatomy.channels import MANAGE, ChannelMode, Channels, NoChannel, UnknownChoice
from features.anatomy.handling import FormHandling, Pressed, Sent
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, note
from features.anatomy.texts import say
from features.channels.drawing import CHANNEL, UNDO, ChannelDrawing, choice_words, name_of
from features.channels.tools import changes_of
from identity.actor import Actor
from identity.policy import decide
from storage.ids import JsonObject


class ChannelButtons:
    """Hushes, takes that back, opens the form and takes it."""

    def __init__(self, channels: Channels, drawing: ChannelDrawing) -> None:
        self._channels = channels
        self._drawing = drawing

    async def hush(self, pressed: Pressed) -> Spoken:
        """Make the desk quiet at once, and say to everybody how that is taken back."""
        target = self._target(pressed.event)
        channel = await self._channels.hush(pressed.actor, target)
        language = pressed.reader.language
        words = say(language, "channel.hushed", name=pressed.actor.name)
        blocks: tuple[Block, ...] = (Note(words, tone="good"),)
        if channel.undoable:
            blocks = (*blocks, Buttons((Button(say(language, "channel.undo"), UNDO, channel.name),)))
        return Spoken(Outcome.ANSWERED, blocks, refresh=(f"{CHANNEL}:{name_of(target)}",))

    async def undo(self, pressed: Pressed) -> Spoken:
        """Take back that the desk is quiet."""
        target, language = self._target(pressed.event), pressed.reader.language
        channel = await self._channels.undo(pressed.actor, target)
        if channel is None:
            return note(Outcome.REFUSED, say(language, "channel.undo_over"), tone="warn")
        mode = say(language, f"channel.mode.{channel.settings.mode}")
        words = say(language, "channel.undone", mode=mode)
        return note(Outcome.ANSWERED, words, tone="good", refresh=(f"{CHANNEL}:{name_of(target)}",))

    async def open(self, actor: Actor, press: Press, reader: Reader) -> Form:
        """Return the form with how the channel is set now; raise what is in the way."""
        target = self._target(press)
        address = _address(press)
        if not await self._channels.may_change(actor, address):
            await self._channels.refuse(actor, target)
        channel = await self._channels.show(actor, target)
        return self._drawing.form(channel, reader.language, everything=decide(actor, MANAGE).allowed)

    def form(self) -> FormHandling:
        """Return what is done with the form."""
        return FormHandling(self._sent, wrong=_wrong, row=_row)

    async def _sent(self, sent: Sent) -> Spoken:
        target, language = self._target(sent.event), sent.reader.language
        changes = dict(changes_of(_values(sent.event)))
        try:
            channel = await self._channels.change(sent.actor, target, changes, address=_address(sent.event))
        except UnknownChoice as error:
            return note(Outcome.REFUSED, choice_words(language, error), tone="warn")
        done = Note(say(language, "channel.changed"), tone="good")
        blocks = (done, *self._drawing.blocks(channel, sent.reader))
        return Spoken(Outcome.ANSWERED, blocks, subject=f"{CHANNEL}:{channel.name}")

    def _target(self, event: Event) -> JsonObject:
        """Return the channel of a press: what its button says of it is not believed."""
        target = self._channels.around(_address(event))
        if target is None:
            raise NoChannel
        return target


def _address(event: Event) -> JsonObject:
    return {"platform": event.account.platform, "address": dict(event.address)}


def _values(event: FormSubmit) -> Mapping[str, str]:
    return {name: value for name, value in event.values.items() if name in FIELDS}


def _wrong(event: FormSubmit, reader: Reader) -> Mapping[str, str]:
    for name, value in _values(event).items():
        try:
            changes_of({name: value})
        except UnknownChoice as error:
            return {name: choice_words(reader.language, error)}
    return {}


def _row(reader: Reader, name: str, value: str) -> tuple[str, str]:
    label = {"mode": "when"}.get(name, name)
    shown = say(reader.language, f"channel.mode.{value}") if name == "mode" and value in list(ChannelMode) else value
    return (say(reader.language, f"channel.{label}") if name in FIELDS else name, shown)


#: The fields that the form may bring.
FIELDS = ("mode", "language", "digest", "sources", "tools", "queue")
