"""What is told of a container that never came to say anything itself."""

from pathlib import Path

from evals.diagnosis.composed.scene import replicas
from evals.diagnosis.incidents.world import NOW, World, crashing
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.report.report import DiagnosisRequest
from queries.observe.sources.recorded.api import open_recording
from storage.clock import SystemClock

SAID = 'runc create failed: unable to start container process: exec: "/app/run.sh": permission denied: unknown'


async def test_what_the_runtime_noted_and_the_signal_are_told_where_there_is_no_log(tmp_path: Path) -> None:
    world = World("shop", "cart")
    start, fault = crashing("cart", 128, "StartError"), crashing("cart", 139)
    start["last"]["terminated"]["message"] = SAID
    replicas(world, start)
    replicas(world, fault, app="basket")
    world.write(tmp_path / "world", whole=True)
    sources = open_recording(tmp_path / "world", SystemClock())
    asked = DiagnosisRequest("r", "why does it crash?", "en", "prod", "shop", NOW)

    told = {each.object.split()[0]: each.hypothesis for each in (await diagnose(asked, sources)).issues}

    assert 'noted as it ended: “exec: "/app/run.sh": permission denied: unknown”' in told["Pod/cart-0"].en
    assert "permission denied" in told["Pod/cart-0"].zh
    assert "code 139 (SIGSEGV)" in told["Pod/basket-0"].en
    assert "noted" not in told["Pod/basket-0"].en
