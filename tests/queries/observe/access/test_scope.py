"""What is not granted does not exist; what is granted by one scope is never widened by another."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identity.actor import Actor, local_operator
from identity.readership import ALONE, Shared, ThreadOnly
from queries.observe.access.scope import reach_of
from queries.observe.config import AppConfig, ClusterConfig, ObserveConfig, PrometheusConfig, ScopeConfig
from queries.observe.errors import OutOfScope

CLUSTER = ClusterConfig(prometheus=PrometheusConfig(url="http://metrics"))
ADA = Actor(id="ada", name="Ada", groups=frozenset({"shop"}))


def config(*scopes: ScopeConfig, **apps: AppConfig) -> ObserveConfig:
    return ObserveConfig(clusters={"prod": CLUSTER, "staging": CLUSTER}, scopes=scopes, apps=apps)


def granted(found: ObserveConfig, cluster: str, namespace: str, actor: Actor = ADA, channel: str = "") -> bool:
    try:
        reach_of(found, actor, readership=ALONE, channel=channel).grant(cluster, namespace)
    except OutOfScope:
        return False
    return True


def test_without_a_scope_nothing_is_there() -> None:
    found = config(checkout=AppConfig(cluster="prod", namespace="shop", labels={"app": "checkout"}))
    reach = reach_of(found, ADA, readership=ALONE)

    assert (reach.clusters, dict(reach.apps), reach.namespaces("prod", ["shop"])) == ((), {}, ())


def test_the_words_are_the_same_for_what_is_not_there_and_what_is_not_theirs() -> None:
    found = config(
        ScopeConfig(to=("group:hr",), namespaces=("payroll",)),
        payroll=AppConfig(cluster="prod", namespace="payroll", labels={"app": "payroll"}),
    )
    reach = reach_of(found, ADA, readership=ALONE)
    said = []
    for ask in (lambda: reach.grant("prod", "payroll"), lambda: reach.app("payroll")):
        with pytest.raises(OutOfScope) as error:
            ask()
        said.append((str(error.value), error.value.args, vars(error.value)))
    nothing = reach_of(ObserveConfig(), ADA, readership=ALONE)
    for ask in (lambda: nothing.grant("prod", "payroll"), lambda: nothing.app("payroll")):
        with pytest.raises(OutOfScope) as error:
            ask()
        said.append((str(error.value), error.value.args, vars(error.value)))

    assert said[:2] == said[2:]


def test_a_channel_is_no_wider_than_it_says() -> None:
    found = config(ScopeConfig(to=("group:shop",), namespaces=("shop-*",), channels=("C1",)))

    assert granted(found, "prod", "shop-eu", channel="C1")
    assert not granted(found, "prod", "shop-eu", channel="C2")
    assert not granted(found, "prod", "shop-eu")
    assert not granted(found, "prod", "shop", channel="C1")


def test_where_others_read_along_only_what_all_may_see_is_there() -> None:
    found = config(
        ScopeConfig(to=("staff",), namespaces=("web",)), ScopeConfig(to=("group:shop",), namespaces=("shop",))
    )
    for readership in (Shared(frozenset({"public", "staff"})), ThreadOnly(Shared(frozenset({"public", "staff"})))):
        for actor in (ADA, local_operator()):
            reach = reach_of(found, actor, readership=readership)
            assert reach.namespaces("prod", ["shop", "web", "other"]) == ("web",)
    assert reach_of(found, local_operator(), readership=ALONE).namespaces("prod", ["shop", "other"]) == (
        "shop",
        "other",
    )


def test_labels_of_a_scope_narrow_what_is_asked_for() -> None:
    found = config(
        ScopeConfig(to=("group:shop",), namespaces=("shop",), labels={"team": "shop"}),
        checkout=AppConfig(cluster="prod", namespace="shop", labels={"app": "checkout"}),
        foreign=AppConfig(cluster="prod", namespace="shop", labels={"app": "foreign", "team": "other"}),
    )
    reach = reach_of(found, ADA, readership=ALONE)

    assert reach.grant("prod", "shop").selector == "team=shop"
    assert reach.app("checkout")[1].selector == "app=checkout,team=shop"
    assert tuple(reach.apps) == ("checkout",)
    with pytest.raises(OutOfScope):
        reach.grant("prod", "shop", labels={"team": "other"})


def test_the_whole_namespace_is_not_held_to_the_labels_of_a_narrower_scope() -> None:
    found = config(
        ScopeConfig(to=("group:shop",), namespaces=("shop",), labels={"team": "shop"}),
        ScopeConfig(to=("staff",), namespaces=("shop",)),
    )

    assert reach_of(found, ADA, readership=ALONE).grant("prod", "shop").selector == ""


NAMES = st.sampled_from(["shop", "shop-eu", "web", "payroll", "kube-system"])
SCOPES = st.builds(
    ScopeConfig,
    to=st.lists(
        st.sampled_from(["staff", "group:shop", "group:hr", "person:ada", "role:admin"]), min_size=1, max_size=2
    ).map(tuple),
    clusters=st.sampled_from([("*",), ("prod",), ("stag*",)]),
    namespaces=st.lists(st.sampled_from(["shop", "shop-*", "*", "web"]), min_size=1, max_size=2).map(tuple),
    channels=st.sampled_from([(), ("C1",)]),
)


@given(
    st.lists(SCOPES, max_size=4),
    st.sampled_from(["prod", "staging", "nowhere"]),
    NAMES,
    st.sampled_from(["", "C1", "C2"]),
)
def test_a_grant_follows_from_one_scope(scopes: list[ScopeConfig], cluster: str, namespace: str, channel: str) -> None:
    mine = {"public", "staff", "person:ada", "group:shop"}
    expected = cluster != "nowhere" and any(
        mine & {*scope.to}
        and any(fnmatchcase(cluster, each) for each in scope.clusters)
        and any(fnmatchcase(namespace, each) for each in scope.namespaces)
        and (not scope.channels or channel in scope.channels)
        for scope in scopes
    )

    assert granted(config(*scopes), cluster, namespace, channel=channel) is expected


@given(st.text(max_size=20))
def test_what_is_no_name_is_never_granted(namespace: str) -> None:
    found = config(ScopeConfig(to=("staff",), namespaces=("*",)))
    plain = namespace.isascii() and namespace.replace("-", "a").isalnum() and namespace == namespace.lower()

    assert granted(found, "prod", namespace) is (plain and namespace[0] != "-" and namespace[-1] != "-")
