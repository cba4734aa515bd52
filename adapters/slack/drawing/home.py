"""A neutral card as a person's App Home. Slack takes neither Markdown nor thumbs there."""

from collections.abc import Iterator, Sequence
from itertools import count

from slack_sdk.models.blocks import DividerBlock, HeaderBlock
from slack_sdk.models.views import View

from adapters.cards import Card
from adapters.outbound.packing import Keep, Room, Shortening, pack, shortened
from adapters.slack.drawing.blocks import SlackDrawer, notice
from adapters.slack.drawing.packing import SlackPart

CALLBACK_ID = "home"
#: Slack takes 100 blocks and 250 KB of JSON, in which a character may need twelve bytes.
HOME = Room(blocks=100, weight=18_000)


def home_view(card: Card, shortening: Shortening) -> View:
    """Return the view to publish; equal cards give equal views, so that publishing again changes nothing.

    It has no `external_id`: that would have to be new each time, while the hash of the view that is there is enough
    to notice a race.
    """
    parts = list(_divided(list(SlackDrawer(card.language, message=False, numbers=count(1)).parts(card.blocks))))
    packed = pack(parts, HOME)
    if len(packed) > 1:
        packed = shortened(parts, HOME, messages=1, notice=notice(shortening))
    blocks = [part.block for page in packed[:1] for part in page] or [part.block for part in notice(shortening)]
    return View(type="home", callback_id=CALLBACK_ID, blocks=blocks)


def _divided(parts: Sequence[SlackPart]) -> Iterator[SlackPart]:
    """Yield the parts with a line above every heading but the first."""
    for index, part in enumerate(parts):
        if index and isinstance(part.block, HeaderBlock):
            yield SlackPart(DividerBlock(), Keep.ACTION, leads=True)
        yield part
