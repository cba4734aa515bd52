"""Who may read what: principals, access lists, and the filter that every leg of a search carries.

Deny by default: a page without a list is for the local operator only, and a list that cannot be read is no list.
What was sent in a chat thread is for that thread only: nobody carries its principal, it is lent for one question.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from identity.actor import Actor, ActorKind
from identity.readership import ALONE, Alone, Readership, Shared, ThreadOnly
from search.errors import AccessInvalid

#: The source of everything that was sent in chat threads; no other source goes by that name.
THREAD_FILES = "sent in chat"
_PRINCIPAL = re.compile(r"public|staff|(?:group|unit|role|person):[^\s:,](?:[^,\t\r\n]*[^\s,])?")


@dataclass(frozen=True)
class Scope:
    """What an actor may read. `within` narrows it to what a whole channel may read, `sources` to what is said there."""

    everything: bool
    principals: frozenset[str]
    within: frozenset[str] | None = field(default=None)
    sources: frozenset[str] | None = field(default=None)

    @property
    def alone(self) -> "Scope":
        """Return what the actor may read where nobody reads along."""
        return replace(self, within=None, sources=None)

    @property
    def narrowed(self) -> bool:
        """Say whether the actor might read more where nobody reads along."""
        return self.within is not None or self.sources is not None

    def opens_alone_only(self, source: str, allow: Sequence[str]) -> bool:
        """Say whether the actor may read a page of a source with this list, and not where others read along."""
        return self.narrowed and not self.opens(source, allow) and self.alone.opens(source, allow)

    def opens(self, source: str, allow: Sequence[str]) -> bool:
        """Say whether a page of a source with this list may be read."""
        return (self.sources is None or source in self.sources) and self.allows(allow)

    def allows(self, allow: Sequence[str]) -> bool:
        """Say whether a page with this list may be read, of whatever source."""
        if self.within is not None and self.within.isdisjoint(allow):
            return False
        return self.everything or not self.principals.isdisjoint(allow)

    def reason(self, allow: Sequence[str]) -> str:
        """Return the principal that opened the page, the most specific one first."""
        if self.everything:
            return "operator"
        matched = sorted(self.principals.intersection(allow), key=_breadth)
        return matched[0] if matched else ""


def scope_of(actor: Actor, readership: Readership = ALONE) -> Scope:
    """Return the actor's filter; where others read along, a page must be open to the actor and to all of them."""
    everything = actor.kind in (ActorKind.OPERATOR, ActorKind.SYSTEM)
    lent = frozenset({thread_principal(readership.thread)}) if readership.thread else frozenset()
    return Scope(
        everything=everything,
        principals=actor.principals | lent,
        within=_within(readership, lent),
        sources=_sources(readership),
    )


def _within(readership: Readership, lent: frozenset[str]) -> frozenset[str] | None:
    match readership:
        case Alone():
            return None
        case Shared(principals=principals):
            return principals | lent
        case ThreadOnly(otherwise=otherwise):
            return _within(otherwise, lent)


def _sources(readership: Readership) -> frozenset[str] | None:
    match readership:
        case Alone() | Shared(sources=None):
            return None
        case Shared(sources=sources):
            return frozenset({*(sources or ()), THREAD_FILES})  # whoever reads the thread has read its files
        case ThreadOnly(otherwise=otherwise):
            return _sources(otherwise)


def thread_key(thread: str) -> str:
    """Return the name that a chat thread has in the index and on disk; nothing of the platform's own stands in it."""
    return hashlib.sha256(thread.encode()).hexdigest()[:32]


def thread_principal(thread: str) -> str:
    """Return what opens the files of a chat thread; no access list that somebody writes may name it."""
    return principal_of_key(thread_key(thread))


def principal_of_key(key: str) -> str:
    """Return the principal of the thread with that key."""
    return f"thread:{key}"


def read_allow(value: object) -> tuple[str, ...]:
    """Return the principals of an `access:` value, sorted; raise `AccessInvalid` for anything else.

    Both `access: {allow: [staff]}` and `allow: [staff]` of a file are handed in as the list's owner: a mapping.
    """
    if not isinstance(value, Mapping) or "allow" not in value:
        raise AccessInvalid("access needs `allow:` with a list of principals")
    unknown = sorted(str(key) for key in value if key != "allow")
    if unknown:
        raise AccessInvalid(f"access holds {', '.join(unknown)}, which means nothing here; only `allow:` does")
    return checked_principals(value["allow"])


def checked_principals(allow: object) -> tuple[str, ...]:
    """Return a list of principals sorted and without repetitions, or raise `AccessInvalid`."""
    if not isinstance(allow, list | tuple):
        raise AccessInvalid("`allow:` needs a list, such as [staff, group:it]")
    for principal in allow:
        if not isinstance(principal, str) or not _PRINCIPAL.fullmatch(principal):
            raise AccessInvalid(
                f"{principal!r} is nobody: use public, staff, group:NAME, unit:NAME, role:NAME or person:ID"
            )
    return tuple(sorted(set(allow)))


def _breadth(principal: str) -> tuple[int, str]:
    kind = principal.partition(":")[0]
    return ("thread", "person", "role", "group", "unit", "staff", "public").index(kind), principal
