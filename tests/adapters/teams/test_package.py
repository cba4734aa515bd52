"""The package holds what its manifest names, the same bytes each time, and icons that Teams takes."""

import json
import struct
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from adapters.teams.setup.package import package
from tests.adapters.teams.manifest_words import APP_ID, CHINESE, ENGLISH, URL


def made(**changed: Any) -> bytes:
    known: dict[str, Any] = {"url": URL, "words": ENGLISH, "translations": {"zh": CHINESE}, "version": "1.0.0"}
    return package(APP_ID, **(known | changed))


def contents(written: bytes) -> Mapping[str, bytes]:
    with ZipFile(BytesIO(written)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def size_of(png: bytes) -> tuple[int, int]:
    """Return the width and height that a PNG file states."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_every_file_that_the_manifest_names_is_there_and_no_other() -> None:
    files = contents(made())
    manifest = json.loads(files["manifest.json"])
    named = {
        *manifest["icons"].values(),
        *(each["file"] for each in manifest["localizationInfo"]["additionalLanguages"]),
    }

    assert set(files) == named | {"manifest.json"}


def test_the_other_language_is_written_as_people_read_it() -> None:
    written = contents(made())["zh.json"].decode()

    assert "帮助" in written
    assert json.loads(written)["description.short"] == CHINESE.short


@pytest.mark.parametrize(("icon", "size"), [("color.png", 192), ("outline.png", 32)])
def test_the_icons_have_the_size_that_teams_asks_for(icon: str, size: int) -> None:
    assert size_of(contents(made())[icon]) == (size, size)


def test_the_same_package_is_the_same_bytes() -> None:
    assert made() == made()
    assert made() != made(version="1.0.1")
    assert made() != made(listen=True)
