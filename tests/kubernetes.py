"""The Kubernetes documentation in English and Chinese, as it lies beside the project; a real set of real pages."""

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

_ARCHIVE = ROOT.parent / "shared" / "data" / "retrieval" / "kubernetes-docs" / "content.tar.gz"


def pages(*, every: int = 1) -> Iterator[tuple[str, str]]:
    """Yield path and text of each Markdown page, or of each so-many-th; skip the test where the set is not there."""
    with _opened() as archive:
        found = [member for member in archive if member.isfile() and member.name.endswith(".md")]
        for member in found[::every]:
            file = archive.extractfile(member)
            assert file is not None
            yield member.name, file.read().decode("utf-8-sig")


def unpacked(folder: Path) -> Path:
    """Unpack the set below a folder and return where it lies; skip the test where the set is not there."""
    with _opened() as archive:
        archive.extractall(folder, filter="data")
    return folder / "content"


def _opened() -> tarfile.TarFile:
    if not _ARCHIVE.is_file():
        pytest.skip("../shared/data/retrieval/kubernetes-docs is not there")
    return tarfile.open(_ARCHIVE)
