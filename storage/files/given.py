"""Files that operators name: their text, and nothing that waits or never ends."""

import errno
import stat
from pathlib import Path

#: Bytes of what is a key, a certificate or a list of them; what has more is something else.
LONGEST_GIVEN = 2_000_000


def given_text(path: Path, *, longest: int = LONGEST_GIVEN, encoding: str = "utf-8") -> str:
    """Return the text of a file of at most so many bytes; raise `OSError`, or `UnicodeDecodeError`.

    A pipe would be waited at for ever, and a device such as /dev/zero has no end: neither is opened.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no file: a folder, a pipe or a device")
    with path.open("rb") as file:
        content = file.read(longest + 1)
    if len(content) > longest:
        raise OSError(errno.EFBIG, f"it is longer than {longest:,} bytes")
    return content.decode(encoding)
