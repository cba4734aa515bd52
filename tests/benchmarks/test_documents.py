"""How fast each format is read, processes and all; printed, and held to a budget that a slow machine keeps, too."""

import random
import resource
import time
from collections.abc import Callable
from io import BytesIO

import docx
import openpyxl
import pytest
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from search.parsing.apart.readers import FileReaders
from search.parsing.converted import Kind
from search.sources.reading import SourceFile, read_files

pytestmark = pytest.mark.benchmark

FILES = 100
SUFFIXES = {Kind.HTML: "html", Kind.PDF: "pdf", Kind.DOCX: "docx", Kind.XLSX: "xlsx", Kind.TEXT: "txt"}


class Words:
    """Made-up words with the frequencies of a real language, the same ones in every run."""

    def __init__(self) -> None:
        self._random = random.Random(4)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._words = ["".join(self._random.choices(letters, k=self._random.randint(3, 9))) for _ in range(5_000)]
        self._weights = [1 / rank for rank in range(1, 5_001)]

    def some(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, self._weights, k=count))


def web_page(words: Words) -> bytes:
    sections = (
        f"<h2>{words.some(4)}</h2><p>{words.some(30)} <b>{words.some(2)}</b> <a href='x.html'>{words.some(3)}</a>.</p>"
        f"<ul><li>{words.some(5)}</li><li>{words.some(5)}</li></ul><table><tr><th>a</th><th>b</th></tr>"
        f"<tr><td>{words.some(2)}</td><td>{words.some(2)}</td></tr></table>"
        for _ in range(10)
    )
    return f"<html><head><title>{words.some(3)}</title></head><body>{''.join(sections)}</body></html>".encode()


def pdf_file(words: Words) -> bytes:
    styles = getSampleStyleSheet()
    story: list[object] = []
    for _ in range(10):
        story.append(Paragraph(words.some(4), styles["Heading1"]))
        story.extend(Paragraph(f"{words.some(80)}.", styles["BodyText"]) for _ in range(6))
        story.append(PageBreak())
    file = BytesIO()
    SimpleDocTemplate(file).build(story)
    return file.getvalue()


def word_file(words: Words) -> bytes:
    document = docx.Document()
    for _ in range(20):
        document.add_heading(words.some(4), 2)
        for _ in range(3):
            document.add_paragraph(f"{words.some(80)}.")
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def workbook(words: Words) -> bytes:
    book = openpyxl.Workbook()
    for number in range(1_000):
        book.active.append([words.some(2), number, number * 1.5, words.some(5)])
    file = BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "make", "parts", "budget"),
    [
        (Kind.HTML, web_page, 1, 40),  # pages
        (Kind.PDF, pdf_file, 10, 40),  # pages
        (Kind.DOCX, word_file, 4, 30),  # pages of some 1,200 words
        (Kind.XLSX, workbook, 1_000, 1_500),  # rows
        (Kind.TEXT, lambda words: words.some(600).encode(), 1, 60),  # pages
    ],
)
def test_reading_files(kind: Kind, make: Callable[[Words], bytes], parts: int, budget: float) -> None:
    words = Words()
    files = [SourceFile(f"{number}.{SUFFIXES[kind]}", make(words), ("staff",)) for number in range(FILES)]
    started = time.perf_counter()
    with FileReaders() as readers:
        loaded = read_files(files, source="book", readers=readers)
        seconds = time.perf_counter() - started
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1_024
    rate = FILES * parts / seconds
    size = sum(len(page.markdown) for page in loaded.pages) // FILES
    print(f"{kind}: {rate:.0f} a second ({size} characters a file), at most {largest} MB so far")  # noqa: T201 - the result
    assert len(loaded.pages) == FILES
    assert not loaded.problems
    assert rate > budget
