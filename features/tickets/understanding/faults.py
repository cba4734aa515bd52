"""How people say that something is broken or wanted, in English and Chinese.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
They know no company's systems: what is broken is a matter of the configured categories.
"""

import re

from agent.brains.rules.understanding.message import without_place
from agent.brains.rules.understanding.phrases import ASKS_TO_HAVE, any_of

#: What somebody has done to a thing: "scraped the van on a gatepost".
BEFELL = any_of(
    r"^(?:(?:i|we)(?:'ve| have)? )?(?:just |accidentally )?(?:scraped|scratched|dented|bumped|crashed|ran over"
    r"|broke|cracked|(?:backed|reversed|drove) into|dropped|smashed|spil(?:t|led)|knocked (?:over|off)"
    r"|tore|ripped|bent|snapped) "
    r"(?:the|my|our|an?|his|her|one of|some)\b",
    r"^(?:我|我们)?(?:刚才?|不小心|把)?把?[^，,。]{1,8}(?:[刮蹭撞碰剐擦][到了花坏掉]|(?:摔|打|弄|碰)(?:坏|碎|破|裂|翻)了?)",
)
#: A fault even in a message of two words.
FAULT = any_of(
    BEFELL.pattern,
    r"\b(?:my|our)(?: [\w'-]{1,20}){1,4} (?:isn'?t|is not|ain'?t|wasn'?t|was not|aren'?t|weren'?t) (?:on|in) "
    r"(?:the|my|our)\b",
    r"^(?:someone|somebody|some ?one|they)(?:'?s|'ve| has| have)? (?:gone and |just |already )?"
    r"(?:taken|nicked|pinched|borrowed|moved|broken|blocked|"
    r"unplugged|smashed|bent|jammed|dumped|hidden|ripped) (?:the|my|our|all|both|one of)\b"
    r"|^(?:谁|有人|不知道谁)[^，,。]{0,3}把[^，,。]{1,10}(?:拿|搬|挪|借|弄|碰|撞|踩|扯|拔)[走掉坏了断碎]",
    r"^(?:the|my|our|an?|one of (?:the|my|our))(?: [\w'-]{1,20}){1,4}?(?:'s| has| have| had| just| all){0,2} "
    r"(?:broke|snapped|tore|ripped|burst|popped|gave (?:up|out|way)|melted|packed (?:in|up)|blew(?: up)?|"
    r"ran dry)\b(?! (?:even|into|the record))",
    r"\b(?:water|rain|oil|gas|air|smoke|sewage|diesel)(?:'s| is| was)? (?:com|pour|dripp|leak|runn|gett|spray|gush)ing"
    r" (?:in|out|through|from|down|all over)\b",
    r"\b(?:won't|wont|will not|doesn't|doesnt|does not|can't|cant|cannot|can not|couldn't|could not|isn't|is not|"
    r"aren't|are not|don't|do not|didn't|wouldn't|hasn't|haven't|never) (?:\w+ ){0,2}?"
    r"(?:work|working|boot|start|starting|turn|power|charge|charging|connect|connecting|load|loading|open|opening|"
    r"print|printing|scan|respond|responding|log|login|sign|access|reach|see|hear|find|get|send|receive|receiving|"
    r"sync|syncing|update|install|launch|join|enter|use|display|detect|detected|recognise|recognised|recognize|"
    r"recognized|show|showing|play|save|close|lock|unlock|heat|cool|flush|move|stop|switch|wake|ring|"
    r"available|reachable|"
    r"come|let|accept|accepted|read|type|click|download|upload|run|running|finish|complete|do|be|arrive|"
    r"arrived|been|make|pay|paid)\b",
    r"\b(?:shows?|has|have|got|gives?|makes?|there(?:'s| is| are)) no(?:t any)? (?:\w+ )?(?:picture|image|"
    r"signal|power|sound|"
    r"light|heat|heating|water|hot water|internet|network|connection|wifi|reception|response|effect|electricity|air|"
    r"toner|ink|paper|pressure)\b|\b(?:is|are|was|ran|has run|have run|running) out of (?:toner|paper|ink|power|order|"
    r"battery|space|memory|service|soap|stock)\b|"
    r"\b(?:nobody|no one|none of (?:us|them)|no (?:users?|customers?|guests?|patients?|students?|staff|colleagues?)) "
    r"(?:\w+ ){0,4}?(?:can|could|is able to|gets?|sees?|receives?) (?:\w+)\b|"
    r"\b(?:stays?|remains?|goes|went|turned|turns|runs|ran) (?:ice |freezing |boiling |completely |all )?"
    r"(?:black|blank|dark|off|offline|silent|red|cold|hot|white|blue)\b|"
    r"\b(?:is|are|it's|has been|keeps|was) (?:now |completely |totally |all |again )?(?:frozen|stuck|blank|black|dark|"
    r"unresponsive|disconnected|unreachable|unusable|blocked|clogged|ripped|torn|bent|swollen|shattered|soaked)\b|"
    r"\b(?:has|have|had|did)(?: not|n't) (?:yet |ever )?(?:arriv\w+|come|been|"
    r"worked|shown|started|received|delivered|changed|appeared)\b|\b(?:times|timed|timing) out\b|"
    r"\blogs? me out\b|\bkicks? me out\b|\bthrows? (?:an? |this )?(?:error|exception)\b|"
    r"\b(?:asks|asked) (?:me )?for (?:a |my )?(?:licen[cs]e|password) (?:again|every|all the time|each)\b|"
    r"\b(?:i|we)(?:'ve| have)? (?:forgot|forgotten|lost|locked) (?:my|our|myself)\b|"
    r"\b(?:broken|broke down|not working|stopped working|out of order|doesn't work|jams|jammed|leaking|leaks|"
    r"dead|died(?! (?:yesterday|last|of|in|at|on|down)\b)|gave up the ghost|conked out|"
    r"went dead|kaput|on the blink|cracked|"
    r"smashed|shattered|stolen|faulty|defective|locked out|blue screen|black screen|(?:light|"
    r"lamp|tube|bulb|power)s? (?:is |are )?out(?! of)|"
    r"(?<!a )(?<!an )(?:crashed|frozen)|overheating|"
    r"overflow(?:s|ed|ing)|flickering|burning|on fire|"
    r"smoking|malfunction\w*|went down|is down|are down|has failed|keeps? \w+ing|"
    r"no (?:signal|"
    r"power|sound|internet|network|wifi|wi-fi|connection|heating|hot water|picture))\b",
    (
        r"\b(?:not|isn't|isnt|aren't|arent|wasn't) \w+ing\b|\b(?:not|wasn't|weren't|never) (?:been )?(?:paid|"
        r"delivered|received|recorded|"
        r"credited|refunded|processed|visible|shipped)\b|\bunable to\b|\bfail(?:s|ed|ing)? to\b|\brefuses? to\b|"
        r"\bkeeps? (?:on )?(?:crash|freez|"
        r"restart|disconnect|drop|fail|log)\w*"
    ),
    r"\bnothing (?:at all )?(?:happens|moves|comes|appears|opens|prints|responds|reacts|starts|works|changes)\b|"
    r"\b(?:shows?|showing|reads?|reading|displays?|says|stays? (?:at|on)|stuck (?:at|on)|remains? at|stands at) "
    r"(?:only |just |always |constantly |nothing but )?(?:0|zero|nan|error|nonsense)(?![\w.,]?\d)(?!\w)",
    r"(?:显示|读数|停在|一直|总|老)(?:是|为|在)? ?(?:0|零)(?![\d.])|"
    r"没有?(?:任何|什么|一点|丝毫)(?:反应|动静|显示|输出)",
    r"异味|噪音|很吵|太吵|滴水|晃动|摇晃|松动|不准|偏高|偏低|超出范围|超范围|闪烁|一直(?:响|闪|叫)|有点(?:漏|响|"
    r"卡|松|歪|坏)|"
    r"用完了|快用完|没了$|缺(?:货|纸|耗材)|生锈|发霉|模糊|看不清|条纹|嘎吱|嗡嗡|吱吱|刺耳|不灵|不太灵|失效|滴个不停",
    r"没有?(?:画面|图像|信号|声音|反应|网络|热水|暖气|墨|纸|显示|电力)|坏了|坏掉|坏的|无法|没法|没有反应|没反应|"
    r"没声音|没信号|没网|没电|没水|没图像|断网|断线|掉线|死机|卡死|"
    r"卡住|卡纸|很卡|太卡|好卡|蓝屏|黑屏|花屏|"
    r"闪退|崩溃|报错|出错|失败|故障|失灵|漏水|漏电|停电|跳闸|丢了|弄丢|丢失|被偷|被盗|不见了|不亮|不转|"
    r"不工作|不制冷|不制热|不响|不出水|不好使|异响|太热|太冷|"
    r"(?:没|未)(?:算|记|计)(?:进|入|上)|少(?:算|记|发|付|了)|多(?:算|扣|付)了?|(?:付|扣|算)了(?:两|三|多)次|"
    r"对不上|应该?是\d|太慢|很慢|好慢|特别慢|碎了|破了|裂了|断了|进水|异常|出问题|出了问题|有问题|中毒|中病毒|"
    r"被锁|锁定了|"
    r"锁住|过期了|堵了|脱落|松了|着火|冒烟|掉了|停了|就停|挂了|鼓起来|鼓包|膨胀|变形|发烫|烧了|"
    r"[\u4e00-\u9fff]不(?:[开上去到出入进动通着热冷凉灵]|对[^方面手着]?(?:$|[，,。])|了(?!解|起|少))|不能(?:用|开|"
    r"上|打|充|连|登|进)|[不没](?:能|会|"
    r"再)?(?:启动|开机|响应|显示|识别|联网|工作|运行|充电|打印|连接|登录|更新)|显示不",
)
#: A fault only when somebody speaks of something of theirs.
WEAK_FAULT = any_of(
    r"\b(?:stuck|slow|error|errors|crash\w*|freez\w*|lost|missing|damaged|offline|"
    r"(?:is|are|it's|was|went|been|goes|going|still|all|keeps \w{2,12}ing) down(?! (?:the|to|in|on)\b)|"
    r"down (?:again|since|for)|noise|noisy|smells?|smell|"
    r"virus|malware|phishing|hacked|blank|wrong|expired|disconnect\w*|dropp?(?:s|ed|ing)|blocked|locked|leak|spilled|"
    r"spilt|fell|hot|cold|dirty|empty|blinking|beeping|problem|problems|issue|issues|trouble|fails?|failed|failing|"
    r"failure|deleted|accidentally|hangs|hanging|lag\w*|black|bulging|swollen|since (?:this|yesterday|last|"
    r"monday|tuesday|wednesday|thursday|friday|the)|loose|sticking|sticky|flicker\w*|squeak\w*|clogged|"
    r"flooded|weird|strange|"
    r"suspicious|squeaks?|squeal\w*|rattl\w+|hums|humming|buzz\w*|whistl\w+|grind\w+|loud|drips?|dripping|"
    r"leaks?|jams?|stinks|"
    r"inaccurate|too (?:hot|cold|high|low|loud|dark|bright|slow|warm|dim|tight|short)|out of (?:range|date|"
    r"stock|reach|service)|torn|"
    r"bent|rusty|blunt|wobbl\w+|unstable|crooked|scratched|stained|mouldy|moldy|overdue|running low|low on|"
    r"almost (?:empty|out)|"
    r"nearly (?:empty|out)|flash(?:es|ing)|blinks|beeps|warning light|error light|drops out|cuts out|fell off|"
    r"came off|falls off|"
    r"peeling|crackl\w+|distorted|blurry|"
    r"smear\w*|smudg\w*|blotch\w*|misfeed\w*|garbled|unreadable|illegible|faint|streaks?|stripes?|"
    r"needs? (?:a |an |to be |some |new |more )?"
    r"(?:refill\w*|clean\w*|repair\w*|replac\w*|toner|paper|supplies|calibrat\w*|batter\w*|soap|servic\w*|"
    r"fix\w*|looking at))\b",
)
OWN = any_of(
    (
        r"\b(?:i|i'm|i've|my|our|we|we're|we've|us|me|the|there|there's|someone|somebody|nobody|everyone|it|it's|"
        r"this|here)\b"
    ),
)
#: Who complains wants a person to read it.
COMPLAINT = any_of(
    r"^i(?:'d| would)? (?:want|need|like|wish|have) to (?:complain|make a complaint|file a complaint|report|raise)\b|"
    r"^(?:a )?complaint\b|^(?:我)?(?:想|要|想要)?(?:投诉|举报|反映)(?!流程|渠道|电话)",
)
#: A wish in the first person.
WISH = any_of(
    COMPLAINT.pattern,
    r"^i(?:'m| am)? (?:need|needs|require|want|requesting|request|would like|am requesting)"
    r" (?:an?|some|another|more|access|permission|permissions|new|to (?:request|order)|the|my|"
    r"someone|help with)\b(?! (?:web ?site|app|application|way|list|tool))",
    r"^(?:need|needing) (?:an?|another|some|more|new|access|two|three|\d+)\b",
    r"^(?:the |our |my )?(?:[\w-]+ ){1,4}needs? (?:an?|another|some|more|new|access|two|three|\d+)\b(?! (?:to|be)\b)",
    r"^(?:我们|[\u4e00-\u9fff]{1,8})(?:需要|想要|得)(?:一|两|几|新|补|更换|换|加|领|开通|\d)|补(?:货|充|一些)|"
    r"申领|领用|领取(?:一|几|两)",
    r"^(?:we|our team) (?:need|require|want|would like) (?:an?|some|another|more|access|new|the|someone)\b",
    r"^i(?:'d| would) like (?:an?|some|another|more|access|to (?:request|order|take|"
    r"apply|change|move|(?:get|have) (?:an?|another|"
    r"more|access)))\b"
    r"(?! (?:list|overview))",
    (
        r"^我?们?(?:需要|想要|申请|要)(?:一[台个张把部套份]|新|开通|更换|换|加|两|几|安装|配|买|领|一下|"
        r"[^\s，,。]{0,12}(?:权限|账号|帐号|账户))"
    ),
    r"^给[^，,。的]{1,8}(?:开通|安排|配|办|装|换)|^(?:给我|给我们|为我|派人|派个人|安排人|找人|过来|来人)|^(?:修|"
    r"换|装|重置|处理|清理)一下",
    r"(?:派|来|找|叫|安排)[个一几位名]{0,2}(?:人|师傅|电工|维修工?|技术员?|工程师)(?:来|过来|去|看|修|处理|帮|吧|$)",
    rf"^{ASKS_TO_HAVE}",
    r"申请(?:一|新|开通|[^\s，,。]{0,10}(?:权限|账号|帐号|账户))|^我?(?:想|要|想要|需要)(?:申请|请|休)(?!问|教)",
)
#: An order. Bare, it may as well be words to search for; it is a wish when somebody is asked or something is theirs.
ORDER = any_of(
    r"^(?:order|grant|give (?:\w+ ){1,3}access|give me|give us|install|replace|provide|fix|repair|unlock|"
    r"activate|deactivate|enable|disable|"
    r"restore|deliver|exchange|swap|reset|add me|add \S+ to|remove me|move my|set up (?:a|an|"
    r"my)|send (?:someone|me a|me an|somebody)|"
    r"look at (?:the|my|our)|take a look at|come (?:and|to)|clean|refill|book me|get me|get us|"
    r"have (?:someone|my|the))\b",
    (
        r"^(?:安排|开(?:通|一)|把[^，。]{1,12}(?:重置|换|改|修|解锁|开通|更新)|换|更换|修|修理|维修|装|安装|开通|"
        r"解锁|重置|订|更新|处理|清理|添加|补)"
    ),
)
#: Whose it is.
MINE = any_of(r"\b(?:my|our|me|us)\b", r"我")
#: A text that is an error message and no statement of somebody's.
MESSAGE = any_of(r"^(?:failed|unable|error|errors|fatal|exception|cannot|could not|warning)\b", r"^(?:错误|关于)")
HOW_TO_WISH = any_of(
    r"\bi (?:want|need|would like|wish|am trying|'m trying|have|try) to (?:know|understand|learn|find out|ask)\b",
    r"想(?:知道|了解|问|请教|咨询)",
)
#: "Excel is slow": in so few words it is somebody's own.
IS = re.compile(r"^[\w./+-]+(?: [\w./+-]+){0,2} (?:is|are|keeps?|was|runs?|hangs?|got|has|have|shows?|gives?)\b")
_SAID_SHORTLY = 6
#: "Toner empty": the thing and what is wrong with it.
_SAID_BARELY = 3
#: A thing that gives trouble again.
AGAIN = re.compile(
    r"(?:it's |it is )?(?:the|my|our|that|this) (?:[\w-]+ ){1,3}(?:again|once more)[.!]*|(?:又是|还是)(?:那个|这个|"
    r"我的)?[\u4e00-\u9fff]{2,6}"
)
#: A longer statement about nobody's thing is about the world and not about a fault.
_FEW_WORDS = 10


