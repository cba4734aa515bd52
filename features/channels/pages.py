"""The page of the console that lists the channels the desk knows, with how each is set."""

from dataclasses import dataclass

from features.anatomy.channels import MANAGE, ChannelMode, Channels, KnownChannel, UnknownChoice
from features.anatomy.moments import moment
from features.anatomy.pages import BackTo, Drawn, NoSuchPage, View, Visit
from features.channels.drawing import ChannelDrawing, choice_words, tool_words
from identity.policy import require


@dataclass(frozen=True)
class ChannelLine:
    """A channel as the page shows it."""

    channel: KnownChannel
    called: str
    heard: str
    changed: str
    rows: tuple[tuple[str, str], ...]
    hears: str


class ChannelPages:
    """Shows and sets; the service asks for the right."""

    def __init__(self, channels: Channels, drawing: ChannelDrawing) -> None:
        self._channels = channels
        self._drawing = drawing

    def views(self) -> tuple[View, ...]:
        """Return the page and its form."""
        return (
            View("/channels", self.show, menu="channels", menu_for=MANAGE),
            View("/channels", self.change, writes=True),
        )

    async def show(self, visit: Visit) -> Drawn:
        """Show every channel with its settings."""
        return await self._drawn(visit)

    async def change(self, visit: Visit) -> Drawn | BackTo:
        """Set one channel as the form says."""
        require(visit.actor, MANAGE)
        form = visit.form
        known = {each.name: each for each in await self._channels.known(visit.actor)}
        channel = known.get(form.get("channel", ""))
        if channel is None:
            raise NoSuchPage
        chosen = {kind: [name.partition(":")[2] for name in form if name.startswith(f"{kind}:")] for kind in _LISTS}
        changes = {
            "mode": form.get("mode", ""),
            "language": form.get("language") or None,
            "digest": form.get("digest") == "on",
            "sources": None if form.get("sources") == "all" else chosen["source"],
            "tools": None if form.get("tools") == "all" else chosen["tool"],
            "queues": chosen["queue"],
        }
        try:
            await self._channels.change(visit.actor, channel.target, changes)
        except UnknownChoice as error:
            return await self._drawn(visit, wrong=choice_words(visit.language, error), status=422)
        return BackTo("/channels", done="channel_changed")

    async def _drawn(self, visit: Visit, *, wrong: str = "", status: int = 200) -> Drawn:
        known = await self._channels.known(visit.actor)
        sources, tools = await self._channels.choices(visit.actor)
        language = visit.language
        values = {
            "lines": [await self._line(each, visit) for each in known],
            "wrong": wrong,
            "modes": [(mode.value, visit.say(f"channel.mode.{mode}")) for mode in ChannelMode],
            "languages": [("", visit.say("channel.spoken.auto")), *_spoken(visit)],
            "sources": [(name, name) for name in sources],
            "tools": [(name, tool_words(name, language)) for name in tools],
            "queues": self._drawing.categories(language),
        }
        return Drawn("channels.html", values, here="channels", status=status)

    async def _line(self, channel: KnownChannel, visit: Visit) -> ChannelLine:
        settings = channel.settings
        changed = ""
        if channel.changed_at is not None:
            at = moment(channel.changed_at, language=visit.language, timezone=visit.actor.timezone)
            changed = visit.say("channel.by", name=channel.changed_by, when=at)
        heard = ""
        if channel.heard_at is not None:
            heard = moment(channel.heard_at, language=visit.language, timezone=visit.actor.timezone)
        return ChannelLine(
            channel=channel,
            called=await self._channels.called(channel.target) or channel.name,
            heard=heard,
            changed=changed,
            rows=self._drawing.rows(settings, visit.language),
            hears=" ".join(each.text for each in self._drawing.hearing(channel, visit.language)),
        )


def _spoken(visit: Visit) -> list[tuple[str, str]]:
    return [(name, visit.say(f"channel.spoken.{name}")) for name in ("en", "zh")]


#: The lists of which a form names the chosen ones, each as a field of its own.
_LISTS = ("source", "tool", "queue")
