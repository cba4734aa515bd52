"""The program that reads files apart from the desk: `python -m search.parsing.apart.program MEMORY_MB SECONDS TEXT`.

It takes one file after the other on its standard input (a line of JSON, then the bytes) and answers each with a line
of JSON: the finished page, or why there is none. A file that breaks it, hangs it or eats its memory costs this process
and no other; the answers are data, so that a reader that was taken over by a file cannot hand code to the desk.
"""

import contextlib
import gc
import importlib
import json
import math
import os
import resource
import select
import sys
import time
from pathlib import Path
from typing import BinaryIO

from search.errors import FileUnreadable, Reason
from search.parsing import page
from search.parsing.apart.exchange import ReaderFile, converted_told, dumped, page_told
from search.parsing.contents import check
from search.parsing.converted import Converted, Kind, ParsedPage
from search.parsing.text.encoding import decode

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
#: By how much this process gives way to the desk, and to others, where there are not processors enough for all.
NICE = 10
#: How far calls may be nested; a page that is deeper is told as such.
_DEPTH = 3_000
#: Characters of one page unless it is told otherwise: some ten thousand pages of a book.
MOST_TEXT = 20_000_000
#: Characters of text for each section and each block of a page, on the average, where there are many.
_LEAST_EACH, _MANY = 20, 10_000
#: Seconds without a file after which the process ends by itself, and the share of its memory beyond which it does so
#: after an answer: what a large file took is not given back otherwise.
IDLE_S, SPENT = 60.0, 0.4


def answer(kind: Kind, content: bytes) -> dict[str, object]:
    """Return what a file became, or why it cannot be read; nothing that is wrong with a file is raised."""
    return answer_to(ReaderFile(kind, content))


def answer_to(file: ReaderFile, *, most_text: int = MOST_TEXT) -> dict[str, object]:
    """Return the page that a file became (or its Markdown, where it has no path), or why it cannot be read."""
    try:
        if file.path:
            return page_told(_page(file, most_text))
        converted = _converted(file)
        _check_text(converted.markdown, most_text)
        return converted_told(converted)
    except FileUnreadable as error:
        return {"unreadable": str(error), "reason": error.reason}
    except MemoryError:
        return {"unreadable": "needs more memory than one file may take", "reason": Reason.TOO_MUCH_INSIDE}
    except RecursionError:
        return {"unreadable": "is nested too deeply", "reason": Reason.TOO_MUCH_INSIDE}


def _converted(file: ReaderFile) -> Converted:
    check(file.kind, file.content)
    content = file.content
    if file.charset:  # what a server says of a text stands nowhere in it
        content = decode(content, declared=file.charset).text.encode("utf-8", "replace")
    converted: Converted = importlib.import_module(READERS[file.kind]).convert(content)
    return converted


def _page(file: ReaderFile, most_text: int) -> ParsedPage:
    if file.kind is Kind.MARKDOWN:
        decoded = decode(file.content, declared=file.charset)
        _check_text(decoded.text, most_text)
        found = page.of_markdown(decoded, path=file.path)
    else:
        converted = _converted(file)
        _check_text(converted.markdown, most_text)
        found = page.parsed(converted, kind=file.kind, path=file.path)
    pieces = sum(1 + len(section.units) for section in found.root.walk())
    if pieces > max(_MANY, most_text // (10 * _LEAST_EACH)):
        words = f"has {pieces:,} headings and paragraphs, more than one page may have; split it"
        raise FileUnreadable(words, Reason.TOO_MUCH_INSIDE)
    return found


def _check_text(text: str, most: int) -> None:
    if len(text) > most:
        words = f"holds {len(text) / 1_000_000:.0f} MB of text, more than {most / 1_000_000:.3g} MB; split it"
        raise FileUnreadable(words, Reason.TOO_MUCH_INSIDE)


def serve(requests: BinaryIO, answers: BinaryIO, *, seconds: int, memory_mb: int, most_text: int) -> None:
    """Answer until nothing more is asked; one file may take so many seconds of computing."""
    while _is_asked(requests) and (line := requests.readline()):
        _limit_time(seconds)
        asked = json.loads(line)
        content = requests.read(asked["size"])
        file = ReaderFile(Kind(asked["kind"]), content, path=asked["path"], charset=asked["charset"])
        answers.write(dumped(answer_to(file, most_text=most_text)))
        answers.flush()
        if _resident() > memory_mb * 1_000_000 * SPENT:
            return


def _resident() -> int:
    """Return the bytes of memory that this process holds, 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


def _is_asked(requests: BinaryIO) -> bool:
    """Wait for the next file; False when none came for a while. Nobody asks twice before the answer."""
    ready, _, _ = select.select([requests], [], [], IDLE_S)
    return bool(ready)


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
    os.nice(NICE)
    memory, most_seconds, text = (int(each) for each in sys.argv[1:])
    _limit_memory(memory)
    sys.setrecursionlimit(_DEPTH)
    gc.set_threshold(50_000)  # trees of many small things hold no cycles, and to look for some takes long
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # whatever a library prints is no answer
        serve(sys.stdin.buffer, out, seconds=most_seconds, memory_mb=memory, most_text=text)
