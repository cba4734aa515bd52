"""The verb by which a channel is shown and set."""

from collections.abc import Mapping

from features.anatomy.channels import ChannelMode
from features.anatomy.verbs import Verb
from storage.ids import JsonValue

#: Words that begin a setting with its value behind it.
SETTINGS = ("language", "sources", "tools", "queue", "digest")


def _setting(line: str) -> Mapping[str, JsonValue]:
    """Return what a line sets: `quiet`, `language zh`, `sources handbook, it`; nothing of an empty one."""
    word, _, rest = line.strip().partition(" ")
    if word.lower() in SETTINGS:
        return {word.lower(): rest.strip() or "?"}
    return {"mode": line.strip()} if line.strip() else {}


#: The modes as they are typed.
MODES = tuple(mode.value for mode in ChannelMode)
VERBS = (Verb("channel", "channel_settings", rest="mode", read=_setting),)
