"""A PDF file to Markdown: each page a heading of the first level, so that a citation can name it.

Text that is drawn invisibly is read, too: scanners lay what they recognised below the picture in this way.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium

from language.scripts import language_of
from search.errors import FileUnreadable, Reason
from search.parsing.blocks import to_markdown
from search.parsing.converted import Converted, own_title
from search.parsing.markdown.front_matter import day_of
from search.parsing.pdf.headings import headed, letters_of, title_of
from search.parsing.pdf.layout import pieces_of, rejoined
from search.parsing.pdf.lines import PdfLine, give_extent, lines_of
from search.parsing.pdf.running import without_running

_PAGE_NAMES = {"zh": "第 {} 页"}
_PAGE_NAME = "Page {}"
#: When more than this share of all lines is in letters of fixed width, those are no code but the file's own.
_MOST_CODE = 0.6
_WORD = re.compile(r"\w+(?:-\w+)*")


@dataclass
class _Read:
    """What was found on the pages, by their numbers from 1."""

    pages: dict[int, list[PdfLine]] = field(default_factory=dict)
    pictures: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def convert(content: bytes) -> Converted:
    """Return a PDF file as Markdown; raises `FileUnreadable`."""
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        raise _refused(error) from error
    try:
        return _converted(document)
    finally:
        document.close()


def _refused(error: pypdfium2.PdfiumError) -> FileUnreadable:
    said = str(error).lower()
    if "password" in said or "security" in said:
        return FileUnreadable("is locked by a password", Reason.LOCKED)
    return FileUnreadable("is broken: it is no PDF file that can be opened", Reason.BROKEN)


def _converted(document: pypdfium2.PdfDocument) -> Converted:
    read = _read(document)
    if not read.pages:
        raise _why_empty(read)
    every = [line for lines in read.pages.values() for line in lines]
    with_code = sum(line.fixed for line in every) <= _MOST_CODE * len(every)
    running = without_running(read.pages)
    pages = {
        number: [
            piece for part in (running.kept.get(number, ()), lines) for piece in pieces_of(part, with_code=with_code)
        ]
        for number, lines in running.pages.items()
    }
    language = language_of("\n".join(line.text for line in every))
    markdown = to_markdown(headed(pages, _PAGE_NAMES.get(language, _PAGE_NAME), outline=_outline(document)))
    words = frozenset(_WORD.findall(markdown))
    named = document.get_metadata_dict(skip_empty=True)
    return Converted(
        markdown=rejoined(markdown, words),
        title=own_title(named.get("Title")) or rejoined(title_of(pages), words),
        updated=day_of(named.get("ModDate")) or day_of(named.get("CreationDate")),
        remark=_remark(read),
    )


def _read(document: pypdfium2.PdfDocument) -> _Read:
    read = _Read()
    if document.get_formtype() != pdfium.FORMTYPE_NONE:
        document.init_forms()
    for place in range(len(document)):
        try:
            lines = _lines(document, place)
            if lines:
                read.pages[place + 1] = lines
            elif any(document[place].get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3)):
                read.pictures.append(place + 1)
        except pypdfium2.PdfiumError:
            read.broken.append(place + 1)
    return read


def _lines(document: pypdfium2.PdfDocument, place: int) -> list[PdfLine]:
    page = document[place]
    if page.formenv is not None and page.flatten() == pdfium.FLATTEN_SUCCESS:  # what was filled in becomes text
        page.close()
        page = document[place]
    give_extent(page)
    text = page.get_textpage()
    found = list(lines_of(text))
    text.close()
    page.close()
    return found


def _why_empty(read: _Read) -> FileUnreadable:
    if read.broken:
        return FileUnreadable("is broken: none of its pages can be read", Reason.BROKEN)
    if read.pictures:
        words = "holds pictures and no text (a scan); it is found when text recognition (OCR) has put text into it"
        return FileUnreadable(words, Reason.SCAN)
    return FileUnreadable("holds no text", Reason.NO_TEXT)


def _remark(read: _Read) -> str:
    told = []
    if read.pictures:
        told.append(f"has pages that are pictures without text: {_numbers(read.pictures)}")
    if read.broken:
        told.append(f"has pages that cannot be read: {_numbers(read.broken)}")
    return "; ".join(told)


def _numbers(pages: Sequence[int]) -> str:
    shown = ", ".join(str(page) for page in pages[:5])
    return f"{shown} and {len(pages) - 5} more" if len(pages) > 5 else shown


def _outline(document: pypdfium2.PdfDocument) -> dict[tuple[int, str], int]:
    """Return how deep the file's outline sets each heading, by its page and its letters."""
    depths: dict[tuple[int, str], int] = {}
    for entry in document.get_toc():
        target = entry.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            depths[page + 1, letters_of(entry.get_title())] = entry.level
    return depths
