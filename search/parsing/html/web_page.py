"""A page of a web site to Markdown, with what a crawler needs of it: its links, its own address, what it asks for.

What stands around the text on every page (banner, footer, cookie notices, "skip to content") is left out; links lead
where they led on the site. The text itself is read as in `reader`.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from search.errors import FileUnreadable
from search.parsing.converted import Converted, PageLink, own_title
from search.parsing.fetched import Fetched, joined, unpacked
from search.parsing.html import reader
from search.parsing.text.encoding import decode

_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}charset=["']?\s*([\w.:-]+)|<\?xml[^>]{0,100}encoding=["']([\w.:-]+)""", re.IGNORECASE
)
_LEADING = "a[href], area[href], iframe[src], frame[src], link[rel=next]"
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"']+)[\"']?", re.IGNORECASE)
_MOST_LINKS = 5_000
#: Landmarks of the whole page; inside a text the same elements belong to it.
_AROUND = "header, footer, [role=banner], [role=contentinfo], [role=search]"
_BESIDE = "aside, [role=complementary]"
_TEXT = frozenset({"main", "article", "section", "blockquote", "td"})
#: Notices that consent managers and themes lay over a page.
_CONSENT = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr)[_-]?(?:banner|bar|consent|dialog|law|message|modal|notice|overlay|popup|wall)"
    r"|onetrust|cookiebot|usercentrics|didomi|qc-cmp2|osano-cm|truste|(?:^|\s)cc-window",
    re.IGNORECASE,
)
_SKIP = "a[href^='#'][class*=skip], a[href^='#'][class*=sr-only], a[href^='#'][class*=visually-hidden]"
#: More text than that is no notice, whatever it is called.
_LONGEST_NOTICE = 3_000
_TITLE_MARKS = "|·•–—-:»«<>_"


def convert(content: bytes) -> Converted:
    """Return a fetched page as Markdown, "" where it shows no text; raises `FileUnreadable` for what is no page."""
    fetched = unpacked(content)
    page, remark = _parsed(fetched)
    base = _base(page, fetched.address)
    about = dict(_about(page, base))
    links = tuple(_links(page, base)) if "nofollow" not in about.get("robots", "") else ()
    title = _title(page)
    _clean(page, title)
    _lead_back(page, base)
    try:
        read = reader.of_page(page.html or "")  # what stands at the top of a page of the web is its text
    except FileUnreadable as error:
        return Converted(markdown="", title=title, remark=str(error), links=links, about=about)
    return Converted(
        markdown=read.markdown,
        title=title or read.title,
        updated=read.updated,
        remark=remark,
        links=links,
        about=about,
    )


def _parsed(fetched: Fetched) -> tuple[LexborHTMLParser, str]:
    found = _CHARSET.search(fetched.content[:4_096])
    declared = (found[1] or found[2]).decode("ascii", "replace") if found else ""
    decoded = decode(fetched.content, declared=fetched.charset or declared)
    return LexborHTMLParser(decoded.text), decoded.remark


def _base(page: LexborHTMLParser, address: str) -> str:
    node = page.css_first("base[href]")
    return joined(address, (node.attributes.get("href") or "") if node is not None else "") or address


def _about(page: LexborHTMLParser, base: str) -> Iterator[tuple[str, str]]:
    """Yield what the head says: language, canonical address, wishes of its owner."""
    if page.root is not None and (language := page.root.attributes.get("lang")):
        yield "language", language[:35]
    node = page.css_first("head > link[rel=canonical][href]")
    if node is not None and (canonical := joined(base, node.attributes.get("href") or "")):
        yield "canonical", canonical
    wishes = [
        (meta.attributes.get("content") or "").lower()
        for meta in page.css("meta[name][content]")
        if (meta.attributes.get("name") or "").lower() in {"robots", "dutydesk"}
    ]
    if wishes:
        yield "robots", ",".join(wishes).replace("none", "noindex,nofollow")


def _links(page: LexborHTMLParser, base: str) -> Iterator[PageLink]:
    seen: set[str] = set()
    for target in _targets(page):
        address = joined(base, target).partition("#")[0]
        if address and address not in seen:
            seen.add(address)
            yield PageLink(address)
            if len(seen) == _MOST_LINKS:
                return


