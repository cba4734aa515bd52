"""A person's settings drawn as a card and as a form."""

from adapters.cards import Block, Button, Buttons, Facts, Field, Form, Heading, Note
from agent.results import Records
from features.anatomy.reader import Reader
from features.anatomy.spoken import said_of
from features.anatomy.texts import say
from features.preferences.choosing import Choosing, OwnSettings, between
from identity.actor import LANGUAGES, Actor

#: The form, its opener and the other button.
FORM, EDIT, FORGET = "settings.fields", "settings.edit", "settings.forget"


class SettingsDrawing:
    """Draws the settings of whoever looks at them."""

    def __init__(self, choosing: Choosing) -> None:
        self._choosing = choosing

    async def card(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the card; whoever's it was, it shows the settings of who looks at it now."""
        own = await self._choosing.show(actor)
        if own.actor.preferences.language:  # it may have been chosen just now
            reader = Reader(
                "zh" if own.actor.language == "zh" else "en", own.actor.timezone, reader.base, bare=reader.bare
            )
        said = said_of(shown.code, reader.language)
        return (*said, *blocks(own, reader))

    async def foot(self, actor: Actor, reader: Reader) -> tuple[Block, ...]:
        """Return what stands below a person's home: their settings in one line, and the way to them."""
        own = await self._choosing.show(actor)
        colon = "：" if reader.language == "zh" else ": "
        values = " · ".join(f"{label}{colon}{value}" for label, value in rows(own, reader.language)[:-1])
        change = Button(say(reader.language, "settings.button.change"), EDIT, "own")
        return (Note(values), Buttons((change,)))


def rows(own: OwnSettings, language: str) -> tuple[tuple[str, str], ...]:
    """Return each setting by its label, in words."""
    actor, chosen = own.actor, own.actor.preferences
    spoken = say(language, f"settings.language.{chosen.language}") if chosen.language else ""
    zone = actor.timezone.replace("_", " ")
    return (
        (say(language, "settings.field.language"), spoken or say(language, "settings.language.each")),
        (
            say(language, "settings.field.timezone"),
            zone if chosen.timezone else say(language, "settings.given", value=zone),
        ),
        (say(language, "settings.field.quiet"), between(chosen.quiet) or say(language, "settings.no_quiet")),
        (say(language, "settings.field.way"), way_label(chosen.way, language)),
        (
            say(language, "settings.field.remembers"),
            say(language, "settings.remembers", count=own.threads)
            if own.threads
            else say(language, "settings.nothing"),
        ),
    )


def blocks(own: OwnSettings, reader: Reader) -> tuple[Block, ...]:
    """Return the settings with their buttons."""
    language = reader.language
    buttons = [Button(say(language, "settings.button.change"), EDIT, "own", style="primary")]
    if own.threads:
        buttons.append(Button(say(language, "settings.button.forget"), FORGET, "own", style="danger"))
    hint = (Note(say(language, "settings.urgent")),) if own.actor.preferences.quiet else ()
    return (
        Heading(say(language, "settings.title")),
        Facts(rows(own, language)),
        *hint,
        Buttons(tuple(buttons)),
    )


def form(own: OwnSettings, language: str) -> Form:
    """Return the form that changes them."""
    chosen, quiet = own.actor.preferences, own.actor.preferences.quiet

    def label(name: str) -> str:
        return say(language, f"settings.field.{name}")

    languages = [("off", say(language, "settings.language.each"))]
    languages += [(each, say(language, f"settings.language.{each}")) for each in LANGUAGES]
    ways = tuple((each, way_label(each, language)) for each in own.ways)
    off = say(language, "settings.hint.quiet")
    return Form(
        form=FORM,
        id="own",
        nonce="",
        title=say(language, "settings.title"),
        submit=say(language, "settings.save"),
        cancel=say(language, "settings.cancel"),
        fields=(
            Field("language", label("language"), chosen.language or "off", "choice", tuple(languages)),
            Field(
                "timezone",
                label("timezone"),
                own.actor.timezone,
                required=False,
                hint=say(language, "settings.hint.timezone"),
            ),
            Field("quiet", label("quiet"), between(quiet), required=False, hint=off),
            Field("way", label("way"), chosen.way or own.ways[0], "choice", ways),
        ),
        language="zh" if language == "zh" else "en",
    )


def way_label(way: str, language: str) -> str:
    """Return a way of news in words."""
    return say(language, f"settings.way.{way or 'chat'}")
