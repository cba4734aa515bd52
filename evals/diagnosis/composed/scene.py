"""The shapes that incidents repeat: an app with some replicas, a pod without a node, a job's tries, lines of a log."""

from collections.abc import Callable, Sequence
from typing import Any

from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.incidents.world import Body, World, container, end, stamp

#: What keeps a pod in phase Pending although it has a node.
_NOT_STARTED = frozenset(
    {"ContainerCreating", "PodInitializing", "ErrImagePull", "ImagePullBackOff", "CreateContainerConfigError"}
)
#: Upper bounds of a histogram of seconds, as client libraries have them.
BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
#: What an app logs that is well.
WORK = "INFO handled request {n}"


def replicas(world: World, *pods: Body | Sequence[Body], app: str = "", age: float = 600, **more: Any) -> list[str]:
    """Add the deployment of an app with a pod for each container, or each group of them; return the pods' names.

    A pod is ready when each of its containers is; `more` goes to each pod.
    """
    app = app or world.app
    groups = [[each] if isinstance(each, dict) else list(each) for each in pods]
    ready = [all(each["ready"] for each in group if not each["init"]) for group in groups]
    owner = ("ReplicaSet", world.deployment(app, wanted=len(groups), ready=sum(ready), age=age + 2_000))
    return added(world, owner, *groups, app=app, age=age, **more)


def added(
    world: World, owner: tuple[str, str], *groups: Sequence[Body], app: str = "", first: int = 0, **more: Any
) -> list[str]:
    """Add pods to an owner; return their names: the app's, and a number from `first` on."""
    app = app or world.app
    names = []
    for number, group in enumerate(groups, first):
        mains = [each for each in group if not each["init"]]
        waits = any(each["state"].get("waiting", {}).get("reason") in _NOT_STARTED for each in mains)
        status = {"phase": "Pending" if waits else "Running", **more}
        ready = all(each["ready"] for each in mains)
        names.append(world.pod(owner, *group, app=app, name=f"{app}-{number}", ready=ready, **status))
    return names


def rollout(world: World, *pods: Body, old: int = 2, age: float = 18, app: str = "", stuck: bool = False) -> list[str]:
    """Add a deployment whose old pods serve while the new ones are these; return the names of the new ones."""
    app = app or world.app
    before = world.deployment(app, wanted=old, ready=old, stuck=stuck)
    added(world, ("ReplicaSet", before), *([container(app)] for _ in range(old)), app=app)
    world.lists["deployments"][-1]["status"] |= {
        "replicas": old + len(pods),
        "updatedReplicas": len(pods),
        "unavailableReplicas": max(1, len(pods)),
    }
    new = world.replica_set(
        app, wanted=max(1, len(pods)), ready=0, age=age, revision=2, image=pods[0]["spec"]["image"] if pods else "r/x:2"
    )
    return added(world, ("ReplicaSet", new), *([each] for each in pods), app=app, first=old, age=age)


def refused(
    world: World, said: str, *, wanted: int, ready: int, body: str = "", first: float = 30, last: float = 1
) -> None:
    """Add a deployment whose last pods cannot be made; `said` is why, with `{rs}` for its replica set."""
    world.deployment(wanted=wanted, ready=ready)
    name = world.lists["replicasets"][-1]["metadata"]["name"] = f"{world.app}-rs"
    works(world, *added(world, ("ReplicaSet", name), *([container(body or world.app)] for _ in range(ready))))
    world.event(name, "FailedCreate", said.replace("{rs}", name), kind="ReplicaSet", first=first, last=last, count=15)


def unplaced(world: World, said: str, *, owner: tuple[str, str], name: str, age: float = 25, **body: Any) -> str:
    """Add a pod for which the scheduler finds no node, with its event; return its name."""
    volumes = [{"name": each, "persistentVolumeClaim": {"claimName": each}} for each in body.pop("claims", ())]
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": said}
    world.pod(
        owner,
        container(world.app, waiting="-", **body),
        name=name,
        node="",
        ready=False,
        age=age,
        phase="Pending",
        containerStatuses=[],
        volumes=volumes,
        conditions=[condition | {"lastTransitionTime": stamp(age)}],
    )
    world.event(name, "FailedScheduling", said, new=True, first=age, last=1, count=9)
    return name


