"""The verbs of tickets, the most used first. Loads nothing heavy: `dutydesk --help` reads it."""

from features.anatomy.verbs import Verb

_LAST = {"ticket": "last"}

VERBS = (
    Verb("ticket new", "draft_ticket", needs_rest=True, prose=True),  # the feature says how its words are read
    Verb("ticket list", "list_tickets"),
    Verb("ticket show", "show_ticket", ("ticket",), unsaid=_LAST),
    Verb("ticket comment", "comment_ticket", ("ticket",), "text", needs_rest=True, unsaid=_LAST, prose=True),
    Verb("ticket urge", "urge_ticket", ("ticket",), unsaid=_LAST),
    Verb("ticket reopen", "reopen_ticket", ("ticket",), "reason", unsaid=_LAST, prose=True),
    Verb("ticket cancel", "cancel_ticket", ("ticket",), "reason", unsaid=_LAST, prose=True),
    Verb("ticket assign", "assign_ticket", ("ticket",), "assignee", unsaid=_LAST),
    Verb("ticket priority", "prioritise_ticket", ("ticket",), "priority", needs_rest=True, unsaid=_LAST),
    Verb("ticket watch", "watch_ticket", ("ticket",), unsaid=_LAST),
    Verb("ticket unwatch", "unwatch_ticket", ("ticket",), unsaid=_LAST),
    Verb("ticket resolve", "resolve_ticket", ("ticket",), "resolution", needs_rest=True, unsaid=_LAST, prose=True),
)
