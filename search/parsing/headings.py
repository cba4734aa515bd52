"""What a heading says, where its link goes, and whether it only leads elsewhere."""

import re

_ANCHOR = re.compile(r"\s*\{#(?P<anchor>[^}\s]+)[^}]*\}\s*$")
_SHORTCODE = re.compile(r"\{\{[<%]\s*(?P<inside>.*?)\s*[%>]\}\}")
_QUOTED = re.compile(r'"([^"]*)"')
_LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\([^)]*\)")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>")
_EMPHASIS = re.compile(r"(?<!\w)([*_]{1,3})(?=\S)(?P<text>.+?)(?<=\S)\1(?!\w)")
_SLUG_DROP = re.compile(r"[^\w\- ]")
#: Escaped marks are set aside as private characters while markup is taken out.
_ESCAPED = 0xF0000
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CODE = re.compile(r"(?<!`)(?P<mark>`+)(?!`)(?P<code>.+?)(?<!`)(?P=mark)(?!`)")
_MARKUP = re.compile(r"[<>\[\]()*_{}]")
_SET_ASIDE = re.compile(f"[{chr(_ESCAPED + 0x21)}-{chr(_ESCAPED + 0x7E)}]")
_NAVIGATION = re.compile(
    r"(?:see also|seealso|next steps?|what'?s ?next|where to go (?:next|from here)|further reading|learn more"
    r"|related(?: (?:links?|pages?|articles?|topics?|documents?|information|reading|content))?"
    r"|相关(?:链接|文档|页面|内容|资料|主题|阅读|文章|信息)?|参见|参阅|另见|另请参阅|请参阅|延伸阅读|下一步|接下来(?:的步骤)?|后续步骤)"
)
_LEAD = re.compile(
    r"^\W{0,3}(?:see also|related(?: \w+)?|further reading|相关(?:链接|文档|页面)?|参见|另见|另请参阅|延伸阅读)"
    r"\W{0,3}[:：]",
    re.IGNORECASE,
)


def plain_heading(content: str) -> str:
    """Return a heading's words without markup: no emphasis, code marks, links, tags, anchors or shortcodes.

    What is escaped or stands in code is no markup; a backslash before it goes.
    """
    text = _ANCHOR.sub("", _ESCAPE.sub(lambda found: chr(_ESCAPED + ord(found[1])), content))
    text = _CODE.sub(lambda found: _MARKUP.sub(lambda mark: chr(_ESCAPED + ord(mark[0])), found["code"]), text)
    text = _SHORTCODE.sub(lambda found: " ".join(_QUOTED.findall(found["inside"])), text)
    text = _TAG.sub("", _LINK.sub(lambda found: found["text"], text)).replace("`", "")
    text = _EMPHASIS.sub(lambda found: found["text"], text)
    return " ".join(_SET_ASIDE.sub(lambda found: chr(ord(found[0]) - _ESCAPED), text).split())


def anchor_of(content: str) -> str:
    """Return the anchor that a heading names itself (`{#anchor}`), or ""."""
    found = _ANCHOR.search(content)
    return found["anchor"] if found else ""


def slug(heading: str) -> str:
    """Return the anchor that code hosts make of a heading."""
    return _SLUG_DROP.sub("", heading.lower()).strip().replace(" ", "-")


def is_navigation(heading: str) -> bool:
    """Say whether what stands below the heading only leads elsewhere."""
    plain = heading.replace("\u2019", "'").strip(" :：?？!！.。").lower()
    return _NAVIGATION.fullmatch(plain) is not None


def links_on(text: str) -> bool:
    """Say whether a block is a "see also" of its own: the words, a colon, and a link."""
    return "](" in text and len(text) < 600 and _LEAD.match(text) is not None
