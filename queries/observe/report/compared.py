"""A report beside the one that is made of the same answers now: which parts come out differently."""

from collections.abc import Iterator
from dataclasses import dataclass

from queries.observe.report.report import DiagnosisReport
from queries.observe.report.written import report_json
from storage.ids import JsonObject, JsonValue

#: Parts of a report that follow from the answers alone; how long calls took and what a model said do not.
_PARTS = ("summary", "evidence", "ruledOut", "notChecked", "changes", "metrics")


@dataclass(frozen=True)
class ComparedPart:
    """One part of a report: as it was kept, and as it is made now; None where there is none."""

    what: str
    recorded: JsonValue
    now: JsonValue

    @property
    def diverges(self) -> bool:
        """Return whether it comes out differently now."""
        return self.recorded != self.now


def compared(recorded: DiagnosisReport, now: DiagnosisReport) -> tuple[ComparedPart, ...]:
    """Return each part of two reports, with an entry of its own for each issue that either has."""
    language = recorded.asked.language
    before, after = report_json(recorded, language), report_json(now, language)
    issues, again = _issues(before), _issues(after)
    return (
        *(
            ComparedPart(f"issue {name}", issues.get(name), again.get(name))
            for name in dict.fromkeys((*issues, *again))
        ),
        *(ComparedPart(part, before[part], after[part]) for part in _PARTS),
    )


def _issues(report: JsonObject) -> dict[str, JsonObject]:
    return dict(_named(report["issues"]))


def _named(issues: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    for each in issues if isinstance(issues, list) else ():
        if isinstance(each, dict):
            yield f"{each['rule']} {each['object']}", each
