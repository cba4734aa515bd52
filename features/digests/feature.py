"""Digests, as one value."""

from collections.abc import Mapping, Sequence

from features.anatomy.feature import Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.planned import trigger_of
from features.anatomy.routing import routes_of
from features.anatomy.sections import DigestConfig, DigestSection
from features.anatomy.texts import prompt_of, say
from features.digests.approvals import ApprovalSection
from features.digests.cards import LIST, NOW, PREVIEW, RESUME, SENT, DigestCards
from features.digests.commands import VERBS
from features.digests.digest import MAKE, TOPIC, Digests, SentDigest
from features.digests.drawing import DigestDrawing
from features.digests.sending import PAUSE, POSTED, STOP, Configured, DigestSender
from features.digests.talk import talk
from features.digests.tools import DigestTools
from features.digests.wish import read_digest_wish, sections_in
from storage.ids import JsonObject
from storage.queue.schedules import SYSTEM


def configured(wanted: Mapping[str, DigestConfig], offered: Sequence[DigestSection]) -> Configured:
    """Return the digests of the settings; a section that there is not is left out, and told."""
    digests, wrong = [], []
    for name, each in wanted.items():
        found = {said: sections_in(said, offered) for said in each.sections}
        wrong += [_unknown(name, said, offered) for said, sections in found.items() if not sections]
        names = tuple(dict.fromkeys(section for sections in found.values() for section in sections))
        platform, _, channel = each.channel.partition(":")
        if each.plan is not None and (names or not each.sections):  # without any it would say all that there is
            trigger = trigger_of(each.plan, each.timezone)
            target: JsonObject = {"platform": platform, "channel": channel}
            digests.append(SentDigest(SYSTEM, names, trigger, each.timezone, target, name))
    return Configured(tuple(digests), tuple(wrong))


def _unknown(digest: str, said: str, offered: Sequence[DigestSection]) -> str:
    known = ", ".join(say("en", f"section.{each.name}.called") for each in offered if not each.personal)
    return f"digests.{digest}.sections: nobody knows {said!r}; there are: {known}"


def build(services: Services) -> Feature:
    """Return the feature over the sections of all features."""
    clock, telling, directory = services.clock, services.telling, services.directory
    drawing, digests = DigestDrawing(services.sections, clock), Digests(services.database, clock)
    cards = DigestCards(digests, drawing, telling, directory, clock)
    sender = DigestSender(
        digests,
        drawing,
        telling,
        directory,
        clock,
        services.channels,
        lambda: configured(services.digests, services.sections()),
    )
    tools = DigestTools(digests, drawing, telling).tools()
    return Feature(
        name="digests",
        tools=tools,
        verbs=VERBS,
        talks=(talk(clock, frozenset(tool.spec.name for tool in tools)),),
        routes=routes_of("features.digests", {"send_digest": read_digest_wish}),
        buttons=dict.fromkeys((PAUSE, RESUME, STOP), cards.press),
        sections=(ApprovalSection(services.approvals).section(),),
        kinds={
            NOW: RecordKind(cards.now, private=True, rests_on=cards.eyes),
            PREVIEW: RecordKind(cards.preview, private=True, rests_on=cards.eyes),
            SENT: RecordKind(cards.sent),
            LIST: RecordKind(cards.everything, private=True),
            POSTED: RecordKind(sender.posted, changes=True, rests_on=sender.eyes),
        },
        schedules=sender.jobs(),
        slots={TOPIC: sender.send},
        permissions=(MAKE,),
        prompt=prompt_of("features.digests"),
    )
