"""How a channel is set, as people read it, and the form in which that is changed."""

from collections.abc import Iterable

from adapters.cards import Block, Button, Buttons, Facts, Field, Form, Note, Text
from agent.results import Records
from features.anatomy.channels import ChannelMode, Channels, ChannelSettings, KnownChannel, UnknownChoice
from features.anatomy.reader import Reader, when
from features.anatomy.texts import has, say
from identity.actor import Actor
from storage.ids import JsonObject
from tickets.config import TicketsConfig

#: The kind of record, and the actions of its buttons; the first of them is its form's name, too.
CHANNEL = "channel"
CHANGE, HUSH, UNDO = "channel.change", "channel.hush", "channel.undo"


def name_of(target: JsonObject) -> str:
    """Return what a channel is called in a record."""
    return f"{target['platform']}:{target['channel']}"


def target_of(name: str) -> JsonObject:
    """Return the target that a record's id names."""
    platform, _, channel = name.partition(":")
    return {"platform": platform, "channel": channel}


def choice_words(language: str, error: UnknownChoice) -> str:
    """Return what there is to choose from where somebody named something else."""
    known = ", ".join(error.known) or say(language, f"channel.known.{error.what}")
    return say(language, "channel.unknown", given=error.given, known=known)


class ChannelDrawing:
    """Draws from state."""

    def __init__(self, channels: Channels, config: TicketsConfig) -> None:
        self._channels = channels
        self._config = config

    async def draw(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return how the channel is set, and what can be done about it."""
        blocks: list[Block] = []
        for name in shown.ids:
            blocks.extend(self.blocks(await self._channels.show(actor, target_of(name)), reader))
        return tuple(blocks)

    def blocks(self, channel: KnownChannel, reader: Reader) -> tuple[Block, ...]:
        """Return the card of one channel."""
        language, settings = reader.language, channel.settings
        buttons = [Button(say(language, "channel.change"), CHANGE, channel.name)]
        if settings.mode in (ChannelMode.ON, ChannelMode.LISTEN):
            buttons.append(Button(say(language, "channel.hush"), HUSH, channel.name))
        if channel.undoable:
            buttons.append(Button(say(language, "channel.undo"), UNDO, channel.name))
        changed: tuple[Note, ...] = ()
        if channel.changed_at is not None:
            moment = when(channel.changed_at, reader)
            changed = (Note(say(language, "channel.by", name=channel.changed_by, when=moment)),)
        return (
            Text(say(language, "channel.title")),
            Facts(self.rows(settings, language)),
            *self.hearing(channel, language),
            *changed,
            Buttons(tuple(buttons)),
        )

    def rows(self, settings: ChannelSettings, language: str) -> tuple[tuple[str, str], ...]:
        """Return each setting with its value."""
        every = say(language, "channel.all")
        sources = every if settings.sources is None else _listed(settings.sources, language)
        named = (tool_words(name, language) for name in settings.tools or ())
        tools = every if settings.tools is None else _listed(named, language)
        queues = _listed((self.category(name, language) for name in settings.queues), language)
        return (
            (say(language, "channel.when"), say(language, f"channel.mode.{settings.mode}")),
            (say(language, "channel.language"), say(language, f"channel.spoken.{settings.language or 'auto'}")),
            (say(language, "channel.sources"), sources),
            (say(language, "channel.tools"), tools),
            (say(language, "channel.queue"), queues),
            (say(language, "channel.digest"), say(language, f"channel.digest_{'on' if settings.digest else 'off'}")),
        )

    def hearing(self, channel: KnownChannel, language: str) -> tuple[Note, ...]:
        """Return what has to be true so that the desk hears what does not name it, where it is to listen."""
        key = f"channel.hears.{channel.platform}"
        return (Note(say(language, key)),) if channel.settings.listens and has(key) else ()

    def category(self, name: str, language: str) -> str:
        """Return what people call a category."""
        known = self._config.categories.get(name)
        return name if known is None else known.labels.of(language)

    def categories(self, language: str) -> tuple[tuple[str, str], ...]:
        """Return every category with what people call it."""
        return tuple((name, self.category(name, language)) for name in self._config.categories)

    def form(self, channel: KnownChannel, language: str, *, everything: bool) -> Form:
        """Return the form; without `everything` it holds what an owner of the channel may change."""
        settings = channel.settings
        modes = tuple((mode.value, say(language, f"channel.mode.{mode}")) for mode in ChannelMode)
        spoken = tuple((name, say(language, f"channel.spoken.{name}")) for name in ("auto", "en", "zh"))
        told = tuple((name, say(language, f"channel.digest_{name}")) for name in ("on", "off"))
        fields = [
            Field("mode", say(language, "channel.when"), settings.mode.value, "choice", modes),
            Field("language", say(language, "channel.language"), settings.language or "auto", "choice", spoken),
            Field("digest", say(language, "channel.digest"), "on" if settings.digest else "off", "choice", told),
        ]
        if everything:
            listed = {
                "sources": "all" if settings.sources is None else ", ".join(sorted(settings.sources)),
                "tools": "all" if settings.tools is None else ", ".join(sorted(settings.tools)),
                "queue": ", ".join(sorted(settings.queues)) or "none",
            }
            fields += [
                Field(name, say(language, f"channel.{name}"), value, required=False, hint=self._hint(name, language))
                for name, value in listed.items()
            ]
        return Form(
            form=CHANGE,
            id=channel.name,
            nonce="",
            title=say(language, "channel.form"),
            submit=say(language, "channel.save"),
            cancel=say(language, "channel.cancel"),
            fields=tuple(fields),
            language="zh" if language == "zh" else "en",
        )

    def _hint(self, name: str, language: str) -> str:
        categories = ", ".join(self._config.categories)
        return say(language, f"channel.hint.{name}", categories=categories)


def tool_words(name: str, language: str) -> str:
    """Return what a feature is called where people choose from them."""
    return say(language, f"channel.feature.{name}") if has(f"channel.feature.{name}") else name


def _listed(names: Iterable[str], language: str) -> str:
    joined = ("、" if language == "zh" else ", ").join(sorted(names))
    return joined or say(language, "channel.none")
