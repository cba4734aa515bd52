"""What the rules say: each rule in each language, with the same places, and no command that harms unmarked."""

from string import Formatter

import pytest

from queries.observe.rules.catalogue import RULES
from queries.observe.rules.wording import LANGUAGES, RuleWords, words_in

#: What a command may do that is shown as safe to read.
READS = {"get", "describe", "logs", "top"}


def places(pattern: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def test_every_rule_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        assert set(RULES) <= set(words_in(language).rules)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_says_the_same_with_the_same_places_in_each_language(rule: str) -> None:
    english, chinese = (words_in(language).rules[rule] for language in LANGUAGES)

    assert shape(english) == shape(chinese)
    assert english.title != chinese.title


def shape(words: RuleWords) -> object:
    sentences = {**words.says, **{f"not {name}": each for name, each in words.not_so.items()}}
    return (
        {name: places(each) for name, each in sentences.items()},
        [(places(step.text), step.command, step.changes) for step in words.do],
    )


#: What reads though its verb alone does not say so.
ONLY_READ = ("kubectl rollout status", "openssl s_client ", "dutydesk observe check ")


@pytest.mark.parametrize("rule", RULES)
def test_a_command_only_reads_or_is_said_to_change_something(rule: str) -> None:
    words = words_in("en").rules[rule]
    for step in words.do:
        verb = step.command.split()[1] if step.command else "get"
        reads = verb in READS or step.command.startswith(ONLY_READ)

        assert reads != step.changes
        assert not step.changes or "changes the " in step.text
    assert words.meaning
