"""Reads one cluster over its API. It lists, reads logs, and asks what it may do; it changes nothing."""

from functools import partial

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import Listed, LogRead, ObjectKind
from queries.observe.sources.allowance import may_send_another
from queries.observe.sources.asking import HttpAsker, Outgoing
from queries.observe.sources.kubernetes import paths
from queries.observe.sources.kubernetes.lists import WantedList, read_list
from queries.observe.sources.log_lines import last_lines
from storage.ids import JsonObject

_PAGE = 500
#: Events are small and many: 20,000 are eight requests, and 75 MB at most with pods and logs; in four, 104 MB.
_PAGE_OF_EVENTS = 2500
#: What a kubelet writes in place of a log that is gone, with status 200.
_NO_LOG = ("unable to retrieve container logs for ", "failed to try resolving symlinks in path ")


class KubernetesReader:
    """Objects and logs of one cluster."""

    def __init__(self, asker: HttpAsker) -> None:
        self._asker = asker

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        """Return the objects; of more events than `most`, the newest."""
        events = kind is ObjectKind.EVENTS
        wanted = WantedList(
            paths.list_path(kind, namespace),
            paths.checked_selector(selector),
            most=most,
            page=_PAGE_OF_EVENTS if events else min(_PAGE, most),
            newest=events,
        )
        try:
            return await read_list(self._asker, wanted)
        except ReadFailed as error:
            older = paths.OLDER_GROUPS.get(kind)
            if error.kind is not FailureKind.NOT_FOUND or older is None or not may_send_another():
                raise
            path = paths.list_path(kind, namespace, group=older)
            return await read_list(self._asker, WantedList(path, wanted.selector, most=most, page=wanted.page))

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        """Return the last lines of a container's log; none for a pod that has no node yet."""
        query = (
            ("container", paths.checked_container(container)),
            ("timestamps", "true"),
            ("tailLines", str(lines)),
            *((("previous", "true"),) if previous else ()),
        )
        outgoing = Outgoing(paths.log_path(namespace, pod), query)
        read = await self._asker.ask(outgoing, partial(last_lines, lines=lines))
        if len(read.lines) == 1 and read.lines[0].startswith(_NO_LOG):
            raise ReadFailed(FailureKind.NOT_FOUND, outgoing.told, detail=read.lines[0][:300])
        return LogRead(read.lines, outgoing.told, read.sha256, cut=read.cut or len(read.lines) >= lines)

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        """Return whether the cluster lets the desk do this; the one request that is a POST, and it changes nothing."""
        attributes: JsonObject = {
            "verb": verb,
            "resource": str(kind),
            "group": paths.GROUPS.get(kind, "").partition("/")[0],
            **({"namespace": paths.checked_namespace(namespace)} if namespace else {}),
            **({"subresource": subresource} if subresource else {}),
        }
        review: JsonObject = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": attributes},
        }
        words = f"may {verb} {kind}{'/' + subresource if subresource else ''} {namespace}".strip()
        answer, _ = await self._asker.json(Outgoing(paths.REVIEWS, method="POST", json=review, words=words))
        status = answer.get("status")
        if not isinstance(status, dict) or not isinstance(status.get("allowed"), bool):
            raise ReadFailed(FailureKind.UNREADABLE, words, detail="the answer is no review")
        return status["allowed"] is True
