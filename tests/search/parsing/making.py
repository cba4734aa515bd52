"""Files of each format, made by the libraries that make such files; and what was read of them."""

from collections.abc import Callable, Sequence
from io import BytesIO

import docx
import openpyxl
from docx.document import Document as WordDocument
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from search.documents import Section, Unit
from search.parsing.converted import Converted, Kind, ParsedPage
from search.parsing.page import parsed

CHINESE_FONT = "STSong-Light"
pdfmetrics.registerFont(UnicodeCIDFont(CHINESE_FONT))


def word(write: Callable[[WordDocument], None]) -> bytes:
    document = docx.Document()
    write(document)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def workbook(write: Callable[[openpyxl.Workbook], None]) -> bytes:
    book = openpyxl.Workbook()
    write(book)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def pdf(pages: Sequence[Sequence[str]], *, font: str = "Helvetica", title: str = "", password: str = "") -> bytes:
    """Return a PDF file with these lines on its pages; a line may begin with its size, `18|Heading`."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4, encrypt=password or None)
    if title:
        canvas.setTitle(title)
    for lines in pages:
        height = 780.0
        for line in lines:
            size, _, text = line.partition("|") if "|" in line else ("11", "", line)
            canvas.setFont(font, float(size))
            height -= float(size) * 1.2 if text else float(size) * 2
            canvas.drawString(72, height, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def page(converted: Converted, kind: Kind, path: str = "it/page.x") -> ParsedPage:
    return parsed(converted, kind=kind, path=path)


def sections(found: ParsedPage) -> dict[tuple[str, ...], Section]:
    return {section.path: section for section in found.root.walk()}


def units(found: ParsedPage) -> list[Unit]:
    return [unit for section in found.root.walk() for unit in section.units]


def texts(section: Section) -> list[str]:
    return [unit.text for unit in section.units]
