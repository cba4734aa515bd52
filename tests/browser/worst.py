"""Ten messages that the desk once answered worst, and what must be read after the last message of each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WorstCase:
    """What somebody says, one message after the other, and words of the answer to the last."""

    name: str
    person: str
    said: tuple[str, ...]
    reads: str


CASES = (
    WorstCase("vague", "ada", ("it doesn't work",), "What is wrong?"),
    WorstCase("smoke", "ada", ("there is smoke coming out of the server room",), "4444"),
    WorstCase("phishing", "ada", ("I think I gave my password to a fake mail",), "4357"),
    WorstCase("mixed", "ada", ("my printer is broken and how many leave days do I have?",), "27 days"),
    WorstCase("sick-leave-zh", "chen", ("年假有几天", "那病假呢"), "12 天以内发全薪"),
    WorstCase("never-mind", "ada", ("The S key in Purser prints nothing since this morning", "never mind"), "Undo"),
    WorstCase("human", "ada", ("I want to speak to a human",), "Wants to speak with a person"),
    WorstCase("secret", "ada", ("my laptop password is hunter2-X, it still says wrong password",), "[redacted]"),
    WorstCase("lost-laptop-zh", "chen", ("笔记本丢在出租车上了",), "+31 10 555 0199"),
    WorstCase("outline", "ada", ("summarise the expenses page",), "Limits"),
)
