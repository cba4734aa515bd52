"""The verb of calculations. Loads nothing heavy: `dutydesk --help` reads it."""

from features.anatomy.verbs import Verb

VERBS = (Verb("calc", tool="calculate", rest="expression", needs_rest=True),)
