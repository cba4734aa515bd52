"""The buttons and the form of personal settings, and their page."""

from collections.abc import Mapping

from adapters.cards import Form
from adapters.events import FormSubmit, Press
from agent.results import Records
from agent.runs.answer import Outcome
from features.anatomy.handling import FormHandling, Pressed, Sent
from features.anatomy.pages import BackTo, Drawn, View, Visit
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken
from features.anatomy.texts import say
from features.preferences.choosing import Choosing, UnknownSetting, between
from features.preferences.drawing import SettingsDrawing, form, rows, way_label
from features.preferences.tools import KIND
from identity.actor import LANGUAGES, Actor
from identity.permissions import Permission

#: The fields of the form.
FIELDS = ("language", "timezone", "quiet", "way")


class SettingsHandling:
    """Opens, checks and takes the form, in a chat and on the page."""

    def __init__(self, choosing: Choosing, drawing: SettingsDrawing) -> None:
        self._choosing = choosing
        self._drawing = drawing

    async def open(self, actor: Actor, _press: Press, reader: Reader) -> Form:
        """Return the form with how things are set now."""
        return form(await self._choosing.show(actor), reader.language)

    @property
    def form(self) -> FormHandling:
        """Return what is done with the form."""
        return FormHandling(self._save, wrong=_wrong, row=_row)

    async def forget(self, pressed: Pressed) -> Spoken:
        """Ask for confirmation: the tool's policy makes an approval of it."""
        words = say(pressed.reader.language, "settings.button.forget")
        return await pressed.engine.call(pressed, "forget_memory", {}, text=words)

    def views(self) -> tuple[View, ...]:
        """Return the page and its writes."""
        return (
            View("/settings", self._page, menu="settings", menu_for=Permission.SETTINGS_OWN),
            View("/settings/save", self._save_page, writes=True),
            View("/settings/forget", self._forget_page, writes=True),
        )

    async def _save(self, sent: Sent) -> Spoken:
        said = {name: sent.event.values.get(name, "") for name in FIELDS if name in sent.event.values}
        await self._choosing.change(sent.actor, _without_given(said, sent.actor))
        shown = await self._drawing.card(sent.actor, Records(KIND, (sent.actor.id,), "settings.changed"), sent.reader)
        return Spoken(Outcome.ANSWERED, shown, whisper=True)

    async def _page(self, visit: Visit) -> Drawn:
        return await self._drawn(visit, {})

    async def _drawn(self, visit: Visit, wrong: Mapping[str, str], *, status: int = 200) -> Drawn:
        own = await self._choosing.show(visit.actor)
        chosen = own.actor.preferences
        said = {name: visit.form[name] for name in FIELDS if name in visit.form}
        now = {
            "language": chosen.language or "off",
            "timezone": own.actor.timezone,
            "quiet": between(chosen.quiet),
            "way": chosen.way or own.ways[0],
        }
        languages = [("off", visit.say("settings.language.each"))]
        languages += [(each, visit.say(f"settings.language.{each}")) for each in LANGUAGES]
        values = {
            "now": {**now, **said},
            "wrong": wrong,
            "languages": languages,
            "ways": [(each, way_label(each, visit.language)) for each in own.ways],
            "remembers": rows(own, visit.language)[-1][1],
            "threads": own.threads,
        }
        return Drawn("settings.html", values, here="settings", status=status)

    async def _save_page(self, visit: Visit) -> Drawn | BackTo:
        said = {name: visit.form[name] for name in FIELDS if name in visit.form}
        wrong = _problems(said, visit.language)
        if wrong:
            return await self._drawn(visit, wrong, status=422)
        await self._choosing.change(visit.actor, _without_given(said, visit.actor))
        return BackTo("/settings", done="settings")

    async def _forget_page(self, visit: Visit) -> BackTo:
        await self._choosing.forget(visit.actor)
        return BackTo("/settings", done="forgotten")


def _without_given(said: Mapping[str, str], actor: Actor) -> Mapping[str, str]:
    """Return what was typed without a time zone that stood there already: nobody has chosen that."""
    same = said.get("timezone") == actor.timezone
    return {name: value for name, value in said.items() if not (same and name == "timezone")}


def _problems(said: Mapping[str, str], language: str) -> Mapping[str, str]:
    wrong: dict[str, str] = {}
    for name, check in (("timezone", Choosing.zone_of), ("quiet", Choosing.quiet_of)):
        try:
            check(said.get(name, ""))
        except UnknownSetting:
            wrong[name] = say(language, f"settings.wrong.{name}")
    return wrong


def _wrong(event: FormSubmit, reader: Reader) -> Mapping[str, str]:
    return _problems(event.values, reader.language)


def _row(reader: Reader, name: str, value: str) -> tuple[str, str]:
    label = say(reader.language, f"settings.field.{name}") if name in FIELDS else name
    return label, value
