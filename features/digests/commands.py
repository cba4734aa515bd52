"""The verbs of digests. Loads nothing heavy: `dutydesk --help` reads it."""

from features.anatomy.verbs import Verb

VERBS = (
    Verb("digest", "read_digest", rest="about", prose=True),
    Verb("digest preview", "preview_digest", rest="which", prose=True),
    Verb("digest send", "send_digest", rest="when", needs_rest=True, prose=True),
    Verb("digest list", "list_digests"),
    Verb("digest pause", "change_digest", rest="which", unsaid={"order": "pause"}, prose=True),
    Verb("digest resume", "change_digest", rest="which", unsaid={"order": "resume"}, prose=True),
    Verb("digest stop", "change_digest", rest="which", unsaid={"order": "stop"}, prose=True),
)
