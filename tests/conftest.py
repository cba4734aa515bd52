"""Which fixtures exist: every plugin of `tests/fixtures`."""

from pathlib import Path

from hypothesis import HealthCheck, settings

#: A busy machine is no defect: how long an example takes is the business of benchmarks. The examples of a test follow
#: from its code, so that a test that fails fails again, on every machine.
settings.register_profile("unhurried", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
#: `make fuzz` tries more of each, others each time, and says how what it found is made again.
settings.register_profile(
    "fuzz", settings.get_profile("unhurried"), derandomize=False, max_examples=1_000, print_blob=True
)
settings.load_profile("unhurried")

PLUGINS = sorted((Path(__file__).parent / "fixtures").glob("[!_]*.py"))

pytest_plugins = [f"tests.fixtures.{path.stem}" for path in PLUGINS]
