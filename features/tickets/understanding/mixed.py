"""Messages with several matters in them: a report, and beside it a question about something else."""

import re
from dataclasses import dataclass

from agent.brains.rules.understanding.message import Message, without_place
from agent.brains.rules.understanding.parts import ANOTHER, parts_of, stands_alone
from features.tickets.understanding.reporting import is_report, names_fault, points
from language.words import chinese_characters, chinese_runs, content_words, is_generic, normalise

#: Chinese characters beside what asks that name nothing.
_FEW_CHARACTERS = 3

#: Who asks whom to tell: the pages may say who looks after what was reported.
_WHOM = re.compile(
    r"\b(?:who|whom|which number|what number) (?:do|can|should|must|could|shall|would|might|ought) (?:i|we) "
    r"(?:then |to |have to |need to |best |better ){0,2}"
    r"(?:call|ring|phone|tell|ask|contact|let know|inform|notify|alert|message|mention (?:it|this|that) to|"
    r"(?:speak|talk|go|turn|report (?:it |this |that )?) ?to)\b"
    r"|\bwho (?:needs|has|ought|wants|should|must) (?:to )?(?:know|be (?:told|informed))\b"
    r"|\bwho(?:'s| is| can| could| will| would|m)? ?(?:going to |the one to |supposed to )?"
    r"(?:fix|repair|mend|sort|handle|see to|sees to|look after|deal with|replace|swap|clean)\w*\b|\bwhose job\b"
    r"|(?:打|报|告诉|通知|交)给?谁|(?:找|跟|和|联系)谁|打(?:哪个|什么)电话"
)
#: Who asks what they may or must do for whoever it befell: "what am I allowed to give him", 我能给他什么.
_WHAT_MAY = re.compile(
    r"\b(?:what|how much|which \w+) (?:(?:am|can|may|should|do|could|must|shall) i|(?:are|can|may|should|do) we)"
    r" (?:allowed to |supposed to |meant to |have to |get to |need to )?"
    r"(?:give|offer|pay|charge|refund|promise|hand out|compensate|take off|knock off|deduct|tell|say)\b"
    r"|\b(?:do|must|can|may|should|shall|am|are) (?:i|we) (?:have to |need to |allowed to |supposed to )?"
    r"(?:give|offer|pay|charge|refund|promise|compensate|block|close|move|tell|inform|throw|keep)\b"
    r"|(?:我们?|前台)?(?:能|可以|该|应该|要|得|最多)(?:不能|不可以)?(?:给|赔|退|送|补|免|承诺|答应|"
    r"减)[^，,。]{0,8}(?:什么|多少|啥|几|吗|么|$)"
    r"|要求.{1,10}(?:可以|能|行)吗"
)
#: Words of a question for help, which name no other matter.
_OF_HELP = frozenset(
    ("come", "fix", "fixed", "repair", "repaired", "look", "help", "sort", "sorted", "replace", "replaced", "send")
)
#: Questions about the report itself, and not about another matter.
_ABOUT_IT = re.compile(
    r"\b(?:(?:who|whom) (?:can|do|should|must) (?:i|we) (?:call|ask|contact|talk|tell)(?: to)?\b(?! (?:about|"
    r"for|regarding))|what (?:can|should|do|"
    r"must) (?:i|we) do|"
    r"what now|why|when (?:will|can)|how (?:soon|long|fast)|can (?:you|somebody|someone|anybody|anyone)|"
    r"could (?:you|somebody|someone)|"
    r"is (?:there|anybody|anyone|it)|any (?:idea|ideas|news)|what(?:'s| is) (?:wrong|going on|happening|the matter))\b|"
    r"怎么办|怎么回事|找谁|为什么|为啥|怎么处理|怎么修|什么时候(?:能|可以)修|能不能|可以帮|怎么解决"
)


