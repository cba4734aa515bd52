"""What somebody can want of tickets, and what was understood of a message."""

from dataclasses import dataclass
from enum import StrEnum


class Intent(StrEnum):
    """Everything that can be done with tickets and drafts."""

    DRAFT = "draft"
    REVISE = "revise"
    DISCARD = "discard"
    RESTORE = "restore"
    CONFIRM = "confirm"
    SOLVED = "solved"
    CONTINUE = "continue"
    HAND_OVER = "hand_over"
    COUNT = "count"
    PRIORITISE = "prioritise"
    LIST = "list"
    QUEUE = "queue"
    SHOW = "show"
    FIND = "find"
    COMMENT = "comment"
    URGE = "urge"
    ASSIGN = "assign"
    RESOLVE = "resolve"
    REOPEN = "reopen"
    CANCEL = "cancel"
    WATCH = "watch"
    UNWATCH = "unwatch"


@dataclass(frozen=True)
class Matter:
    """An intent with what belongs to it, and what is still missing."""

    intent: Intent
    ticket: str = ""  # a number, "last" or "that"
    detail: str = ""  # a comment, a resolution, a reason, an assignee, or what a draft is about: verbatim
    status: str = ""  # for lists
    missing: str = ""  # what has to be asked for, by its name in `talk`
    explained: bool = False  # a fault that the documents may explain: a ticket when they do not
    tries: bool = False  # what the documents say to do comes first, above the draft
    wished: bool = False  # nothing is broken: something is wanted
    apart: bool = False  # it may be no part of the draft: the documents are asked first
    stays: bool = False  # it is said of what was just answered: the page of that answer may say what holds then
