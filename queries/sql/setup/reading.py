"""Reads `datasources.yaml` and `catalog/<name>.yaml`; what is wrong in them is told with file, line and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from queries.sql.catalog.catalog import Catalog
from queries.sql.config import SqlConfig
from queries.sql.datasource import Dialect
from queries.sql.errors import SourcesInvalid
from queries.sql.setup.expressions import DIALECTS, wrong_expressions
from storage.files.reading import place, validated
from storage.files.text import FileInvalid, YamlText, first_told, parse_text, read_text


@contextmanager
def told() -> Iterator[None]:
    """Raise `SourcesInvalid` where a file is wrong."""
    try:
        yield
    except FileInvalid as error:
        raise SourcesInvalid(error.problems) from error


def read_sources(path: Path) -> SqlConfig:
    """Return what `datasources.yaml` says; no file names no database. Raise `SourcesInvalid`."""
    if not path.exists():
        return SqlConfig()
    with told():
        return validated(SqlConfig, read_text(path))


def read_catalog(path: Path, *, dialects: tuple[Dialect, ...] = DIALECTS) -> Catalog:
    """Return a catalogue of which every name, rule and expression is sound; raise `SourcesInvalid`."""
    with told():
        return _catalog(read_text(path), dialects)


def parse_catalog(text: str, path: Path, *, dialects: tuple[Dialect, ...] = DIALECTS) -> Catalog:
    """Return the catalogue of a text, as if it stood in that file; raise `SourcesInvalid`."""
    with told():
        return _catalog(parse_text(text, path), dialects)


def _catalog(text: YamlText, dialects: tuple[Dialect, ...]) -> Catalog:
    catalog = validated(Catalog, text)
    if problems := first_told(place(text, way, problem) for way, problem in wrong_expressions(catalog, dialects)):
        raise FileInvalid(problems)
    return catalog
