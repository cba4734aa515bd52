"""No setting of a channel shows anybody what they may not read, and none offers a tool to who may not use it."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent.tools.registry import Registry
from bot.channels.channels import ALWAYS, ChannelRules, ChannelService
from bot.channels.overhearing import asks
from features.anatomy.channels import ChannelMode, ChannelSettings
from identity.actor import Actor, ActorKind
from identity.readership import Alone, Shared
from search.access import THREAD_FILES, scope_of
from tests.fixtures.features import shipped

NAMES = st.sampled_from(["handbook", "it", "hr", THREAD_FILES, "unknown"])
PRINCIPALS = st.sampled_from(["public", "staff", "group:it", "group:hr", "role:admin", "person:ada"])
SOURCES = st.none() | st.frozensets(NAMES)
FEATURES = tuple(feature.name for feature in shipped())
ACTORS = st.builds(
    Actor,
    id=st.sampled_from(["ada", "ben"]),
    name=st.just("Somebody"),
    kind=st.sampled_from([ActorKind.PERSON, ActorKind.STAFF, ActorKind.GUEST]),
    groups=st.frozensets(st.sampled_from(["it", "hr"])),
    roles=st.frozensets(st.sampled_from(["agent", "admin", "auditor"])),
)
SETTINGS = st.builds(
    ChannelSettings,
    mode=st.sampled_from(ChannelMode),
    sources=SOURCES,
    tools=st.none() | st.frozensets(st.sampled_from(FEATURES)),
)


def service() -> ChannelService:
    nothing: Any = None
    tools = {each.name: frozenset(tool.spec.name for tool in each.tools) for each in shipped()}
    rules = ChannelRules(owners_may=False, answers_per_day=5)
    return ChannelService(
        nothing, nothing, chats={}, behind=nothing, search=nothing, categories={}, tools=tools, rules=rules
    )


@given(ACTORS, st.frozensets(PRINCIPALS), SETTINGS, NAMES, st.frozensets(PRINCIPALS))
def test_a_setting_only_takes_away_of_what_may_be_read(
    actor: Actor, common: frozenset[str], settings: ChannelSettings, source: str, allow: frozenset[str]
) -> None:
    readership = Shared(common, "thread")
    before = scope_of(actor, readership).opens(source, tuple(allow))
    after = scope_of(actor, replace(readership, sources=settings.sources)).opens(source, tuple(allow))
    chosen = settings.sources is None or source in {*settings.sources, THREAD_FILES}

    assert after == (before and chosen)
    assert scope_of(actor, Alone("thread")).opens(source, tuple(allow)) or not after


@given(ACTORS, SETTINGS)
def test_a_setting_only_takes_away_of_what_is_offered(actor: Actor, settings: ChannelSettings) -> None:
    registry = Registry(tool for feature in shipped() for tool in feature.tools)
    every = {tool.spec.name for tool in registry.offered(actor)}
    here = {tool.spec.name for tool in registry.offered(actor, withheld=service().withheld(settings))}
    chosen = {*ALWAYS, *(FEATURES if settings.tools is None else settings.tools)}
    kept = {tool.spec.name for feature in shipped() if feature.name in chosen for tool in feature.tools}

    assert here == every & kept


def test_what_may_be_a_question_is_told_from_talk() -> None:
    for text in (
        "How do I install the VPN client?",
        "does anybody know the wifi password",
        "VPN 怎么安装？",
        "谁知道打印机在哪里",
    ):
        assert asks(text), text
    for text in ("lunch", "The build is red again.", "好的，谢谢", "?", "x" * 600 + "?"):
        assert not asks(text), text
