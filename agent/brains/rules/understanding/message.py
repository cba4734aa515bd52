"""A message in the forms that the rules look at, and a question completed from the thread before it."""

import re
from dataclasses import dataclass

from agent.brains.rules.understanding import phrases
from agent.tools.context import Recollection
from language.words import content_words, normalise


@dataclass(frozen=True)
class Message:
    """A message in the forms that the rules look at."""

    text: str
    plain: str
    core: str  # without salutation and politeness
    question: bool
    directed: bool  # somebody is asked to do something: "please", "can you", 帮我
    memory: Recollection

    @property
    def hangs_on(self) -> bool:
        """Tell whether it goes on with what was said before: "and tomorrow?", "make it Ben"."""
        few = len(content_words(self.text)) <= 6 and len(re.findall(r"[\u4e00-\u9fff]", self.plain)) <= 16
        leads = phrases.FOLLOW_UP.match(self.plain) or phrases.INSTEAD.search(self.plain)
        return bool(self.memory.turns) and few and leads is not None

    @property
    def is_short(self) -> bool:
        """Tell whether it may be an answer that was not understood, and is hardly a matter of its own."""
        return len(content_words(self.text)) <= 2 and len(re.findall(r"[\u4e00-\u9fff]", self.plain)) <= 8

    @property
    def is_fragment(self) -> bool:
        """Tell whether it is too short to say what is wanted: "after 6 pm?", 明天呢."""
        return len(content_words(self.text)) <= 1 and len(re.findall(r"[\u4e00-\u9fff]", self.plain)) <= 6

    @property
    def procedural(self) -> bool:
        """Tell whether it asks how something is done and not that it be done."""
        return (
            phrases.QUESTION_START.match(self.core) is not None or phrases.QUESTION_INSIDE.search(self.core) is not None
        )

    def follows(self, *outcomes: str) -> bool:
        """Tell whether the thread's last turn ended in one of these ways."""
        return bool(self.memory.turns) and self.memory.turns[-1].outcome in outcomes


def read(text: str, memory: Recollection | None = None) -> Message:
    """Look at a message once; everything after asks the result."""
    plain = normalise(text)
    core = strip_politeness(plain)
    requested = phrases.REQUEST_START.match(phrases.SALUTATION.sub("", plain, count=1)) is not None
    asks = (core.endswith("?") and not requested) or bool(
        phrases.QUESTION_START.match(core) or phrases.QUESTION_INSIDE.search(core)
    )
    return Message(
        text=text,
        plain=plain,
        core=core,
        question=asks,
        directed=requested or phrases.ASKED_NICELY.search(plain) is not None,
        memory=memory or Recollection(),
    )


def completed(text: str, memory: Recollection) -> str:
    """Return the question with its subject: "and on a Mac?" takes it from the question before."""
    earlier = _last_question(memory)
    plain = normalise(text)
    words = content_words(text)
    characters = len(re.findall(r"[\u4e00-\u9fff]", plain))
    short = len(words) <= 3 and characters <= 10
    leads = phrases.FOLLOW_UP.match(plain) is not None and len(words) <= 5 and characters <= 14
    points = phrases.BARE_PRONOUN.search(plain) is not None and len(words) <= 4 and characters <= 12
    if not earlier or not (leads or (points and short)):
        return text
    return f"{earlier} {text}"


def _last_question(memory: Recollection) -> str:
    """Return the latest question of the thread, itself completed where it hung on the one before."""
    asked = [turn.asked for turn in memory.turns if turn.outcome in ("answered", "no_evidence")]
    if not asked:
        return ""
    standing = [question for question in asked if phrases.FOLLOW_UP.match(normalise(question)) is None]
    return standing[-1] if standing else asked[-1]


def strip_politeness(plain: str) -> str:
    """Return a normalised message without greeting, "could you please" and "thanks in advance"."""
    core = phrases.SALUTATION.sub("", plain, count=1) or plain
    for _ in range(4):
        shorter = phrases.POLITE_START.sub("", core, count=1)
        if shorter == core or not shorter:
            break
        core = shorter
    found = phrases.POLITE_TAIL.search(core)
    if found and found.start() > 0:
        core = core[: found.start()]
    return core.rstrip(" ,，、.。!！~;；") or plain
