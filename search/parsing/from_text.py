"""Plain text to Markdown: underlined and numbered lines are headings, indented and drawn blocks are code."""

from search.errors import FileUnreadable
from search.parsing.blocks import Heading, to_markdown
from search.parsing.clauses import with_headings
from search.parsing.converted import Converted
from search.parsing.encoding import decode
from search.parsing.front_matter import cut
from search.parsing.paragraphs import blocks_of
from search.reasons import Reason


def convert(content: bytes) -> Converted:
    """Return a text file as Markdown; raises `FileUnreadable`."""
    decoded = decode(content)
    head, text = cut(decoded.text.replace("\r\n", "\n").replace("\r", "\n"))
    blocks = blocks_of(text.replace("\f", "\n\n").replace("\v", "\n"))
    if not blocks:
        raise FileUnreadable("is empty", Reason.EMPTY)
    if not any(isinstance(block, Heading) for block in blocks):
        blocks = with_headings(blocks)
    title = next((block.text for block in blocks if isinstance(block, Heading) and block.level == 1), "")
    single = sum(isinstance(block, Heading) and block.level == 1 for block in blocks) == 1
    return Converted(
        markdown=to_markdown(blocks), title=title if single else "", remark=decoded.remark, front_matter=head
    )
