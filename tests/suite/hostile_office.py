"""More Word, Excel and PDF files that mean harm: tables in tables, circles, bombs, far cells, flipped bytes."""

import io
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator

from docx.document import Document as WordDocument

from tests.search.parsing.making import pdf, word, workbook

_DOCUMENT, _STYLES, _SHEET, _BOOK = (
    "word/document.xml",
    "word/styles.xml",
    "xl/worksheets/sheet1.xml",
    "xl/workbook.xml",
)
_MAIN = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s<sheetData>%s</sheetData>%s</worksheet>'
_STYLE = b'<w:style w:type="paragraph" w:styleId="S%d"><w:basedOn w:val="S%d"/></w:style>'
_PAGE = (
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
)
_FLATE = b"/Filter/FlateDecode"


def files() -> Iterator[tuple[str, bytes]]:
    """Yield each file with its name."""
    yield from _word_files()
    yield from _excel_files()
    yield from _pdf_files()
    chance = random.Random(99)
    whole = {
        "docx": word(_hello),
        "xlsx": workbook(lambda book: book.active.append(["a", "b"])),
        "pdf": pdf([["Text."]]),
    }
    for number in range(10):
        for suffix, content in whole.items():
            flipped = bytearray(content)
            for _ in range(1 + number * 5):
                flipped[chance.randrange(len(flipped))] = chance.randrange(256)
            yield f"flipped {number}.{suffix}", bytes(flipped)


def _hello(document: WordDocument) -> None:
    document.add_paragraph("hello")


def _changed(content: bytes, part: str, change: Callable[[bytes], bytes], **more: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as held, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as changed:
        for name in held.namelist():
            changed.writestr(name, change(held.read(name)) if name == part else held.read(name))
        for name, extra in more.items():
            changed.writestr(f"media/{name}", extra)
    return made.getvalue()


def _word_files() -> Iterator[tuple[str, bytes]]:
    base = word(_hello)

    def body(inside: bytes) -> bytes:
        return _changed(base, _DOCUMENT, lambda held: held.replace(b"<w:body>", b"<w:body>" + inside, 1))

    def doctype(declared: bytes, used: bytes) -> bytes:
        start = b"?><!DOCTYPE a [" + declared + b"]>"
        return _changed(base, _DOCUMENT, lambda held: held.replace(b"?>", start, 1).replace(b"hello", used))

    def styles(inside: bytes) -> bytes:
        return _changed(base, _STYLES, lambda held: held.replace(b"</w:styles>", inside + b"</w:styles>"))

    row, end = b"<w:tbl><w:tr><w:tc>", b"</w:tc></w:tr></w:tbl>"
    yield "tables in tables.docx", body(row * 3_000 + b"<w:p/>" + end * 3_000)
    yield "paragraphs.docx", body(b"<w:p><w:r><w:t>x</w:t></w:r></w:p>" * 300_000)
    span = b'<w:tc><w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr><w:p/></w:tc>'
    yield "spans.docx", body(b"<w:tbl><w:tr>" + span * 100 + b"</w:tr></w:tbl>")
    yield "long text.docx", body(b"<w:p><w:r><w:t>" + b"x " * 10_000_000 + b"</w:t></w:r></w:p>")
    yield "attributes.docx", body(b"<w:p " + b" ".join(b'w:a%d="x"' % number for number in range(200_000)) + b"/>")
    yield "links.docx", body(b'<w:p><w:hyperlink r:id="rId999"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>' * 50_000)
    yield "styles in a circle.docx", styles(_STYLE % (0, 1) + _STYLE % (1, 0))
    yield "styles in a row.docx", styles(b"".join(_STYLE % (number, number + 1) for number in range(30_000)))
    yield "another file.docx", doctype(b'<!ENTITY x SYSTEM "file:///etc/passwd">', b"&x;")
    yield "one large entity.docx", doctype(b'<!ENTITY x "' + b"A" * 100_000 + b'">', b"&x;" * 10_000)
    yield "parts.docx", _changed(base, "", bytes, **{f"{number}.png": b"x" for number in range(30_000)})
    yield "bomb.docx", _changed(base, "", bytes, **{"a.png": bytes(400_000_000)})
    yield "empty.docx", b""
    yield "text.docx", b"hello"


def _excel_files() -> Iterator[tuple[str, bytes]]:
    base = workbook(lambda book: book.active.append(["a", "b"]))

    def sheet(rows: bytes, *, before: bytes = b"", after: bytes = b"") -> bytes:
        return _changed(base, _SHEET, lambda _: _MAIN % (before, rows, after))

    cell = b'<row r="1"><c r="A1"><v>1</v></c></row>'
    merged = b"<mergeCells>" + b'<mergeCell ref="A1:XFD1048576"/>' * 1_000 + b"</mergeCells>"
    yield "merged.xlsx", sheet(cell, after=merged)
    yield "rows.xlsx", sheet(b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (n, n) for n in range(1, 400_000)))
    yield "columns.xlsx", sheet(b'<row r="1">' + b"<c><v>1</v></c>" * 400_000 + b"</row>")
    yield "dimension.xlsx", sheet(cell, before=b'<dimension ref="A1:XFD1048576"/>')
    long = b'<row r="1"><c r="A1" t="inlineStr"><is><t>' + b"x " * 15_000_000 + b"</t></is></c></row>"
    yield "long cell.xlsx", sheet(long)
    yield (
        "numbers.xlsx",
        sheet(b'<row r="1"><c r="A1"><v>1e999999</v></c><c r="B1"><v>' + b"9" * 100_000 + b"</v></c></row>"),
    )
    yield "date.xlsx", sheet(b'<row r="1"><c r="A1" t="d"><v>99999-99-99</v></c></row>')
    yield "row below nothing.xlsx", sheet(b'<row r="-5"><c r="A-5"><v>1</v></c></row>')
    yield "far column.xlsx", sheet(b'<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>')
    yield "no such text.xlsx", sheet(b'<row r="1"><c r="A1" t="s"><v>999999999</v></c></row>')
    yield "depth.xlsx", sheet(b"<a>" * 100_000)
    names = b"<definedNames>" + b'<definedName name="a">x</definedName>' * 100_000 + b"</definedNames></workbook>"
    yield "names.xlsx", _changed(base, _BOOK, lambda held: held.replace(b"</workbook>", names))
    yield "bomb.xlsx", _changed(base, "", bytes, **{"a.png": bytes(400_000_000)})


