"""A cluster is read over a real socket: pages, failures by kind, second tries, and nothing but what was asked for."""

import json
from collections.abc import Callable

import pytest

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ObjectKind
from queries.observe.sources.asking import HttpAsker, Presented
from queries.observe.sources.kubernetes.reader import KubernetesReader
from tests.queries.observe.served import Answer, Question, asking, listed, recordings

pytestmark = pytest.mark.usefixtures("no_blocking")
EXPIRED = Answer({"kind": "Status", "reason": "Expired", "message": "too old", "code": 410}, 410)


def in_turn(*answers: Answer) -> Callable[[Question], Answer]:
    """Return what gives these answers, the last one for ever."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


async def failure(answer: Answer, *, tries: int) -> ReadFailed:
    """Return how reading pods fails, which is asked for so many times."""
    async with asking(lambda _: answer) as (asker, served):
        with pytest.raises(ReadFailed) as found:
            await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")
    assert len(served.asked) == tries
    return found.value


async def test_pages_are_put_together_in_order() -> None:
    def answers(asked: Question) -> Answer:
        return {"": listed("a", "b", after="p2"), "p2": listed("c", after="p3"), "p3": listed("d")}[
            asked.query.get("continue", "")
        ]

    async with asking(answers) as (asker, served):
        found = await KubernetesReader(asker).list(ObjectKind.DEPLOYMENTS, namespace="shop", selector="app=web,tier=a")

    assert [each["metadata"] for each in found.objects] == [{"name": name} for name in "abcd"]
    assert (found.complete, found.requests, found.request) == (
        True,
        3,
        "GET /apis/apps/v1/namespaces/shop/deployments?labelSelector=app%3Dweb%2Ctier%3Da",
    )
    assert {(each.path, each.query["labelSelector"], each.query["limit"]) for each in served.asked} == {
        ("/apis/apps/v1/namespaces/shop/deployments", "app=web,tier=a", "500")
    }


async def test_no_more_is_read_than_was_asked_for_and_it_is_said() -> None:
    async with asking(lambda _: listed("a", "b", after="next")) as (asker, served):
        found = await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop", most=2)

    assert (len(found.objects), found.complete, len(served.asked)) == (2, False, 1)


async def test_of_events_the_newest_are_kept() -> None:
    def event(name: str, **times: object) -> dict[str, object]:
        return {"metadata": {"name": name}, **times}

    pages = in_turn(
        Answer(
            {
                "metadata": {"continue": "2"},
                "items": [
                    event("old", lastTimestamp="2026-11-18T09:00:00Z"),
                    event("new", lastTimestamp="2026-11-18T11:00:00Z"),
                ],
            }
        ),
        Answer(
            {
                "metadata": {},
                "items": [
                    event("series", series={"lastObservedTime": "2026-11-18T12:00:00.000000Z"}, lastTimestamp=None),
                    event("older", eventTime="2026-11-18T08:00:00.000000Z"),
                ],
            }
        ),
    )
    async with asking(pages) as (asker, _):
        found = await KubernetesReader(asker).list(ObjectKind.EVENTS, namespace="shop", most=2)

    assert [each["metadata"] for each in found.objects] == [{"name": "new"}, {"name": "series"}]
    assert not found.complete


async def test_a_list_that_grew_too_old_is_begun_again_once() -> None:
    async with asking(in_turn(listed("a", after="2"), EXPIRED, listed("a"))) as (asker, served):
        found = await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")
    assert (len(found.objects), len(served.asked)) == (1, 3)

    async with asking(in_turn(listed("a", after="2"), EXPIRED, listed("a", after="2"), EXPIRED)) as (asker, served):
        with pytest.raises(ReadFailed) as error:
            await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")
    assert (error.value.kind, len(served.asked)) == (FailureKind.EXPIRED, 4)


async def test_pages_that_came_stand_when_the_next_one_fails() -> None:
    async with asking(in_turn(listed("a", after="2"), Answer(status=503))) as (asker, _):
        found = await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")

    assert (len(found.objects), found.complete) == (1, False)


async def test_each_recorded_failure_has_its_kind() -> None:
    folder = recordings() / "_errors"
    recorded = [
        each
        for each in json.loads((folder / "index.json").read_text())
        if each["server"] == "kube-apiserver" and each["status"] >= 400
    ]
    bodies = {each["file"]: (folder / each["file"]).read_bytes() for each in recorded}
    answers = [Answer(bodies[each["file"]], each["status"], each["headers"]) for each in recorded]
    kinds = {}
    async with asking(lambda _: answers[0]) as (asker, _):
        for each in recorded:
            with pytest.raises(ReadFailed) as error:
                await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")
            kinds[each["file"]] = error.value
            answers.pop(0)
    statuses = {int(name[:3]): error.kind for name, error in kinds.items()}

    assert statuses == {
        400: FailureKind.BAD_REQUEST, 401: FailureKind.UNAUTHORIZED, 403: FailureKind.FORBIDDEN,
        404: FailureKind.NOT_FOUND, 410: FailureKind.EXPIRED, 422: FailureKind.BAD_REQUEST,
        429: FailureKind.THROTTLED, 500: FailureKind.SERVER_ERROR,
    }  # fmt: skip
    assert "cannot list resource" in kinds["403-pods.json"].detail
    assert "page not found" in kinds["404-metrics-api-absent.txt"].detail


async def test_a_server_that_asks_for_a_long_pause_is_not_asked_again() -> None:
    error = await failure(Answer(status=429, headers={"retry-after": "30"}), tries=1)

    assert (error.kind, error.retry_after_s) == (FailureKind.THROTTLED, 30.0)


async def test_a_failure_that_passes_is_not_told() -> None:
    async with asking(in_turn(Answer(status=503), listed("a"))) as (asker, _):
        assert len((await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")).objects) == 1


async def test_a_redirect_is_not_followed() -> None:
    error = await failure(Answer(status=302, headers={"location": "http://127.0.0.1:1/"}), tries=1)

    assert (error.kind, error.detail) == (FailureKind.UNREADABLE, "it leads to another address, which is not followed")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"<html>sign in</html>"),
        Answer(b"[1, 2]"),
        Answer(b"[" * 100_000),
        Answer({"items": "none", "metadata": {}}),
        Answer({"kind": "Pod", "metadata": {"name": "a"}}),
        Answer(b"\x1f\x8b", headers={"content-encoding": "gzip"}),
    ],
)
async def test_what_is_no_list_is_told_as_such(answer: Answer) -> None:
    assert (await failure(answer, tries=1)).kind is FailureKind.UNREADABLE


async def test_an_answer_without_an_end_is_left() -> None:
    piece = b" " * 1_000_000
    async with asking(lambda _: Answer(piece * 33)) as (asker, _):
        with pytest.raises(ReadFailed) as error:
            await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")

    assert error.value.kind is FailureKind.TOO_LARGE


async def test_what_does_not_answer_is_not_waited_for() -> None:
    async def silent(asker: HttpAsker) -> ReadFailed:
        with pytest.raises(ReadFailed) as error:
            await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")
        return error.value

    async with asking(lambda _: listed("a"), timeout_s=0.000_1) as (asker, _):
        assert (await silent(asker)).kind is FailureKind.TIMED_OUT
    async with asking(lambda _: listed("a")) as (asker, _):
        pass
    assert (await silent(asker)).kind is FailureKind.UNREACHABLE


class Rotating:
    """A token that is replaced each time that it is read again."""

    def __init__(self) -> None:
        self.number = 1

    async def present(self, *, again: bool = False) -> Presented:
        self.number += again
        return Presented({"authorization": f"Bearer t{self.number}"})


async def test_a_token_that_was_replaced_is_read_again() -> None:
    def answers(asked: Question) -> Answer:
        return listed("a") if asked.headers["authorization"] == "Bearer t2" else Answer(status=401)

    async with asking(answers, credentials=Rotating()) as (asker, served):
        found = await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop")

    assert (len(found.objects), len(served.asked)) == (1, 2)


async def test_a_server_that_is_older_is_asked_as_it_knows() -> None:
    def answers(asked: Question) -> Answer:
        return listed("a") if asked.path.startswith("/apis/autoscaling/v1/") else Answer(b"404 page not found", 404)

    async with asking(answers) as (asker, _):
        assert len((await KubernetesReader(asker).list(ObjectKind.AUTOSCALERS, namespace="shop")).objects) == 1


async def test_a_log_has_its_last_lines_and_says_what_may_be_before() -> None:
    async with asking(lambda _: Answer(b"".join(b"2026-11-18T10:00:0%dZ line\n" % n for n in range(5)))) as (
        asker,
        served,
    ):
        reader = KubernetesReader(asker)
        some = await reader.log("shop", "web-0", "web", previous=True, lines=3)
        every = await reader.log("shop", "web-0", "web", lines=9)

    assert (some.lines[0], len(some.lines), some.cut) == ("2026-11-18T10:00:02Z line", 3, True)
    assert (len(every.lines), every.cut) == (5, False)
    assert served.asked[0].path == "/api/v1/namespaces/shop/pods/web-0/log"
    assert served.asked[0].query == {"container": "web", "timestamps": "true", "tailLines": "3", "previous": "true"}


async def test_a_pod_without_a_node_has_no_lines() -> None:
    async with asking(lambda _: Answer(status=204)) as (asker, _):
        assert (await KubernetesReader(asker).log("shop", "web-0", "web")).lines == ()


async def test_a_log_that_is_gone_is_not_taken_for_a_line() -> None:
    gone = Answer(b"unable to retrieve container logs for containerd://1f")
    async with asking(lambda _: gone) as (asker, _):
        with pytest.raises(ReadFailed) as error:
            await KubernetesReader(asker).log("shop", "web-0", "web")

    assert error.value.kind is FailureKind.NOT_FOUND


async def test_rights_are_asked_by_the_only_post_there_is() -> None:
    folder = recordings() / "_errors"
    allowed, denied = (Answer((folder / f"201-ssar-{name}.json").read_bytes(), 201) for name in ("allowed", "denied"))
    async with asking(in_turn(allowed, denied)) as (asker, served):
        reader = KubernetesReader(asker)
        found = [
            await reader.may("get", ObjectKind.PODS, namespace="shop", subresource="log"),
            await reader.may("list", ObjectKind.JOBS),
        ]

    assert found == [True, False]
    assert [(each.method, each.path) for each in served.asked] == [
        ("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
    ] * 2
    assert [json.loads(each.body)["spec"]["resourceAttributes"] for each in served.asked] == [
        {"verb": "get", "resource": "pods", "group": "", "namespace": "shop", "subresource": "log"},
        {"verb": "list", "resource": "jobs", "group": "batch"},
    ]


async def test_what_a_server_says_of_a_failure_is_short_and_holds_no_secret() -> None:
    token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
    error = await failure(Answer({"message": f"Bearer {token} \x1b[2J is wrong " + "x" * 9_000}, 403), tries=1)

    assert token not in error.detail
    assert len(error.detail) <= 300
    assert error.detail.isprintable()
