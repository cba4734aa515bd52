"""A run over hostile data, failing sources and words of a model: a report comes, and says no more than it knows."""

import json
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from evals.diagnosis.folders import read_folder
from evals.diagnosis.incidents.world import NOW, World, container, crashing, end
from evals.diagnosis.trial import report_on
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.diagnosis.intents import MetricScope, intents_for, quoted
from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, Listed, LogRead, ObjectKind
from queries.observe.report.report import DiagnosisReport, DiagnosisRequest
from queries.observe.report.written import report_json
from queries.observe.sources.recorded.api import open_recording
from storage.clock import SystemClock
from tests.scale import scaled

ASKED = DiagnosisRequest("r1", "why?", "en", "c1", "shop", NOW, "cart", "app=cart")
SECRETS = (
    "AKIAIOSFODNN7EXAMPLQ",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "xoxb-123456789012-abcdefGHIJKL",
    "sk-proj-abc123def456ghi789jkl012mno345",
    "glpat-abcdefghij0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4eHh4eHgifQ.c2lnbmF0dXJlc2ln",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
)
NAMED = (
    "password=Hunter2pass!x",
    "postgres://app:p4ssw0rd-in-url@db.x.svc:5432/x",
    "api_key: 7f3c9a1e5b2d4f6081a3c5e7f9b1d3f5",
)


async def reported(world: World, folder: Path) -> DiagnosisReport:
    world.write(folder)
    (folder / "expected.yaml").write_text(f"namespace: shop\napp: cart\nnow: '{NOW.isoformat()}'\n", encoding="utf-8")
    return await report_on(read_folder(folder))


async def test_secrets_escape_sequences_and_endless_lines_are_inert(tmp_path: Path) -> None:
    world = World("shop", "cart")
    owner = ("ReplicaSet", world.deployment(ready=0))
    ended = {**end(1, "Error", 2), "message": "fatal password=Hunter2pass!x"}
    world.pod(owner, container("cart", waiting="CrashLoopBackOff", last=ended, restarts=8), name="cart-1", ready=False)
    for number, secret in enumerate((*SECRETS, *NAMED)):
        world.log(
            "cart-1",
            "cart",
            (3 - number / 100, f"ERROR refused {secret}"),
            (2.5 - number / 100, f"ERROR again {secret}"),
        )
    world.log("cart-1", "cart", (2, "\x1b[31mFATAL\x1b[0m\x1b]0;title\x07 <!channel> password=Hunter2pass!x"))
    world.log("cart-1", "cart", (1.9, "A" * scaled(10_000_000)))
    world.event("cart-1", "BackOff", f"Back-off with {SECRETS[1]}")
    report = await reported(world, tmp_path / "hostile")
    written = json.dumps(report_json(report, "en"), ensure_ascii=False)

    assert {each.rule for each in report.issues} >= {"CRASH_LOOP", "SECRET_IN_LOG"}
    hidden = (*SECRETS, "Hunter2pass!x", "p4ssw0rd-in-url", "7f3c9a1e5b2d4f6081a3c5e7f9b1d3f5")
    assert [each for each in hidden if each in written] == []
    assert "\x1b" not in written
    assert "\\u001b" not in written


@dataclass
class Failing:
    """A cluster of which nothing answers."""

    kind: FailureKind

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        raise ReadFailed(self.kind, f"GET {kind} {namespace} {selector} {most}", status=403)

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        raise ReadFailed(self.kind, f"GET {namespace} {pod} {container} {previous} {lines}")

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        return not (verb and kind and namespace and subresource)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (FailureKind.FORBIDDEN, "ACCESS_DENIED"),
        (FailureKind.UNAUTHORIZED, "ACCESS_DENIED"),
        (FailureKind.TIMED_OUT, "NOT_ENOUGH_READ"),
        (FailureKind.UNREACHABLE, "NOT_ENOUGH_READ"),
    ],
)
async def test_a_cluster_that_tells_nothing_is_never_told_as_healthy(kind: FailureKind, rule: str) -> None:
    report = await diagnose(ASKED, ClusterSources("c1", objects=Failing(kind)))

    assert {each.rule for each in report.issues} == {rule}
    assert report.severity == "S0"
    assert {each.what for each in report.not_checked} >= {"pods", "events", "deployments", "metrics"}


@dataclass(frozen=True)
class Said:
    text: str
    tokens: int = 7


@dataclass
class ScriptedExplainer:
    """Says what it was told to, and keeps what it was asked."""

    text: str
    asked: tuple[str, ...] = ()

    async def explain(self, digest: str, *, language: str) -> Said:
        self.asked = (*self.asked, f"{language} {digest}")
        return Said(self.text)


async def crash_report(folder: Path, explainer: ScriptedExplainer) -> DiagnosisReport:
    world = World("shop", "cart")
    owner = ("ReplicaSet", world.deployment(ready=0))
    world.pod(owner, crashing("cart"), name="cart-1", ready=False)
    world.log("cart-1", "cart", (2, "FATAL no license"))
    world.write(folder)
    return await diagnose(ASKED, open_recording(folder, SystemClock()), explainer=explainer)


async def test_only_sentences_with_evidence_and_its_numbers_are_kept(tmp_path: Path) -> None:
    explainer = ScriptedExplainer(
        "It restarted 8 times [E2]. It restarted 99 times [E2]. It is the database. All fine [E999]."
    )
    report = await crash_report(tmp_path / "w", explainer)

    assert report.explained == ("It restarted 8 times [E2].",)
    assert (report.tokens, report.model_failed) == (7, False)
    assert len(explainer.asked[0]) < 32_000


async def test_a_model_that_cites_nothing_twice_has_failed(tmp_path: Path) -> None:
    explainer = ScriptedExplainer("It is the database.")
    report = await crash_report(tmp_path / "w", explainer)

    assert (report.explained, report.model_failed, len(explainer.asked)) == ((), True, 2)
    assert [each.rule for each in report.issues if each.role == "cause"] == ["CRASH_LOOP"]


async def test_a_model_that_does_not_answer_is_not_waited_for_twice(tmp_path: Path) -> None:
    explainer = ScriptedExplainer("")
    report = await crash_report(tmp_path / "w", explainer)

    assert (report.explained, report.model_failed, len(explainer.asked)) == ((), True, 1)


def test_nothing_of_a_person_ends_a_string_of_a_query() -> None:
    hostile = replace(ASKED, app='x"} or up{y="', namespace="a\\")
    scope = MetricScope(pods=["p.1"], workloads=['x"} or up{y="'], claims=['x"} or up{y="'])
    for intent in intents_for(hostile, scope):
        assert 'x"}' not in intent.query
        assert intent.ago <= timedelta(hours=1)
    assert quoted('a"b\\') == '"a\\"b\\\\"'
