"""A recorded incident as a folder: what was asked, and what is expected of the answer."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from evals.cases import CasesInvalid
from queries.observe.report.report import DiagnosisRequest
from storage.files.text import FileInvalid, read_text


class ExpectedFinding(BaseModel):
    """One finding that the answer must (or may) have, and what it must cite."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    rule: str
    role: str = ""
    required: bool = True
    must_cite: tuple[dict[str, Any], ...] = ()


class ForbiddenClaim(BaseModel):
    """A rule that must not be told as a cause."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    rule: str


class Query(BaseModel):
    """What a metric has as its value."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str
    expected: Any = None
    tolerance: float = 0.0


class Expected(BaseModel):
    """The file `expected.yaml`; what it does not need is left aside."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    question: str = ""
    language: str = "en"
    namespace: str
    app: str | None = None
    selector: str = ""
    pod: str = ""
    window_s: int = 1_800
    now: datetime
    severity: str | None = None
    severity_accepted: tuple[str, ...] = ()
    findings: tuple[ExpectedFinding, ...] = ()
    also_accepted: tuple[str, ...] = ()
    must_not_report_as_cause: tuple[ForbiddenClaim, ...] = ()
    secrets_never_output: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()
    group: str = "diagnosis"


@dataclass(frozen=True)
class IncidentFolder:
    """One incident."""

    path: Path
    expected: Expected
    asked: DiagnosisRequest


def folders(root: Path) -> Iterator[IncidentFolder]:
    """Yield the incidents of a folder, or the one that it is; `CasesInvalid` says which file is wrong."""
    paths = (
        [root] if (root / "requests.json").is_file() else sorted(each.parent for each in root.glob("*/requests.json"))
    )
    if not paths:
        raise CasesInvalid(f"{root}: no folder in it has a requests.json.")
    for path in paths:
        yield read_folder(path)


def read_folder(path: Path) -> IncidentFolder:
    """Return one incident; the labels of its app are those with which its pods were asked for."""
    file = path / "expected.yaml"
    try:
        expected = Expected.model_validate(read_text(file).value)
        requests = json.loads((path / "requests.json").read_text(encoding="utf-8"))
    except FileInvalid as error:
        raise CasesInvalid(str(error)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise CasesInvalid(f"{file}: {error}") from error
    selector = expected.selector or next(
        (
            str((each.get("query") or {}).get("labelSelector", ""))
            for each in requests
            if str(each["path"]).endswith("/pods")
        ),
        "",
    )
    now = expected.now if expected.now.tzinfo else expected.now.replace(tzinfo=UTC)
    asked = DiagnosisRequest(
        run_id=path.name,
        question=expected.question,
        language="zh" if expected.language == "zh" else "en",
        cluster="recording",
        namespace=expected.namespace,
        now=now,
        app=expected.app or "",
        selector=selector,
        pod=expected.pod,
        window_s=expected.window_s,
    )
    return IncidentFolder(path, expected, asked)