def _targets(page: LexborHTMLParser) -> Iterator[str]:
    for node in page.css("meta[http-equiv][content]"):
        if (node.attributes.get("http-equiv") or "").lower() == "refresh" and (
            found := _REFRESH.fullmatch(node.attributes.get("content") or "")
        ):
            yield found[1]
    for node in page.css(_LEADING):
        if "nofollow" not in (node.attributes.get("rel") or "").lower():
            yield node.attributes.get("href") or node.attributes.get("src") or ""


def _title(page: LexborHTMLParser) -> str:
    """Return the page's title without the site's name, or "" where the reading of HTML does as well."""
    node = page.css_first("title")
    whole = own_title(node.text() if node is not None else "")
    main = _main(page)
    first = [*(main.css("h1, h2")[:1] if main is not None else ()), *page.css("h1")]
    if own := next((text for text in map(_heading, first) if _begins(whole, text)), ""):
        return own
    headings = [_heading(node) for node in (main or page).css("h1")]
    if len(headings) == 1 and headings[0] and headings[0] in whole:
        return headings[0]
    site = page.css_first("meta[property='og:site_name'][content]")
    name = " ".join((site.attributes.get("content") or "").split()) if site is not None else ""
    if name and whole != name:
        whole = whole.removesuffix(name).removeprefix(name).strip(f"{_TITLE_MARKS} ") or whole
    return whole


def _heading(node: LexborNode) -> str:
    return " ".join(node.text().split()).rstrip("#¶§🔗 ")


def _begins(title: str, heading: str) -> bool:
    """Say whether a title is the heading, or the heading, a mark and the name of something larger."""
    if not heading or not title.casefold().startswith(heading.casefold()):
        return False
    rest = title[len(heading) :]
    return not rest or rest[0] in "|·•–—:»" or (rest[0] == " " and rest.lstrip()[0] in _TITLE_MARKS)


def _main(page: LexborHTMLParser) -> LexborNode | None:
    """Return the element that is the page's text by its own word, where there is exactly one."""
    mains = page.css("main, [role=main]")
    return mains[0] if len(mains) == 1 else None


def _clean(page: LexborHTMLParser, title: str) -> None:
    """Take out what stands around the text on every page, unless nothing would be left."""
    for node in page.css("[id], [class]"):
        names = f"{node.attributes.get('id') or ''} {node.attributes.get('class') or ''}"
        if _CONSENT.search(names) and len(node.text()) < _LONGEST_NOTICE:
            _without(node)
    for node in page.css(_SKIP):
        node.decompose()
    # Where nothing says which part of a page is its text, what stands beside may be a note that belongs to it.
    around = f"{_AROUND}, {_BESIDE}" if page.css_first("main, article, [role=main]") is not None else _AROUND
    for node in page.css(around):
        if not any(above.tag in _TEXT for above in _above(node)):
            _without(node)
    _drop_site_name(page, title)


def _drop_site_name(page: LexborHTMLParser, title: str) -> None:
    """Take out headings around the page's text that are not its title, where a heading in the text is."""
    main = _main(page)
    if main is not None and title in map(_heading, main.css("h1, h2")):
        for node in page.css("h1"):
            if _heading(node) != title and not any(above.mem_id == main.mem_id for above in _above(node)):
                node.decompose()


def _without(node: LexborNode) -> None:
    """Take an element out, but not the page's text or heading with it."""
    if node.tag not in {"html", "body", "main", "article"} and node.css_first("main, article, [role=main], h1") is None:
        node.decompose()


def _above(node: LexborNode) -> Iterator[LexborNode]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _lead_back(page: LexborHTMLParser, base: str) -> None:
    """Make relative links whole, so that they lead to the site from wherever the text is shown."""
    for name, selector in (("href", "a[href]"), ("src", "img[src]")):
        for node in page.css(selector):
            target = (node.attributes.get(name) or "").strip()
            if target and not target.startswith("#") and (address := joined(base, target)):
                node.attrs[name] = address
