"""How people begin, ask, greet and thank, in English and Chinese.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

import re


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return a pattern that matches where any of the given ones does."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


#: A greeting or an address at the start.
SALUTATION = re.compile(
    r"^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings|morning|yo|sorry|excuse me|"
    r"你好|您好|大家好|早上好|上午好|下午好|晚上好|早安|早|嗨|哈喽|打扰一下|打扰了|不好意思|各位)"
    r"(?:[ ,]*(?:there|all|team|everyone|folks|desk|duty ?desk|dutydesk|bot|support|it|help ?desk|啊|呀|哦))*\b|@\S+)"
    r"[\s,!.:;~，。！:、]*"
)
#: Words before an imperative.
POLITE_START = re.compile(
    r"^(?:please|pls|plz|kindly|just|so|ok|okay|well|then|now|also|yes|actually|"
    r"(?:can|could|would|will) (?:you|u|someone|somebody|anyone|the desk)(?: please| kindly| possibly| maybe)?|"
    r"would you mind|"
    r"i(?:'d| would) (?:like|love) (?:you )?to|i (?:want|need|have|wish) (?:you )?to|i wanna|let me|let's|"
    r"请你|请您|请(?![^，,。]{0,2}假)|麻烦你|麻烦您|麻烦|劳驾|拜托|能不能帮我|可不可以帮我|能否帮我|可以帮我|能帮我|可否帮我|帮我|帮忙|帮|"
    r"我想要|我想(?!请[^，,。]{0,2}假)|我要|我需要|那就|那|好的|好)"
    r"(?:\b|(?<=[\u4e00-\u9fff]))[\s,，]*"
)
#: A request dressed as a question: its question mark says nothing.
REQUEST_START = re.compile(
    r"^(?:please |pls )?(?:can|could|would|will) (?:you|u|someone|somebody|anyone|the desk)\b(?! (?:tell|"
    r"explain|show|describe))"
    r"|^(?:请)?(?:能不能|可不可以|能否|可以|能|可否|麻烦)(?:你|您|有人|谁|派人)?(?:帮|来|派|给|安排|处理|修|换)"
)
ASKED_NICELY = any_of(r"\b(?:please|pls|plz|kindly)\b", r"请|麻烦|劳驾|拜托|帮")
#: A request for help dressed as a question, at the end of a message.
POLITE_TAIL = any_of(
    r"(?:can|could|would|will) (?:you|u|someone|somebody|anyone)(?: please| kindly)? "
    r"(?:help|assist|look|check|fix|repair|come|take|have|send|sort|replace|deal|see to)\b[^?]{0,300}\??$",
    r"(?:any|some) help(?: is| would be)?(?: appreciated| welcome)?[.!?]*$",
    r"\b(?:please |pls )?(?:help|advise|assist)(?: me| us)?[.!]*$",
    r"\b(?:thanks|thank you|thx|cheers|many thanks)(?: a lot| so much| in advance| very much)?[.!]*$",
    r"(?:能不能|可不可以|能否|可否|可以|能|麻烦|请)(?:你|您|有人|谁|派人|找人|请人|安排人)?"
    r"(?:帮|来|派|过来|修|看|处理|换|安排|尽快|给)[^?]{0,300}$",
    r"(?:谢谢|多谢|感谢|拜托)[^?]{0,300}$",
)
QUESTION_START = re.compile(
    r"^(?:how|what|what's|whats|when|when's|where|where's|who|who's|whom|whose|which|why|is|are|am|was|were|do|does|"
    r"did|can|could|may|might|should|shall|will|would|has|have|must|any idea|any way)\b"
)
QUESTION_INSIDE = any_of(
    r"\bhow (?:do|does|can|could|should|would|to|long|many|much|often|come)\b",
    r"[,;.] ?(?:can|could|is|are|does|do|should|may|will|would) (?:it|i|we|they|that|this|there|he|she|my|the)\b",
    r"\bwhat (?:can|should|shall|do|could|would|is|are|does|happens|if|to)\b",
    r"\b(?:where|when|who|which|why) (?:can|should|do|does|is|are|to)\b",
    r"\b(?:tell|show|explain|describe|remind) (?:me |us )?(?:how|what|when|where|who|why|which|whether|about)\b",
    r"\b(?:what now|now what|what next|what then|any advice|any tips)\b",
    r"\b(?:i wonder|wondering|any idea|do you know|does anyone know|is there (?:a|any)|are there)\b",
    (
        r"怎么|如何|怎样|咋|什么|哪|谁|多少|几[个天次点号台小月年周位步人]|多久|多长|为何|是否|是不是|有没有|"
        r"能不能|可不可以|要不要|会不会|能否|可否|请教"
    ),
    r"(?:吗|么|呢)[?!。.~]*$",
)
GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|morning|"
    r"how are you(?: doing)?|what's up|sup|"
    r"nice to meet you|你好|您好|大家好|早上好|上午好|下午好|晚上好|早安|早|嗨|哈喽|在吗|在不在|"
    r"有人吗)[\s,!.?~。啊呀哦吗]*+"
    r"(?:(?:there|all|team|everyone|folks|desk|duty ?desk|dutydesk|bot|today)[\s,!.?~。]*+)?)+$"
)
THANKS = re.compile(
    r"^(?:ok(?:ay)?[ ,]*|great[ ,!]*|perfect[ ,!]*|cool[ ,!]*|好的[，, ]*|太好了[，,! ]*|非常|太|十分)?"
    r"(?:many thanks|thanks|thank you|thank u|thx|ty|cheers|much appreciated|appreciate it|great|perfect|"
    r"got it|awesome|that(?:'s| is) (?:all|great|helpful)|that (?:helped|works|worked)|"
    r"(?:it )?works(?: fine)?(?: now)?|bye|"
    r"goodbye|see you|"
    r"谢谢|多谢|感谢|谢了|辛苦了|明白了|知道了|懂了|收到|再见|拜拜|好的|太好了|搞定了?|解决了)"
    r"(?:[\s,!.~。，]*(?:that(?:'s| is) (?:all|great|helpful)|that (?:really )?(?:helped|works|worked)|"
    r"(?:it )?works(?: fine)?(?: now)?|a lot|so much|very much|again|a bunch|for your help|for the help|all|"
    r"everyone|you|你|"
    r"您|大家|啦|了|哦|帮助|的帮助|你的帮助))*[\s,!.~。]*$"
)
HELP = re.compile(
    r"^(?:help|help me|/?help|menu|commands|\?++|start|/start|usage|"
    r"what (?:can|do|could) you (?:do|help(?: me)?(?: with)?|know|offer)(?: for me| here)?|"
    r"how (?:do you work|can you help(?: me)?|do i use (?:you|this|this bot))|"
    r"who are you|what are you|what is this(?: bot)?|are you (?:a )?(?:bot|human|robot|real|an ai|ai)|"
    r"what(?:'s| is) your name|"
    r"how does (?:this|it|the desk|this bot) work|你有(?:哪些|什么)功能|帮助|菜单|功能|你能做什么|你会什么|"
    r"你会做什么|你可以做什么|你能干什么|你能干嘛|你能帮我做什么|怎么用你|"
    r"怎么使用你|你是谁|你是什么|你叫什么(?:名字)?|你是机器人吗|使用说明|能做什么|有什么功能|你有什么功能)"
    r"[\s?!.。]*$"
)
FOLLOW_UP = any_of(
    r"^(?:and|what about|how about|but|also|or|then|same for|and what|and how|what if|and if|even)\b",
    r"^(?:那|那么|还有|另外|如果是|要是|换成|同样|以及)",
)
#: Something else than what was said before.
INSTEAD = any_of(
    r"^(?:no|sorry|actually|rather|better)\b|^(?:make|change|set|move|put) (?:it|that|this)\b|\binstead\b",
    r"^(?:不|还是)|改成|改为|改到|换成|换到",
)
BARE_PRONOUN = any_of(
    r"\b(?:it|that|this|those|these|they|them|(?<!\bis )(?<!\bare )there|its|their|one|ones|he|him|his|she|her|hers)\b",
    r"它|它们|那个|这个|那些|这些|这种|那种|该|这(?=是|要|需|能|可|怎|如)|那(?=是|要|需|能|可|怎|如|呢)",
)
#: Yes to what was offered or shown.
ACCEPTED = re.compile(
    r"^(?:yes|yep|yeah|yup|y|sure|ok|okay|please do|do it|do that|go ahead|of course|please|absolutely|"
    r"好|好的|好啊|好吧|行|可以|要|要的|是|是的|嗯|嗯嗯|对|对的|没问题|麻烦了|那就这样)"
    r"(?:[ ,，]*(?:please|thanks|thank you|do|go ahead|do it|do that|open (?:a|one)|create (?:a|one)|"
    r"draft (?:a|one)|吧|啊|的|谢谢|麻烦你|请|提吧))*[.!。~]*$"
)
#: No to what was offered or shown.
REFUSED = re.compile(r"(?:no|nope|nah|no thanks|no thank you|不|不是|不要|没有|不了|否)[.!。！]{0,3}")
#: What was begun is not wanted any more.
NEVER_MIND = re.compile(
    r"(?:discard|never ?mind|forget it|cancel)(?: it| that| this)?[.!]*"
    r"|(?:(?:还是)?(?:算了|不提了|不用了|不用|取消|放弃)[吧啦]?[，, 。]*)+"
)
