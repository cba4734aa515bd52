"""The run store as pages: what was asked, each step, what was found, how it ended."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import BaseRoute

from adapters.markdown import parsing as markdown
from agent.runs.answer import Outcome
from agent.runs.run import Run, RunState, StepStatus
from agent.tools.evidence import Evidence
from bot.console.pages import Pages
from bot.rendering.texts.catalogue import has
from features.anatomy.pages import Visit
from features.anatomy.reader import page_url
from identity.permissions import Permission
from identity.policy import decide
from search.access import THREAD_FILES
from storage.ids import JsonValue

OUTCOME_TONES: Mapping[str, str] = {
    Outcome.ANSWERED: "good",
    Outcome.NO_EVIDENCE: "neutral",
    Outcome.ASKED_BACK: "info",
    Outcome.NEEDS_APPROVAL: "info",
    Outcome.REFUSED: "warn",
    Outcome.FAILED: "bad",
    RunState.RUNNING: "neutral",
}
STEP_TONES: Mapping[str, str] = {
    StepStatus.OK: "good",
    StepStatus.REPLAYED: "neutral",
    StepStatus.PENDING: "info",
    StepStatus.DENIED: "warn",
    StepStatus.ERROR: "bad",
}


class RunPages:
    """The list and one run; whose runs may be read is decided by the run store."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._runs = pages.desk.runs

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [self._pages.get("/runs", self.all), self._pages.get("/runs/{run_id}", self.show)]

    async def all(self, visit: Visit) -> Response:
        """Show runs, newest first."""
        may_see_all = decide(visit.actor, Permission.RUNS_READ_ALL).allowed
        whose = "all" if may_see_all and visit.asked("whose") == "all" else "mine"
        asked = visit.asked("outcome")
        outcome = Outcome(asked) if asked in {each.value for each in Outcome} else None
        runs = await self._runs.list(visit.actor, everybody=whose == "all", outcome=outcome)
        return await self._pages.draw(
            visit,
            "runs.html",
            here="runs",
            runs=runs,
            whose=whose,
            may_see_all=may_see_all,
            outcome=outcome,
            outcomes=list(Outcome),
            outcome_tones=OUTCOME_TONES,
            took=_took,
        )

    async def show(self, visit: Visit) -> Response:
        """Show one run with its steps and evidence."""
        run = await self._runs.show(visit.actor, visit.parts["run_id"])
        cited = {str(each.get("evidence_id")) for each in _items(run.answer.get("citations"))}
        return await self._pages.draw(
            visit,
            "run.html",
            here="runs",
            run=run,
            evidence=[_evidence(item, visit, cited) for item in run.evidence],
            answer_text=_answer(run),
            outcome_tones=OUTCOME_TONES,
            step_tones=STEP_TONES,
            took=_took,
            named=partial(_named, visit),
            pretty=_pretty,
        )


def _answer(run: Run) -> Markup | str:
    text = str(run.answer.get("text") or run.answer.get("question") or "")
    return Markup(markdown.to_html(text)) if text else ""  # noqa: S704 - `to_html` escapes


def _evidence(item: Evidence, visit: Visit, cited: set[str]) -> dict[str, Any]:
    source = item.source
    name, path = str(source.get("source_name") or ""), str(source.get("source") or "")
    href = page_url(visit.reader, source=name, path=path, anchor=str(source.get("anchor") or ""))
    return {
        "id": item.evidence_id,
        "title": str(source.get("title") or item.type),
        "section": str(source.get("section") or ""),
        "href": href if name and path and name != THREAD_FILES else "",
        "text": item.text,
        "score": item.score,
        "reason": item.authz.get("reason", ""),
        "cited": item.evidence_id in cited,
    }


def _named(visit: Visit, kind: str, code: str) -> str:
    """Return a code of the run store in the reader's words; one that has none is shown as it is."""
    key = f"console.{kind}.{code}"
    return visit.say(key) if has(key) else code


def _took(run: Run) -> str:
    if run.finished_at is None:
        return "–"
    ms = (run.finished_at - run.started_at).total_seconds() * 1000
    return f"{ms:.0f} ms" if ms < 1_000 else f"{ms / 1000:.1f} s"


def _pretty(value: JsonValue) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def _items(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, (list, tuple)) else []
