"""A folder with every kind of bad file: one clear line for each, and everything else is read."""

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from search.errors import Reason
from search.parsing.apart.readers import FileReaders, ReaderLimits
from search.sources.folder import FolderSource
from search.sources.port import Loaded
from tests.search.parsing.making import pdf, word, workbook
from tests.search.parsing.test_docx import policy
from tests.search.parsing.test_pdf import scan
from tests.search.parsing.test_xlsx import budget

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
LOCKED = OLE + "EncryptedPackage".encode("utf-16-le") + bytes(512)
WORD = word(policy)
SHEETS = workbook(budget)


def archive(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return file.getvalue()


def changed(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        parts = {part: made.read(part) for part in made.namelist()}
    return archive({part: change(held) if part == name else held for part, held in parts.items()})


def bomb(content: bytes, name: str) -> bytes:
    """Return the archive with 160 MB of spaces at the end of a part."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as made, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as blown_up:
        for part in made.namelist():
            with blown_up.open(part, "w") as held:
                held.write(made.read(part))
                for _ in range(160 if part == name else 0):
                    held.write(b" " * 1_000_000)
    return file.getvalue()


def with_macros(content: bytes, kind: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        parts = {part: made.read(part) for part in made.namelist()}
    types = parts["[Content_Types].xml"].decode()
    plain = {"word": "wordprocessingml.document.main", "xl": "spreadsheetml.sheet.main"}[kind]
    office = {"word": "ms-word.document", "xl": "ms-excel.sheet"}[kind]
    types = types.replace(
        f"application/vnd.openxmlformats-officedocument.{plain}", f"application/vnd.{office}.macroEnabled.main"
    )
    types = types.replace(
        "<Default ", '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/><Default ', 1
    )
    parts["[Content_Types].xml"] = types.encode()
    relations = f"{kind}/_rels/{'document' if kind == 'word' else 'workbook'}.xml.rels"
    vendor = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
    target = "vbaProject.bin" if kind == "word" else "/xl/vbaProject.bin"
    parts[relations] = parts[relations].replace(
        b"</Relationships>",
        f'<Relationship Id="rId99" Type="{vendor}" Target="{target}"/></Relationships>'.encode(),
    )
    return archive({**parts, f"{kind}/vbaProject.bin": OLE})


async def read(folder: Path, files: dict[str, bytes], *, limits: ReaderLimits | None = None) -> Loaded:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    with FileReaders(limits) as readers:
        source = FolderSource("book", folder, readers=readers)
        listing = await source.listing()
        loaded = await source.load(sorted(listing.hashes))
    return Loaded(loaded.pages, (*listing.problems, *loaded.problems))


def paths(loaded: Loaded) -> set[str]:
    return {page.document.path for page in loaded.pages}


GOOD = {
    "good.md": b"# Good\n\nText.\n",
    "good.txt": b"Text.\n",
    "good.html": b"<p>Text.</p>",
    "good.pdf": pdf([["Text."]]),
    "good.docx": WORD,
    "good.xlsx": workbook(lambda book: book.active.append(["a", "b"])),
}
BAD = {
    "empty.pdf": (b"", "is empty"),
    "empty.txt": (b" \n", "is empty"),
    "broken.pdf": (b"%PDF-1.7 nothing", "broken"),
    "cut.pdf": (pdf([["Text."]])[:400], "broken"),
    "broken.docx": (WORD[:5_000], "broken"),
    "broken.xlsx": (SHEETS[:3_000], "broken"),
    "random.docx": (b"PK\x03\x04" + bytes(range(256)), "broken"),
    "nonsense.docx": (b"just words", "broken"),
    "no-document.docx": (archive({"a.txt": b"x"}), "a ZIP archive, in spite of its name"),
    "xml.docx": (changed(WORD, "word/document.xml", lambda held: held[:-200]), "broken"),
    "strict.docx": (
        changed(WORD, "_rels/.rels", lambda held: held.replace(b"schemas.openxmlformats.org", b"purl.oclc.org/ooxml")),
        "strict variant",
    ),
    "locked.pdf": (pdf([["Text."]], password="x"), "password"),
    "locked.docx": (LOCKED, "password"),
    "locked.xlsx": (LOCKED, "password"),
    "html.pdf": (b"<!DOCTYPE html><html><body>Sign in</body></html>", "is an HTML page, in spite of its name"),
    "old.docx": (OLE, "before 2007"),
    "sheet.docx": (SHEETS, "is an Excel file, in spite of its name"),
    "word.xlsx": (WORD, "is a Word file, in spite of its name"),
    "pdf.txt": (pdf([["Text."]]), "is a PDF file, in spite of its name"),
    "old.doc": (OLE, "save it as .docx"),
    "slides.pptx": (archive({"ppt/presentation.xml": b"<x/>"}), "presentation"),
    "scan.pdf": (scan(), "OCR"),
    "bomb.docx": (bomb(WORD, "word/document.xml"), "unpack"),
    "bomb.xlsx": (bomb(SHEETS, "xl/worksheets/sheet1.xml"), "unpack"),
    "binary.txt": (bytes(range(256)) * 8, "is no text"),
}


async def test_each_bad_file_is_one_line_and_everything_else_is_read(tmp_path: Path) -> None:
    loaded = await read(tmp_path, {**GOOD, **{name: content for name, (content, _) in BAD.items()}})
    assert paths(loaded) == set(GOOD)
    told = {problem.path: problem.what for problem in loaded.problems}
    assert len(told) == len(loaded.problems)
    assert {name: why for name, (_, why) in BAD.items() if why not in told.get(name, "")} == {}
    assert not any("\n" in what or "Traceback" in what for what in told.values())
    without_code = {problem.path for problem in loaded.problems if problem.reason is Reason.OTHER}
    assert without_code == {"old.doc", "slides.pptx"}, "of these one line stands for all that a folder holds"


async def test_a_file_with_macros_is_read_and_told(tmp_path: Path) -> None:
    loaded = await read(tmp_path, {"m.docm": with_macros(WORD, "word"), "m.xlsm": with_macros(SHEETS, "xl")})
    assert paths(loaded) == {"m.docm", "m.xlsm"}
    assert all("macros" in problem.what for problem in loaded.problems)
    assert len(loaded.problems) == 2


async def test_a_huge_file_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.pdf").open("wb") as file:
        file.truncate(200_000_000)
    loaded = await read(tmp_path, {"good.md": GOOD["good.md"]})
    assert paths(loaded) == {"good.md"}
    assert [(problem.path, problem.what) for problem in loaded.problems] == [
        ("huge.pdf", "has 200 MB, more than 50 MB")
    ]


async def test_a_file_with_more_text_than_a_library_is_told(tmp_path: Path) -> None:
    loaded = await read(
        tmp_path, {"log.txt": b"one more line of the log\n" * 900_000, "log.md": b"line\n\n" * 4_000_000}
    )
    assert not loaded.pages
    assert [problem.path for problem in loaded.problems] == ["log.md", "log.txt"]
    assert all("MB of text, more than 20 MB" in problem.what for problem in loaded.problems)


def endless() -> bytes:
    """Return a PDF whose page draws a form that draws itself forty times two deep: 2^40 words on one page."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    fonts = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    objects.append(
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>"
    )
    objects.append(b"<</Length 5>>stream\n/X Do\nendstream")
    for number in range(5, 29):
        inner = b"/X Do /X Do" if number < 28 else b"BT /F 12 Tf 72 72 Td (word) Tj ET"
        resources = b"<<%s/XObject<</X %d 0 R>>>>" % (fonts, number + 1) if number < 28 else b"<<%s>>" % fonts
        objects.append(
            b"<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources %s/Length %d>>stream\n%s\nendstream"
            % (resources, len(inner), inner)
        )
    body = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        table,
        len(objects) + 1,
        len(body),
    )


