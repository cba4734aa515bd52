"""The words of the rules, in both languages: `words/LANGUAGE.yaml`, read once."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter

import yaml
from pydantic import BaseModel, ConfigDict

from queries.observe.report.report import Recommendation, ReportWords
from queries.observe.rules.finding import Excluded, RuleFinding
from storage.redaction.stored import redact

LANGUAGES = ("en", "zh")
#: What names and lengths of time hold that is said otherwise in Chinese.
_CONTAINER = re.compile(r" (init |debug )?container ")
_SOME = re.compile(r" \(([0-9]{1,6}) of ([0-9]{1,6})\)")
_SPAN = re.compile(r"[0-9]{1,6} (?:s|min|h|d)(?: [0-9]{1,2} min)?")
#: Longer values are the words of others.
_LONGEST = 300
_UNITS = {"s": "秒", "min": "分钟", "h": "小时", "d": "天"}
_PARTS = {None: "容器", "init ": " init 容器", "debug ": "调试容器"}


class AdviceStep(BaseModel):
    """One recommendation: a command only reads unless `changes` says otherwise.

    `when` and `unless` name a sentence, or a value, that a finding has or has not where the step is of use.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    command: str = ""
    changes: bool = False
    when: str = ""
    unless: str = ""


class RuleWords(BaseModel):
    """What is said of a rule in one language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    titles: Mapping[str, str] = {}  # by the name of the sentence with which another title holds
    called: tuple[str, ...] = ()  # how people name it: what a runbook about it may be headed
    meaning: str  # what it is, what it cites, what rules it out: for the reference
    says: Mapping[str, str]  # sentences by name, with places
    not_so: Mapping[str, str] = {}  # why it does not hold, by name
    do: tuple[AdviceStep, ...] = ()


class RulesFile(BaseModel):
    """The words of all rules in one language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rules: Mapping[str, RuleWords]
    sentences: Mapping[str, str]
    sources: Mapping[str, str]
    seen: Mapping[str, str]


@cache
def words_in(language: str) -> RulesFile:
    """Return the words of all rules; reads a file of the package once."""
    written = files("queries.observe.rules.words").joinpath(f"{language}.yaml").read_text(encoding="utf-8")
    return RulesFile.model_validate(yaml.safe_load(written))


def title_of(found: RuleFinding) -> ReportWords:
    """Return the name of what was found as a person says it."""
    words = (words_in(language).rules[found.rule] for language in LANGUAGES)
    return ReportWords(
        *(next((each.titles[said] for said in found.says if said in each.titles), each.title) for each in words)
    )


def names_of(rule: str) -> tuple[str, ...]:
    """Return how people name what a rule finds, in every language, its title first."""
    said = (words_in(language).rules[rule] for language in LANGUAGES)
    return tuple(name for each in said for name in (each.title, *each.called))


def hypothesis_of(found: RuleFinding) -> ReportWords:
    """Return what a finding says."""
    values = {**found.values, "object": found.object}
    return ReportWords(
        *(_sentences(words_in(language).rules[found.rule].says, found.says, values, language) for language in LANGUAGES)
    )


def reason_of(excluded: Excluded) -> ReportWords:
    """Return why something does not hold."""
    return ReportWords(
        *(
            words_in(language).rules[excluded.rule].not_so[excluded.why].format_map(_places(excluded.values, language))
            for language in LANGUAGES
        )
    )


def recommendations_of(found: RuleFinding) -> tuple[Recommendation, ...]:
    """Return what to do about a finding; a command that changes something is marked as such."""
    english, chinese = (words_in(language).rules[found.rule].do for language in LANGUAGES)
    places = _Places({**found.values, "object": found.object})
    return tuple(
        Recommendation(
            ReportWords(first.text.format_map(places), second.text.format_map(places)), first.command.format_map(places)
        )
        for first, second in zip(english, chinese, strict=True)
        if (not first.command or all(places.known(first.command))) and _is_of_use(first, found)
    )


def _is_of_use(step: AdviceStep, found: RuleFinding) -> bool:
    has = {*found.says, *(name for name, value in found.values.items() if value)}
    return (not step.when or step.when in has) and step.unless not in has


def sentence(name: str, **values: object) -> ReportWords:
    """Return a sentence that belongs to no rule."""
    return ReportWords(*(words_in(language).sentences[name].format_map(_Places(values)) for language in LANGUAGES))


def _sentences(said: Mapping[str, str], names: tuple[str, ...], values: Mapping[str, str], language: str) -> str:
    gap = "" if language == "zh" else " "
    places = _places(values, language)
    return " ".join(gap.join(said[name].format_map(places) for name in names).split())


def in_chinese(value: str) -> str:
    """Return a name, or a length of time, as it stands in a Chinese sentence."""
    if _SPAN.fullmatch(value):
        return re.sub(r"[a-z]+", lambda unit: _UNITS[unit[0]], value)
    named = _CONTAINER.sub(lambda part: f" 的{_PARTS[part[1]]} ", value)
    return _SOME.sub(r"（\2 个中的 \1 个）", named).replace("） 的", "）的")


def _places(values: Mapping[str, str], language: str) -> "_Places":
    """Return the values of a sentence, what has a name in the language by that name."""
    made: dict[str, object] = {}
    for name, given in values.items():
        value = made[name] = redact(given) if " " in given else given  # a sentence may hold somebody's words
        if name == "what":
            parts = (source_words(each).in_language(language) for each in value.split(", "))
            made[name] = ("、" if language == "zh" else ", ").join(parts)
        elif language == "zh" and len(value) < _LONGEST:
            made[name] = in_chinese(value)
            if name in ("resources", "requests"):
                made[name] = value.replace("memory", "内存").replace("ephemeral-storage", "临时存储")
    return _Places(made)


def source_words(what: str) -> ReportWords:
    """Return what can be read ("pods", "log of checkout-1/web (previous run)") as people call it."""
    name, _, log = what.partition("log of ")
    key = ("log_before" if log.endswith(" (previous run)") else "log") if log and not name else what
    named = {"log": log.removesuffix(" (previous run)")}
    return ReportWords(*(words_in(language).sources.get(key, what).format_map(named) for language in LANGUAGES))


class _Places(dict[str, object]):
    """Values for the places of a sentence; a value is put in as it is and never read as a pattern."""

    def known(self, pattern: str) -> list[bool]:
        """Return for each place of a pattern whether its value is there."""
        return [bool(self.get(name)) for _, name, _, _ in Formatter().parse(pattern) if name]

    def __missing__(self, key: str) -> str:
        return "?"
