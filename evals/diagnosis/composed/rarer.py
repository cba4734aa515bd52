"""One incident for each rule that the other collections have none for."""

from evals.diagnosis.composed.scene import ended, job, replicas, waiting, works
from evals.diagnosis.incidents.incident import Collection, api, finds, of_status
from evals.diagnosis.incidents.world import World, container, end

INCIDENTS = Collection("rarer")


@INCIDENTS.of(
    "ladle hangs while it is created",
    "S1",
    finds("CONTAINER_NOT_CREATED", "cause"),
    never=("CONFIG_REF_MISSING", "IMAGE_PULL_UNKNOWN", "CRASH_LOOP"),
    name="ladle-name-is-in-use",
    app="ladle",
    held_out=True,
)
def _name_is_in_use(world: World) -> None:
    said = 'failed to reserve container name "ladle_ladle-0_shop_1": name is reserved for "41ac"'
    (pod,) = replicas(world, waiting("ladle", "CreateContainerError", said))
    world.event(pod, "Failed", f"Error: {said}", part="ladle", first=14, last=1, count=12)


@INCIDENTS.of(
    "why did one tank pod restart with 137?",
    "S2",
    finds("EXIT_137_UNCONFIRMED", ""),
    accepted=("S2", "S3"),
    never=("OOM_KILLED", "LIVENESS_KILLED", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
    name="tank-somebody-killed-it",
    app="tank",
)
def _somebody_killed_it(world: World) -> None:
    again = container("tank", since=8, restarts=3, last=end(137, "Error", 8.1, ran=70), limits={"memory": "2Gi"})
    works(world, *replicas(world, again, container("tank")))


@INCIDENTS.of(
    "the yeast export of oven was cut off",
    "S2",
    finds("JOB_DEADLINE_EXCEEDED", "cause"),
    never=("JOB_BACKOFF_LIMIT", "CRASH_LOOP", "EXIT_137_UNCONFIRMED", "NO_PROBLEM_FOUND"),
    name="oven-job-ran-out-of-time",
    app="oven",
    held_out=True,
)
def _job_ran_out_of_time(world: World) -> None:
    (pod,) = job(world, "oven-export", ended(143, "Error", 20, name="run"), reason="DeadlineExceeded", age=80)
    world.log(pod, "run", (60, "exported 100000 rows"), (21, "exported 812000 rows"))
    world.event("oven-export", "DeadlineExceeded", "Job was active longer than specified deadline", kind="Job",
                first=20, last=20, count=1)  # fmt: skip


@INCIDENTS.of(
    "crane-cleanup never ran this week",
    "S0",
    finds("CRONJOB_SUSPENDED", "", api("CronJob/crane-cleanup", "spec.suspend", "True")),
    accepted=("S0", "S2", "S3"),
    also=("NO_PODS_FOUND",),
    name="crane-only-a-suspended-schedule",
    app="crane",
    held_out=True,
)
def _only_a_suspended_schedule(world: World) -> None:
    world.add("cronjobs", "crane-cleanup", spec={"schedule": "0 1 * * 0", "suspend": True}, status={})


@INCIDENTS.of(
    "why does tower not start?",
    "S1",
    finds(
        "IMAGE_UNUSABLE",
        "cause",
        of_status("tower-0", "tower", "state.waiting.reason", "ErrImageNeverPull"),
    ),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_UNKNOWN"),
    name="tower-image-may-not-be-pulled",
    app="tower",
    held_out=True,
)
def _image_may_not_be_pulled(world: World) -> None:
    said = 'Container image "tower:dev" is not present with pull policy of Never'
    (pod,) = replicas(
        world, waiting("tower", "ErrImageNeverPull", said, image="tower:dev", imagePullPolicy="Never"), age=16
    )
    world.event(pod, "ErrImageNeverPull", said, part="tower", first=16, last=0.4, count=70)
    world.event(pod, "Failed", "Error: ErrImageNeverPull", part="tower", first=16, last=0.4, count=70)
