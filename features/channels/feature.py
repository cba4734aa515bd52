"""Channels, as one value."""

from features.anatomy.channels import MANAGE, SEE, NoChannel, UnknownChoice
from features.anatomy.feature import Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.routing import routes_of
from features.anatomy.texts import prompt_of, say
from features.channels.buttons import ChannelButtons
from features.channels.commands import VERBS
from features.channels.drawing import CHANGE, CHANNEL, HUSH, UNDO, ChannelDrawing, choice_words
from features.channels.pages import ChannelPages
from features.channels.tools import ChannelTools, read_settings


def build(services: Services) -> Feature:
    """Return the feature over what the desk knows of channels."""
    drawing = ChannelDrawing(services.channels, services.tickets_config)
    buttons = ChannelButtons(services.channels, drawing)
    return Feature(
        name="channels",
        tools=ChannelTools(services.channels).tools(),
        verbs=VERBS,
        routes=routes_of("features.channels", {"channel_settings": read_settings}),
        buttons={HUSH: buttons.hush, UNDO: buttons.undo},
        openers={CHANGE: buttons.open},
        forms={CHANGE: buttons.form()},
        kinds={CHANNEL: RecordKind(drawing.draw, changes=True)},
        phrases={
            NoChannel: lambda reader, _error: say(reader.language, "refused.no_channel"),
            UnknownChoice: lambda reader, error: choice_words(reader.language, error),
        },
        permissions=(SEE, MANAGE),
        views=ChannelPages(services.channels, drawing).views(),
        prompt=prompt_of("features.channels"),
    )