def _drawn(stream: bytes, *, filters: bytes = _FLATE, page: tuple[bytes, ...] = _PAGE) -> bytes:
    """Return a PDF file of these objects and a last one with this stream."""
    objects = [*page, b"<</Length %d %s>>\nstream\n" % (len(stream), filters) + stream + b"\nendstream"]
    made, places = b"%PDF-1.5\n", list[int]()
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n" % number + one + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(made))
    return made + head + table + end


def _pdf_files() -> Iterator[tuple[str, bytes]]:
    catalog, pages, page, font = _PAGE
    packed = zlib.compress
    yield "bomb.pdf", _drawn(packed(bytes(300_000_000), 9))
    yield (
        "packed twice.pdf",
        _drawn(packed(packed(b" " * 300_000_000, 9)), filters=b"/Filter[/FlateDecode/FlateDecode]"),
    )
    yield "texts.pdf", _drawn(packed(b"BT /F1 1 Tf " + b"(x) Tj " * 3_000_000 + b"ET"))
    yield "letters.pdf", _drawn(packed(b"BT /F1 9 Tf 10 10 Td (" + b"x" * 8_000_000 + b") Tj ET"))
    yield "thin lines.pdf", _drawn(packed(b"BT /F1 0.001 Tf " + b"0 0.0001 Td (a) Tj " * 400_000 + b"ET"))
    yield "states.pdf", _drawn(packed(b"q " * 2_000_000))
    boxes = b"".join(b"%d %d 5 5 re S " % (number % 600, number * 7 % 790) for number in range(300_000))
    yield "boxes.pdf", _drawn(packed(boxes))
    yield "number.pdf", _drawn(b"BT /F1 " + b"9" * 1_000_000 + b" Tf (x) Tj ET", filters=b"")
    yield "brackets.pdf", _drawn(b"BT (" + b"(" * 1_000_000, filters=b"")
    many = b"<</Type/Pages/Kids[" + b"3 0 R " * 200_000 + b"]/Count 200000>>"
    yield "pages.pdf", _drawn(b"BT /F1 9 Tf (x) Tj ET", filters=b"", page=(catalog, many, page, font))
    circle = b"<</Type/Pages/Kids[2 0 R]/Count 1>>"
    yield "pages in a circle.pdf", _drawn(b"", filters=b"", page=(catalog, circle, page, font))
    wide = page.replace(b"612 792", b"1e30 1e30")
    yield "wide.pdf", _drawn(b"BT /F1 9 Tf (x) Tj ET", filters=b"", page=(catalog, pages, wide, font))
    yield "zeros.pdf", _drawn(b"z" * 3_000_000 + b"~>", filters=b"/Filter/ASCII85Decode")
    yield "runs.pdf", _drawn(b"\x81x" * 1_000_000, filters=b"/Filter/RunLengthDecode")
    rows = b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2000000000/Colors 32/BitsPerComponent 16>>"
    yield "rows.pdf", _drawn(packed(b"x" * 10_000), filters=rows)
    yield "empty.pdf", b""
    yield "text.pdf", b"hello"