def is_fault(core: str) -> bool:
    """Tell whether somebody says that something is broken; `core` is a message without politeness."""
    if core.isascii() and len(core.split()) == 1 and not VAGUE.fullmatch(core):
        return False  # "smoking": one word is looked up
    if ABSENT.search(core) or OF_BODY.search(core) or HEARD.match(core):
        return False  # nobody repairs who cannot come, whose feet are dead, nor what somebody was told of
    theirs = OWN.search(core) is not None
    if FAULT.search(core):
        clauses = re.split(r"[,.;!]", core)
        return theirs or any(len(each.split()) <= _FEW_WORDS and FAULT.search(each) for each in clauses)
    if AGAIN.fullmatch(core) or (WEAK_FAULT.search(core) and IS.search(core) and len(core.split()) <= _SAID_SHORTLY):
        return True
    words = without_place(core).rstrip(".!").split()
    bare = 1 < len(words) <= _SAID_BARELY and WEAK_FAULT.fullmatch(words[-1]) is not None
    return bare or (theirs and WEAK_FAULT.search(core) is not None)


#: Something is broken, and nothing says what.
VAGUE = re.compile(
    r"(?:(?:sorry|hi|hello|hey|help|please|so|ok|well)[ ,!]{1,2}){0,2}"
    r"(?:its|thats|(?:there'?s |there is |i have |i've got )?(?:it|this|that|nothing|something|sth|everything|"
    r"(?:the|this|that) (?:bloody )?thing))"
    r"(?:'s| is|s| has| just| really| never| always| keeps| all| suddenly| still){0,3} ?"
    r"(?:(?:doesn'?t|does not|isn'?t|is not|won'?t|not|stopped|no longer) ?(?:work|works|"
    r"working|start)?|broken|broke|down|off|odd|strange|dead|playing up|acting up|gone|stuck|failing|crashing|"
    r"stopped(?: working)?|died|bust(?:ed)?|kaput|knackered|messed up|"
    r"wrong|works|terrible|awful|horrible|a mess|crap|an? (?:error|problem|issue))"
    r"(?: anymore| any more| at all| again| for me| either| too| as well| now| with it| today| this morning| here|"
    r" since yesterday){0,2}[.!]{0,3}|"
    r"(?:(?:still |all )?(?:broken|down|dead|kaput)|(?:still )?(?:doesn'?t|does not|"
    r"won'?t|isn'?t|not) (?:work|start|working))"
    r"(?: anymore| any more| at all| again| for me| either| too| here){0,3}[.!]{0,3}|"
    r"(?:there is |there's |i have |i've got |got )?(?:an? )?(?:error|problem|issue)[.!]{0,3}|"
    r"(?:it'?s )?(?:still (?:the )?same|no change|same as before|no difference)[.!]{0,3}|"
    r"(?:它|这个|那个|那玩意儿?|这玩意儿?|又|东西|什么都|全都?|都|还是|第.{1,2}个|我这边?也?|有点|好像|"
    r"怎么){0,3}(?:不对劲?|坏了?|坏掉了|用不了|不能用|不能用了|不好使|不工作|"
    r"不行|老样子|那样|一个样|没变化|没好|出错了|报错了|有问题|出问题了|出毛病|有毛病|没反应|没法用|动不了|挂|崩|"
    r"卡住)[了啊呀啦。！!]{0,2}"
)
_AND = re.compile(r"[,，;；] ?(?:and )?| and |而且|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")


