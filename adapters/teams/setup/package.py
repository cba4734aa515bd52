"""The app package: one file to upload to Teams. The same words and address give the same bytes."""

import json
from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from adapters.teams.setup.manifest import COLOR_ICON, OUTLINE_ICON, ManifestWords, file_of, localization, manifest

#: What the files of the package are dated: a zip file cannot say "never".
_DATE = (2026, 1, 1, 0, 0, 0)


def package(
    app_id: str,
    *,
    url: str,
    words: ManifestWords,
    translations: Mapping[str, ManifestWords],
    version: str,
    listen: bool = False,
) -> bytes:
    """Return the zip file; `translations` are words by language tag, see `manifest` for the rest."""
    made = manifest(app_id, url=url, words=words, languages=tuple(translations), version=version, listen=listen)
    contents = {"manifest.json": _json(made)}
    contents |= {
        icon: files("adapters.teams.setup").joinpath("icons", icon).read_bytes() for icon in (COLOR_ICON, OUTLINE_ICON)
    }
    contents |= {file_of(language): _json(localization(each)) for language, each in translations.items()}
    written = BytesIO()
    with ZipFile(written, "w") as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name, _DATE), content, ZIP_DEFLATED)
    return written.getvalue()


def _json(made: Mapping[str, Any]) -> bytes:
    return json.dumps(made, ensure_ascii=False, indent=2).encode()
