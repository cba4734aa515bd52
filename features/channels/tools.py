"""The tool by which a channel is shown and set, where it is asked, and the words that lead to it without a model."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from agent.brains.rules.slots import Utterance
from agent.errors import ToolRefused
from agent.results import Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.channels import SEE, ChannelMode, Channels, UnknownChoice
from features.channels.drawing import CHANNEL, choice_words, name_of
from identity.errors import Forbidden
from language.words import normalise
from storage.ids import JsonObject, JsonValue

#: What stands for "no limit" and for "none" where names are listed.
ALL, NONE = frozenset({"all", "any", "auto", "全部", "所有", "自动"}), frozenset({"none", "无", "没有"})
_YES, _NO = frozenset({"on", "yes", "true", "开", "打开"}), frozenset({"off", "no", "false", "关", "关闭"})
_BETWEEN = re.compile(r"[,，、;；]")


class ChannelArguments(Arguments):
    """What changes in the channel where this is asked; nothing: it is only shown."""

    mode: Annotated[
        str,
        Field(
            max_length=60,
            description="When the desk speaks: off (never), quiet (only when named), on (and in its own threads), "
            "listen (and where it is sure of a question to nobody).",
        ),
    ] = ""
    language: Annotated[str, Field(max_length=20, description="en, zh, or auto: that of each message.")] = ""
    sources: Annotated[str, Field(max_length=2_000, description="Sources that may answer, by name; or all.")] = ""
    tools: Annotated[str, Field(max_length=2_000, description="Features that are offered, by name; or all.")] = ""
    queue: Annotated[
        str, Field(max_length=2_000, description="Categories of whose new tickets the channel is told; or none.")
    ] = ""
    digest: Annotated[str, Field(max_length=20, description="Whether digests are posted: on or off.")] = ""


class ChannelTools:
    """Shows and sets."""

    def __init__(self, channels: Channels) -> None:
        self._channels = channels

    def tools(self) -> tuple[Tool, ...]:
        """Return the tool."""
        return (
            Tool(
                spec=ToolSpec(
                    name="channel_settings",
                    description="Show how the desk behaves in the channel where this is asked, or change it: when it "
                    "speaks, its language, which sources and features it uses, whose tickets it is told of, digests.",
                    arguments=ChannelArguments,
                ),
                policy=ToolPolicy(
                    permission=SEE,
                    effect=Effect.WRITE,
                    audit="channel.settings",
                    confirmation=Confirmation.AFTER_UNTRUSTED,
                ),
                handler=self._set,
                resumable=True,
            ),
        )

    async def _set(self, context: ToolContext, arguments: ChannelArguments) -> ToolResult:
        target = self._channels.around(context.address)
        if target is None:
            raise ToolRefused("no_channel")
        changes = changes_of(arguments.model_dump())
        try:
            if changes == {"mode": ChannelMode.QUIET} and not await self._channels.may_change(
                context.actor, context.address
            ):
                await self._channels.hush(context.actor, target)
            elif changes:
                await self._channels.change(context.actor, target, changes, address=context.address)
        except UnknownChoice as error:
            raise ToolRefused("channel_choice", choice_words(context.language, error)) from error
        except Forbidden as error:
            raise ToolRefused("channel_forbidden") from error
        code = "channel.changed" if changes else ""
        return ToolResult((Records(CHANNEL, (name_of(target),), code),))


def changes_of(given: Mapping[str, object]) -> JsonObject:
    """Return the settings that words stand for; raise `UnknownChoice` for a word that means none."""
    said = {name: str(value).strip() for name, value in given.items() if str(value).strip()}
    changes: dict[str, object] = {}
    if "mode" in said:
        changes["mode"] = _one_of("mode", said["mode"].lower(), {mode.value: mode for mode in ChannelMode})
    if "language" in said:
        spoken = {**dict.fromkeys(ALL), "en": "en", "english": "en", "英文": "en", "zh": "zh", "chinese": "zh"}
        changes["language"] = _one_of("language", said["language"].lower(), {**spoken, "中文": "zh"})
    for name in ("sources", "tools"):
        if name in said:
            changes[name] = None if said[name].lower() in ALL else _names(said[name])
    if "queue" in said:
        changes["queues"] = [] if said["queue"].lower() in NONE else _names(said["queue"])
    if "digest" in said:
        words = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}
        changes["digest"] = _one_of("digest", said["digest"].lower(), words)
    return changes  # type: ignore[return-value]  # lists of names, words and flags


def _one_of(what: str, given: str, known: Mapping[str, object]) -> object:
    if given not in known:
        raise UnknownChoice(what, given, ())
    return known[given]


def _names(said: str) -> list[str]:
    return [name.strip() for name in _BETWEEN.split(said) if name.strip()]


_MODES = (
    (
        ChannelMode.LISTEN,
        (
            r"\b(?:listen|read along|answer unasked)\b"
            r"|\b(?:unless|only (?:\w+ )?(?:if|when)) you(?:'re| are)(?: really)? (?:sure|certain)\b"
            r"|旁听|主动回答|除非.{0,6}(?:确定|有把握|肯定)|(?:确定|有把握|肯定)(?:时|的时候)?(?:才|再)"
        ),
    ),
    (ChannelMode.OFF, r"\b(?:switch|turn) (?:yourself )?off\b|\boff in this channel\b|关闭|关掉|别再回答"),
    (
        ChannelMode.QUIET,
        (
            r"\b(?:when|if) (?:you(?:'re| are) )?(?:mentioned|named|tagged|asked)\b"
            r"|\b(?:quiet|silent|shut up|stop talking|hush|(?<!-)mute|silence)\b|安静|静音|闭嘴|[别不]要?(?:插嘴|说话)"
        ),
    ),
    (ChannelMode.ON, r"\b(?:switch|turn) (?:yourself )?on\b|\b(?:speak|talk) again\b|\bun-?mute\b|打开|重新开启|恢复"),
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
