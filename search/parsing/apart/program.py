"""The program that reads files apart from the desk: `python -m search.parsing.apart.program MEMORY_MB SECONDS`.

It takes one file after the other on its standard input (a line of JSON with `kind` and `size`, then the bytes) and
answers each with a line of JSON. A file that breaks it, hangs it or eats its memory costs this process and no other;
the answers are data, so that a reader that was taken over by a file cannot hand code to the desk.
"""

import contextlib
import importlib
import json
import math
import os
import resource
import sys
import time
from typing import BinaryIO

from search.errors import FileUnreadable, Reason
from search.parsing.contents import check
from search.parsing.converted import Kind

#: Each brings a library that the others do not need, so it is loaded for the first file of its kind.
READERS = {
    Kind.TEXT: "search.parsing.text.reader",
    Kind.HTML: "search.parsing.html.reader",
    Kind.PDF: "search.parsing.pdf.reader",
    Kind.DOCX: "search.parsing.word.reader",
    Kind.XLSX: "search.parsing.sheets",
    Kind.WEB_PAGE: "search.parsing.html.web_page",
    Kind.SITEMAP: "search.parsing.html.sitemap",
}
#: How far calls may be nested; a page that is deeper is told as such.
_DEPTH = 3_000


def answer(kind: Kind, content: bytes) -> dict[str, object]:
    """Return what a file became, or why it cannot be read; nothing that is wrong with a file is raised."""
    try:
        check(kind, content)
        converted = importlib.import_module(READERS[kind]).convert(content)
    except FileUnreadable as error:
        return {"unreadable": str(error), "reason": error.reason}
    except MemoryError:
        return {"unreadable": "needs more memory than one file may take", "reason": Reason.TOO_MUCH_INSIDE}
    except RecursionError:
        return {"unreadable": "is nested too deeply", "reason": Reason.TOO_MUCH_INSIDE}
    return {
        "markdown": converted.markdown,
        "title": converted.title,
        "updated": converted.updated.isoformat() if converted.updated else "",
        "remark": converted.remark,
        "front_matter": converted.front_matter,
        "links": [[link.address, link.updated] for link in converted.links],
        "about": dict(converted.about),
    }


def serve(requests: BinaryIO, answers: BinaryIO, *, seconds: int) -> None:
    """Answer until nothing more is asked; one file may take so many seconds of computing."""
    while line := requests.readline():
        _limit_time(seconds)
        asked = json.loads(line)
        content = requests.read(asked["size"])
        answers.write(json.dumps(answer(Kind(asked["kind"]), content)).encode() + b"\n")
        answers.flush()


def _limit_memory(megabytes: int) -> None:
    """Limit the memory of this process; where the system cannot, the time limit is what is left."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = megabytes * 1_000_000
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def _limit_time(seconds: int) -> None:
    """End this process when a file takes too long and whoever asked is not there any more to end it."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + seconds, most))


if __name__ == "__main__":
    _limit_memory(int(sys.argv[1]))
    sys.setrecursionlimit(_DEPTH)
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # whatever a library prints is no answer
        serve(sys.stdin.buffer, out, seconds=int(sys.argv[2]))
