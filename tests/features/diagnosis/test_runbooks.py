"""Runbooks in a company's own words, which know no id of a rule: each is cited for what it is about, no other page."""

import itertools
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from string import Formatter

import pytest

from agent.results import plain_words
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
from tests.incidents.book import INCIDENTS

HANDBOOK = Path(__file__).with_name("handbook")
#: Notes of people on call, a section for half of the causes, headed as people speak.
NOTES = Path(__file__).with_name("on_call")
HEADED = {
    "CRASH_LOOP": "It keeps falling over|服务反复挂掉",
    "CONTAINER_RESTARTING": "It keeps falling over|服务反复挂掉",
    "OOM_KILLED": "Killed for using too much memory|内存用太多被杀掉",
    "LIVENESS_KILLED": "The health check says it is dead|健康检查不过被重启",
    "STARTUP_PROBE_KILLED": "The health check says it is dead|健康检查不过被重启",
    "HTTP_5XX_RATIO": "Customers see 500s|大量 500 错误",
    "ERROR_BURST": "Same error thousands of times in the logs",
    "DEPENDENCY_TIMEOUT": "Another service or the database does not answer|数据库或下游连不上",
    "DNS_FAILURE": "Names cannot be looked up|域名解析失败",
    "IMAGE_PULL_UNAUTHORIZED": "The registry says access denied|镜像没有权限拉取",
    "IMAGE_PULL_NOT_FOUND": "Image or tag does not exist|镜像标签写错或不存在",
    "CONFIG_REF_MISSING": "A secret or its settings are not there|少了密钥或配置",
    "INIT_CONTAINER_FAILED": "The step before the main container hangs or fails",
    "UNSCHEDULABLE_RESOURCES": "No room left on the cluster|机器资源不够，起不来",
    "PVC_UNBOUND": "Its disk stays pending",
    "ROLLOUT_STUCK": "A deploy does not get through|发布卡住",
    "QUOTA_EXCEEDED": "The team has used up its quota",
    "NODE_NOT_READY": "A worker machine is gone|节点挂了",
    "NODE_PRESSURE": "Disk or memory of a node is full",
    "EVICTED": "Pods were thrown off a node",
    "CPU_THROTTLED": "Slow because the CPU is capped",
    "HPA_AT_LIMIT": "Autoscaling hit the ceiling",
    "SERVICE_NO_ENDPOINTS": "A service has nothing behind it",
    "JOB_BACKOFF_LIMIT": "A nightly job failed|夜间任务失败",
}
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
    "operations/slow.md": "REQUESTS_SLOW CPU_THROTTLED HPA_AT_LIMIT HPA_NOT_SCALING",
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


@pytest.fixture
async def search(database: Database, clock: ManualClock, tmp_path: Path) -> AsyncIterator[SearchService]:
    made = SearchService(database, EmbeddedIndex(tmp_path / "index.sqlite"), HashEmbedder(), clock)
    yield made
    await made.close()


@pytest.fixture(params=list(FOLDERS))
async def runbooks(request: pytest.FixtureRequest, search: SearchService, tmp_path: Path) -> tuple[Runbooks, set[str]]:
    kept = tmp_path / "handbook"
    kept.mkdir()
    for folder in FOLDERS[request.param].split() or [each.name for each in HANDBOOK.iterdir()]:
        shutil.copytree(HANDBOOK / folder, kept / folder)
    pages = {f"{each.parent.name}/{each.name}" for each in kept.glob("*/*.md")}
    await search.add_folder(local_operator(), kept, allow=("staff",))
    await search.embed_pending()
    return Runbooks(search), pages


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


async def test_a_page_in_the_other_language_is_said_to_be_and_one_in_the_own_comes_first(
    search: SearchService, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "memory.md").write_text("# Out of memory\n\nOOM_KILLED: raise the limit twice at most.\n")
    await search.add_folder(local_operator(), notes, allow=("staff",))
    words, _ = await Runbooks(search).of(local_operator(), report_of("OOM_KILLED", "zh"), Alone())
    assert plain_words(words, "zh") == "处理手册：Out of memory（英文页面）"

    (notes / "neicun.md").write_text("# 内存用太多被杀掉\n\n先看曲线，再调上限。\n")
    await search.add_folder(local_operator(), notes, allow=("staff",))
    told = {}
    for language in ("en", "zh"):
        words, _ = await Runbooks(search).of(local_operator(), report_of("OOM_KILLED", language), Alone())
        told[language] = plain_words(words, language)
    assert told == {"en": "Runbook: Out of memory", "zh": "处理手册：内存用太多被杀掉"}


async def test_most_incidents_cite_the_section_that_people_on_call_wrote(search: SearchService, tmp_path: Path) -> None:
    """Of the incidents whose cause the notes know, 164 of 211 had its section at first sight, none a wrong one."""
    shutil.copytree(NOTES, tmp_path / "notes")
    shutil.copytree(HANDBOOK / "house", tmp_path / "notes" / "house")
    await search.add_folder(local_operator(), tmp_path / "notes", allow=("staff",))
    await search.embed_pending()
    finder = Runbooks(search)
    found: dict[tuple[str, str], bool | None] = {}
    for rule, language in itertools.product(HEADED, ("en", "zh")):
        report = await finder.cited(local_operator(), report_of(rule, language), Alone())
        titles = {each.runbook.title for issue in report.issues for each in issue.recommendations if each.runbook}
        named = {title.removesuffix("（英文页面）").removesuffix(" (in Chinese)") for title in titles}
        right = any(title.endswith(heading) for title in named for heading in HEADED[rule].split("|"))
        found[rule, language] = right if titles else None

    told = [
        [found[rule["rule"], each.language] for rule in each.findings if rule["rule"] in HEADED] for each in INCIDENTS
    ]
    told = [each for each in told if each]
    assert sum(any(each) for each in told) >= 0.9 * len(told)
    assert sum(False in each for each in told) <= 0.02 * len(told)
