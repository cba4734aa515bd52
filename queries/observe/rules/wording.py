"""The words of the rules, in both languages: `words/LANGUAGE.yaml`, read once."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter

import yaml
from pydantic import BaseModel, ConfigDict

from queries.observe.report.report import Recommendation, ReportWords
from queries.observe.rules.finding import Excluded, RuleFinding

LANGUAGES = ("en", "zh")


class AdviceStep(BaseModel):
    """One recommendation: a command only reads unless `changes` says otherwise."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    command: str = ""
    changes: bool = False


class RuleWords(BaseModel):
    """What is said of a rule in one language."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
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


@cache
def words_in(language: str) -> RulesFile:
    """Return the words of all rules; reads a file of the package once."""
    written = files("queries.observe.rules.words").joinpath(f"{language}.yaml").read_text(encoding="utf-8")
    return RulesFile.model_validate(yaml.safe_load(written))


def title_of(rule: str) -> ReportWords:
    """Return the name of a rule as a person says it."""
    return ReportWords(*(words_in(language).rules[rule].title for language in LANGUAGES))


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
            words_in(language).rules[excluded.rule].not_so[excluded.why].format_map(_Places(excluded.values))
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
        if not first.command or all(places.known(first.command))
    )


def sentence(name: str, **values: object) -> ReportWords:
    """Return a sentence that belongs to no rule."""
    return ReportWords(*(words_in(language).sentences[name].format_map(_Places(values)) for language in LANGUAGES))


def _sentences(said: Mapping[str, str], names: tuple[str, ...], values: Mapping[str, str], language: str) -> str:
    gap = "" if language == "zh" else " "
    return gap.join(said[name].format_map(_Places(values)) for name in names)


class _Places(dict[str, object]):
    """Values for the places of a sentence; a value is put in as it is and never read as a pattern."""

    def known(self, pattern: str) -> list[bool]:
        """Return for each place of a pattern whether its value is there."""
        return [bool(self.get(name)) for _, name, _, _ in Formatter().parse(pattern) if name]

    def __missing__(self, key: str) -> str:
        return "?"