def job(
    world: World,
    name: str,
    *tries: Body,
    reason: str = "BackoffLimitExceeded",
    age: float = 40,
    owner: str = "",
    done: bool = False,
) -> list[str]:
    """Add a job that gave up, or went well, with the pods of its tries; return their names."""
    kind = ("Complete", "") if done else ("Failed", reason)
    condition = {"type": kind[0], "status": "True", "reason": kind[1], "lastTransitionTime": stamp(age - 25)}
    meta: Body = {
        "name": name,
        "namespace": world.namespace,
        "labels": world.labels(),
        "creationTimestamp": stamp(age),
    }
    if owner:
        meta["ownerReferences"] = [{"kind": "CronJob", "name": owner, "controller": True}]
    status = {"conditions": [condition]} | ({"succeeded": 1} if done else {"failed": len(tries)})
    world.lists["jobs"].append({"metadata": meta, "spec": {"backoffLimit": 2}, "status": status})
    names = []
    for number, each in enumerate(tries):
        phase = "Succeeded" if done else "Failed"
        names.append(
            world.pod(("Job", name), each, name=f"{name}-{number}", ready=False, phase=phase, age=age - 5 * number)
        )
    return names


def times(world: World, pod: str, name: str, count: int, *lines: str, last: float = 0.3, each_s: float = 8) -> None:
    """Add an entry of one line or several so many times, the last so many minutes ago; `{n}` differs each time."""
    for number in range(count):
        ago = last + number * each_s / 60
        for at, line in enumerate(lines):
            said = line.replace("{n}", str(world.random.randrange(10**5, 10**6)))
            world.log(pod, name, (ago - at * 0.00002, said))


def works(world: World, *pods: str, line: str = WORK, name: str = "", bad: float = 0.0) -> None:
    """Add what an app that is well shows: lines of its work, requests, modest use of CPU and memory."""
    for pod in pods:
        app = name or world.app
        world.every(pod, app, line, since=58)
        world.usage(pod, app, throttled=0.01)
        world.requests(pod, bad=bad, good=10, app=app)


def complains(world: World, count: int, *lines: str, line: str = WORK, **more: float) -> str:
    """Add an app of one pod that serves, and logs an entry so many times; return the pod's name.

    `line` is of its work; `more` says when, as `times` takes it.
    """
    (pod,) = replicas(world, container(world.app))
    works(world, pod, line=line)
    times(world, pod, world.app, count, *lines, **more)
    return pod


def waiting(name: str, reason: str, message: str = "", **more: Any) -> Body:
    """Return a container that waits and is not ready."""
    return container(name, waiting=reason, message=message, ready=False, **more)


def ended(code: int, reason: str = "Error", finished: float = 10, **more: Any) -> Body:
    """Return a container of a try that is over."""
    name = str(more.pop("name", "run"))
    return container(name, ended=end(code, reason, finished), ready=False, **more)


def made(
    name: str, question: str, build: Callable[[World], None], severity: str, *found: Body, **more: Any
) -> MadeUpIncident:
    """Return an incident of the app in question."""
    return MadeUpIncident(name, question, build, severity, found, **more)


def takes(
    world: World, pod: str, now: float, *, before: float, app: str = "", name: str = "http_request_duration_seconds"
) -> None:
    """Add a histogram whose requests all take so many seconds, and took so many until 20 minutes ago."""
    own = {"namespace": "shop", "app": app or world.app, "pod": pod}
    for bound in (*BOUNDS, float("inf")):
        rates = [8.0 if took <= bound else 0.0 for took in (now, before)]
        edge = "+Inf" if bound == float("inf") else str(bound)
        world.counter(f"{name}_bucket", own | {"le": edge}, per_s=rates[0], before=rates[1])


def filled(world: World, claim: str, share: Callable[[int], float]) -> None:
    """Add a claim of 10 GiB of the last pod, and the share of it that is used by minutes before now."""
    own = {"namespace": "shop", "persistentvolumeclaim": claim}
    world.lists["pods"][-1]["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]
    world.gauge("kubelet_volume_stats_capacity_bytes", own, 10.0 * 2**30)
    world.course("kubelet_volume_stats_used_bytes", own, lambda minute: share(minute) * 10 * 2**30)
    world.course("kubelet_volume_stats_available_bytes", own, lambda minute: (1 - share(minute)) * 10 * 2**30)
