"""What is said back when an alarm is over: nothing is looked up, and nothing is drafted."""

import re

from agent.brains.output import AskBack
from agent.brains.rules.talk import Reading, Talk
from agent.brains.rules.understanding.message import Message
from features.alarms.alarms import Alarms

#: Messages of the thread in which the alarm may have been raised.
_RECENT = 3
#: The longest message that says only that, in characters.
_LONGEST = 90
_LEAD = (
    r"(?:(?:ok|okay|no|sorry|oh|phew|ah|well|thanks?|thank you|thank god|luckily|all good"
    r"|it'?s (?:ok|okay|fine|all right)|(?:no worries|don'?t worry)|and|but|we are fine|never mind)[\s,.!]{1,3}){0,3}"
)
_WHO = r"(?:he|she|they|we|i|it|everyone|everybody|(?:the|my|our|a) \w{2,14}(?: \w{2,14})?)"
#: Said of an alarm and of nothing else, wherever that was raised.
_FALSE = re.compile(rf"{_LEAD}(?:false alarm|all clear|虚惊一场|误报)了?[\s.!。！]{{0,3}}")
_OVER = re.compile(
    rf"{_LEAD}(?:"
    r"false alarm|all clear|nothing happened|no harm done|(?:it|that) (?:is|was|'s|has)? ?(?:over|stopped|out|solved)"
    r"|(?:it|that) (?:was|is|'s) (?:only|just|nothing|a (?:false|mistake|joke|test|drill))\b.{0,30}"
    rf"|{_WHO}(?:'s| is| are|'re|'m| am| feels?| looks?) (?:all )?(?:fine|ok|okay|safe|all ?right|alright|better|"
    r"breathing|awake|out|gone|back|well|under control|put out|off|over)(?: (?:again|now|already|too))?"
    rf"|{_WHO}(?:'s| has| have|'ve)? (?:just )?(?:left|gone|went away|calmed down|woken? up|woke up"
    r"|came round|come round|stopped|come out|came out|turned up)(?: (?:again|now|already))?"
    rf"|{_WHO}(?:'s| is| are|'re| has| have) (?:here|arrived|come|on (?:the|its|their) way"
    r"|taken care of|been called|dealt with)(?: (?:now|already))?"
    r"|(?:i|we)(?:'ve| have)? (?:already )?(?:called|phoned|rang) (?:them|\d{3}|the \w{2,12}(?: \w{2,12})?)"
    r"|(?:i|we)(?:'ve| have)? (?:already )?(?:found|got|put) (?:it|him|her|them)(?: (?:again|back|out|now))?"
    r")[\s.!]{0,3}(?:thanks|thank you|cheers)?[\s.!]{0,3}"
    r"|(?:(?:好的?|不好意思|抱歉|还好|幸好|现在|已经|嗯|没事了?)[，,。！! ]?){0,3}"
    r"(?:没事了?|没关系了?|虚惊一场|误报|是误会|(?:他|她|人|客人|对方|他们)?(?:已经)?(?:走|离开|醒|好|没事|安全|出来|找到|恢复)了?(?:过来)?"
    r"|(?:火|水|气)?(?:已经|都)?(?:被)?(?:灭|扑灭|停|止住|控制住|关掉?|修好)了?"
    r"|(?:警察|救护车|消防队?|保安|医生)(?:已经|都)?(?:到|来|赶到|在路上)了?|(?:已经|都)(?:报警|打|处理|解决|叫救护车)(?:过|好)?了?|解决了)"
    r"了?[，,。！!~ ]{0,3}(?:谢谢|多谢)?[。！! ]{0,2}"
)


def talk(alarms: Alarms) -> Talk:
    """Return how the desk hears that what it raised an alarm for is over."""

    def understand(message: Message, _offered: frozenset[str]) -> Reading | None:
        if not is_over(message.plain):
            return None
        raised = any(alarms.of(turn.asked) for turn in message.memory.turns[-_RECENT:])
        return AskBack(code="alarm_over") if raised or _FALSE.fullmatch(message.plain) else None

    return Talk(tools=frozenset(), understand=understand)


def is_over(plain: str) -> bool:
    """Tell whether a message, in its plain form, says no more than that something is over: it is no alarm itself."""
    return len(plain) <= _LONGEST and _OVER.fullmatch(plain) is not None
