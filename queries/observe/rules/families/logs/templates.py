"""What logs repeat: lines that say the same but for numbers and names, and when they became many."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from queries.observe.facts.facts import ClusterFacts, app_of
from queries.observe.facts.logs import ContainerLog, LogLine
from queries.observe.facts.pods import Pod
from queries.observe.report.report import ReportEvidence

#: What differs between two lines that say the same.
_VARIES = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    r"|\b0x[0-9a-fA-F]++"
    r"|\b(?=[0-9a-z]*[0-9])(?=[0-9a-z]*[a-z])[0-9a-z]{8,}+\b"
    r"|(?<=[/=\[\s:-])[0-9a-f]{6,}+\b"
    r"|\d++(?:[.,:]\d++)*",
    re.ASCII,  # an id between Chinese letters stands alone
)
_MOST_WORDS = 40
#: What a line is about stands in so many of its first characters.
_TOLD = 400

#: A burst has at least so many lines in the window, and one within the last minutes.
_LEAST, _LASTS = 8, timedelta(minutes=5)
#: Where no time before shows, at least so many, while this share of the requests fails.
_MANY, _FAILING = 20, 0.05
#: Lines of fewer words are not joined; of those of a length and beginning, so many shapes are known; this share of
#: their words is the same.
_FEWEST_WORDS, _MOST_SHAPES, _SAME = 4, 50, 0.7


@dataclass(frozen=True)
class Template:
    """Lines that say the same but for numbers and names: as they stand in each log."""

    words: str
    lines: tuple[tuple[ContainerLog, tuple[LogLine, ...]], ...]

    @property
    def count(self) -> int:
        """Return how many lines there are."""
        return sum(len(lines) for _, lines in self.lines)

    @property
    def times(self) -> list[datetime]:
        """Return when each was written, sorted."""
        return sorted(line.at for _, lines in self.lines for line in lines if line.at is not None)

    @property
    def sample(self) -> LogLine:
        """Return the first of its lines."""
        return self.lines[0][1][0]

    def cite(self) -> list[ReportEvidence]:
        """Return one line of each log as evidence, with how many are like it there."""
        return [
            log.cite(lines[-1], count=len(lines), first=lines[0].at, last=lines[-1].at) for log, lines in self.lines
        ]


def template_of(words: str) -> str:
    """Return what a line says, with what varies from line to line taken out."""
    return " ".join(_VARIES.sub("*", words[:_TOLD]).split()[:_MOST_WORDS])


def mentions(words: str, parts: Sequence[str]) -> bool:
    """Return whether words hold one of some parts, in lower case: a quick look before a pattern's slow one."""
    low = words.lower()
    return any(part in low for part in parts)


def templates(logs: Sequence[ContainerLog], *, bad: bool = True) -> list[Template]:
    """Return the templates of error lines (or of the others), the most frequent first."""
    found: dict[str, dict[int, list[LogLine]]] = {}
    for index, log in enumerate(logs):
        for line in log.lines:
            if line.bad == bad:
                found.setdefault(template_of(line.words), {}).setdefault(index, []).append(line)
    found = _alike(found)
    made = [
        Template(words, tuple((logs[index], tuple(lines)) for index, lines in sorted(by_log.items())))
        for words, by_log in found.items()
    ]
    return sorted(made, key=lambda each: (-each.count, each.words))


def _alike(found: dict[str, dict[int, list[LogLine]]]) -> dict[str, dict[int, list[LogLine]]]:
    """Return the groups, with the small ones that differ in few words as one: names vary without a digit.

    A group that is large enough to be told by itself keeps its own count, which `grep -c` gives again.
    """
    joined: dict[str, dict[int, list[LogLine]]] = {}
    shapes: dict[tuple[int, str], list[list[str]]] = {}
    for words, by_log in found.items():
        tokens, name = words.split(" "), words
        if len(tokens) >= _FEWEST_WORDS and sum(map(len, by_log.values())) < _LEAST:
            known = shapes.setdefault((len(tokens), tokens[0]), [])
            shape = next((each for each in known if _same_words(each, tokens) >= _SAME * len(tokens)), None)
            if shape is None and len(known) < _MOST_SHAPES:
                known.append(shape := tokens)
            name = " ".join(shape or tokens)
        kept = joined.setdefault(name, {})
        for index, lines in by_log.items():
            kept.setdefault(index, []).extend(lines)
    for by_log in joined.values():
        for lines in by_log.values():
            lines.sort(key=lambda each: (each.at is not None, each.at or 0))
    return joined


def _same_words(first: Sequence[str], second: Sequence[str]) -> int:
    return sum(one == other for one, other in zip(first, second, strict=True))


def most_common_errors(logs: Sequence[ContainerLog], *, most: int) -> list[ReportEvidence]:
    """Return the error that the logs repeat most, as evidence; one that stands there once is no repetition."""
    return [cited for each in templates(logs) if each.count > 1 for cited in each.cite()][:most]


@dataclass(frozen=True)
class Burst:
    """Lines of one template that come far more often than they did before."""

    template: Template
    onset: datetime
    count: int  # since the onset
    before: int
    works: bool  # other lines, those of the app's work, still come


