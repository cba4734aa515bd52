"""Messages about one's own settings: what shall be changed, or that they shall be shown."""

import re
from collections.abc import Mapping

from agent.brains.output import AskBack
from agent.brains.rules.talk import Reading, Step, Talk
from agent.brains.rules.understanding.message import Message
from features.preferences.understanding import words
from storage.ids import JsonValue

#: A longer message is about something else, and names a setting by the way.
_LONGEST = 120
_QUIET = re.compile(
    r"\b(?:quiet (?:hours|time)|do not disturb|don't disturb|dnd)\b|免打扰|勿扰|安静时[段间]|静音时[段间]"
)
#: The same, where two times of day stand beside it.
_LEAVE_ME = re.compile(
    r"\b(?:don't|do not|never|stop) (?:bother(?:ing)?|messag(?:e|ing)|notify(?:ing)?|disturb(?:ing)?|ping(?:ing)?"
    r"|writ(?:e|ing)(?: to)?|contact(?:ing)?|text(?:ing)?|send(?:ing)?(?: anything to)?) me\b"
    r"|\b(?:don't|do not) want (?:to be (?:bothered|messaged|notified|disturbed|pinged|contacted|texted)"
    r"|(?:any |your |more )?(?:messages|news|notifications|pings|texts)(?: from you)?)\b"
    r"|\bleave me alone\b|^(?:please )?(?:no|mute|stop)(?: my| all| the| sending| more){0,2}"
    r" (?:news|messages|notifications|pings)\b"
    r"|(?:别|不要|不许|勿|不)(?:来|给|再|想)?(?:在?(?:晚上|夜里|半夜|周末|休息日|下班后))?"
    r"(?:打扰|打搅|吵|烦|通知|联系|发消息给|给我发消息|给我发通知)我?"
)
#: What stands beside it in place of times of day: from when to when is asked then.
_SOMETIME = re.compile(
    r"\b(?:at (?:night|the weekends?|weekends?)|(?:in the )?evenings?|on (?:saturdays|sundays)|after (?:work|hours)"
    r"|outside (?:of )?(?:work(?:ing)?|office) hours|when i(?:'m| am) (?:off|asleep|at home))\b"
    r"|晚上|夜里|夜间|半夜|下班(?:以|之)?后|周末|休息(?:日|时间|的时候)|睡觉"
)
_ZONE = re.compile(r"\btime ?zone\b|时区")
_LANGUAGE = re.compile(
    r"^(?:(?:please|can you|could you|from now on|always),? ){0,3}"
    r"(?:(?:talk|speak|answer|reply|write)(?: to me| me| with me)? (?:only |always )?in|speak|"
    r"(?:set|change|switch) (?:my |the )?language (?:to|into)|my language is)"
    r" (?P<said>chinese|mandarin|english|any language|the language i write in)"
    r"(?: from now on| please|,? always)?[.! ]*$|"
    r"^(?:请|以后|今后|麻烦)?(?:请|都)?(?:用|说|讲)(?P<zh>中文|英文|英语|汉语|普通话)(?:和我|跟我|同我|对我|给我)?"
    r"(?:说话|交流|回答|回复|答复|沟通|说|讲|聊|回)?(?:我)?(?:吧|就好|谢谢)?[。！. ]*$|"
    r"^(?:(?:please|ok(?:ay)?),? )?(?:(?:switch|change|go)(?: it)? )?back to "
    r"(?P<back>chinese|english)(?: please)?[.! ]*$|"
    r"^(?:请)?(?:换|改|切换?|用)回(?:成|到)?(?P<back_zh>中文|英文|英语|汉语)(?:吧)?[。！. ]*$|"
    r"^(?:请)?(?:把|将)?(?:我的)?语言(?:设置?|改|换|切换)(?:为|成|到)(?P<set>中文|英文|英语|汉语)(?:吧)?[。. ]*$"
)
_WAY = re.compile(
    r"\b(?:send|give) (?:me (?:my |the |all )?|my )(?:news|notifications?)\b.{0,40}"
    r"\b(?:by|to|in|on|via|through|over)\b|"
    r"\b(?:send|give) (?:the |all )?(?:news|notifications?) (?:by|via|through|over)\b|"
    r"\b(?:get|receive|have|prefer) (?:my |the |all )?(?:news|notifications?) (?:by|via|through|over)\b|"
    r"\b(?:notify|tell) me (?:by|in|on|via|through|over)\b|"
    r"(?:消息|通知|进展|动静).{0,6}(?:发|用|走)(?:到|成)?(?:电子)?(?:邮件|邮箱|slack|teams|浏览器|网页|聊天)|"
    r"^(?:还是|就|都)?(?:发在|发到|用)(?:聊天|浏览器|网页|邮箱|邮件|slack|teams)(?:里|中|上)?(?:给我|通知我)?"
    r"(?:吧|就好)?[。！. ]*$|"
    r"(?:用|通过|以)(?:电子)?(?:邮件|邮箱|slack|teams|浏览器|网页).{0,6}通知我|通知(?:我)?.{0,4}(?:发到|发送到)"
)
_SHOW = re.compile(
    r"^(?:(?:show|open|see|change|what are)(?: me)? )?(?:my |the )?"
    r"(?:personal |own |notification )?(?:settings|preferences)"
    r"[.?! ]*$|^(?:查看|打开|看一?下|显示|修改|更改)?(?:我的|个人)?(?:个人)?(?:设置|偏好)[。？?. ]*$"
    r"|^(?:what(?: are|'s| is)|when are|show me|do i have(?: any)?) (?:my )?"
    r"(?:quiet (?:hours|time)|time ?zone|language)(?: set(?: to)?)?[.?! ]*$"
    r"|^(?:我的?|现在的)?(?:免打扰|勿扰|安静|静音)(?:时[段间])?(?:是|设的是|是几点|设了)?(?:什么|几点|哪些|多少|什么时候|吗)?"
    r"(?:时[段间])?[。？?. ]*$|^我的?(?:时区|语言|(?:个人)?设置|偏好)(?:是|设的是)(?:什么|哪个|哪些|怎样的)[。？?. ]*$"
    r"|^(?:where|how) (?:do i get|will i get|do you send(?: me)?) (?:my |the )?(?:news|notifications|messages)[.?! ]*$"
    r"|^(?:我的)?(?:通知|消息)(?:会)?(?:发|送)(?:到|在)?(?:哪里?|什么地方)[。？?. ]*$"
)
#: Who asks when their quiet hours end, or whether they are off, changes nothing.
_ASKS = re.compile(
    r"^(?:(?:until|till|from|since) )?when\b|^(?:are|is|am|do(?! not\b)|does|did|have)\b"
    r"|什么时候|几点|多久|[了是有开着]吗"
)
_MINE = re.compile(r"\b(?:my|i|me)\b|我|^(?:免打扰|勿扰|静音|时区)")
_FORGET = re.compile(
    r"\bforget (?:everything|all|what) (?:that )?(?:you (?:know|remember) )?(?:about |of )?me\b|"
    r"\bforget (?:what|everything|all) (?:that )?(?:i (?:said|told you|wrote)|you (?:know|remember))\b|"
    r"忘(?:掉|记)(?:关于我|你记住|你记得|我说|我们).{0,12}|清除(?:对我的)?记忆"
)
_REMEMBER = re.compile(
    r"\bwhat do you (?:remember|know) (?:of|about) me\b|你(?:还)?(?:记得|记住)(?:了)?我(?:的)?(?:什么|哪些)"
)


