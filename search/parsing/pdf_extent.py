"""Give text without extent a place on its page, so that what is read does not depend on the machine's fonts.

When a font is neither embedded nor installed (the Chinese fonts of PDF readers mostly are not), PDFium has no glyphs
for its letters and their boxes are empty. It then leaves out a letter that stands alone, and a long line that says the
same as one a little above it, which it takes for the same line drawn twice (`CPDF_TextPage::ProcessTextObject`).
"""

import ctypes
import math

import pypdfium2
import pypdfium2.raw as pdfium

#: As low as this, in points, a box is empty; PDFium's own limit for the width.
_EMPTY = 0.01
#: The height that an empty box gets, in letters' sizes: lines of text do not touch each other then.
_HEIGHT = 0.6
#: Text may stand in forms within forms.
_DEPTH = 15
_IDENTITY = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 0)


def give_extent(page: pypdfium2.PdfPage) -> None:
    """Widen the empty boxes of the page's text by a stroke, which nobody draws: the page is only read."""
    for text in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=_DEPTH):
        left, bottom, right, top = text.get_bounds()
        if right - left >= _EMPTY and top - bottom >= _EMPTY:
            continue
        pdfium.FPDFTextObj_SetTextRenderMode(text, pdfium.FPDF_TEXTRENDERMODE_STROKE)
        pdfium.FPDFPageObj_SetStrokeWidth(text, _HEIGHT * _size(text))
        pdfium.FPDFPageObj_TransformF(text, _IDENTITY)  # makes PDFium compute the box anew


def _size(text: pypdfium2.PdfObject) -> float:
    """Return the size of the letters in points."""
    size, matrix = ctypes.c_float(), pdfium.FS_MATRIX()
    pdfium.FPDFTextObj_GetFontSize(text, size)
    pdfium.FPDFPageObj_GetMatrix(text, matrix)
    return abs(size.value * math.hypot(matrix.c, matrix.d))
