"""The key that signs buttons: from the settings, else made once and kept in the home, readable by its owner only."""

import os
import secrets
from pathlib import Path

from bot.settings import Settings, SettingsInvalid

#: File of the key in the home folder.
FILE_NAME = "secret.key"
#: Shortest key that is taken, in bytes.
LEAST_BYTES = 16


def signing_key(settings: Settings) -> bytes:
    """Return the key; raise `SettingsInvalid` when the given one is too short."""
    given = settings.secret.get_secret_value().encode()
    if given:
        if len(given) < LEAST_BYTES:
            raise SettingsInvalid(f"secret: at least {LEAST_BYTES} characters; `openssl rand -hex 32` makes a good one")
        return given
    return _kept_key(settings.home / FILE_NAME)


def _kept_key(file: Path) -> bytes:
    made = secrets.token_hex(32).encode()
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_bytes().strip()
    with os.fdopen(handle, "wb") as opened:
        opened.write(made)
    return made
