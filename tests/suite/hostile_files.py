"""Files that mean harm, of every format: what costs a reader its time, its memory, its stack, or its output.

Each is made by code when it is asked for, a few kilobytes to a few megabytes, and by name of the class and format.
"""

import io
import zipfile
from collections.abc import Callable, Iterator

from tests.search.parsing.making import pdf, word, workbook
from tests.search.parsing.test_docx import policy
from tests.suite.hostile_yaml import HOSTILE

#: Texts that are hard for readers of markup and for patterns, in whichever text format they stand.
TEXTS: dict[str, Callable[[], str]] = {
    "links": lambda: "[a](" * 100_000,
    "brackets": lambda: "[" * 200_000,
    "lazy quotes": lambda: "> a\n" + "a\n" * 100_000,
    "quotes in quotes": lambda: (">" * 200 + "a\n") * 200 + "a\n" * 20_000,
    "lists in lists": lambda: "\n".join("  " * depth + "- a" for depth in range(1_000)),
    "one line": lambda: "word " * 400_000,
    "one word": lambda: "w" * 2_000_000,
    "headings": lambda: "# a\n" * 50_000,
    "one heading": lambda: "# " + "word " * 100_000 + "\n" + "## b\n\ntext\n\n" * 2_000,
    "shortcodes": lambda: "# {{<" + "\t" * 3_000 + "\n",
    "anchors": lambda: "# " + "{#" * 2_000 + "\n",
    "slashes": lambda: "{{" * 1_000 + "/" * 1_000 + "\n",
    "comments": lambda: "<!--" * 50_000,
    "backticks": lambda: " ".join("`" * (1 + number % 400) for number in range(4_000)),
    "stars": lambda: "**a*" * 40_000,
    "tables": lambda: "|a" * 5_000 + "|\n" + "|-" * 5_000 + "|\n" + "|b|\n" * 5_000,
    "nul": lambda: "\0" * 100_000 + "text",
    "dashes": lambda: "---\n" * 50_000,
    "numbers": lambda: "1.1.1.1 a\n" * 50_000,
    "marks": lambda: "\u0301" * 200_000,
}


def _html_files() -> Iterator[tuple[str, bytes]]:
    row = "<tr>" + "<td colspan=9999>x</td>" * 20 + "</tr>"
    yield "colspan", f"<table>{row * 500}</table>".encode()
    wide = "<tr>" + "<td colspan=1000>x</td>" * 100 + "</tr>"
    yield "one wide row", f"<table>{wide}{'<tr><td>x</td></tr>' * 40_000}</table>".encode()
    yield "rowspan", f"<table>{'<tr><td rowspan=65534>x</td></tr>' * 10_000}</table>".encode()
    yield "depth", b"<p>" + b"<div>" * 100_000 + b"x"
    yield "tables in tables", b"<table><tr><td>" * 2_000 + b"x"
    yield "lists in lists", b"<ul><li>" * 20_000 + b"x"
    yield "attributes", b"<p " + b" ".join(b"a%d=b" % number for number in range(50_000)) + b">x</p>"
    yield "entities", b"<p>" + b"&lt;" * 200_000
    yield "unclosed", b"<a href=" * 50_000
    yield "formatting", b"<b><i><a href=x>" * 5_000 + b"x"


def _zipped(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as held, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as changed:
        for name in held.namelist():
            changed.writestr(name, change(held.read(name)) if name == part else held.read(name))
    return made.getvalue()


def _office_files() -> Iterator[tuple[str, bytes]]:
    document, sheet = "word/document.xml", "xl/worksheets/sheet1.xml"
    base, book = word(policy), workbook(lambda book: book.active.append(["x"]))
    yield (
        "depth.docx",
        _zipped(base, document, lambda held: held.replace(b"<w:body>", b"<w:body>" + b"<w:sdt>" * 50_000, 1)),
    )
    yield "spaces.docx", _zipped(base, document, lambda held: held + b" " * 160_000_000)
    yield (
        "runs.docx",
        _zipped(
            base, document, lambda held: held.replace(b"</w:body>", b"<w:p><w:r/></w:p>" * 100_000 + b"</w:body>", 1)
        ),
    )
    laughs = b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    doctype = b'?><!DOCTYPE x [<!ENTITY a "ha">' + laughs + b"]>"
    yield (
        "laughs.docx",
        _zipped(base, document, lambda held: held.replace(b"?>", doctype, 1).replace(b"Everybody", b"&j;")),
    )
    main = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
    yield "far.xlsx", _zipped(book, sheet, lambda _: main % b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    rows = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(1, 3_000))
    yield "wide.xlsx", _zipped(book, sheet, lambda _: main % rows)
    yield "spaces.xlsx", _zipped(book, sheet, lambda held: held + b" " * 160_000_000)
    yield "laughs.xlsx", _zipped(book, sheet, lambda held: held.replace(b"?>", doctype, 1).replace(b"<v>", b"<v>&j;"))
    yield "cut.docx", base[: len(base) // 2]
    yield "cut.xlsx", book[: len(book) // 2]
    whole = pdf([["Text."]])
    yield "cut.pdf", whole[:300]
    yield "noise.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 2_000
    yield "depth.pdf", b"%PDF-1.7\n1 0 obj\n" + b"[" * 200_000 + b"\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    yield "names.pdf", b"%PDF-1.7\n1 0 obj\n" + b"<</a " * 100_000 + b"\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF"


def files() -> dict[str, bytes]:
    """Return the files by name; the suffix is the format."""
    made: dict[str, bytes] = {}
    for name, text in TEXTS.items():
        content = text().encode()
        for suffix in ("md", "txt"):
            made[f"{name}.{suffix}"] = content
        made[f"{name}.html"] = b"<p>" + content
    for name, (block, _) in HOSTILE.items():
        for suffix in ("md", "txt", "html"):
            made[f"yaml {name}.{suffix}"] = f"---\n{block}---\n# Title\n\nText.\n".encode()
    made |= {f"{name}.html": content for name, content in _html_files()}
    return made | dict(_office_files())
