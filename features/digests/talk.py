"""How the desk without a language model knows what is said of a digest that was spoken of right before."""

import re
from collections.abc import Sequence

from agent.brains.rules.talk import Reading, Step, Talk
from agent.brains.rules.understanding.message import Message, read
from agent.tools.context import Turn
from features.digests.digest import DigestOrder
from features.digests.wish import plan_of
from language.planning.moving import says_only_when
from storage.clock import Clock

_DIGEST = re.compile(
    r"\b(?:digests?|briefings?|round-?ups?|(?:daily|weekly|monthly) (?:summar(?:y|ies)|overviews?)|summary of)\b"
    r"|日报|周报|摘要|简报|汇总|总结"
)
#: "It", once a digest was spoken of; without a word for it, it can be meant by nothing else either.
_IT = r"(?: (?:it|that|this|them|that one|the digest))?(?: (?:again|now|please|any ?more|for now|then))*"
_ORDERS = {
    DigestOrder.PAUSE: re.compile(rf"^(?:please )?(?:pause|suspend|hold){_IT}$|^(?:先)?暂停(?:它|一下|吧)?$"),
    DigestOrder.RESUME: re.compile(
        rf"^(?:please )?(?:resume|continue|restart|unpause|go on with){_IT}$|^(?:恢复|继续)(?:它|发送?|吧|一下)?$"
    ),
    DigestOrder.STOP: re.compile(
        rf"^(?:please )?(?:stop|end|cancel|delete|remove|drop)(?: sending)?{_IT}$"
        r"|^(?:停掉|停止|停发|停了|取消|删掉|删除|不要了|不发了)(?:它|吧|了)?$|^(?:不用|不要|别)再?(?:给我)?发(?:它)?了?$"
    ),
}
#: What it holds.
_HOLDS = re.compile(
    r"^(?:and )?(?:what(?:'s|s| is| will be| would be)? (?:in|inside) (?:it|that|there|the digest)"
    r"|what (?:will|does|would) (?:it|that) (?:say|hold|contain|show)|show me(?: one| it)?"
    r"|preview(?: it)?)(?: now| today)?$"
    r"|^(?:它|那)?(?:里面|里头|内容)(?:会|都|将)?(?:有|是|包括)(?:些)?什么(?:内容|东西)?$|^(?:先)?(?:给我)?(?:看看|预览)(?:一下|它)?$"
)
#: Characters of a wish with its changes.
_LONGEST = 400
_END = re.compile(r"(?:,? please|,? thanks|,? thank you|谢谢)?[ ?？.。!！]{0,3}$")


def talk(clock: Clock, tools: frozenset[str]) -> Talk:
    """Return the talk of the feature."""

    def understand(message: Message, offered: frozenset[str]) -> Reading | None:
        if "send_digest" not in offered or "change_digest" not in offered:
            return None
        said = _spoken_of(message.memory.turns, clock)
        if not said:
            return None
        core = _END.sub("", message.core)
        order = next((order for order, words in _ORDERS.items() if words.match(core)), None)
        if order is not None:
            return Step("change_digest", {"order": order})
        if _HOLDS.match(core) and "preview_digest" in offered:
            return Step("preview_digest")
        when = "\n".join((*said, " ".join(message.text.split())))
        changes = said[0] and len(when) <= _LONGEST and says_only_when(core, now=clock.now().replace(tzinfo=None))
        return Step("send_digest", {"when": when}) if changes else None

    return Talk(tools=tools, understand=understand)


def _spoken_of(turns: Sequence[Turn], clock: Clock) -> Sequence[str]:
    """Return the wish for a digest that a thread is on, and each change of it since, a line each.

    Where a digest was spoken of without a wish, the first line is empty; nothing where it was of something else.
    """
    now, changes = clock.now().replace(tzinfo=None), list[str]()
    for turn in reversed(turns):
        line, core = " ".join(turn.asked.split()), _END.sub("", read(turn.asked).core)
        if _DIGEST.search(line.casefold()):
            return (line if plan_of(line, now=now) else "", *changes)
        if says_only_when(core, now=now):
            changes.insert(0, line)
        elif not any(words.match(core) for words in (*_ORDERS.values(), _HOLDS)):
            break
    return ()
