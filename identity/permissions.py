"""Every permission of the house, in alphabetical order, and which role holds which; features declare their own."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Self


class Permission(StrEnum):
    """What may be done, as `resource:action`."""

    AUDIT_READ = "audit:read"  # read and verify the audit trail
    CONSOLE_OPEN = "console:open"  # sign in to the console
    JOBS_MANAGE = "jobs:manage"  # see what happens by the clock; run it now, pause it, let it go on
    KNOWLEDGE_ASK = "knowledge:ask"  # ask questions; which documents answer is a matter of their access lists
    KNOWLEDGE_MANAGE = "knowledge:manage"  # add, refresh and remove sources; see what other people would find
    RUNS_READ_ALL = "runs:read_all"  # read other people's runs
    RUNS_READ_OWN = "runs:read_own"  # read one's own runs
    SETTINGS_OWN = "settings:own"  # choose how the desk speaks to oneself, and when
    TICKETS_CREATE = "tickets:create"  # draft and file one's own tickets
    TICKETS_READ_ALL = "tickets:read_all"  # read tickets of other people
    TICKETS_READ_OWN = "tickets:read_own"  # read one's own tickets, comment, urge, reopen, cancel them
    TICKETS_WORK = "tickets:work"  # see the queue; assign, resolve, change priority


_GUEST = frozenset({Permission.KNOWLEDGE_ASK, Permission.SETTINGS_OWN})
_STAFF = _GUEST | {
    Permission.CONSOLE_OPEN,
    Permission.RUNS_READ_OWN,
    Permission.TICKETS_CREATE,
    Permission.TICKETS_READ_OWN,
}
_AGENT = _STAFF | {Permission.TICKETS_READ_ALL, Permission.TICKETS_WORK}

#: Role → permissions. `guest` and `staff` are given by what an actor is; the others are named in people.yaml.
#: Roles that do not stand here (`manager`, …) only matter for document access.
ROLE_PERMISSIONS: Mapping[str, frozenset[Permission]] = {
    "admin": frozenset(Permission),
    "agent": _AGENT,
    "auditor": _STAFF | {Permission.AUDIT_READ, Permission.RUNS_READ_ALL},
    "guest": _GUEST,
    "staff": _STAFF,
}


class FeaturePermission(str):
    """A permission that a feature declares beside its tools: what it allows to, and the roles that hold it.

    `admin` holds every permission; `staff` is everybody of the company, `guest` everybody who is not.
    """

    __slots__ = ("meaning", "roles")

    meaning: str
    roles: frozenset[str]

    def __new__(cls, name: str, *, meaning: str, roles: Iterable[str]) -> Self:
        """Return the permission called `resource:action`."""
        made = super().__new__(cls, name)
        made.meaning = meaning
        made.roles = frozenset({"admin", *roles})
        return made


#: What a policy decides about.
AnyPermission = Permission | FeaturePermission
