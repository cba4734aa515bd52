"""Which source a folder is: its name, and what speaks against it. Pure but for one look at the folder."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from search.access import THREAD_FILES
from search.errors import FolderUnreadable, SourceNameInvalid, SourceNameTaken
from search.sync.store import StoredSource

_NOT_IN_NAMES = str.maketrans({":": "-", "#": "-", "/": "-"})


def settled(claims: Sequence[StoredSource], wanted: StoredSource, *, named: bool) -> StoredSource:
    """Return the source to index: the one at this path, else a new one under a name that is free."""
    here = next((claim for claim in claims if claim.path == wanted.path), None)
    other = next((claim for claim in claims if claim.path != wanted.path), None)
    if other is not None and (here is None or named):
        raise SourceNameTaken(wanted.name, taken_by=other.path, wanted_for=wanted.path)
    if here is None:
        return wanted
    if named and here.name != wanted.name:
        raise SourceNameInvalid(
            f"{wanted.path} is already indexed as {here.name!r}; refresh it under that name, "
            f"or remove it first (dutydesk knowledge remove {here.name})"
        )
    return replace(here, default_allow=wanted.default_allow or here.default_allow, site=wanted.site or here.site)


def existing_folder(path: Path) -> Path:
    """Return the folder's one name; raise `FolderUnreadable` when it is none."""
    folder = path.expanduser().resolve()
    if not folder.exists():
        raise FolderUnreadable(f"{folder} does not exist")
    if not folder.is_dir():
        raise FolderUnreadable(f"{folder} is no folder; name the folder that holds the pages")
    return folder


def name_of(folder: Path) -> str:
    """Return the name that a folder's source has by default: the folder's own."""
    return (folder.name or "root").translate(_NOT_IN_NAMES)


def checked_name(name: str) -> str:
    """Return the name, or raise `SourceNameInvalid`: what stands in it must not break a citation's id."""
    if not name.strip() or name != name.translate(_NOT_IN_NAMES) or len(name) > 200:
        raise SourceNameInvalid(f"{name!r} cannot name a source: use up to 200 characters without : # /")
    if name.strip() == THREAD_FILES:
        raise SourceNameInvalid(f"{name!r} is what the files sent in chat are called; take another name")
    return name.strip()