def bursts(facts: ClusterFacts, app: str, logs: Sequence[ContainerLog]) -> list[Burst]:
    """Return the bursts of an app that go on, by how many lines they have."""
    found = [burst for each in templates(logs) if (burst := _burst(facts, each, logs)) is not None]
    return found or _without_baseline(facts, app, logs)


def _without_baseline(facts: ClusterFacts, app: str, logs: Sequence[ContainerLog]) -> list[Burst]:
    """Return errors of logs that show no time before them, so that the requests which fail have to show it.

    Such logs were cut, and the errors fill them; or they are of new pods, and an hour ago the requests were well.
    """
    now, before = (failing_share(facts, name, app) for name in ("error_ratio", "error_ratio_1h_ago"))
    if now is None or now < _FAILING:
        return []
    if any(each.cut for each in logs):
        least = 0.3 * sum(len(each.lines) for each in logs)
    elif before is not None and before < now / 2 and _are_new(facts, logs):
        least = 0
    else:
        return []
    return [
        Burst(each, each.times[0], each.count, 0, works=True)
        for each in templates(logs)
        if each.times and each.count >= max(_MANY, least) and facts.now - each.times[-1] <= _LASTS
    ]


def failing_share(facts: ClusterFacts, name: str, app: str) -> float | None:
    """Return the share of an app's requests that fail, by a measure; None where it was not measured."""
    return max((each.value for each in facts.measure(name) or () if each.label("app") in {app, ""}), default=None)


def _are_new(facts: ClusterFacts, logs: Sequence[ContainerLog]) -> bool:
    """Return whether the pods of all logs were made within the last hour."""
    made = {each.name: each.created for each in facts.pods}
    times = [made.get(each.pod) for each in logs]
    return bool(times) and all(at is not None and facts.now - at < timedelta(hours=1) for at in times)


def _burst(facts: ClusterFacts, template: Template, logs: Sequence[ContainerLog]) -> Burst | None:
    times = template.times
    starts = [line.at for log in logs for line in log.lines[:1] if line.at is not None]
    if len(times) < _LEAST or not starts or facts.now - times[-1] > _LASTS:
        return None
    start = min(starts)
    minutes = max(1, int((facts.now - start) / timedelta(minutes=1)) + 1)
    bins = [0] * minutes
    for each in times:
        bins[min(minutes - 1, max(0, int((each - start) / timedelta(minutes=1))))] += 1
    quiet = bins[: max(3, minutes // 4)]
    usual = median(quiet)
    spread = median(abs(each - usual) for each in quiet)
    limit = max(usual + 5 * 1.4826 * spread, 3 * usual, sum(quiet) / len(quiet) * 2)
    lately = bins[-6:-1] or bins
    recent = sum(lately) / len(lately)
    if recent < max(0.5, limit) or recent <= limit:
        return None
    first = _onset(bins, limit)
    onset = max(
        start + timedelta(minutes=first), next(each for each in times if each >= start + timedelta(minutes=first))
    )
    since = [each for each in times if each >= onset]
    return Burst(template, onset, len(since), len(times) - len(since), still_works(facts, logs, onset))


def _onset(bins: Sequence[int], limit: float) -> int:
    """Return the minute in which the burst begins: the first above the limit after the last five quiet minutes."""
    quiet, start = 0, 0
    for index in range(len(bins) - 1, -1, -1):
        quiet = 0 if bins[index] > limit else quiet + 1
        if quiet >= 5:
            start = index + quiet
            break
    return next((index for index in range(start, len(bins)) if bins[index] > limit), start)


def still_works(facts: ClusterFacts, logs: Sequence[ContainerLog], onset: datetime) -> bool:
    """Return whether the lines that an app wrote while it was well still come."""
    for each in templates(logs, bad=False)[:5]:
        times = each.times
        before = [moment for moment in times if moment < onset]
        after = [moment for moment in times if moment >= onset]
        length, since = (onset - before[0] if before else timedelta()), facts.now - onset
        if len(before) >= 5 and length > timedelta(minutes=2) and since > timedelta(minutes=2):
            usual = len(before) / length.total_seconds()
            if len(after) / since.total_seconds() >= usual / 10:
                return True
        elif len(after) >= 5:
            return True
    return False


def by_app(facts: ClusterFacts) -> list[tuple[str, list[Pod], list[ContainerLog]]]:
    """Return the logs of each app with its pods; a log that stands in two places is taken once."""
    pods = {each.name: each for each in facts.pods}
    found: dict[str, tuple[list[Pod], list[ContainerLog]]] = {}
    for log in facts.logs:
        pod = pods.get(log.pod)
        app = facts.asked.app or (app_of(pod) if pod else "")
        own, logs = found.setdefault(app, ([], []))
        if pod is not None and pod not in own:
            own.append(pod)
        if log.lines and not (log.previous and is_read_twice(facts, log)):
            logs.append(log)
    return [(app, own, logs) for app, (own, logs) in sorted(found.items())]


def is_read_twice(facts: ClusterFacts, log: ContainerLog) -> bool:
    """Return whether the log of an ended run was also read as the current one."""
    return any(
        (each.pod, each.container) == (log.pod, log.container) and not each.previous and each.lines[:1] == log.lines[:1]
        for each in facts.logs
        if each.lines
    )
