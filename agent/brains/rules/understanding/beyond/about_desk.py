"""Questions about the desk itself: what it can do, who it is, how it is used, in English and Chinese.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

import re

from agent.brains.rules.understanding.phrases import GREETED, alternatives

#: What somebody says of themselves, or utters, before they ask.
_BEFORE = (
    f"(?:{GREETED}|so|ok|okay|and|btw|by the way|also|oh|well|sorry|please|there|all|bot|desk"
    "|(?:i'?m |it'?s |this is )?(?:my )?(?:new here|new|first (?:day|week)(?: here| today| at work)?)"
    "|i(?:'ve)? just (?:joined|started)(?: here| today| this week)?"
    "|(?:could|can) you (?:please )?(?:tell|show) me|tell me|show me|list|i (?:want|need) to know|do you know|那"
    "|对了|哦|另外|话说|请问|顺便问一?下|我?想问一?下?|我?是?新来的|我?今天?第一天(?:上班|来)?"
    r"|我?刚(?:入职|来))[\s,，.!?。–-]{0,3}"
)
_YOU = r"(?:you|u|ya|the (?:duty ?)?desk|duty ?desk|this (?:bot|thing|desk|chat|assistant))"
_DO = r"(?:do|help(?: (?:me|us|people|with|out))*|know|offer|answer|handle|cover|assist(?: (?:me|us|with))*)"
_TAIL = (
    "(?: (?:for (?:me|us|people|staff)|here|then|anyway|btw|exactly|actually|about|with|at all|really|all day"
    "|in general|today|please)){0,3}"
)
_WHAT = (
    "(?:what|wot|wat|which)(?: (?:else|all|sorts? of|kinds? of|types? of|other))?"
    "(?: (?:things?|stuff|questions?|topics?|tasks?|requests?))?"
)
#: What is asked of the desk, by words that name it.
_ASKS = alternatives(
    "(?:i need |i could use |need )?(?:some |a (?:bit of|little) )?help(?: me| us)?(?: please| pls| out)*",
    r"/?help|menu|commands|\?++|start|/start|usage",
    (
        "(?:can|could|will) (?:you|u) (?:please |pls )?(?:help|assist)(?: (?:me|us))?"
        "(?: out| please| pls| with something)*"
    ),
    (
        f"{_WHAT} (?:can|could|do|does|would|will|are|is) {_YOU} (?:actually |even |really |be )?"
        f"(?:able to |good at |capable of |here to )?{_DO}?{_TAIL}"
    ),
    f"what {_YOU} (?:can|could|do) {_DO}?{_TAIL}",
    (
        f"{_WHAT} (?:can|could|may|should|do) (?:i|we|people|one) (?:ask(?: {_YOU})?|use {_YOU} for)"
        "(?: (?:about|for|here|with))*"
    ),
    f"how (?:do|does|can|could) {_YOU} (?:work|help(?: me| us)?)|how (?:do|can|should) (?:i|we) use {_YOU}",
    f"(?:who|what|wot|wat) (?:are|is|r) {_YOU}(?: for)?(?: exactly| anyway)?",
    "(?:who|what) am i (?:talking|speaking|chatting|writing) (?:to|with)",
    (
        "(?:are you|am i (?:talking|speaking|chatting|writing) (?:to|with)|is (?:this|that|there)) (?:an? )?"
        "(?:real |actual |live |just |automated )*"
        "(?:bot|robot|human(?: being)?|person|machine|ai|computer|chat ?bot|somebody|someone|people)"
        "(?: (?:or|and) (?:an? )?(?:real |actual )?(?:bot|robot|human|person|machine|ai|computer))?"
        "(?: there| here)?"
    ),
    "are you (?:real|human|alive|automated)",
    "(?:what(?:'s| is)|tell me) your (?:name|job|purpose|function|role)",
    "what are (?:my|the|your) (?:options|features|functions|commands|skills)(?: here)?",
    "(?:what(?:'s| is) )?(?:this (?:chat|bot|desk|thing|channel)|the (?:duty ?)?desk)(?: here)? (?:is )?for",
    "what is this (?:chat|bot|desk|thing) ?(?:for)?|introduce yourself",
    "(?:are you|is this) (?:chat ?gpt|copilot|siri|alexa|gemini|claude|gpt|an? (?:llm|language model))",
    "(?:do|can) you (?:speak|understand|know|read) [a-z]{4,12}",
    r"(?:你|您)(?:会|能)(?:说|讲)[\u4e00-\u9fff]{2,3}[话语文]|who do i have here",
    (
        "(?:你|您|这个?(?:机器人|助手|服务台)?)(?:都|还|到底|究竟|具体|现在)?(?:能|会|可以)(?:帮|给|替)?"
        "(?:我们?|大家|咱们?)?(?:做|干|办|帮|解决|回答|处理|查|提供)?"
        "(?:些|点|哪些|什么|嘛|吗|忙|事情?|问题|的|工作|我们?|用|呢)+"
    ),
    ("(?:能|可以|会)(?:帮(?:我们?)?|给我)?(?:做|干|问|办)(?:你|您)?(?:些|点)?(?:什么|哪些|嘛)(?:问题|事情?|忙)?"),
    "(?:能|可以)问(?:你|您)(?:什么|哪些)(?:问题|事)?",
    (
        "(?:你|您)(?:到底|究竟)?(?:是|叫)"
        "(?:谁|什么(?:名字|东西|机器人)?|做什么(?:用)?的?|干(?:什么|嘛|吗)(?:用)?的?|哪位|机器人|真人|人工|人"
        "|ai)(?:还是(?:机器人|真人|人工|人|ai))?"
    ),
    (
        "(?:这|这里|这个)(?:是|个)?(?:什么)?(?:机器人|助手|服务台)(?:是)?"
        "(?:做什么|干什么|干嘛|怎么用|能做什么)?(?:用)?的?"
    ),
    "(?:怎么|如何)(?:使)?用(?:你|您)|(?:你|您)(?:怎么|如何)(?:使)?用",
    "(?:你|您)?(?:都)?有(?:哪些|什么)功能(?:可以用|能用)?|帮助|菜单|功能(?:列表|介绍)?|使用说明",
    "(?:请|谁能)?帮帮我|(?:我)?需要帮助|(?:请)?帮(?:我一?)?个?忙",
    "(?:请)?(?:自我介绍|介绍(?:一下)?(?:你|您)?自己)(?:一下)?",
)
#: … and by words that point, which mean something else after an answer.
_POINTS = alternatives(
    "what(?:'s| is) (?:this|all this)(?: (?:thing|here))?(?: (?:for|about))?",
    "how (?:does|do i use|do you use) (?:this|it)(?: work)?|how does (?:this|it) work",
    "(?:这|这个)(?:是|东西)?(?:怎么用|如何使用|干嘛用?的|做什么用?的|是?什么)",
)
_MARKS = r"[\s?!.,。！？~]{0,6}(?:呀|啊|呢|的|吗|吧|please|pls|plz|mate|谢谢)?[\s?!.。！？]{0,6}"
_ABOUT_DESK = re.compile(rf"(?:{_BEFORE}){{0,4}}(?:{_ASKS}){_MARKS}")
_POINTING = re.compile(rf"(?:{_BEFORE}){{0,4}}(?:{_POINTS}){_MARKS}")
_MOST_CHARS = 120


def asks_about_desk(plain: str, *, pointed: bool) -> bool:
    """Tell whether a message asks what the desk is or can do; `pointed`: "what is this?" means something else."""
    if len(plain) > _MOST_CHARS:
        return False
    return _ABOUT_DESK.fullmatch(plain) is not None or (not pointed and _POINTING.fullmatch(plain) is not None)
