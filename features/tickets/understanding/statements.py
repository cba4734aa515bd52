"""Statements by their form: a thing and what it does, as reports are told that use no word for a fault.

"The projector shows a purple tint", "canteen card was charged twice", 打印机一直吐白纸: nothing is asked, and a
thing is the subject. Words to search for ("opening hours of the canteen") have no verb, and stories ("I move house in
May") a person for their subject: both are left to the documents.
"""

import re

from agent.brains.rules.understanding.phrases import any_of


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


#: The least and most words, and Chinese characters, of a statement about a thing.
_LEAST_WORDS, _MOST_WORDS, _LEAST_CHARACTERS = 2, 60, 4
_WORD = re.compile(r"[a-z0-9][\w'/.&-]*[a-z0-9]|[a-z0-9]")
#: Who is spoken of in a story, and what only points.
_NO_THING = any_of(
    r"^(?:i|i'\w+|we|we'\w+|you|you'\w+|he|she|they|he's|she's|they're|this|that|these|those|that's|it|it's|who|if|when|as)\b",
    r"^(?:my|our|a|the|one of (?:my|our|the)) (?:\w+ )?(?:wife|husband|partner|kids?|child|children|son|daughter|baby|"
    r"mother|father|mum|mom|dad|parents?|family|grand\w+|friends?|colleagues?|coworkers?|boss|manager|supervisor|"
    r"team ?lead|doctor|landlord|contract|probation|notice period|question)\b",
    r"^(?:people|employees|staff|everyone|everybody|anyone|contractors|trainees|interns|visitors|guests|leavers)\b",
    r"^(?:need|needed|looking|searching|asking|want|wanted|trying|going|getting|please|thanks|just|let|tell|show|give|"
    r"find|list|explain|summari[sz]e|compare|describe|define)\b",
)
#: Words that are finite verbs wherever a thing stands before them.
_VERBS = _words(
    "is are was were isn't aren't wasn't weren't has have had hasn't haven't does doesn't do don't did didn't "
    "will won't can can't cannot could couldn't would wouldn't keeps keep kept seems seem says said shows "
    "showed looks looked goes went comes came gets got stays stayed makes made takes took fell stopped began "
    "started turned tore bent burnt blew froze shut split sank rang spun ran gave tastes smells sounds feels "
    "felt needs"
)
#: What makes a noun of a verb that stands behind it: "the form that is needed".
_RELATIVE = _words("that which who what where when how and or if to")
_JOINING = _words("whenever while because since after before until though but only always never again just")
#: What follows a verb, and no noun in the plural: an object, a particle, an adverb.
_AFTER_VERB = _words(
    "my our me us it its itself you him her them the a an no nothing every each all any some only just always never "
    "sometimes again twice once too very so like as around off out up down away apart back over through by whenever "
    "while if because since instead randomly constantly suddenly slowly badly wrongly loudly automatically still "
    "already yesterday today everything everyone between into onto against differently "
    "incorrectly weird strange wrong blank black red green blue double upside crooked askew sideways different"
)
#: … and behind a participle also these.
_AFTER_PARTICIPLE = _AFTER_VERB | _words("at during from with without last this before after when in on")
_BEFORE_VERB = _words("only always never just sometimes constantly randomly suddenly still now often")
_DETERMINERS = _words("the a an my our your their this that these those no all every new")
#: What stands behind a noun in the plural.
_AFTER_NOUN = _words("for of in and or on at to per with by from under during than as is are was were")
#: Plurals that stand before other nouns, and units.
_PLURALS = _words(
    "sports sales news goods savings customs operations services systems communications hours times days weeks months "
    "years minutes kids ladies men women expenses claims rules guidelines benefits holidays reports orders accounts "
    "costs prices rates limits terms studies works series"
)
_COUNTED = re.compile(
    r"\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|half|several|many|few|more"
)
#: What a thing does that fails, where nothing stands behind it.
_FAILS = re.compile(
    r"(?:freez|crash|hang|lag|jam|leak|drip|flicker|blink|beep|squeak|rattl|overheat|disconnect|fail|smell|stink|hum|"
    r"buzz|loop|restart|reboot|stutter|wobbl|stall|smok|spark|vibrat|crackl)e?s"
)
_ENDING_S = re.compile(r"[a-z]{2,}[^su\W]s|[a-z]{2,}sses")
_PARTICIPLE = re.compile(r"[a-z]{3,}ed")
#: Words that ask, wherever they stand, and a tag that makes a question of a statement.
_ASKS = any_of(
    r"\?|\bwhat'?s\b|[,;.!] ?(?:what(?! an? )|how|where|who|when|which|can|could|do|does|is|are|should|may|any)\b",
    r"^(?:know|understand|learn|find out|ask|check)\b|\b(?:how|whether)\b",
    r"\b(?:what|when|where|who|whom|which|why|right|correct|or not)[\s.!]*$",
    r"吗|呢|[?？]|什么|怎|哪|谁|多少|(?<!好)几[天个点号]|是否",
)

