"""How the desk without a language model knows a question for numbers from one for the documents."""

from datetime import date

from agent.brains.output import AskBack
from agent.brains.rules.talk import Lookup, Reading, Several, Step, Talk
from agent.brains.rules.understanding.message import Message, beginning
from features.anatomy.texts import say
from features.data.understanding.asked import AskedParts, ReadMessage, UnclearQuestion
from features.data.understanding.rows import KnownRows
from features.data.understanding.thread import Questions
from language.scripts import Language, language_of
from storage.clock import Clock

#: The tool whose things are the tables that somebody may ask for.
TABLES = "run_sql"


def talk(questions: Questions, rows: KnownRows, clock: Clock, tools: frozenset[str]) -> Talk:
    """Return the talk of the feature. The day matters little here: the tool reads the words again, in the asker's."""

    def read(message: Message) -> ReadMessage:
        text = beginning(message.text)
        today, language = clock.now().date(), language_of(text)
        return questions.read(text, message.memory, today=today, language=language, names=rows.of(message.asker))

    def understand(message: Message, offered: frozenset[str]) -> Reading | None:
        if "ask_numbers" not in offered:
            return None
        found = read(message)
        if found is None:  # a question for a number is no report, even of what no database holds
            return _unread(questions, beginning(message.text), clock.now().date())
        if isinstance(found, AskedParts):
            question = beginning(message.text)
            steps = [Step("ask_numbers", {"question": question, "part": at + 1}) for at in range(len(found.asked))]
            return Several(tuple(steps), looked_up=found.documents, left=found.left)
        if isinstance(found, UnclearQuestion) and found.reason == "guess":
            return None
        tables = message.things.get(TABLES, ())
        if isinstance(found, UnclearQuestion) and (choices := questions.among(found.choices, tables)):
            options = [each.label for each in choices]
            code = "data_those" if found.reason == "those" else "data"
            return AskBack(code=code, question=unexplained(found, message.text), options=options)
        return Step("ask_numbers", {"question": beginning(message.text)})

    def suppose(message: Message, offered: frozenset[str]) -> Reading | None:
        """Ask the documents first where a word is understood as nothing."""
        if "ask_numbers" not in offered:
            return None
        found = read(message)
        guessed = isinstance(found, UnclearQuestion) and found.reason == "guess"
        return Lookup(otherwise=Step("ask_numbers", {"question": beginning(message.text)})) if guessed else None

    return Talk(tools=tools, understand=understand, suppose=suppose)


def _unread(questions: Questions, text: str, today: date) -> Lookup | None:
    """Ask the documents about what wants a number and was not read; where they are not sure, what comes near."""
    step = Step("ask_numbers", {"question": text})
    if words := questions.unread(text, today=today):
        return Lookup(otherwise=step, about=words)
    return Lookup(otherwise=step) if questions.asks_number(text, today=today) else None


def unexplained(found: UnclearQuestion, text: str) -> str:
    """Return the question back that names the word which is understood as nothing; "" for any other one."""
    language: Language = "zh" if language_of(text) == "zh" else "en"
    return (
        say(language, "data.unexplained", word=found.word) if found.word and found.reason in ("word", "guess") else ""
    )
