"""What somebody can want, and what was understood of a message."""

from dataclasses import dataclass
from enum import StrEnum


class Intent(StrEnum):
    """Everything that the rules brain can be asked for."""

    ASK = "ask"
    DRAFT = "draft"
    REVISE = "revise"
    DISCARD = "discard"
    CONFIRM = "confirm"
    LIST = "list"
    QUEUE = "queue"
    SHOW = "show"
    COMMENT = "comment"
    URGE = "urge"
    ASSIGN = "assign"
    RESOLVE = "resolve"
    REOPEN = "reopen"
    CANCEL = "cancel"
    HELP = "help"
    GREETING = "greeting"
    THANKS = "thanks"
    OUT_OF_SCOPE = "out_of_scope"
    NOT_ALLOWED = "not_allowed"  # other people's secrets, or an attempt to talk the desk out of its rules


@dataclass(frozen=True)
class Analysis:
    """An intent with what belongs to it, and what is still missing."""

    intent: Intent
    ticket: str = ""  # a number, "last" or "that"
    detail: str = ""  # a comment, a resolution, a reason, an assignee, or what a draft is about: verbatim
    status: str = ""  # for lists
    query: str = ""  # for questions: with the thread's subject put in
    missing: str = ""  # "problem", "ticket", "comment", "resolution", "assignee"
    else_draft: bool = False  # a fault that the documents may explain: a ticket when they do not