#: What a Chinese statement says of a thing: how long, how often, that it came to be so.
_SAYS_CHINESE = any_of(
    r"一直|老是|总是|总(?=[\u4e00-\u9fff])|老(?=[掉卡断跳闪响])|反复|不停|突然|忽然|自动|自己(?!的)|经常|时不时|偶尔|断断续续|越来越|半天|好久|"
    r"好几[个次台张]|[两三几]次|重复|多[扣收算]|少[发算给]|漏[发算记]|得(?:厉害|很|不行|要命|慌|不得了)|[\u4e00-\u9fff]不(?:[上下起掉进]|出)[去来]|从(?:昨|今|上|早)[^，,。]{0,6}(?:开始|起)|今天早上|刚才|刚刚|"
    r"有点|特别|太[\u4e00-\u9fff]|全是|变(?:成|得|了)|发[黄黑白烫热霉抖]|偏[黄绿红蓝紫白暗亮色移]|被(?!批准)[\u4e00-\u9fff]|没[有]?(?:反应|动静|画面|声|电|水|网|显示|更新|到账|收到|发)|"
    r"不(?:亮|响|动|转|准|对|灵|稳|出|走|开|显示|更新|同步|见)|响个|转圈|抖动|跳来跳去|只(?:能|有|打|出|显示)|又(?=[\u4e00-\u9fff]{2})"
)
#: What hardly stands in words to search for; and what may, unless they end with the name of what is wanted.
_STRONG_CHINESE = re.compile(
    r"[还都把被没不又才]|了(?!解)|只(?!读)|太|总[是要会在]|[两三四五六\d]{1,4}[次张遍份台条倍]|慢|快(?!递|捷|速)"
)
_WEAK_CHINESE = re.compile(
    r"是|有(?!限|效|关|薪)|要(?!求)|会(?!议|员|计)|能(?!力)|着|[一几十]{1,4}[次张遍份台条个]|里面|出来|上去|下来"
)
_NAME_CHINESE = re.compile(
    r"(?:标准|表格?|流程|步骤|时间|日期|天数|期限|规定|制度|办法|方法|方式|地址|地点|位置|电话|政策|费用?|价格|收费|范围|要求|条件|名单|清单|入口|链接|"
    r"模板|说明|指南|手册|安排|权限|账号|密码|申请|报销|预订|余额|额度|补贴|津贴|待遇|福利|资料|材料|内容|规则|原则|区别|例外|上限|下限|计划|培训|设置|配置)$"
)
_LEAST_WEAK = 7
_NO_THING_CHINESE = any_of(
    r"^(?:我|我们|本人|咱们?|你|您|他|她|他们|大家|员工|新人|实习生|孩子|小孩|宝宝|老婆|老公|爱人|家人|家里人|父亲|母亲|爸|妈|领导|主管|经理|朋友)(?!的|们的)",
    r"^(?:请|麻烦|帮|想|要|求|有没有|关于|查|找|看|告诉|说明|解释|总结|申请|需要)",
)


def is_verb_form(word: str) -> bool:
    """Tell whether a word can only be a verb, or joins two clauses: "keeps", "fails", "whenever"."""
    return word in _VERBS or word in _RELATIVE or word in _JOINING or _FAILS.fullmatch(word) is not None


def states_of_thing(core: str) -> bool:
    """Tell whether a message says what a thing does or how it is; `core` is a message without politeness."""
    if _ASKS.search(core):
        return False
    if re.search(r"[\u4e00-\u9fff]", core):
        return _states_in_chinese(core)
    return any(_states(clause) for clause in re.split(r"[.!;:]\s|\n", core)[:3])


def _states_in_chinese(core: str) -> bool:
    clauses = [each for each in re.split(r"[，,。！!；;\s]", core) if each]
    told = [each for each in clauses if not _NO_THING_CHINESE.search(each)]
    enough = sum(len(each) for each in told) >= _LEAST_CHARACTERS
    if not (told and enough and told[0] == clauses[0]):
        return False
    if _SAYS_CHINESE.search(core):
        return True
    if sum(len(each) for each in told) < _LEAST_WEAK:
        return False
    strong, weak = _STRONG_CHINESE.search(core), _WEAK_CHINESE.search(core)
    return strong is not None or (weak is not None and not _NAME_CHINESE.search(told[-1]))


def _states(clause: str) -> bool:
    """Tell whether a thing stands before a finite verb."""
    clause = re.sub(
        r"^(?:since|from|for|after|this|last|every|again|also|now|today|yesterday)\b[^,]{0,30}, ", "", clause.strip()
    )
    if _NO_THING.search(clause):
        return False
    words = _WORD.findall(clause)
    if not _LEAST_WORDS <= len(words) <= _MOST_WORDS:
        return False
    named = words[0] in _DETERMINERS  # "the dishwasher …": what follows the noun is hardly another one
    return any(
        _is_verb(word, words[at - 1], words[at + 1] if at + 1 < len(words) else "", named=named and at > 1)
        for at, word in enumerate(words)
        if at > 0
    )


def _is_verb(word: str, before: str, after: str, *, named: bool) -> bool:
    """Tell whether a word is the verb of a statement, from the words beside it."""
    if before in _DETERMINERS or before in _RELATIVE:
        return False
    if word in _VERBS:
        return True
    adverb = after.endswith("ly") and len(after) > _LEAST_CHARACTERS
    if not after and _FAILS.fullmatch(word):
        return True
    if _ENDING_S.fullmatch(word):
        certain = after in _AFTER_VERB or adverb or before in _BEFORE_VERB
        if certain or word in _PLURALS or not after:
            return certain
        return _COUNTED.fullmatch(after) is not None or (named and after not in _AFTER_NOUN)
    return _PARTICIPLE.fullmatch(word) is not None and (after in _AFTER_PARTICIPLE or adverb)
