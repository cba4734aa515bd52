"""What stands around the text of a printed page, and beside it: running lines, columns."""

from collections.abc import Sequence
from io import BytesIO

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from search.parsing.converted import Kind, ParsedPage
from search.parsing.pdf import reader
from tests.search.parsing.making import page, sections, texts

SENTENCES = [
    "All employees connect to the network of the company through the client that is installed on every laptop.",
    "Whoever loses a badge tells the service desk, which locks it at once and hands out another one.",
    "Printers are found by their number, which stands on the side of each of them in large letters.",
]


def read(content: bytes) -> ParsedPage:
    return page(reader.convert(content), Kind.PDF)


def printed(pages: Sequence[Sequence[tuple[float, str]]]) -> bytes:
    """Return a file with lines at these heights."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for lines in pages:
        for height, text in lines:
            canvas.drawString(72, height, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def around(text: str, *, top: str = "Handbook of the company", bottom: str = "Version 4.2") -> list[tuple[float, str]]:
    return [(800, top), (700, text), (40, bottom)]


def counted(count: int) -> list[list[tuple[float, str]]]:
    return [
        around(f"Text {number}.", bottom=f"Version 4.2, page {number} of {count}") for number in range(1, count + 1)
    ]


def test_running_lines_are_kept_once_and_do_not_interrupt_the_text() -> None:
    found = sections(read(printed(counted(4))))
    assert texts(found["Page 1",]) == ["Handbook of the company", "Version 4.2, page 1 of 4", "Text 1."]
    assert [texts(found[f"Page {number}",]) for number in (2, 3, 4)] == [["Text 2."], ["Text 3."], ["Text 4."]]


def test_a_bare_page_number_is_no_text() -> None:
    for written in ("{}", "Page {} of 9", "- {} -"):
        pages = [
            around(f"Text {number}.", top=f"Name {number * 7}", bottom=written.format(number + 6))
            for number in range(1, 5)
        ]
        found = sections(read(printed(pages)))
        assert texts(found["Page 1",]) == ["Name 7", "Text 1."]
        assert texts(found["Page 3",]) == ["Name 21", "Text 3."]


def test_what_differs_from_page_to_page_is_text() -> None:
    bills = [[(800.0, f"Invoice {1_000 + number}"), (700.0, f"Text {number}.")] for number in range(1, 5)]
    found = sections(read(printed(bills)))
    assert texts(found["Page 2",]) == ["Invoice 1002", "Text 2."]
    names = ["Ada", "Ben", "Cem", "Dan"]
    found = sections(read(printed([around(f"Text of {name}.", top=name) for name in names])))
    assert texts(found["Page 3",]) == ["Cem", "Text of Cem."]


def test_two_pages_have_no_running_lines_and_a_file_of_nothing_else_keeps_its_text() -> None:
    two = sections(read(printed(counted(2))))
    assert "Handbook of the company" in texts(two["Page 2",])
    alone = sections(read(printed([[(800.0, "1"), (40.0, "Slide")]] * 3)))
    assert texts(alone["Page 3",]) == ["1", "Slide"]


def columns(paragraphs: Sequence[str]) -> bytes:
    """Return a file in two columns below a line that runs across both."""

    def across(canvas: Canvas, _: object) -> None:
        canvas.drawString(50, 815, "A line that runs across both of the columns, from the left margin to the right one")

    width = (A4[0] - 120) / 2
    frames = [Frame(50, 60, width, 730), Frame(70 + width, 60, width, 730)]
    file = BytesIO()
    template = BaseDocTemplate(file, pagesize=A4)
    template.addPageTemplates([PageTemplate("two", frames, onPage=across)])
    template.build([Paragraph(text, getSampleStyleSheet()["BodyText"]) for text in paragraphs])
    return file.getvalue()


def test_columns_are_read_one_after_the_other_and_their_lines_joined() -> None:
    paragraphs = [f"Number {number}: {SENTENCES[number % 3]} {SENTENCES[(number + 1) % 3]}" for number in range(24)]
    found = [text for section in read(columns(paragraphs)).root.walk() for text in texts(section)]
    whole = [text for text in found if text in paragraphs]
    assert whole == [text for text in paragraphs if text in whole]
    assert len(whole) >= 22  # one is parted between the columns, and one may be between pages
