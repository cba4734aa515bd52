"""No name and no label leads anywhere but to what it names: the path that goes out is the one that was meant."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ObjectKind
from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials, Outgoing
from queries.observe.sources.kubernetes.paths import checked_container, checked_selector, list_path, log_path
from storage.clock import SystemClock
from tests.queries.observe.served import asking, listed

HOSTILE = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(["..", "/", "a", "%2e", "%2f", "?", "#", "\\", ".", "-", "kube-system", "\n", "\0", "@"])
    ).map("".join),
)
SEGMENT = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


def taken(name: Callable[[], str]) -> str | None:
    """Return what is made of a name; None when it is refused as no name."""
    try:
        return name()
    except ReadFailed as error:
        return None if error.kind is FailureKind.BAD_REQUEST else "another failure"


@given(HOSTILE, HOSTILE)
@example("default/../kube-system", "web")
@example("default", "web/../../secrets")
@example("default", "..")
@example("a..b", "a..b")
def test_a_path_has_the_segments_that_were_meant(namespace: str, pod: str) -> None:
    are_names = SEGMENT.fullmatch(namespace) and "." not in namespace and SEGMENT.fullmatch(pod) and ".." not in pod
    path = taken(lambda: log_path(namespace, pod))

    assert path == (f"/api/v1/namespaces/{namespace}/pods/{pod}/log" if are_names else None)


@given(HOSTILE)
@example("default/../kube-system")
def test_a_namespace_is_one_segment_of_a_list(namespace: str) -> None:
    path = taken(lambda: list_path(ObjectKind.DEPLOYMENTS, namespace))
    place = f"/namespaces/{namespace}" if namespace else ""
    is_name = not namespace or (SEGMENT.fullmatch(namespace) and "." not in namespace)

    assert path == (f"/apis/apps/v1{place}/deployments" if is_name else None)


@given(st.one_of(HOSTILE, st.from_regex(r"[a-z]{1,3}=[a-z]{0,3}(,[a-z]=[a-z ()!]{0,3})?", fullmatch=True)))
@example("app in (a)")
@example("app=web,!secret")
@example("app=web&fieldSelector=x")
@example(",")
def test_a_selector_is_labels_and_values(selector: str) -> None:
    checked = taken(lambda: checked_selector(selector))
    parts = selector.split(",") if selector else []
    is_plain = all(re.fullmatch(r"[A-Za-z0-9_./-]+=[A-Za-z0-9_.-]*", part, re.ASCII) for part in parts)

    assert checked in {None, selector}
    assert checked is None or is_plain


@pytest.mark.parametrize("name", ["", "web&previous=true", "Web", "a" * 64, "web\n", "wéb"])
def test_what_is_no_container_is_not_asked_for(name: str) -> None:
    with pytest.raises(ReadFailed):
        checked_container(name)


@pytest.mark.parametrize("path", ["/api/v1/namespaces/default/../kube-system/pods", "/a/./b", "/api//x/../y"])
async def test_a_path_that_would_be_put_right_on_the_way_is_not_sent(path: str) -> None:
    async with asking(lambda _: listed("a")) as (asker, served):
        with pytest.raises(ReadFailed) as error:
            await asker.json(Outgoing(path))

    assert (error.value.kind, served.asked) == (FailureKind.BAD_REQUEST, [])


async def test_an_address_may_have_a_path_of_its_own() -> None:
    async with asking(lambda _: listed("a")) as (asker, served):
        inner = HttpAsker(Endpoint(f"{asker.endpoint.url}/clusters/c1"), NoCredentials(), SystemClock())
        await inner.json(Outgoing("/api/v1/pods"))
        await inner.close()

    assert [each.path for each in served.asked] == ["/clusters/c1/api/v1/pods"]