@dataclass(frozen=True)
class Matters:
    """What a message is about: a report, and questions to the documents, each in the person's own words."""

    report: str
    questions: tuple[str, ...]
    whom: bool = False  # it is asked whom to tell of the report

    @property
    def of_report(self) -> bool:
        """Tell whether it is asked what may be done for whoever it befell: "what am I allowed to give him"."""
        return any(_WHAT_MAY.search(normalise(each)) for each in self.questions)

    @property
    def looked_up(self) -> str:
        """Return what the documents are asked: whom to tell, and what names too little, together with the report."""
        if self.of_report:
            return " ".join((gist(self.report), *self.questions))
        hangs = all(map(_names_little, self.questions))
        return " ".join((self.report, *self.questions) if self.whom or hangs else self.questions)


def gist(report: str) -> str:
    """Return what befell, without where and since when: pages about that know neither."""
    first = re.split(r"[,.;!?，。；！？\n]", report, maxsplit=1)[0]
    return without_place(_SINCE.sub("", first))


_SINCE = re.compile(
    r"\b(?:since|for (?:\w+ ){0,2}(?:hours?|days?|minutes?|mins|weeks?))\b.*$|从?[昨今早前][^，,。]{0,6}(?:开始|起)"
)


def matters_of(message: Message) -> Matters | None:
    """Return the matters of a message that reports something and asks something else; None for any other message."""
    pieces = parts_of(message)
    asked = [piece for piece in pieces if piece.question and _is_of_its_own(piece)]
    told = [piece for piece in pieces if piece not in asked]
    if message.follows_pages and all(points(piece) or piece.question for piece in told):
        return None  # "it's wrong, who do I tell?" is asked of what was just told
    whom = [piece for piece in told if _WHOM.search(piece.core)]
    # Whoever says "also" has said something, and so has who asks whom to tell.
    reports = is_report if whom or ANOTHER.search(message.asked) else names_fault
    if not any(reports(piece) for piece in told):
        return None
    said = [piece for piece in told if piece not in whom and not (whom and piece.question)]
    if not asked and whom and said:
        report = ". ".join(piece.text.rstrip(" .!！") for piece in said)
        return Matters(report, tuple(piece.text for piece in whom), whom=True)
    if not asked:
        return None
    return Matters(". ".join(piece.text.rstrip(" .!！") for piece in told), tuple(piece.text for piece in asked))


def _names_little(question: str) -> bool:
    return len(content_words(question)) <= 1 and chinese_characters(question) <= _FEW_CHARACTERS


#: Who asks whether anybody has to be told: what the pages say of what befell suffices.
_TELLS_ANYBODY = re.compile(
    r"\b(?:do|must|should|shall|can|am|are) (?:i|we) (?:have to |need to |supposed to |meant to |better )?"
    r"(?:ring|call|phone|tell|contact|report|inform|notify|ask|see|go to|come to|visit|speak to|talk to|e-?mail|"
    r"message)\b"
    r"|(?:要不要|需不需要|用不用|是不是[要得]|要|得|需要|必须)(?:去|先|给|跟|打电话)?(?:打电话|找人?|告诉|通知|"
    r"上报|汇报|报告|联系|去|跟)[^，,。]{0,8}(?:吗|么|$)"
)


def _is_of_its_own(piece: Message) -> bool:
    """Tell whether a question is one of its own, and not about what was reported beside it."""
    if _TELLS_ANYBODY.search(piece.core):
        return False
    if _WHAT_MAY.search(piece.core):
        return True
    if not stands_alone(piece) or _WHOM.search(piece.core):
        return stands_alone(piece) and _names_more(piece, _WHOM)
    return not _ABOUT_IT.search(piece.core) or _names_more(piece, _ABOUT_IT)


def _names_more(piece: Message, asks: re.Pattern[str]) -> bool:
    """Tell whether a question names something beside the words by which it asks: "when can I get new trousers"."""
    rest = asks.sub(" ", piece.core)
    named = [word for word in content_words(rest) if not is_generic(word) and word not in _OF_HELP]
    return bool(named) or sum(map(len, chinese_runs(rest))) > _FEW_CHARACTERS
