"""How the desk without a language model knows a question for numbers from one for the documents."""

from agent.brains.output import AskBack
from agent.brains.rules.talk import Reading, Several, Step, Talk
from agent.brains.rules.understanding.message import Message
from features.data.understanding.asked import AskedParts, UnclearQuestion
from features.data.understanding.thread import Questions
from language.scripts import language_of
from storage.clock import Clock

#: Choices that one question back offers.
_CHOICES = 6


def talk(questions: Questions, clock: Clock, tools: frozenset[str]) -> Talk:
    """Return the talk of the feature. The day matters little here: the tool reads the words again, in the asker's."""

    def understand(message: Message, offered: frozenset[str]) -> Reading | None:
        if "ask_numbers" not in offered:
            return None
        found = questions.read(
            message.text, message.memory, today=clock.now().date(), language=language_of(message.text)
        )
        if found is None:
            return None
        if isinstance(found, AskedParts):
            steps = [Step("ask_numbers", {"question": message.text, "part": at + 1}) for at in range(len(found.asked))]
            return Several(tuple(steps), looked_up=found.documents, left=found.left)
        if isinstance(found, UnclearQuestion) and found.choices:
            return AskBack(code="data", options=[each.label for each in found.choices[:_CHOICES]])
        return Step("ask_numbers", {"question": message.text})

    return Talk(tools=tools, understand=understand)
