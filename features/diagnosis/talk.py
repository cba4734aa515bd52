"""How the desk without a language model knows a question for a diagnosis from one for the documents."""

from typing import get_args

from agent.brains.output import Abstain
from agent.brains.rules.talk import Lookup, Reading, Several, Step, Talk
from agent.brains.rules.understanding.message import Message
from features.diagnosis.understanding.follow_ups import About
from features.diagnosis.understanding.live import RUNBOOK_TOOL, asks_what_runs, service_named
from features.diagnosis.understanding.services import is_called_a_service, service_in_question
from features.diagnosis.understanding.vocabulary import (
    APPS_TOOL,
    STEPS_TOOL,
    TOOL,
    AppVocabulary,
    asks_to_change,
)
from storage.ids import JsonValue

#: The tool that drafts a ticket; the button below a report calls it, too.
DRAFT_TOOL = "draft_ticket"
_TITLE_CHARS = 200


def talk(vocabulary: AppVocabulary) -> Talk:
    """Return the talk of the feature: it reads only what names something that the asker may look at."""

    def understand(message: Message, offered: frozenset[str]) -> Reading | None:
        asked_on = vocabulary.asked_on(message)
        if DRAFT_TOOL in offered and asked_on == "ticket":
            title, text = vocabulary.ticket_of(message)
            return Step(DRAFT_TOOL, {"category": "other", "title": title[:_TITLE_CHARS], "description": text})
        if STEPS_TOOL in offered and asked_on in get_args(About):
            return Step(STEPS_TOOL, {"about": asked_on})
        if APPS_TOOL in offered and (owned := vocabulary.owned(message)):
            return Step(APPS_TOOL, {"app": owned})
        named = vocabulary.wanted(message) if TOOL in offered else None
        if named is None:
            return None
        said: dict[str, JsonValue] = {
            "app": named.app,
            "cluster": named.cluster,
            "namespace": named.namespace,
            "pod": named.pod,
            "minutes": min(named.minutes, 360),
        }
        step = Step(TOOL, {"question": message.text, **{name: value for name, value in said.items() if value}})
        # Whoever wants something done may read how it is done here, beside what is wrong.
        return Several((step,), looked_up=message.text, aside=True) if asks_to_change(message.text) else step

    def suppose(message: Message, _offered: frozenset[str]) -> Reading | None:
        """Return that the documents are asked; where they say nothing, that the desk may not look there for them."""
        name = service_in_question(message.plain)
        if not name:
            return None
        only = is_called_a_service(message.plain, name)
        return Lookup(otherwise=Abstain(beside="diagnosis"), about=_whole(name) if only else (name,), only=only)

    return Talk(tools=frozenset({TOOL, STEPS_TOOL, APPS_TOOL}), understand=understand, suppose=suppose)


def blind_talk() -> Talk:
    """Return the talk of a desk that sees no cluster: what only a look at running systems can say."""

    def understand(message: Message, offered: frozenset[str]) -> Reading | None:
        asked = RUNBOOK_TOOL in offered and asks_what_runs(message.text)
        return Step(RUNBOOK_TOOL, {"question": message.text}) if asked else None

    def suppose(message: Message, offered: frozenset[str]) -> Reading | None:
        """Return that the documents are asked: what ails may be theirs ("why is the wifi slow?").

        What is told and not asked is a report: "hoist is stuck" is of a machine, and no desk without eyes tells it
        from a service.
        """
        name = service_named(message.text)
        told = not message.question and not is_called_a_service(message.plain, name)
        if not name or told or RUNBOOK_TOOL not in offered:
            return None
        return Lookup(otherwise=Step(RUNBOOK_TOOL, {"question": message.text}), about=_whole(name), only=True)

    return Talk(tools=frozenset({RUNBOOK_TOOL}), understand=understand, suppose=suppose)


def _whole(name: str) -> tuple[str, ...]:
    """Return what the name of a service looks like as a word of its own: "payments" is no word of the payment service.

    Chinese writes no space after a word.
    """
    return tuple(f"{name}{end}" for end in " .,:;'’)") if name.isascii() else (name,)
