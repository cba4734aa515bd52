"""The audit's entries, and the chain of hashes over them: pure values and rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from storage.ids import JsonObject, digest

#: What the first link hangs on.
ROOT = "0" * 64
LONGEST_LIST = 1000


@dataclass(frozen=True)
class AuditEntry:
    """Who did what, when, on what, allowed or not and why, and what came of it."""

    id: int
    at: datetime
    actor_id: str
    actor_name: str
    actor_kind: str
    action: str
    resource: str
    allowed: bool
    reason: str
    outcome: str
    detail: JsonObject
    run_id: str | None


@dataclass(frozen=True)
class Seal:
    """One link; positions count 1, 2, 3, … without a gap, whatever the ids of the entries do."""

    position: int
    entry_id: int
    entry_hash: str
    chain_hash: str


@dataclass(frozen=True)
class ChainHead:
    """How far the chain reaches."""

    position: int = 0
    entry_id: int = 0
    chain_hash: str = ROOT


@dataclass(frozen=True)
class Verification:
    """What a check of the whole trail found. Numbers are entry ids; of the last three fields positions in the chain.

    `cut` were witnessed, and the chain does not reach them any more; `rewritten` were witnessed with another hash.
    """

    sealed: int
    unsealed: int
    missing: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    head: str = ROOT  # keep a copy elsewhere: it pins down everything before it
    witnessed: int = 0  # heads that the chain was held against
    broken: tuple[int, ...] = ()
    cut: tuple[int, ...] = ()
    rewritten: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()  # numbers without an entry, where the database skips some by itself

    @property
    def ok(self) -> bool:
        """Say whether every sealed entry is there as it was written, and nothing was slipped in or cut off."""
        return not (self.missing or self.edited or self.added or self.broken or self.cut or self.rewritten)


def entry_hash(entry: AuditEntry) -> str:
    """Return the hash over everything that an entry says."""
    return digest(
        {
            "id": entry.id,
            "at": entry.at.isoformat(),
            "actor": [entry.actor_id, entry.actor_name, entry.actor_kind],
            "action": entry.action,
            "resource": entry.resource,
            "allowed": entry.allowed,
            "reason": entry.reason,
            "outcome": entry.outcome,
            "detail": entry.detail,
            "run": entry.run_id,
        }
    )


def chain_hash(before: str, *, position: int, entry_id: int, entry: str) -> str:
    """Return the hash of a link: over the one before it and over what it seals."""
    return digest([before, position, entry_id, entry])


def extend(head: ChainHead, entries: Sequence[AuditEntry]) -> tuple[tuple[Seal, ...], ChainHead]:
    """Return the links for the entries, in their order, and the chain's new head."""
    seals = []
    for entry in entries:
        position, sealed = head.position + 1, entry_hash(entry)
        linked = chain_hash(head.chain_hash, position=position, entry_id=entry.id, entry=sealed)
        seals.append(Seal(position=position, entry_id=entry.id, entry_hash=sealed, chain_hash=linked))
        head = ChainHead(position=position, entry_id=entry.id, chain_hash=linked)
    return tuple(seals), head


@dataclass
class ChainCheck:
    """Walks along the chain and collects what does not fit."""

    head: ChainHead
    witnessed: Mapping[int, frozenset[str]] = field(default_factory=dict)  # position → the hashes noted for it
    last: ChainHead = ChainHead()
    missing: set[int] = field(default_factory=set)
    edited: set[int] = field(default_factory=set)
    broken: set[int] = field(default_factory=set)
    rewritten: set[int] = field(default_factory=set)

    def step(self, seal: Seal, entry: AuditEntry | None) -> None:
        """Judge the next link, and the entry that it seals."""
        linked = chain_hash(self.last.chain_hash, position=seal.position, entry_id=seal.entry_id, entry=seal.entry_hash)
        if seal.position != self.last.position + 1:
            self._lost(until=seal.position - 1, last_entry=seal.entry_id - 1)
        elif linked != seal.chain_hash:
            self.broken.add(seal.position)
            self.edited.add(seal.entry_id)
        if not self.witnessed.get(seal.position, frozenset()) <= {seal.chain_hash}:
            self.rewritten.add(seal.position)
        if entry is None:
            self.missing.add(seal.entry_id)
        elif entry_hash(entry) != seal.entry_hash:
            self.edited.add(seal.entry_id)
        self.last = ChainHead(position=seal.position, entry_id=seal.entry_id, chain_hash=seal.chain_hash)

    @property
    def cut(self) -> frozenset[int]:
        """Return the positions that were witnessed and are not reached."""
        return frozenset(position for position in self.witnessed if position > self.last.position)

    def finish(self, *, tip: int) -> None:
        """Judge the end: the chain has to reach as far as its head says, and no further."""
        self.broken.update(_some(self.head.position + 1, tip))
        if self.last.position < self.head.position:
            self._lost(until=self.head.position, last_entry=self.head.entry_id)
        elif self.last.chain_hash != self.head.chain_hash:
            self.broken.add(self.last.position)

    def _lost(self, *, until: int, last_entry: int) -> None:
        self.broken.update(_some(self.last.position + 1, until))
        self.missing.update(_some(self.last.entry_id + 1, last_entry))


def by_position(witnessed: Iterable[ChainHead]) -> Mapping[int, frozenset[str]]:
    """Return the hashes that were noted for each position; two for one mean that the chain was made again."""
    noted: dict[int, frozenset[str]] = {}
    for each in witnessed:
        noted[each.position] = noted.get(each.position, frozenset()) | {each.chain_hash}
    return noted


def _some(first: int, last: int) -> range:
    """Return the numbers from first to last, but no more than can be read: they come from rows that were tampered."""
    return range(first, min(last, first + LONGEST_LIST) + 1)