def talk(tools: frozenset[str]) -> Talk:
    """Return how the feature understands what is said of a person's settings."""
    return Talk(tools=tools, understand=_understand, concerns=lambda message: _about(message) is not None)


def changes_in(text: str) -> Mapping[str, JsonValue]:
    """Return what a command's line changes: `quiet 20:00-07:00`, `zone Shanghai`, `language Chinese`, `way mail`."""
    name, _, rest = text.strip().partition(" ")
    key = {"quiet": "quiet", "zone": "timezone", "timezone": "timezone", "language": "language", "way": "way"}
    chinese = {"免打扰": "quiet", "时区": "timezone", "语言": "language", "方式": "way"}
    found = {**key, **chinese}.get(name.casefold())
    return {found: rest.strip()} if found and rest.strip() else {}


def _understand(message: Message, _offered: frozenset[str]) -> Reading | None:
    return _about(message)


def _about(message: Message) -> Reading | None:  # noqa: PLR0911 - one line for each matter
    plain = message.plain
    if len(plain) > _LONGEST:
        return None
    if _SHOW.search(plain) or _REMEMBER.search(plain):
        return Step("show_settings")
    if _FORGET.search(plain):
        return Step("forget_memory")
    if (said := _LANGUAGE.search(plain)) is not None:
        return Step("change_settings", {"language": next(each for each in said.groups() if each)})
    asks_how = message.question and re.search(r"\b(?:what|how|which|why|who)\b|什么|怎么|如何|为什么|哪", plain)
    if asks_how:
        return None
    if message.question and _ASKS.search(plain) and (_QUIET.search(plain) or _ZONE.search(plain)):
        return Step("show_settings") if _MINE.search(plain) else None
    if _QUIET.search(plain) or (_LEAVE_ME.search(plain) and _names_a_time(plain)):
        return _quiet(message)
    if _ZONE.search(plain):
        rest = _ZONE.sub(" ", plain)
        zone = words.zone_called(re.sub(r"^.*?(?:\bto\b|\bis\b|=|设置?[为成到]|改[为成到]|换[为成到]|是)", "", rest))
        return Step("change_settings", {"timezone": zone}) if zone else AskBack(code="which_zone")
    if _WAY.search(plain) and (way := words.way_called(plain)):
        return Step("change_settings", {"way": way})
    return None


def _names_a_time(plain: str) -> bool:
    return words.quiet_called(plain) is not None or _SOMETIME.search(plain) is not None


def _quiet(message: Message) -> Reading:
    if words.quiet_called(message.plain) is not None:
        return Step("change_settings", {"quiet": message.text})
    if _QUIET.search(message.plain) and words.says_nothing(message.plain):
        return Step("change_settings", {"quiet": words.OFF})
    return AskBack(code="which_quiet_hours")
