"""Runbooks in a company's own words, which know no id of a rule: each is cited for what it is about, no other page."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from string import Formatter

import pytest

from evals.diagnosis.incidents.world import NOW
from features.diagnosis.runbooks import Runbooks
from identity.actor import local_operator
from identity.readership import Alone
from queries.observe.report.report import DiagnosisReport, DiagnosisRequest, ReportIssue, ReportWords, Role, Severity
from queries.observe.rules.catalogue import RULES
from queries.observe.rules.finding import RuleFinding
from queries.observe.rules.wording import recommendations_of, words_in
from search.embedding.memory import HashEmbedder
from search.indexes.embedded.engine import EmbeddedIndex
from search.service import SearchService
from storage.clock import ManualClock
from storage.database import Database

HANDBOOK = Path(__file__).with_name("handbook")
#: The pages of the handbook, and the rules that each is about.
ABOUT = {
    "operations/restarts.md": "CRASH_LOOP CONTAINER_RESTARTING LIVENESS_KILLED STARTUP_PROBE_KILLED",
    "operations/memory.md": "OOM_KILLED MEMORY_NEAR_LIMIT EXIT_137_UNCONFIRMED",
    "operations/images.md": "IMAGE_PULL_NOT_FOUND IMAGE_PULL_UNAUTHORIZED IMAGE_PULL_UNKNOWN IMAGE_UNUSABLE",
    "operations/releases.md": "ROLLOUT_STUCK ROLLOUT_PAUSED",
    "operations/room.md": "UNSCHEDULABLE_RESOURCES UNSCHEDULABLE_PLACEMENT QUOTA_EXCEEDED",
    "operations/machines.md": "NODE_NOT_READY NODE_PRESSURE EVICTED",
    "operations/storage.md": "PVC_UNBOUND VOLUME_MOUNT_FAILED",
    "operations/settings.md": "CONFIG_REF_MISSING",
    "operations/slow.md": "CPU_THROTTLED HPA_AT_LIMIT HPA_NOT_SCALING",
    "operations/errors.md": "HTTP_5XX_RATIO ERROR_BURST DEPENDENCY_TIMEOUT DNS_FAILURE",
    "operations/jobs.md": "JOB_BACKOFF_LIMIT JOB_DEADLINE_EXCEEDED",
    "operations/traffic.md": "READINESS_FAILING SERVICE_NO_ENDPOINTS",
    "operations/credentials.md": "SECRET_IN_LOG",
    "运维/重启.md": "CRASH_LOOP CONTAINER_RESTARTING LIVENESS_KILLED STARTUP_PROBE_KILLED",
    "运维/内存.md": "OOM_KILLED MEMORY_NEAR_LIMIT",
    "运维/镜像.md": "IMAGE_PULL_NOT_FOUND IMAGE_PULL_UNAUTHORIZED IMAGE_PULL_UNKNOWN",
    "运维/发布.md": "ROLLOUT_STUCK",
    "运维/资源.md": "UNSCHEDULABLE_RESOURCES QUOTA_EXCEEDED",
    "运维/存储.md": "VOLUME_MOUNT_FAILED",
    "运维/节点.md": "NODE_NOT_READY",
    "运维/依赖.md": "DEPENDENCY_TIMEOUT DNS_FAILURE",
    "运维/配置.md": "CONFIG_REF_MISSING",
    "运维/任务.md": "JOB_BACKOFF_LIMIT",
}
FOLDERS = {"both": "", "English": "operations house", "Chinese": "运维 house"}


@pytest.fixture(params=list(FOLDERS))
async def runbooks(
    request: pytest.FixtureRequest, database: Database, clock: ManualClock, tmp_path: Path
) -> AsyncIterator[tuple[Runbooks, set[str]]]:
    search = SearchService(database, EmbeddedIndex(tmp_path / "index.sqlite"), HashEmbedder(), clock)
    kept = tmp_path / "handbook"
    kept.mkdir()
    for folder in FOLDERS[request.param].split() or [each.name for each in HANDBOOK.iterdir()]:
        shutil.copytree(HANDBOOK / folder, kept / folder)
    pages = {f"{each.parent.name}/{each.name}" for each in kept.glob("*/*.md")}
    await search.add_folder(local_operator(), kept, allow=("staff",))
    await search.embed_pending()
    yield Runbooks(search), pages
    await search.close()


def report_of(rule: str, language: str) -> DiagnosisReport:
    commands = " ".join(each.command for each in words_in("en").rules[rule].do)
    places = {name: "orders" for _, name, _, _ in Formatter().parse(commands) if name}
    finding = RuleFinding(rule, "Pod/orders-1", Severity.S1, (), values=places)
    words = ReportWords("It is broken.", "坏了。")
    issue = ReportIssue(
        rule, finding.object, Role.CAUSE, Severity.S1, words, "high", ("E1",), recommendations_of(finding)
    )
    asked = DiagnosisRequest("r", "?", "zh" if language == "zh" else "en", "c", "shop", NOW, app="orders")
    return DiagnosisReport(asked, Severity.S1, words, (issue,), ())


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_what_is_recommended_cites_the_page_that_is_about_it(
    runbooks: tuple[Runbooks, set[str]], language: str
) -> None:
    finder, pages = runbooks
    cited, wanted, wrong = 0, 0, []
    for rule in RULES:
        right = {page for page, rules in ABOUT.items() if rule in rules.split() and page in pages}
        report = await finder.cited(local_operator(), report_of(rule, language), Alone())
        found = {each.runbook.url for issue in report.issues for each in issue.recommendations if each.runbook}
        wanted += bool(right)
        cited += bool(found & right)
        wrong += [(rule, *found)] if found - right else []

    assert cited >= 0.85 * wanted
    assert len(wrong) <= 1, wrong