def is_vague(core: str) -> bool:
    """Tell whether a message says that something is broken and nothing of what: "it's a mess, nothing works"."""
    return all(VAGUE.fullmatch(each) for each in _AND.split(core))


#: Somebody cannot come to work.
ABSENT = any_of(
    r"\b(?:can't|cannot|can not|couldn't|won't|will not|not able to) (?:be |make it |come |get )?(?:in|into work|"
    r"to work|into the office)"
    r"(?: (?:today|tomorrow|tonight|this|next|on|until|for|because|as|at|early)\b|[,.!]|$)",
    r"(?:今天|明天|今晚|后天)?(?:来不了|上不了班|去不了单位|到不了岗)",
)
#: What is said of somebody's body.
OF_BODY = any_of(
    r"\b(?:my|his|her|their) (?:feet|foot|legs?|arms?|back|head|brain|knees?|eyes|ears|voice|throat|hands?|"
    r"shoulders?|bum) (?:is|are|feels?|hurts?|aches?|'s|'re)\b",
    r"(?:我|他|她)?的?(?:手指?|脚|腿|胳膊|头|腰|背|膝盖)(?:被|不小心)?(?:划|割|烫|扭|摔|砸|磕|碰|夹)?(?:破|伤|断|肿)了",
)
#: What somebody has only heard of.
HEARD = any_of(r"^(?:i(?:'ve)? (?:heard|hear|read)|apparently|people say|they say)\b", r"^(?:听说|据说|听人说|有人说)")
#: Who mourns reports nothing: "my dog died this morning".
MOURNS = any_of(
    r"\b(?:(?:grand)?(?:ma|pa|mother|father|mum|mom|dad|son|daughter)|nan|gran|wife|husband|partner|brother|sister"
    r"|uncle|aunt|friend|baby|dog|cat|pet|puppy|kitten|rabbit|hamster|horse|budgie|bird) "
    r"(?:has |have |had |just |was |is ){0,2}(?:passed away|died|dead|put (?:down|to sleep))\b",
    r"(?:猫|狗|宠物|爷爷|奶奶|外公|外婆|爸|妈|父亲|母亲)[^，,。]{0,6}(?:死了|去世|走了|没了|过世)",
)
#: What no desk at work orders.
PRIVATE = any_of(
    r"\b(?:pizzas?|burgers?|sushi|kebab|beers?|wine|haircut|concert|cinema|movie tickets?|bouquet|flowers)\b",
    r"披萨|外卖|奶茶|汉堡|鲜花|电影票|演唱会|啤酒",
)
