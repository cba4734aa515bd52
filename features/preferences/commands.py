"""The verbs of personal settings. Loads nothing heavy: `dutydesk --help` reads it."""

from features.anatomy.verbs import Verb

VERBS = (
    Verb("settings", "show_settings"),
    Verb("settings set", "change_settings", needs_rest=True),  # the feature says how its words are read
    Verb("settings forget", "forget_memory"),
)
