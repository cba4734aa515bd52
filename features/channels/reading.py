"""What words in a channel set, without any language model: "be quiet in this channel", 在这个频道安静一点."""

import re
from collections.abc import Mapping

from agent.brains.rules.slots import Utterance
from features.anatomy.channels import ChannelMode
from language.words import normalise
from storage.ids import JsonValue

_MODES = (
    (ChannelMode.LISTEN, r"\b(?:listen|read along|answer unasked)\b|旁听|主动回答"),
    (ChannelMode.OFF, r"\b(?:switch|turn) (?:yourself )?off\b|\boff in this channel\b|关闭|关掉|别再回答"),
    (ChannelMode.QUIET, r"\b(?:quiet|silent|shut up|stop talking|hush)\b|安静|别说话|闭嘴|别插嘴|不要说话|不要插嘴"),
    (ChannelMode.ON, r"\b(?:switch|turn) (?:yourself )?on\b|\b(?:speak|talk) again\b|打开|重新开启|恢复"),
)
_LANGUAGES = (
    ("zh", r"\b(?:in|speak|use) chinese\b|[用说讲]中文"),
    ("en", r"\b(?:in|speak|use) english\b|[用说讲]英[文语]"),
)


def read_settings(said: Utterance) -> Mapping[str, JsonValue]:
    """Return what somebody wants of the channel; nothing where they only ask how it is set."""
    text = normalise(said.texts[0])
    language = next((name for name, words in _LANGUAGES if re.search(words, text)), None)
    if language is not None:
        return {"language": language}
    mode = next((mode for mode, words in _MODES if re.search(words, text)), None)
    return {} if mode is None else {"mode": mode.value}
