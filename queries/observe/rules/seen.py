"""What was seen, as an operator says it: a sentence for each kind of evidence, in both languages."""

import re
from collections.abc import Mapping

from queries.observe.facts.reading import cores, parse_time
from queries.observe.report.instants import instant
from queries.observe.report.report import ReportEvidence, ReportWords
from queries.observe.rules.wording import in_chinese, words_in

#: Which container, condition or variable a field belongs to.
_CONTAINER = re.compile(r"ontainer(?:s|Statuses)\[name=([^\]]{1,253})\]|^spec\.(?:initC|c)ontainers\{([^}]{1,253})\}")
_CONDITION = re.compile(r"conditions\[type=([A-Za-z]{1,60})\]\.(?P<field>[a-z]{1,20})$")
_INDEX = re.compile(r"\[[^\]]{0,300}\]")
_DIGITS = re.compile(r"\d+")
#: Metrics that are shares.
_SHARES = ("ratio", "of_limit")
_SELECTS = "spec.selector."
#: Of words that are quoted cut, so many of the first are the same.
_CUT = 120
#: What is so of most that is well.
_USUAL = frozenset({"True", "False", "0", "NewReplicaSetAvailable", "MinimumReplicasAvailable"})


def seen_words(evidence: ReportEvidence, told: str = "") -> ReportWords:
    """Return one thing that was seen as a sentence; what `told` quotes already is not quoted again."""
    keys, values = _kind(evidence, told)
    english, chinese = (words_in(language).seen for language in ("en", "zh"))
    in_en, in_zh = dict(values), {**values, "object": in_chinese(values["object"])}
    if keys not in (("used",), ("selects",)):  # there it is the name of a resource, or of a label
        in_en["field"], in_zh["field"] = (said.get(values["field"], values["field"]) for said in (english, chinese))
    in_zh["value"] = values["value"].replace(" of ", " / ")
    return ReportWords(_said(english, keys).format_map(in_en), _said(chinese, keys).format_map(in_zh))


def says_much(evidence: ReportEvidence) -> bool:
    """Return whether a piece of evidence tells more than that something is as usual."""
    return evidence.value not in _USUAL or evidence.source != "api" or "eplicas" in evidence.field


def _said(seen: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((seen[key] for key in keys if key in seen), seen["other"])


def _kind(evidence: ReportEvidence, told: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the names of the sentence that says it, the closest first, and what stands in its places."""
    values = {
        "object": _object(evidence),
        "value": _value(evidence),
        "field": evidence.field,
        "reason": evidence.reason,
        "count": str(evidence.count or 1),
        "said": " ".join(evidence.excerpt.split()),
        "at": instant(evidence.at or parse_time(evidence.value)),
        "last": instant(evidence.last),
        "scope": evidence.scope,
        "condition": "",
    }
    if evidence.source in ("event", "log", "error"):
        quoted = "quoted" if values["said"] and _plain(values["said"])[:_CUT] in _plain(told) else "said"
        often = "often" if (evidence.count or 1) > 1 and evidence.last else "once"
        run = "previous." if evidence.source == "log" and evidence.field == "previous" else ""
        bare = "" if values["said"] else "bare"
        return tuple(f"{evidence.source}.{run}{each}" for each in (bare or f"{quoted}.{often}", quoted)), values
    if evidence.source == "absence":
        kind = "measure" if evidence.value == "no data" else evidence.object.partition("/")[0]
        return (f"absence.{evidence.field}", f"absence.{kind}"), values
    if condition := _CONDITION.search(evidence.field):
        values["condition"] = kind = condition[1]
        return (f"{kind}.{evidence.value}", f"condition.{condition['field']}"), values
    if ".used." in evidence.field:
        values["field"] = evidence.field.partition(".used.")[2]
        return ("used",), values
    if evidence.field.startswith(_SELECTS):
        return ("selects",), {**values, "field": evidence.field.removeprefix(_SELECTS)}
    path = _INDEX.sub("", evidence.field).split(".")
    ends = [".".join(path[start:]) for start in range(len(path))]
    values["field"] = path[-2] if len(path) > 1 else ""
    return tuple(f"{end}{amount}" for end in ends for amount in (f".{evidence.value}", "")), values


def _plain(words: str) -> str:
    return _DIGITS.sub("0", " ".join(words.split()))


def _object(evidence: ReportEvidence) -> str:
    """Return what it is about: an app by its name, a container of a pod where the field names one."""
    name = evidence.object.removeprefix("app/").replace("Namespace/", "namespace ")
    found = _CONTAINER.search(evidence.field)
    return f"{name} container {found[1] or found[2]}" if found and " container " not in name else name


def _value(evidence: ReportEvidence) -> str:
    """Return a value as people read it, with its unit: a share in percent, CPU in cores."""
    if evidence.source == "metric":
        share = any(each in evidence.field for each in _SHARES)
        return f"{float(evidence.value) * 100:.3g} %" if share else f"{float(evidence.value):.3g}"
    if evidence.field.endswith((".limits.cpu", ".requests.cpu")):
        return cores(evidence.value)
    return " ".join(evidence.value.split())
