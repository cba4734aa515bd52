"""`.access.yaml`: who may read a folder and what lies below it, until a nearer one says otherwise."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from search.access import read_allow
from search.errors import AccessInvalid

NAMES = (".access.yaml", ".access.yml")


@dataclass(frozen=True)
class FolderAccess:
    """The list that holds in a folder. `problem` tells why one could not be read; then the folder is closed."""

    allow: tuple[str, ...]
    problem: str = ""
    file: str = ""


def folder_access(folder: Path, inherited: tuple[str, ...]) -> FolderAccess:
    """Return the folder's own list, else the inherited one. A list that cannot be read closes the folder."""
    for name in NAMES:
        file = folder / name
        if not file.is_file():
            continue
        try:
            loaded = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
            return FolderAccess(allow=read_allow(loaded), file=name)
        except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError, AccessInvalid) as error:
            why = " ".join(str(error).split())
            return FolderAccess(
                allow=(), file=name, problem=f"cannot be read, only the operator sees this folder: {why}"
            )
    return FolderAccess(allow=inherited)
