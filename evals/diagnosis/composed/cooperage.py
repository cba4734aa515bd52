"""Incidents of a cooperage, held back until those of the vineyard had been mended, and run once."""

from evals.diagnosis.composed.scene import added, complains, filled, job, replicas, takes, times, unplaced, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import World, container, end

APP = "cooper"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "cooper lost its database?",
    "S2",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("cooper-0", APP, "cooper-db", 40)),
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
)
def _erlang_is_refused(world: World) -> None:
    complains(
        world,
        40,
        "[error] GenServer #PID<0.{n}.0> terminating ** (DBConnection.ConnectionError) tcp connect (cooper-db:5432): "
        "connection refused - :econnrefused",
        line="[info] Sent 200 in {n}µs",
        each_s=17,
    )


@INCIDENTS.of(
    "calls to cooper take seconds now",
    "S2",
    finds("REQUESTS_SLOW", "cause"),
    never=("NO_PROBLEM_FOUND", "CPU_THROTTLED", "DEPENDENCY_TIMEOUT"),
)
def _remote_calls_got_slow(world: World) -> None:
    for pod in replicas(world, container(APP), container(APP)):
        works(world, pod)
        takes(world, pod, 3.4, before=0.2, app=APP, name="grpc_server_handling_seconds")


@INCIDENTS.of(
    "cooper feels slow",
    "S0",
    WELL,
    never=("REQUESTS_SLOW", "CPU_THROTTLED", "HTTP_5XX_RATIO"),
)
def _always_took_that_long(world: World) -> None:
    for pod in replicas(world, container(APP), container(APP)):
        works(world, pod)
        takes(world, pod, 0.4, before=0.4, app=APP)


@INCIDENTS.of(
    "cooper-files 的磁盘会不会满?",
    "S0",
    WELL,
    language="zh",
    never=("VOLUME_NEARLY_FULL", "NODE_PRESSURE"),
    app="cooper-files",
)
def _disk_is_half_empty(world: World) -> None:
    world.stateful_set(wanted=1, ready=1)
    (pod,) = added(world, ("StatefulSet", "cooper-files"), [container("cooper-files")])
    works(world, pod)
    filled(world, "data-cooper-files-0", lambda _: 0.58)


@INCIDENTS.of(
    "shop 里有什么不对劲吗?",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/cooper-0", "FailedScheduling", "untolerated taint")),
    finds("DNS_FAILURE", "cause", logged("stave-0", "stave", "oak.shop", 45)),
    language="zh",
    also=("ERROR_BURST", "REPLICAS_MISSING"),
    never=("DEPENDENCY_TIMEOUT", "UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
    whole=True,
)
def _one_has_no_node_and_one_no_name(world: World) -> None:
    owner = ("ReplicaSet", world.deployment(wanted=1, ready=0))
    said = "0/2 nodes are available: 2 node(s) had untolerated taint {dedicated: press}. preemption: not helpful."
    unplaced(world, said, owner=owner, name="cooper-0", age=30)
    (pod,) = replicas(world, container("stave"), app="stave")
    works(world, pod, name="stave")
    line = "ERROR order {n}: dial tcp: lookup oak.shop on 10.96.0.10:53: no such host"
    times(world, pod, "stave", 45, line, each_s=15)


@INCIDENTS.of(
    "昨晚 cooper 的报表任务是不是又失败了?",
    "S0",
    WELL,
    language="zh",
    never=("JOB_BACKOFF_LIMIT", "JOB_DEADLINE_EXCEEDED", "CRASH_LOOP", "NO_PODS_FOUND"),
)
def _report_of_the_night_was_made(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    works(world, pod)
    run = container("report", ended=end(0, "Completed", 420), ready=False)
    job(world, "cooper-report-29391", run, age=440, owner="cooper-report", done=True)