async def test_a_pdf_without_end_costs_one_line(tmp_path: Path) -> None:
    loaded = await read(tmp_path, {**GOOD, "endless.pdf": endless()}, limits=ReaderLimits(seconds=20, processes=1))
    assert paths(loaded) == set(GOOD)
    assert [problem.path for problem in loaded.problems] == ["endless.pdf"]


async def test_a_file_that_eats_memory_costs_one_line(tmp_path: Path) -> None:
    rows = b"".join(
        b'<row r="%d"><c r="A%d" t="inlineStr"><is><t>%0200d</t></is></c></row>' % (n, n, n) for n in range(1, 120_000)
    )
    sheet = changed(
        workbook(lambda book: book.active.append(["x"])),
        "xl/worksheets/sheet1.xml",
        lambda _: (
            b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
            % rows
        ),
    )
    loaded = await read(tmp_path, {**GOOD, "large.xlsx": sheet}, limits=ReaderLimits(memory_mb=250))
    assert paths(loaded) == set(GOOD)
    assert [problem.path for problem in loaded.problems] == ["large.xlsx"]
    assert "memory" in loaded.problems[0].what


async def test_a_word_file_nested_without_end_costs_one_line(tmp_path: Path) -> None:
    deep = changed(
        WORD, "word/document.xml", lambda held: held.replace(b"<w:body>", b"<w:body>" + b"<w:sdt>" * 100_000, 1)
    )
    loaded = await read(tmp_path, {**GOOD, "deep.docx": deep})
    assert paths(loaded) == set(GOOD)
    assert [problem.path for problem in loaded.problems] == ["deep.docx"]


async def test_a_page_that_takes_too_long_costs_its_time_and_one_line(tmp_path: Path) -> None:
    pages = {"good.md": GOOD["good.md"], "deep.html": b"<p>" + b"<div>" * 400_000 + b"x"}
    loaded = await read(tmp_path, pages, limits=ReaderLimits(seconds=2))
    assert paths(loaded) == {"good.md"}
    assert [problem.what for problem in loaded.problems] == ["takes longer than 2 seconds to read and was left out"]
    assert [problem.reason for problem in loaded.problems] == [Reason.TOO_SLOW]


@pytest.mark.parametrize("entity", [b'<!ENTITY a "%s">' % (b"x" * 1000), b'<!ENTITY a SYSTEM "file:///etc/passwd">'])
async def test_entities_are_never_followed(tmp_path: Path, entity: bytes) -> None:
    inner = b"<!DOCTYPE x [" + entity + b"]>"
    hostile = changed(
        WORD,
        "word/document.xml",
        lambda held: held.replace(b"?>", b"?>" + inner, 1).replace(b"Everybody", b"&a;" * 1000, 1),
    )
    loaded = await read(tmp_path, {"entity.docx": hostile})
    assert not any("root:" in page.markdown or "xxxx" in page.markdown for page in loaded.pages)


async def test_a_part_that_lies_about_its_size_is_read_no_further(tmp_path: Path) -> None:
    """The archive says 1 kB and holds 160 MB."""
    content = bytearray(bomb(WORD, "word/document.xml"))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.find(mark)
        while at >= 0:
            if struct.unpack_from("<I", content, at + offset)[0] > 100_000_000:
                struct.pack_into("<I", content, at + offset, 1_000)
            at = content.find(mark, at + 1)
    loaded = await read(
        tmp_path, {"liar.docx": bytes(content), "good.md": GOOD["good.md"]}, limits=ReaderLimits(memory_mb=600)
    )
    assert paths(loaded) == {"good.md"}
    assert [problem.path for problem in loaded.problems] == ["liar.docx"]
