"""Reads `clusters.yaml`; what is wrong in it is told with file, line and what to do."""

from pathlib import Path

from queries.observe.config import ObserveConfig
from queries.observe.errors import ClustersInvalid
from storage.files.reading import validated
from storage.files.text import FileInvalid, YamlText, parse_text, read_text


def read_clusters(path: Path) -> ObserveConfig:
    """Return what `clusters.yaml` says; no file names no cluster. Raise `ClustersInvalid`."""
    if not path.exists():
        return ObserveConfig()
    try:
        return _config(read_text(path))
    except FileInvalid as error:
        raise ClustersInvalid(error.problems) from error


def parse_clusters(text: str, path: Path) -> ObserveConfig:
    """Return what a text says, as if it stood in that file; raise `ClustersInvalid`."""
    try:
        return _config(parse_text(text, path))
    except FileInvalid as error:
        raise ClustersInvalid(error.problems) from error


def _config(text: YamlText) -> ObserveConfig:
    return validated(ObserveConfig, text)
