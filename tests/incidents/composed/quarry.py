"""Incidents of a quarry's winches, of kinds that the others lack, written before anything ran on them and run once."""

from evals.diagnosis.composed.scene import (
    added,
    complains,
    ended,
    job,
    refused,
    replicas,
    times,
    unplaced,
    waiting,
    works,
)
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import Body, World, container, crashing, end, stamp

APP = "winch"
RS = "ReplicaSet"
INCIDENTS = Collection(APP, held_out=True)
POLICY = "NETWORK_POLICY_BLOCKS"
_DNS: Body = {"ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]}
_NO_ANSWER = "ERROR ledger: dial tcp 10.96.3.7:5432: i/o timeout (postgres:5432), giving up on {n}"


def policy(
    world: World, name: str, *rules: Body, age: float = 15, pods: Body | None = None, way: str = "egress"
) -> None:
    """Add a network policy of one direction for the pods of the app, or others."""
    chosen = {"matchLabels": world.labels()} if pods is None else pods
    world.add(
        "networkpolicies", name, spec={"podSelector": chosen, "policyTypes": [way.capitalize()], way: list(rules)}
    )
    world.lists["networkpolicies"][-1]["metadata"]["creationTimestamp"] = stamp(age)


def postgres(world: World, port: int = 5432) -> None:
    """Add the service of a database in the same namespace."""
    world.add(
        "services",
        "postgres",
        spec={"clusterIP": "10.96.3.7", "selector": {"app": "postgres"}, "ports": [{"port": port}]},
    )


@INCIDENTS.of(
    "why can winch not reach its database any more?",
    "S1",
    finds(POLICY, "cause", api("NetworkPolicy/winch-egress", "spec.podSelector", "app=winch")),
    finds("DEPENDENCY_TIMEOUT", "", logged("winch-0", APP, "postgres:5432", 40)),
    accepted=("S1", "S2"),
    never=("DNS_FAILURE", "ERROR_BURST"),
)
def _policy_lets_only_names_out(world: World) -> None:
    complains(world, 40, _NO_ANSWER)
    postgres(world)
    policy(world, "winch-egress", _DNS, {"ports": [{"port": 443}]})


@INCIDENTS.of(
    "winch times out, is it the network policy?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    accepted=("S1", "S2"),
    never=(POLICY,),
)
def _policy_allows_the_database(world: World) -> None:
    complains(world, 40, _NO_ANSWER)
    postgres(world)
    policy(world, "winch-egress", _DNS, {"to": [{"podSelector": {"matchLabels": {"app": "postgres"}}}]})


@INCIDENTS.of(
    "winch times out against postgres",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    accepted=("S1", "S2"),
    never=(POLICY,),
)
def _policy_of_somebody_else(world: World) -> None:
    complains(world, 40, _NO_ANSWER)
    postgres(world)
    policy(world, "pulley-closed", pods={"matchLabels": {"app": "pulley"}})
    policy(world, "winch-who-may-call", way="ingress")


@INCIDENTS.of(
    "database of winch refuses connections, who changed the network?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    accepted=("S1", "S2"),
    never=(POLICY,),
)
def _refused_is_no_policy(world: World) -> None:
    complains(world, 40, "ERROR ledger: dial tcp 10.96.3.7:5432: connect: connection refused (postgres:5432) {n}")
    postgres(world)
    policy(world, "winch-egress", _DNS, {"ports": [{"port": 5432}]})


@INCIDENTS.of(
    "winch 解析不了域名,怎么回事?",
    "S1",
    finds(POLICY, "cause", api("NetworkPolicy/winch-egress", "spec.podSelector", "app=winch")),
    finds("DNS_FAILURE", ""),
    language="zh",
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT",),
)
def _policy_forgot_names(world: World) -> None:
    complains(world, 40, "ERROR lookup rates.quarry.example on 10.96.0.10:53: read udp: i/o timeout {n}")
    policy(world, "winch-egress", {"ports": [{"port": 443}, {"port": 5432}]})


@INCIDENTS.of(
    "nobody gets through to winch, its pods look fine",
    "S1",
    finds(POLICY, "cause", api("NetworkPolicy/all-closed", "spec.podSelector", "all pods")),
    accepted=("S1", "S2"),
    never=("READINESS_FAILING", "NO_PROBLEM_FOUND", "SERVICE_NO_ENDPOINTS"),
)
def _closed_for_all(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    world.usage(pod, APP, throttled=0.01)
    world.every(pod, APP, "INFO handled request {n}", since=58, until=13)
    own = {"namespace": world.namespace, "app": APP, "pod": pod, "code": "200"}
    world.counter("http_requests_total", own, per_s=0.0, before=12.0, since=12)
    policy(world, "all-closed", age=12, pods={}, way="ingress")


@INCIDENTS.of(
    "one winch pod will not go away, does it matter?",
    "S3",
    WELL,
    accepted=("S0", "S3"),
    never=("REPLICAS_MISSING", "READINESS_FAILING", "ROLLOUT_STUCK", "NODE_NOT_READY"),
)
def _held_by_a_finalizer(world: World) -> None:
    rs = world.deployment(wanted=2, ready=2)
    works(world, *added(world, (RS, rs), [container(APP)], [container(APP)]))
    gone = container(APP, ended=end(0, "Completed", 39), ready=False)
    added(world, (RS, rs), [gone], first=2)
    world.lists["pods"][-1]["metadata"] |= {
        "deletionTimestamp": stamp(40), "finalizers": ["backup.example/wait"], "deletionGracePeriodSeconds": 30,
    }  # fmt: skip


@INCIDENTS.of(
    "winch cannot be placed since the maintenance window",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/winch-0", "FailedScheduling", "were unschedulable")),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _nodes_are_cordoned(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    unplaced(world, "0/2 nodes are available: 2 node(s) were unschedulable.", owner=(RS, rs), name="winch-0")


@INCIDENTS.of(
    "why does the second winch store never start?",
    "S1",
    finds("READINESS_FAILING", "cause", event("Pod/winch-0", "Unhealthy", "errored")),
    never=("REPLICAS_MISSING", "PVC_UNBOUND", "CRASH_LOOP"),
    accepted=("S1", "S2"),
)
def _first_of_a_set_is_probed_with_a_missing_tool(world: World) -> None:
    world.stateful_set(wanted=3, ready=0)
    (pod,) = added(world, ("StatefulSet", APP), [container(APP) | {"ready": False}])
    world.every(pod, APP, "INFO rope measured {n}", since=50)
    said = (
        'Readiness probe errored: rpc error: code = Unknown desc = failed to exec in container: exec: "pg_isready": '
        "executable file not found in $PATH"
    )
    world.event(pod, "Unhealthy", said, part=APP, first=50, last=0.4, count=300)


@INCIDENTS.of(
    "winch image does not come down from our mirror",
    "S1",
    finds("IMAGE_PULL_UNKNOWN", "", event("Pod/winch-0", "Failed", "unknown authority")),
    also=("CERTIFICATE_REFUSED",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND"),
)
def _mirror_with_a_certificate_of_its_own(world: World) -> None:
    said = (
        'Failed to pull image "r.example/app:1.0": failed to do request: Head "https://r.example/v2/app": '
        "tls: failed to verify certificate: x509: certificate signed by unknown authority"
    )
    (pod,) = replicas(world, waiting(APP, "ImagePullBackOff", 'Back-off pulling image "r.example/app:1.0"'))
    world.event(pod, "Failed", said, part=APP, first=20, last=1, count=7)


@INCIDENTS.of(
    "did the winch import of tonight work?",
    "S2",
    finds("JOB_BACKOFF_LIMIT", ""),
    accepted=("S1", "S2"),
    never=("NO_PROBLEM_FOUND", "CRASH_LOOP"),
)
def _job_gives_up_on_one_exit_code(world: World) -> None:
    (pod,) = job(world, "winch-import", ended(42), reason="PodFailurePolicy", age=30)
    world.log(pod, "run", (10.2, "FATAL import file has 3 columns, 5 expected"))


@INCIDENTS.of(
    "our controller in winch writes errors all over",
    "S2",
    finds("ERROR_BURST", "cause", logged("winch-0", APP, "Reconciler error", 30)),
    accepted=("S1", "S2", "S3"),
    never=("NO_PROBLEM_FOUND", "DEPENDENCY_TIMEOUT"),
)
def _klog_lines(world: World) -> None:
    complains(
        world, 30,
        'E1120 09:58:01.113{n}       1 controller.go:329] "Reconciler error" err="rope is too short" winch="w-{n}"',
        line="I1120 09:50:01.113{n}       1 controller.go:170] Reconciled {n}",
    )  # fmt: skip


@INCIDENTS.of(
    "winch seems to lose work",
    "S2",
    finds("ERROR_BURST", "cause"),
    accepted=("S1", "S2", "S3"),
    never=("NO_PROBLEM_FOUND", "CRASH_LOOP"),
)
def _elixir_processes_end(world: World) -> None:
    complains(
        world, 25,
        "09:58:01.113 [error] GenServer #PID<0.{n}.0> terminating",
        "** (KeyError) key :tension not found in: %{rope: 4}",
        "    (winch 0.4.1) lib/winch/rope.ex:41: Winch.Rope.pull/2",
        line="09:50:01.113 [info] pulled {n}",
    )  # fmt: skip


@INCIDENTS.of(
    "winch cannot store orders",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("winch-0", APP, "mongo-winch", 30)),
    accepted=("S1", "S2"),
    never=("DNS_FAILURE",),
)
def _mongo_does_not_answer(world: World) -> None:
    complains(
        world, 30,
        "ERROR MongoServerSelectionError: Server selection timed out after 30000 ms, mongo-winch:27017 {n}",
        "    at Topology.selectServer (/app/node_modules/mongodb/lib/sdam/topology.js:321:38)",
    )  # fmt: skip


@INCIDENTS.of(
    "winch 搜不到东西了",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    language="zh",
    accepted=("S1", "S2"),
    never=("DNS_FAILURE",),
)
def _search_reads_time_out(world: World) -> None:
    complains(
        world, 30,
        "2026-11-20 09:58:01,113 ERROR [search] ConnectionTimeout caused by - ReadTimeoutError(HTTPConnectionPool("
        "host='elastic-winch', port=9200): Read timed out. (read timeout=10)) id={n}",
    )  # fmt: skip


@INCIDENTS.of(
    "winch forks no workers",
    "S2",
    finds("NODE_PRESSURE", "", api("Node/node-a", "status.conditions[type=PIDPressure].status", "True")),
    finds("ERROR_BURST", ""),
    accepted=("S1", "S2"),
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT"),
)
def _no_process_numbers_left(world: World) -> None:
    complains(world, 30, "ERROR spawn /bin/pull EAGAIN: Resource temporarily unavailable, job {n}")
    world.node("node-a", pressure="PIDPressure", minutes=18, message="kubelet has insufficient PID available")


@INCIDENTS.of(
    "winch has no pod any more since the account was cleaned up",
    "S1",
    finds("NO_PODS_FOUND", ""),
    also=("REPLICAS_MISSING",),
    never=("QUOTA_EXCEEDED", "NO_PROBLEM_FOUND", "CONFIG_REF_MISSING"),
)
def _account_is_gone(world: World) -> None:
    why = 'error looking up service account shop/winch: serviceaccount "winch" not found'
    refused(world, f'Error creating: pods "{{rs}}-" is forbidden: {why}', wanted=2, ready=0)


@INCIDENTS.of(
    "is winch failing? I see the word error everywhere",
    "S3",
    WELL,
    accepted=("S0", "S3"),
    never=("ERROR_BURST", "DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CRASH_LOOP"),
)
def _words_that_alarm(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods, line="INFO stats error_rate=0.0 errors=0 timeouts=0 failed=0 handled={n}")
    for pod in pods:
        times(world, pod, APP, 30, "INFO failover test passed: connection refused by standby as expected, run {n}")
    world.event("winch-old", "FailedPreStopHook", "PreStopHook failed: exit 1", part=APP, first=9, last=9, count=1)


@INCIDENTS.of(
    "winch 是不是内存不够?很慢",
    "S2",
    finds("CPU_THROTTLED", "cause"),
    language="zh",
    never=("MEMORY_NEAR_LIMIT", "OOM_KILLED", "NO_PROBLEM_FOUND"),
)
def _blamed_memory_is_cpu(world: World) -> None:
    pods = replicas(world, *(container(APP, limits={"cpu": "200m", "memory": "1Gi"}) for _ in range(2)))
    for pod in pods:
        world.usage(pod, APP, memory=0.4, throttled=0.6)
        world.every(pod, APP, "INFO handled request {n}", since=58)


@INCIDENTS.of(
    "is winch all right after this morning's canary?",
    "S2",
    finds("CRASH_LOOP", "cause", logged("winch-canary-0", APP, "unknown flag", 1)),
    accepted=("S1", "S2"),  # a workload of its own, of which nothing is ready
    also=("REPLICAS_MISSING",),
    never=("ROLLOUT_STUCK", "OOM_KILLED"),
)
def _canary_of_its_own(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP), container(APP)))
    rs = world.deployment("winch-canary", wanted=1, ready=0, age=20)
    for each in world.lists["deployments"][-1:] + world.lists["replicasets"][-1:]:
        each["metadata"]["labels"] = world.labels()
    pod = world.pod((RS, rs), crashing(APP, 2, "Error"), name="winch-canary-0", ready=False, age=20)
    world.log(pod, APP, (2.1, "unknown flag: --rope-v2"))


@INCIDENTS.of(
    "winch does not get to postgres since the database team closed it",
    "S1",
    finds(POLICY, "cause", api("NetworkPolicy/postgres-clients", "spec.podSelector", "app=postgres")),
    finds("DEPENDENCY_TIMEOUT", ""),
    accepted=("S1", "S2"),
)
def _database_lets_others_in(world: World) -> None:
    complains(world, 40, _NO_ANSWER)
    postgres(world)
    among = {"matchExpressions": [{"key": "app", "operator": "In", "values": ["ledger", "pulley"]}]}
    clients: Body = {"from": [{"podSelector": among}], "ports": [{"port": 5432}]}
    policy(world, "postgres-clients", clients, pods={"matchLabels": {"app": "postgres"}}, way="ingress")


@INCIDENTS.of(
    "winch does not get to postgres, whose policy is it?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    accepted=("S1", "S2"),
    never=(POLICY,),
)
def _labels_that_nobody_can_see(world: World) -> None:
    complains(world, 40, _NO_ANSWER)
    postgres(world)
    policy(world, "winch-egress", _DNS, {"to": [{"podSelector": {"matchLabels": {"tier": "data"}}}]})


@INCIDENTS.of(
    "winch does not reach the rates of the other team",
    "S1",
    finds(POLICY, "cause"),
    finds("DEPENDENCY_TIMEOUT", ""),
    accepted=("S1", "S2"),
)
def _nothing_may_leave(world: World) -> None:
    complains(world, 40, 'ERROR Get "https://rates.pricing.svc:8443/v1": context deadline exceeded {n}')
    policy(world, "nothing-out")
