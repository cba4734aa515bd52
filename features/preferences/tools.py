"""The tools of personal settings: show them, change them, forget what is remembered. Always those of who asks."""

from typing import Annotated

from pydantic import Field

from agent.errors import ToolRefused
from agent.results import Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.texts import say
from features.preferences.choosing import Choosing, UnknownSetting
from features.preferences.understanding.words import way_called
from identity.permissions import Permission

#: The kind of record that shows them.
KIND = "settings"
Said = Annotated[str | None, Field(max_length=200)]


class ShowSettings(Arguments):
    """Nothing: they are the caller's."""


class ChangeSettings(Arguments):
    """What to change; "off" takes a choice back."""

    language: Annotated[Said, Field(description='"en", "zh", or "off": the language of each message')] = None
    timezone: Annotated[Said, Field(description="A time zone or a city, such as Europe/Amsterdam")] = None
    quiet: Annotated[Said, Field(description='Such as 20:00-07:00, or "off"')] = None
    way: Annotated[Said, Field(description="chat, slack, teams, web, mail or webhook")] = None


class ForgetMemory(Arguments):
    """Nothing: it is the caller's."""


class SettingsTools:
    """The handlers over a person's settings."""

    def __init__(self, choosing: Choosing) -> None:
        self._choosing = choosing

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        return (
            Tool(
                spec=ToolSpec(
                    name="show_settings",
                    description="Show the person's own settings and what is remembered of them.",
                    arguments=ShowSettings,
                ),
                policy=ToolPolicy(permission=Permission.SETTINGS_OWN, effect=Effect.READ, audit="settings.show"),
                handler=self._show,
            ),
            Tool(
                spec=ToolSpec(
                    name="change_settings",
                    description="Change the person's own language, time zone, quiet hours or way of news.",
                    arguments=ChangeSettings,
                ),
                policy=ToolPolicy(
                    permission=Permission.SETTINGS_OWN,
                    effect=Effect.WRITE,
                    audit="settings.change",
                    confirmation=Confirmation.AFTER_UNTRUSTED,
                ),
                handler=self._change,
            ),
            Tool(
                spec=ToolSpec(
                    name="forget_memory",
                    description="Forget what was said in the person's conversations; they have to press a button.",
                    arguments=ForgetMemory,
                ),
                policy=ToolPolicy(
                    permission=Permission.SETTINGS_OWN,
                    effect=Effect.RISKY,
                    audit="memory.forget",
                    confirmation=Confirmation.ALWAYS,
                ),
                handler=self._forget,
            ),
        )

    async def _show(self, context: ToolContext, _arguments: ShowSettings) -> ToolResult:
        return _card(context)

    async def _change(self, context: ToolContext, arguments: ChangeSettings) -> ToolResult:
        said = {name: value for name, value in arguments.model_dump().items() if value is not None}
        if not said:
            return _card(context)
        try:
            await self._choosing.change(context.actor, said)
        except UnknownSetting as error:
            raise ToolRefused(f"unknown_{error.code}", _in_words(error, context.language)) from error
        return _card(context, "settings.changed")

    async def _forget(self, context: ToolContext, _arguments: ForgetMemory) -> ToolResult:
        await self._choosing.forget(context.actor)
        return _card(context, "settings.forgotten")


def _in_words(error: UnknownSetting, language: str) -> str:
    """Return what was said of a setting: of a way that there is, but not here, how news would reach somebody."""
    if error.code != "way":
        return error.given
    known = way_called(error.given)
    return say("zh" if language == "zh" else "en", f"settings.way.{known}") if known else f"“{error.given}”"


def _card(context: ToolContext, code: str = "") -> ToolResult:
    return ToolResult((Records(KIND, (context.actor.id,), code),))
