"""Personal settings, as one value."""

from dataclasses import replace

from features.anatomy.feature import Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.texts import prompt_of
from features.preferences.choosing import Choosing
from features.preferences.commands import VERBS
from features.preferences.drawing import EDIT, FORGET, FORM, SettingsDrawing
from features.preferences.handling import SettingsHandling
from features.preferences.tools import KIND, SettingsTools
from features.preferences.understanding.talk import changes_in, talk


def build(services: Services) -> Feature:
    """Return the feature over the directory and what threads remember."""
    choosing = Choosing(services.directory, services.memory, services.telling)
    drawing = SettingsDrawing(choosing)
    handling = SettingsHandling(choosing, drawing)
    tools = SettingsTools(choosing).tools()
    return Feature(
        name="preferences",
        tools=tools,
        verbs=tuple(replace(verb, read=changes_in) if verb.needs_rest else verb for verb in VERBS),
        talks=(talk(frozenset(tool.spec.name for tool in tools)),),
        buttons={FORGET: handling.forget},
        openers={EDIT: handling.open},
        forms={FORM: handling.form},
        kinds={KIND: RecordKind(drawing.card, private=True)},
        home_foot=drawing.foot,
        views=handling.views(),
        prompt=prompt_of("features.preferences"),
    )
