"""A large cluster, and a process that diagnoses it and says how much memory that took: `python -m ... ROLE SCALE`."""

import asyncio
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from queries.observe.diagnosis.budget import RunBudget
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.reading import ClusterSources
from queries.observe.report.report import DiagnosisRequest
from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials
from queries.observe.sources.kubernetes.reader import KubernetesReader
from queries.observe.sources.limited import Breakers, limited
from storage.clock import SystemClock
from tests.queries.observe.served import Answer, Question, Served, listening, recordings

NOW = datetime(2026, 11, 18, 10, 0, 30, tzinfo=UTC)
PODS, EVENTS, LOG_BYTES = 2_000, 20_000, 50_000_000


def cluster(scale: float) -> Served:
    """Return a cluster of that size, with pods, events and workloads like the recorded ones."""
    folder = recordings() / "02-crashloop-oomkilled"
    names = ("pods", "events", "deployments", "replicasets")
    examples = {name: json.loads((folder / f"{name}.json").read_text())["items"][0] for name in names}
    counts = {"pods": round(PODS * scale), "events": round(EVENTS * scale), "deployments": 1, "replicasets": 1}
    line = b"2026-11-18T10:00:00.000000000Z " + b"ERROR cannot reach the payment service " * 5 + b"\n"
    log = line * (round(LOG_BYTES * scale) // len(line))

    def answers(asked: Question) -> Answer:
        kind = asked.path.rpartition("/")[2]
        if kind == "log":
            return Answer(log)
        if kind not in counts:
            return Answer({"metadata": {}, "items": []})
        start, most = int(asked.query.get("continue", "0")), int(asked.query["limit"])
        end = min(counts[kind], start + most)
        items = [_numbered(examples[kind], number) for number in range(start, end)]
        after = {"continue": str(end)} if end < counts[kind] else {}
        return Answer({"metadata": after, "items": items})

    return Served(answers)


def _numbered(example: dict[str, dict[str, object]], number: int) -> dict[str, object]:
    return {**example, "metadata": {**example["metadata"], "name": f"n-{number}"}}


async def serve(scale: float) -> None:
    async with listening(cluster(scale)) as url:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


async def diagnosed(url: str) -> None:
    """Diagnose the whole namespace, and print the megabytes above those before, and what came of it."""
    clock = SystemClock()
    asker = HttpAsker(Endpoint(url), NoCredentials(), clock, timeout_s=60)
    sources = limited(ClusterSources("big", objects=KubernetesReader(asker)), Breakers(clock)).sources
    asked = DiagnosisRequest("big", "What is wrong?", "en", "big", "media", NOW)
    before = _memory_kb("VmRSS")
    report = await diagnose(asked, sources, budget=RunBudget(timeout_s=120))
    above = _memory_kb("VmHWM") - before
    await asker.close()
    sys.stdout.write(json.dumps({
        "mb": above / 1_000, "found": {each.rule: each.object for each in report.issues},
        "requests": sum(each.requests for each in report.calls), "cut": report.log_truncated,
    }))  # fmt: skip


def _memory_kb(name: str) -> int:
    """Return what Linux says of this process: VmRSS is now, VmHWM the most since it began."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


if __name__ == "__main__":
    role, value = sys.argv[1:]
    asyncio.run(serve(float(value)) if role == "serve" else diagnosed(value))
