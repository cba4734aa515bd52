"""The verbs of the documents. Loads nothing heavy: `dutydesk --help` reads it."""

from features.anatomy.verbs import Verb

VERBS = (
    Verb("ask", needs_rest=True, prose=True),
    Verb("outline", "outline_page", rest="topic", needs_rest=True),
)
