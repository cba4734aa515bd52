"""What people say, as neutral messages in plain words."""

import hashlib
import html
import re
from collections.abc import Sequence

from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.teams.inbound.activities import Activity, Mention
from adapters.teams.inbound.origin import TeamsDelivery, TeamsIgnored, address, carried, not_of_a_person

#: Tags that Teams leaves in a text; everything else between angle brackets was typed.
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>at|a|p|br|div|li|ul|ol|span|strong|b|em|i|u|s|code|pre|blockquote|h[1-6])(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_LINES = frozenset({"p", "div", "li", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"})
_LINK = re.compile(r"<a\s(?P<attributes>[^<>]*)>(?P<label>[^<>]*)</a>", re.IGNORECASE)
_TARGET = re.compile(r"""\bhref=["'](?P<url>[^"'<>]*)""", re.IGNORECASE)
#: With its semicolon: `&copy=1` is part of a link.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


def heard_message(delivery: TeamsDelivery) -> Message | TeamsIgnored:
    """Read what a person said; the caller has made sure that it was one."""
    activity = delivery.activity
    place = address(delivery, activity.id)
    own = [each for each in activity.mentions if each.id == activity.recipient.id]
    addressed = not place.others_read or bool(own)
    if not addressed:
        if activity.mentions:
            return TeamsIgnored("others")
        # A group chat is one thread without an end: whoever asked there once would be answered for ever.
        if place.kind != "channel":
            return TeamsIgnored("talk")
    return Message(
        **carried(delivery, place),
        text=plain(without(activity.text, own)),
        addressed=addressed,
        overheard=not addressed and not _in_a_thread(activity),
        private=not place.others_read,
        files=tuple(
            File(name=each.name, reference={"url": each.url}, media_type=each.media_type) for each in activity.attached
        ),
    )


def heard_deletion(delivery: TeamsDelivery) -> Withdrawn | TeamsIgnored:
    """Read that a message was taken away."""
    return _withdrawn(delivery, ())


def heard_edit(delivery: TeamsDelivery) -> Withdrawn | TeamsIgnored:
    """Read which files a message holds now; one that was brought back is read no second time."""
    activity = delivery.activity
    kept = tuple(sorted(each.name for each in activity.attached))
    return _withdrawn(delivery, kept) if activity.event == "editMessage" else TeamsIgnored("edited")


def _withdrawn(delivery: TeamsDelivery, kept: tuple[str, ...]) -> Withdrawn | TeamsIgnored:
    """Return what is left of a message in a person's chat with the desk: of files elsewhere Teams tells nothing."""
    place = address(delivery, delivery.activity.id)
    if place.others_read or not_of_a_person(delivery) is not None:
        return TeamsIgnored("edited")
    common = carried(delivery, place)
    message = common["event_id"]
    left = hashlib.sha256("\0".join(kept).encode()).hexdigest()[:16]
    common["event_id"] = f"{message}:{left}" if kept else withdrawal_of(message)
    return Withdrawn(**common, message=message, kept=kept)


def _in_a_thread(activity: Activity) -> bool:
    """Return True below a channel's post; a post itself stands in the thread that it begins."""
    _, _, root = activity.conversation.partition(";messageid=")
    return root not in {"", activity.id}


def without(said: str, mentions: Sequence[Mention]) -> str:
    """Return what is said without naming somebody; the rest keeps its lines."""
    for each in mentions:
        names = "|".join({re.escape(each.name), re.escape(html.escape(each.name))})
        shown = f"{re.escape(each.text)}|<at[^<>]*>(?:{names})</at>" if each.text else f"<at[^<>]*>(?:{names})</at>"
        named = re.compile(rf"(?<![ \t])[ \t]*+(?:{shown})(?:[ \t\xa0]|&nbsp;)*+(?:[,:，：][ \t]*+)?")
        said = named.sub(_gap, said)
    return said


def _gap(found: re.Match[str]) -> str:
    return "" if found.start() == 0 or found.string[found.start() - 1] == "\n" else " "


def plain(said: str) -> str:
    """Return the text of an activity as words: tags and entities of Teams gone, names and lines kept."""
    if "<" in said:
        said = _TAG.sub(_instead, _LINK.sub(_link, said))
    if "&" in said:
        said = _ENTITY.sub(lambda found: html.unescape(found[0]), said)
    return "\n".join(line.rstrip() for line in said.replace("\xa0", " ").split("\n")).strip()


def _link(found: re.Match[str]) -> str:
    target = _TARGET.search(found["attributes"])
    url, label = target["url"] if target else "", found["label"].strip()
    return label or url if label in {"", url, url.partition("://")[2]} or not url else f"{label} ({url})"


def _instead(found: re.Match[str]) -> str:
    name = found["name"].lower()
    if name == "br" or (name in _LINES and found["end"]):
        return "\n"
    return "- " if name == "li" else ""
