"""What asks in a message: its first word, words within it, or a verb that stands before its subject.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

import re

from agent.brains.rules.understanding.phrases import any_of, either

#: What joins a question to what was said before it: "and do I have to get several offers".
_JOINS = re.compile(r"(?:(?:and|but|or|plus)[\s,]{1,2}){1,2}(?:(?:so|then|also)[\s,]{1,2})?")
QUESTION_START = re.compile(
    "^(?:how|what(?! an? [^?]*$)|what's|whats|when(?! (?:i|we) (?!can|could|should|may|must|need|have|get))"
    r"|when's|where|where's|who|who's|whom|whose|which|why|why's|how's|(?:is|are|am|do|does|did)(?! not\b)"
    "|(?:was|were)"
    "(?! (?:up|off|ill|sick|out|away|late|in|on|at|told|sent|given|just|supposed|going|wondering|hoping|trying"
    r"|planning|meant|not)\b)"
    r"|(?:can|could|may|might|should|shall|will|would|must)(?!'t| (?:be|have|not|just|like|love|do with)\b)"
    r"|have(?= (?:i|we|you|they|the|my|our|any)\b)|has(?! (?:been|not|just|stopped)\b)"
    "|(?:can't|won't|isn't|aren't|don't|doesn't|didn't|haven't|shouldn't|couldn't)"
    r"(?= (?:i|we|they|he|she|it|there)\b)"
    "|any(?:thing|one|body|where)? "
    "(?:idea|way|chance|limit|rules?|tips|advice|news|particular|other|else|i|we|to|special|specific|need|reason"
    "|difference|discount|extra)"
    "|(?:i'?m )?(?:not (?:entirely |quite |really )?sure|no idea|any idea) "
    r"(?:if|whether|how|when|where|which|who|what to))\b"
)
QUESTION_INSIDE = any_of(
    r"^(?:(?:and|so|but) )?(?:the )?(?:latest|earliest|soonest|longest|most|least|max(?:imum)?|min(?:imum)?)(?: \w+)?"
    r"(?: that)? (?:i|we|you|they) (?:can|could|may|should|must|have to|need to)\b",
    r"\bhow (?:do|does|can|could|should|would|to|long|many|much|often|come|early|late|soon|far|high|old|big|fast)\b",
    r"\bwho (?:signs|approves|decides|pays|handles|allows)(?: (?:it|that|this|them|off))?[ ?]*$",
    r"[,;.] ?(?:can|could|is|are|does|do|should|may|will|would) (?:it|i|we|they|that|this|there|he|she|my|the)\b",
    r"^(?:(?!know|sure|matter|me|is|was)[a-z]+ ){1,3}(?:who|whom|where|when|how)(?: then| exactly| now)?[ ?]*$",
    r"\bwhat (?:can|should|shall|do|could|would|is|are|does|happens|if|to)\b",
    r"\b(?:where|when|who|which|why) (?:can|should|do|does|is|are|to)\b",
    (
        "^(?:(?:up|down) )?(?:until|till|by|since|from|at|for|with|on|in|to|of|after|before|around|under) "
        r"(?:what|which|when|whom|whose|how)\b"
    ),
    (
        "(?: [-–—]|[,;:—–]) ?(?:what|which|whose|how|who|where|when)"
        r"(?: (?!is|are|was|were|has|have|had|does|do|did|i|we|it|they)\w+){0,3}[ ?]*$"
    ),
    r"[,;:.!] ?(?:and |so |but )?(?:what|where|who|when|how|which)(?:'s| is| are) \w",
    r"\b(?:tell|show|explain|describe|remind) (?:me |us )?(?:how|what|when|where|who|why|which|whether|about)\b",
    (
        r"\b(?:want|wants|need|like|love|trying|try|curious) to (?:just )?"
        "(?:know|find out|understand|learn|ask|check|see) "
        r"(?:about|if|whether|how|what|when|where|which|who|whose|why)\b"
    ),
    (
        r"\b(?:don't|dont|do not|not|never|no idea|unsure) (?:really |quite |even )?"
        "(?:know |sure |certain |clear |told )?"
        r"(?:(?:if|whether) (?:i|we|i'm|im|we're|it's ok|it's safe)\b"
        "|(?:who|whom|what|where|which|how)(?: [a-z]{2,12})? to )"
    ),
    r"\b(?:whose job|whose turn) (?:is|would|it is)\b",
    r"\b(?:what now|now what|what next|what then|any advice|any tips)\b",
    r"\b(?:i wonder|wondering|any idea|do you know|does anyone know|is there (?:a|any)|are there)\b",
    r"[,;.!] ?(?:and |so |but )?any(?:thing|one|body|where)? (?:i|we|else|special|other|rules?|limit|chance|way|to)\b",
    (
        "怎么|如何|怎样|咋|(?:什么|哪|谁)(?!都|也)|多少|多久|多长|为何|是否|是不是|有没有|请教"
        "|(?<![好这那后近十])(?<!(?<!提)前)几"
        r"(?![乎率何百千年]|[台个部间张盏把辆][^，,。]{1,8}[坏不没断漏死卡掉])(?=[\u4e00-\u9fff])|能不能"
        "|可不可以|要不要|会不会|能否|可否"
        "|(?:能|可以|要|有|得|最)[^，,。]{0,4}多[大高重长远快厚宽深晚早贵细粗久热冷]"
        "|多[大高重长远快厚宽深晚早贵](?=[的啊呢呀]{0,2}[?!。.~,，]|[的啊呢呀]{0,2}$)"
        "|(?<![不很])多[大高重长远快厚宽深](?=要|才|就|会|能)"
    ),
    r"(?:吗|么|(?<![着还])呢)[?!。.~]*$",
    r"[\u4e00-\u9fff]{3}(?:总不能|没事|没问题|可以|能行|不用|不算|不会|不至于)[^，,。]{0,6}吧[?!。.~]*$",
    r"有[^，,。有]{1,8}没[?!。.~]*$",
    r"([\u4e00-\u9fff])不\1|[\u4e00-\u9fff]{2}(?:不|了没有?)[?!。.~]*$",  # 行不行, 要填表不, 修好了没
    r"的(?:原因|区别|差别|办法|方法|步骤|流程|标准|条件|要求|规定|含义|意思|期限|上限|下限|范围)[?？。~]*$",
)
#: A word before a verb and its subject after which nothing asks: "so do I", "he does it", "the problem is it won't".
_NO_TURN = (
    "(?!(?:so|nor|neither|as|than|only|hardly|i|we|you|they|he|she|it|this|that|to|would|will|could|should|can"
    "|may|must|might|who|which|problem|issue|thing|trouble|point|fact|reason|says"
    r"|said)\b)[\w'%£$€.-]{1,24}[ ,]{1,2}"
)
#: What is said of a thing in a question whose verb is "is".
_SAID_OF = either(
    "ok|okay|alright|allowed|safe|possible|normal|enough|fine|legal|included|paid|covered|due|valid|free|open",
    "meant|supposed|required|needed|usable|compulsory|worth|too (?:late|early|much|old)",
    r"a (?:problem|bus|train|must)|(?:an? |any)\w* (?:limit|form|rule|way|fee)",
)
#: A verb before its subject, wherever it stands: "the fish are about 700 g now which size do they get".
_TURNED = any_of(
    (
        rf"(?:^|{_NO_TURN})(?:do|did|can|could|should|would|may|must|shall|am|are|were) (?:i|we|they)\b"
        r"(?! (?:are|is|was|were)\b)"
    ),
    rf"(?:^|{_NO_TURN})(?:do|are) you\b",
    rf"(?:^|{_NO_TURN})(?:does|did|can|should|will|would|is|was) (?:he|she)\b",
    rf"(?:^|{_NO_TURN})(?:can|should|will|would) (?:it|this)\b",
    (
        f"{_NO_TURN}does (?:it|this|that) "
        "(?!when|again|every|all|since|on|in|at|for|with|after|before|too|as|now|only|and|but|because|if|to|the|an?"
        r"|sometimes|once|twice|work)[a-z]+\b"
    ),
    rf"{_NO_TURN}(?:is|are|was|were) (?:it|that|this|there|the|my|our)(?: [\w'-]{{1,20}}){{0,4}}? {_SAID_OF}\b",
    (
        r"\b(?:what|which|how|when|where)(?: [a-z'-]{1,20}){0,3} (?:does|do|did|will|can|should) "
        r"(?:the|my|our|a|an|one)\b"
    ),
)


#: Who else is spoken of at work, and how it is told that they want something.
_PEOPLE = (
    "(?:guests?|customers?|clients?|patients?|visitors?|passengers?|lady|ladies|woman|women|man|men|bloke|guy|gent|"
    "couple|mum|mother|dad|father|parents?|kids?|lad|girl|boy|students?|learners?|members?|pensioner|punters?|"
    "designer|supplier|contractor|freelancer|tenants?|buyers?|callers?|family|schools?|someone|somebody|he|she|they)"
)
_WANT = (
    "(?:wants?|wanted|(?:keeps? )?ask(?:s|ed|ing)?|demand(?:s|ed|ing)?|insist(?:s|ed|ing)?|expect(?:s|ed|ing)|"
    "would like)"
)
_PEOPLE_CHINESE = (
    "(?:客人|顾客|客户|观众|游客|家长|病人|患者|学员|住客|乘客|老太太|老人家?|大爷|大妈|先生|女士|阿姨|家属|供应商)"
)
_WANT_CHINESE = "(?:想要?|非要|要(?!是|不|么)|要求|让我们?|问|催)"
_AMONG_THEM = (
    "(?:(?:an?|the|one(?: of)?|some|this|that|my|our|old|young|elderly|pregnant|angry) ){0,3}(?:[a-z]{2,12} )?"
)
#: What somebody else wants is told to learn what to say: "old lady wants a paracetamol", 客人非要换房.
_OF_OTHERS = any_of(
    rf"^{_AMONG_THEM}{_PEOPLE}(?: (?:on|at|in|from|next) [a-z]{{2,12}}(?: [a-z0-9]{{1,12}}){{0,2}})? "
    rf"(?:(?:now|still|really|is|are) ){{0,2}}{_WANT}\b",
    rf"^(?:有|来了|刚才|门口|前台|电话里)?(?:[一这那几]?[个位对])?{_PEOPLE_CHINESE}[^,。!?]{{0,6}}{_WANT_CHINESE}",
    rf"^有人[^,。!?]{{0,4}}{_WANT_CHINESE}",
    r"^(?:(?:the|my|our|an?) )?(?:[a-z'-]{2,14} ){1,3}(?:is |are |was |keeps? )?(?:asking|asks|asked|wonders|wondering|"
    r"wants? to know)(?: me| us)? (?:if|whether|how|when|what|why|where|who|which)\b",
)
#: Who else wants to be told something: "bloke with a camera wants to know about our prices", 有个记者想知道.
_ASKED_BY_OTHERS = any_of(
    rf"^{_AMONG_THEM}{_PEOPLE}\b(?: [a-z][a-z'-]{{0,14}}){{0,6}}? "
    r"(?:(?:is |keeps )?asking|asks?|asked|wonders|(?:wants?|wanted|would like) to know)(?: me| us)? "
    r"(?:about|if|whether|how|what|when|why|where|who|which)\b",
    rf"^(?:有|来了|刚才|门口)?(?:[一这那几]?[个位对])?(?:记者|人|{_PEOPLE_CHINESE})[^，,。!！?？的]{{0,10}}"
    r"(?:想知道|想了解|打听|问(?!题|卷|候))",
)
#: … wherever that is told in a message.
DEMANDS = any_of(
    rf"\b{_PEOPLE}(?:'s| is| are| now| still){{0,2}} {_WANT}\b",
    rf"(?:{_PEOPLE_CHINESE}|对方|[他她]们?)[^，,。]{{0,2}}{_WANT_CHINESE}",
)
#: What befell somebody else: "lad has a voucher that ran out", "schools pulled out".
TELLS_OF_OTHERS = any_of(
    rf"^{_AMONG_THEM}{_PEOPLE}\b(?!'s)", rf"^(?:有|来了)?(?:[一这那几]?[个位对])?{_PEOPLE_CHINESE}(?!的)"
)
#: A case and nothing that holds in it: "and if I'm grade 6", "if i knock over a bit of it", 要是没批.
_CASE_ALONE = re.compile(
    r"(?:(?:and|but|or|so|ok(?:ay)?)[\s,]{1,2}){0,2}(?:(?:what |even )?if|suppose|supposing)"
    r" (?!(?:(?:you|u) (?:can|could|would|want|need|like|don't mind|have (?:time|a))|there's (?:time|a chance)"
    r"|it's (?:ok|possible|not)|any|anything|possible|need(?:ed)?|necessary|so|not|only|convenient)\b)"
    r"[^,.;:!]{3,80}[?.! ]*$"
    r"|(?:(?:and|but|or|so|ok(?:ay)?)[\s,]{1,2}){1,2}(?:what |even )?if [^,.;:!]{3,80}[?.! ]*$"
    r"|那?(?:如果|要是|万一|假如|假设|倘若)[^,，。;；!！]{2,20}[?？。 ]*$"
)
#: What is to be done in that case, which asks nothing: "if she calls tell her …", 如果他来了请告诉我.
_CASE_OF_ORDER = re.compile(
    r"\b(?:please|pls|then|i'll|we'll|(?:i|we|that) (?:will|would))\b"
    r"|(?<!\bi )(?<!we )(?<!they )(?<!you )(?<!he )(?<!\bto )(?<!n't )(?<!not )"
    r"\b(?:tell|remind|let|give|send|call|ring|ask) (?:me|us|him|her|them)\b"
    r"|请(?!假|客|[病年事]假)|帮我|麻烦|提醒我|告诉我|通知我|就(?=给|让|叫|提醒|告诉|通知)"
)


def asks_directly(core: str) -> bool:
    """Tell whether a message, without politeness, asks by the words that it begins with or that stand in it."""
    ways = (QUESTION_START, QUESTION_INSIDE, _OF_OTHERS, _ASKED_BY_OTHERS)
    return any(each.search(core) is not None for each in ways)


def asks(core: str) -> bool:
    """Tell whether a message, without politeness, asks something: at its beginning, or after what it tells first."""
    return asks_directly(_JOINS.sub("", core, count=1)) or _TURNED.search(core) is not None or puts_case(core)


def is_asked_by_others(core: str) -> bool:
    """Tell whether a message tells that somebody else wants to be told something."""
    return _ASKED_BY_OTHERS.search(core) is not None


def puts_case(core: str) -> bool:
    """Tell whether a message puts a case and says nothing of what shall be done in it: what holds then is asked."""
    alone = _CASE_ALONE.match(core)
    return alone is not None and _CASE_OF_ORDER.search(core) is None
