"""Phrases, in English and Chinese, by which the rules brain tells what somebody wants.

All patterns run over text in one spelling (`agent.words.normalise`): lower case, half width, simplified characters.
They speak of tickets, faults and small talk; none knows what any company's documents are about.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


# --- what a message begins with, and what is only politeness ----------------------------------------------------

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
    r"请你|请您|请|麻烦你|麻烦您|麻烦|劳驾|拜托|能不能帮我|可不可以帮我|能否帮我|可以帮我|能帮我|可否帮我|帮我|帮忙|帮|"
    r"我想要|我想|我要|我需要|那就|那|好的|好)"
    r"(?:\b|(?<=[\u4e00-\u9fff]))[\s,，]*"
)
#: A request dressed as a question: its question mark says nothing.
REQUEST_START = re.compile(
    r"^(?:please |pls )?(?:can|could|would|will) (?:you|u|someone|somebody|anyone|the desk)\b(?! (?:tell|explain|show|describe))"
    r"|^(?:请)?(?:能不能|可不可以|能否|可以|能|可否|麻烦)(?:你|您|有人|谁|派人)?(?:帮|来|派|给|安排|处理|修|换)"
)
#: A request for help dressed as a question, at the end of a message.
POLITE_TAIL = _any(
    r"(?:can|could|would|will) (?:you|u|someone|somebody|anyone)(?: please| kindly)? "
    r"(?:help|assist|look|check|fix|repair|come|take|have|send|sort|replace|deal|see to)\b[^?]*\??$",
    r"(?:any|some) help(?: is| would be)?(?: appreciated| welcome)?[.!?]*$",
    r"\b(?:please |pls )?(?:help|advise|assist)(?: me| us)?[.!]*$",
    r"\b(?:thanks|thank you|thx|cheers|many thanks)(?: a lot| so much| in advance| very much)?[.!]*$",
    r"(?:能不能|可不可以|能否|可否|可以|能|麻烦|请)(?:你|您|有人|谁|派人|找人|请人|安排人)?"
    r"(?:帮|来|派|过来|修|看|处理|换|安排|尽快|给)[^?]*$",
    r"(?:谢谢|多谢|感谢|拜托)[^?]*$",
)

# --- is it a question -------------------------------------------------------------------------------------------

QUESTION_START = re.compile(
    r"^(?:how|what|what's|whats|when|when's|where|where's|who|who's|whom|whose|which|why|is|are|am|was|were|do|does|"
    r"did|can|could|may|might|should|shall|will|would|has|have|must|any idea|any way)\b"
)
QUESTION_INSIDE = _any(
    r"\bhow (?:do|does|can|could|should|would|to|long|many|much|often|come)\b",
    r"\bwhat (?:can|should|shall|do|could|would|is|are|does|happens|if|to)\b",
    r"\b(?:where|when|who|which|why) (?:can|should|do|does|is|are|to)\b",
    r"\b(?:tell|show|explain|describe|remind) (?:me |us )?(?:how|what|when|where|who|why|which|whether|about)\b",
    r"\b(?:what now|now what|what next|what then|any advice|any tips)\b",
    r"\b(?:i wonder|wondering|any idea|do you know|does anyone know|is there (?:a|any)|are there)\b",
    r"怎么|如何|怎样|咋|什么|哪|谁|多少|几[个天次点号台小月年周位步人]|多久|多长|为何|是否|是不是|有没有|能不能|可不可以|要不要|会不会|能否|可否|请教",
    r"(?:吗|么|呢)[?!。.~]*$",
)

# --- tickets ----------------------------------------------------------------------------------------------------

TICKET = _any(
    r"\btickets?\b|\btikets?\b|\bticktes?\b",
    r"\b(?:my|that|the|this|last|latest|previous|open) (?:\w+ )?(?:requests?|cases?|issues?|incidents?)\b",
    r"工单|报修单|服务单|申请单|故障单|单子|[上这那][一]?(?:单|张单)|最近(?:的)?(?:那)?[一]?单|(?:我的|提的|报的|开的)单",
)
#: A thing that only the thread can resolve.
PRONOUN = _any(
    r"\b(?:it|that|this|that one|this one|the last one|them)\b", r"[它]|那个|这个|刚才(?:那|的)|上一个|那一?[条张单]"
)
LAST = _any(r"\b(?:last|latest|previous|most recent|newest|recent)\b", r"上一?[单个次张条]|上个|最近|最新|最后")
THAT = _any(r"\b(?:that|this|it|the same)\b", r"刚才|那[个一单张条]|这[个一单张条]|它|刚刚")
DRAFT_NOUN = _any(r"\bdrafts?\b", r"草稿")

OPEN_TICKET = _any(
    r"\b(?:open|create|file|raise|log|submit|make|start|draft|place|put in|register|add|need|want|new)\b"
    r"(?: up)?(?: me| us)?(?: an?| the| another| new| this as an?| that as an?| it as an?| one)*"
    r"(?: \w+){0,3}? (?:ticket|tiket|tickte|support request|service request|incident report|support case|incident)\b",
    r"\breport (?:an?|the|this|that|my|our|another) (?:\w+ ){0,2}?(?:problem|issue|fault|bug|incident|outage|defect|failure|error)\b",
    r"^(?:report|reporting)\b",
    r"^(?:new )?ticket ?[:：]",
    r"(?:提交?|建|开|创建|新建|登记|报|发起|下|起草|起|生成|写|立|录)(?:了)?(?:一个|一张|一下|个|张|份|一份)?(?:新的|新|it)? ?"
    r"(?:工单|报修单|故障单|服务单|单子|单(?!位|独|元|词|号|据)|ticket|报修|故障)",
    r"(?<!流程)(?<!怎么)(?<!如何)报修|报障|报个修|报一下修|转(?:成|为)?工单|转人工",
)
OFFER_ACCEPTED = re.compile(
    r"^(?:yes|yep|yeah|yup|y|sure|ok|okay|please do|do it|do that|go ahead|of course|please|absolutely|"
    r"好|好的|好啊|好吧|行|可以|要|要的|是|是的|嗯|嗯嗯|对|对的|没问题|麻烦了|那就这样)"
    r"(?:[ ,，]*(?:please|thanks|thank you|do|go ahead|do it|do that|open (?:a|one)|create (?:a|one)|draft (?:a|one)|吧|啊|的|谢谢|麻烦你|请|提吧))*[.!。~]*$"
)
CONFIRM_WORDS = re.compile(
    r"^(?:yes[ ,]*)?(?:please )?(?:confirm|submit|file|send|post|approve)(?: it| that| this| the draft| that draft| now| please)*[.!]*$"
    r"|^(?:请)?(?:确认|提交|确定|发送|就这样提交|提交吧|确认提交|没问题提交)(?:吧|了|一下|草稿|工单)*[.!。]*$"
)

CANCEL = _any(
    r"\b(?:cancel|withdraw|revoke|retract|call off|scrap|drop|delete|remove)\b",
    r"取消|撤销|撤回|撤掉|撤单|作废|删除|删掉|不要了|不用了",
)
REOPEN = _any(r"\bre-?open(?:ed)?\b|\bopen\b.*\bagain\b", r"重开|重新打开|重新开启|重新开|再打开|再开|恢复")
RESOLVE = _any(
    r"\b(?:resolve|close|complete|finish)\b",
    r"\bmark\b.*\b(?:resolved|done|fixed|closed|solved|complete|completed|finished)\b",
    r"^(?:#?\d+|tck-[\d-]+) (?:is |has been )?(?:resolved|done|fixed|solved)\b",
    r"关闭|关掉|关了|关单|办结|结单|完结|结案|标记.*(?:解决|完成)|标为.*(?:解决|完成)|(?:设|改)[为成](?:已)?解决|^(?:把)?.*解决(?:掉|了)?(?:$|[，,:：])",
)
ASSIGN = _any(
    r"\b(?:assign|reassign|re-assign|hand|transfer|route|forward|pass|delegate)\b.*\bto\b|\bgive\b.*\bto\b|\bassign(?: me)?\b",
    r"\b(?:i'll|i will|i can|let me) (?:take|grab|handle|do|own|pick up|work on)\b|^(?:take|grab|claim|pick up|handle)\b",
    r"分配|指派|转给|转派|派给|交给|分给|指给|派单|我来(?:处理|接|负责|跟|做|弄)|认领|我接|由我|归我",
)
URGE = _any(
    r"\b(?:urge|chase|nudge|expedite|hurry(?: up)?|speed up|bump|prod|poke|escalate|push|ping)\b",
    r"\b(?:remind|ask) (?:them|someone|somebody|the team|the assignee|support|whoever|it|him|her)\b",
    r"\bfollow(?:ing)? up on\b|\bstill waiting\b|\bno (?:answer|reply|response|news) (?:yet|so far)?",
    r"催|加急|跟进一下|快点(?:处理|办|弄)|尽快(?:处理|办|解决)|还没(?:人)?(?:处理|回复|动静|解决)(?!的)|怎么还没",
)
COMMENT = _any(
    r"\b(?:comment|add (?:an? |another |the )?(?:note|comment|remark|detail|info|information|line|update)|append|note (?:that|on|to|in|for)|"
    r"leave (?:an? )?(?:note|comment)|reply|tell them|let them know)\b|\badd\b.*\bto\b|\badd that\b|\bupdate\b.*(?::|\bwith\b)",
    r"补充|留言|评论|备注|追加|加[一]?[条句个](?:话|备注|评论|说明|留言)?|添加(?:评论|备注|说明)|回复|注明|说明一下",
)
SHOW = _any(
    r"\b(?:show|view|display|see|details?|status|state|progress|look at|look up|check|update|news)\b",
    r"\b(?:what's|what is) (?:happening|going on|up|new) (?:with|on)\b|\bwhere(?:'s| is)\b|\bhow(?:'s| is)\b|\bwhat (?:about|happened (?:to|with))\b",
    r"查看|看看|看一下|看下|显示|打开|详情|状态|进度|进展|怎么样了|到哪|情况|查一下|查下|查询|处理(?:得|到|的)|有(?:消息|结果|回复)了?[吗么没]",
)
LIST = _any(
    r"\b(?:list|show|see|view|display|get|give|find|check|open)\b.*\b(?:my|our|all|open|pending|unresolved|resolved|closed)\b"
    r".*\b(?:tickets|requests|cases)\b",
    r"\b(?:what|which|how many|any|do i have|have i|are there)\b.*\b(?:tickets|requests)\b",
    r"^(?:my|all my) (?:\w+ ){0,2}(?:tickets|requests|cases)\b|^(?:list |show )?tickets[.?!]*$|\blist\b.*\btickets\b",
    r"我(?:的|有|提|报|开|还|没)[^？?]{0,8}(?:工单|单子)|(?:列出|列一下|查看|看看|看一下|显示|查询|查)[^？?]{0,6}(?:全部|所有|我的|未完成|进行中)[^？?]{0,6}(?:工单|单子)"
    r"|(?:哪些|几个|多少|什么)[^？?]{0,4}(?:工单|单子)|工单列表|^工单$",
)
ONE_TICKET = _any(
    r"上一?[单个]|那[一]?[单个张]|这[一]?[单个张]|刚才|最近|最新|最后", r"\b(?:last|latest|that|this|newest)\b"
)
QUEUE = _any(
    r"^(?:(?:show|open|list|view|see|check|display|get|give|what's in|what is in|go to)(?: me| us)?)?(?: ?the| our| my team's)?"
    r" ?(?:ticket|support|help ?desk|service ?desk|work|it|duty)? ?queue(?: please)?[.?!]*$",
    r"\b(?:ticket|support|service desk|help ?desk) queue\b",
    r"\b(?:unassigned|unowned|untouched|new|all|all the|everyone's|everybody's|team's|all open|waiting|incoming) (?:open |pending )?tickets\b",
    r"\btickets? (?:are )?(?:waiting|unassigned|in the queue|to be done|for (?:me|us) to work)\b",
    r"工单队列|队列|待处理(?:的)?工单|待办(?:的)?工单|未分配(?:的)?工单|没人处理(?:的)?工单|(?:所有|全部|大家的|团队的)(?:的)?(?:待处理|未完成)?工单|待接(?:的)?单",
)
STATUS_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("in_progress", _any(r"\bin progress\b|\bbeing worked\b|\bongoing\b", r"进行中|处理中")),
    (
        "resolved",
        _any(r"\b(?:resolved|closed|solved|done|finished)\b(?<!un)", r"(?<!未)已?解决(?!吗)|已关闭|已完成|办结"),
    ),
    ("cancelled", _any(r"\bcancell?ed\b|\bwithdrawn\b", r"已取消|已撤销|撤销的")),
    (
        "open",
        _any(
            r"(?<!^)\bopen\b|\bunresolved\b|\bpending\b|\bunassigned\b",
            r"未解决|未完成|没解决|待处理|未分配|没完成",
        ),
    ),
)

# --- faults and wishes ------------------------------------------------------------------------------------------

#: A fault even in a message of two words.
FAULT = _any(
    r"\b(?:won't|wont|will not|doesn't|doesnt|does not|can't|cant|cannot|can not|couldn't|could not|isn't|is not|"
    r"aren't|are not|don't|do not|didn't|wouldn't|hasn't|haven't|never) (?:\w+ ){0,2}?"
    r"(?:work|working|boot|start|starting|turn|power|charge|charging|connect|connecting|load|loading|open|opening|"
    r"print|printing|scan|respond|responding|log|login|sign|access|reach|see|hear|find|get|send|receive|receiving|"
    r"sync|syncing|update|install|launch|join|enter|use|display|detect|detected|recognise|recognised|recognize|"
    r"recognized|show|showing|play|save|close|lock|unlock|heat|cool|flush|move|stop|switch|wake|ring|available|reachable|"
    r"come|let|accept|accepted|read|type|click|download|upload|run|running|finish|complete|do|be|arrive|arrived|been|make|pay|paid)\b",
    r"\b(?:broken|broke down|not working|stopped working|out of order|doesn't work|jammed|leaking|leaks|dead|cracked|"
    r"smashed|shattered|stolen|faulty|defective|locked out|blue screen|black screen|crashed|frozen|overheating|"
    r"flickering|burning|on fire|smoking|malfunction\w*|went down|is down|are down|has failed|keeps? \w+ing|no (?:signal|"
    r"power|sound|internet|network|wifi|wi-fi|connection|heating|hot water|picture))\b",
    r"\bnot \w+ing\b|\bunable to\b|\bfail(?:s|ed|ing)? to\b|\brefuses? to\b|\bkeeps? (?:on )?(?:crash|freez|restart|disconnect|drop|fail|log)\w*",
    r"坏了|坏掉|坏的|无法|没法|没有反应|没反应|没声音|没信号|没网|没电|没水|没图像|断网|断线|掉线|死机|卡死|卡住|卡纸|很卡|太卡|好卡|蓝屏|黑屏|花屏|"
    r"闪退|崩溃|报错|出错|失败|故障|失灵|漏水|漏电|停电|跳闸|丢了|弄丢|丢失|被偷|被盗|不见了|不亮|不转|不工作|不制冷|不制热|不响|不出水|不好使|异响|太热|太冷|"
    r"太慢|很慢|好慢|特别慢|碎了|破了|裂了|断了|进水|异常|出问题|出了问题|有问题|中毒|中病毒|被锁|锁定了|锁住|过期了|堵了|脱落|松了|着火|冒烟|掉了|停了|挂了|鼓起来|鼓包|膨胀|变形|发烫|烧了"
    r"[打连上开登进用收发看听充点删存装访读写找联接播启传调播输][不][开上了去到出入进动通着]|[不没](?:能|会|再)?(?:启动|开机|响应|显示|识别|联网|工作|运行|充电|打印|连接|登录|更新)|显示不",
)
#: A fault only when somebody speaks of something of theirs.
WEAK_FAULT = _any(
    r"\b(?:stuck|slow|error|errors|crash\w*|freez\w*|lost|missing|damaged|down|offline|noise|noisy|smells?|smell|"
    r"virus|malware|phishing|hacked|blank|wrong|expired|disconnect\w*|dropp?(?:s|ed|ing)|blocked|locked|leak|spilled|"
    r"spilt|fell|hot|cold|dirty|empty|blinking|beeping|problem|problems|issue|issues|trouble|fails?|failed|failing|"
    r"failure|deleted|accidentally|hangs|hanging|lag\w*|black|bulging|swollen|since (?:this|yesterday|last|monday|tuesday|wednesday|thursday|friday|the)|loose|squeak\w*|clogged|flooded|weird|strange|suspicious)\b",
)
OWN = _any(
    r"\b(?:i|i'm|i've|my|our|we|we're|we've|us|me|the|there|there's|someone|somebody|nobody|everyone|it|it's|this|here)\b",
)
WISH = _any(
    r"^(?:order|grant|give me|give us|install|replace|provide|fix|repair|unlock|activate|deactivate|enable|disable|"
    r"restore|deliver|exchange|swap|reset my|reset the|add me|add \S+ to|remove me|move my|set up (?:a|an|my)|send (?:someone|me a|me an|somebody)|"
    r"look at (?:the|my|our)|take a look at|come (?:and|to)|clean|refill|book me|get me|get us|have (?:someone|my|the))\b",
    r"^i(?:'m| am)? (?:need|needs|require|want|requesting|request|would like|am requesting)"
    r" (?:an?|some|another|more|access|permission|permissions|new|to (?:request|order|get|have)|the|my|someone|help with)\b",
    r"^(?:we|our team) (?:need|require|want|would like) (?:an?|some|another|more|access|new|the|someone)\b",
    r"^i(?:'d| would) like (?:an?|some|another|more|access|to (?:request|order|get|have))\b",
    r"^(?:需要|想要|申请|要)(?:一[台个张把部套份]|新|开通|更换|换|加|两|几|安装|配|买|领|一下|[^\s，,。]{0,12}(?:权限|账号|帐号|账户))",
    r"^(?:给我|给我们|为我|派人|派个人|安排人?|找人|换|更换|修|修理|维修|装|安装|开通|解锁|重置(?:我|一下)|订|更新一下|处理一下|过来|来人|清理|添加|补)",
    r"申请(?:一|新|开通|[^\s，,。]{0,10}(?:权限|账号|帐号|账户))|^我?(?:想|要|想要|需要)(?:申请|请)(?!问|教)",
)
HOW_TO_WISH = _any(
    r"\bi (?:want|need|would like|wish|am trying|'m trying|have|try) to (?:know|understand|learn|find out|ask)\b",
    r"想(?:知道|了解|问|请教|咨询)",
)

# --- small talk -------------------------------------------------------------------------------------------------

GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|morning|how are you(?: doing)?|what's up|sup|"
    r"nice to meet you|你好|您好|大家好|早上好|上午好|下午好|晚上好|早安|早|嗨|哈喽|在吗|在不在|有人吗)[\s,!.?~。啊呀哦吗]*"
    r"(?:there|all|team|everyone|folks|desk|duty ?desk|dutydesk|bot|today)?[\s,!.?~。]*)+$"
)
THANKS = re.compile(
    r"^(?:ok(?:ay)?[ ,]*|great[ ,!]*|perfect[ ,!]*|cool[ ,!]*|好的[，, ]*|太好了[，,! ]*|非常|太|十分)?"
    r"(?:many thanks|thanks|thank you|thank u|thx|ty|cheers|much appreciated|appreciate it|great|perfect|got it|awesome|that(?:'s| is) (?:all|great|helpful)|that (?:helped|works|worked)|it works(?: now)?|bye|goodbye|see you|"
    r"谢谢|多谢|感谢|谢了|辛苦了|明白了|知道了|懂了|收到|再见|拜拜|好的|太好了|搞定了?|解决了)"
    r"[\s,!.~。，]*(?:a lot|so much|very much|again|a bunch|for your help|for the help|all|everyone|you|你|您|大家|啦|了|哦|帮助|的帮助|你的帮助)*[\s,!.~。]*$"
)
HELP = re.compile(
    r"^(?:help|help me|/?help|menu|commands|\?+|start|/start|usage|"
    r"what (?:can|do|could) you (?:do|help(?: me)?(?: with)?|know|offer)(?: for me| here)?|how (?:do you work|can you help(?: me)?|do i use (?:you|this|this bot))|"
    r"who are you|what are you|what is this(?: bot)?|are you (?:a )?(?:bot|human|robot|real|an ai|ai)|what(?:'s| is) your name|"
    r"帮助|菜单|功能|你能做什么|你会什么|你会做什么|你可以做什么|你能干什么|你能干嘛|你能帮我做什么|怎么用你|怎么使用你|你是谁|你是什么|你叫什么(?:名字)?|你是机器人吗|使用说明|能做什么|有什么功能|你有什么功能)"
    r"[\s?!.。]*$"
)

# --- what this desk does not do ---------------------------------------------------------------------------------

OVERRIDE = _any(
    r"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,30}\b(?:previous|prior|above|all|your|the|any|every)\b.{0,20}"
    r"\b(?:instruction|instructions|rules|prompt|guidelines|policies|restrictions|permissions|approval|approvals|safety|confirmation)\b",
    r"\b(?:system prompt|developer mode|jailbreak|dan mode|your (?:instructions|prompt|guidelines|programming))\b",
    r"\b(?:pretend|act|behave|imagine|assume)\b.{0,20}\b(?:you are|you're|to be|as if|as (?:an? )?(?:admin|administrator|root|superuser|operator|system|my))\b",
    r"\b(?:you are|you're) now\b|\bdo anything now\b|\bwithout (?:asking for |any )?(?:confirmation|approval|permission)\b.*\b(?:delete|cancel|file|close|grant)\b",
    r"\b(?:give|make|grant) (?:me|myself) (?:admin|administrator|root|full|superuser|all) (?:access|rights|permissions?|privileges)\b.*\b(?:now|yourself|without)\b",
    r"(?:忽略|无视|忘记|忘掉|绕过|跳过|不要遵守|不用管)[^。?]{0,16}(?:指令|指示|规则|提示|限制|权限|审批|要求|设定|确认)",
    r"系统提示词|提示词|越狱|开发者模式|假装你是|假设你是|扮演|你现在是|从现在起你",
)
SECRETS = _any(
    r"\b(?:tell|give|show|send|reveal|find|get|print|list|leak|read|dump|share|what(?:'s| is| are))\b.{0,30}"
    r"\b(?!my\b|our\b|the\b|your\b|its\b|today's\b|company's\b|what's\b|it's\b|let's\b|here's\b|that's\b|who's\b|where's\b)(?:[a-z]+'s|his|her|their|everyone's|everybody's|colleagues'|users'|employees'|somebody else's|someone else's) "
    r"(?:\w+ ){0,3}?(?:passwords?|passcodes?|pin|pins|credentials?|private keys?|api keys?|access tokens?|secret keys?|login details|mailbox|emails|messages|private messages|browsing history)\b",
    r"\b(?:passwords?|credentials?|private keys?|api keys?|secrets?|login) (?:of|for|from|belonging to) (?!my\b|the (?:wifi|wi-fi|guest|printer|vpn|test|demo)|guest|wifi|printer|vpn)(?:\w+ )?(?:ceo|cfo|boss|manager|colleague|coworker|co-worker|another|other|someone|somebody|everyone|all|every|user|employee|admin|root|him|her|them|production|prod)\b",
    r"\b(?:hack|crack|break into|spy on|steal|phish|keylog)\b.{0,30}\b(?:into|account|accounts|password|passwords|mailbox|email|network|system|colleague|laptop|phone|wifi|data)\b",
    r"\b(?:read|open|access|see|look into) (?:\w+'s|his|her|their|my (?:boss|manager|colleague)'s) (?:e-?mails?|messages|mailbox|inbox|chats?|files)\b",
    r"(?:告诉|给|发|看|查|拿到|透露|列出|显示)[^。?]{0,12}(?:他|她|他们|别人|同事|老板|领导|经理|总裁|某人|所有人|大家|其他人|管理员|[^我的\s]{1,4}(?=的密码))的?[^。?]{0,6}(?:密码|口令|私钥|密钥|验证码|聊天记录|邮件|邮箱密码|账号密码)",
    r"(?:破解|盗取|盗用|黑进|黑掉|入侵|偷看|偷|监听|窃取)[^。?]{0,14}(?:密码|账号|邮箱|邮件|系统|网络|电脑|手机|wifi|数据|聊天)",
)
#: Words that make even "weather" or "stock" a matter of the company's documents.
COMPANY_MATTER = _any(
    r"\b(?:policy|policies|procedure|leave|allowance|reimburse\w*|expense\w*|claim|handbook|office|company|employee\w*|vest\w*|closure|"
    r"work(?:ing)?|benefit\w*|insurance|form|runbook|deploy\w*|cluster|server|vpn|account|ticket|approval|manager|hr|contract|api|kubernetes|kubectl|pod|pods|database|config\w*)\b",
    r"制度|政策|规定|流程|假|报销|补贴|津贴|公司|办公|员工|入职|离职|保险|福利|审批|申请|部署|集群|服务器|账号|工单|合同|手册|配置|数据库",
)
CHIT_CHAT = _any(
    r"\bweather\b|\bforecast\b|\bgoing to rain\b|\bwill it (?:rain|snow)\b|\btemperature (?:outside|in|today|tomorrow)\b",
    r"\b(?:tell|say|know|make|give)\b.{0,12}\b(?:jokes?|riddles?|puns?|fun facts?|stor(?:y|ies))\b|\bmake me laugh\b",
    r"\b(?:stock|share|bitcoin|crypto\w*|ethereum|gold|currency) (?:price|prices|tips?|market|pick|picks|quote)\b|\b(?:buy|sell|invest)\b.{0,24}\b(?:stocks?|shares?|bitcoin|crypto\w*|ethereum|gold|funds?|etfs?)\b|\b(?:should|shall) i invest\b|\bbitcoin\b",
    r"\bhoroscope\b|\bzodiac\b|\btarot\b|\bmeaning of life\b|\bdo you (?:love|like|hate|feel|dream|believe|think)\b|\bare you (?:married|single|conscious|alive|sentient|happy)\b",
    r"\b(?:recipe|recipes)\b|\bhow (?:do|to|can|should) (?:i |we |you )?(?:\w+ )?(?:cook|bake|make (?:a )?(?:cake|pasta|pizza|bread|soup|coffee cake|pancakes?|lasagn\w+))\b",
    r"\b(?:who|which team|what team)\b.{0,16}\b(?:won|win|wins|winning|scored|beat)\b|\b(?:football|soccer|basketball|cricket|tennis|world cup|super bowl|olympics|premier league|nba|nfl|match score|match result)\b",
    r"\b(?:recommend|suggest|best|good|favou?rite)\b.{0,20}\b(?:movies?|films?|books?|songs?|bands?|music|games?|restaurants?|novels?|series|tv shows?|holiday destinations?|perfumes?|wine|gifts?)\b",
    r"\b(?:sing|rap|dance|flirt|chat with me|play (?:a |chess|games?|music|tic)|entertain me|i'm bored|i am bored|roleplay|role-play)\b",
    r"\b(?:dating|love letter|break ?up with|(?:find|get|impress|date|kiss|gift for) (?:me )?(?:a |my |the )?(?:girlfriend|boyfriend|crush|wife|husband))\b",
)
WRITING = _any(
    r"^(?:write|compose|generate|draft|create|make|produce|craft|invent)\b(?: me| us| up)?(?: an?| some| the| another)?(?: \w+){0,3}? "
    r"(?:poems?|haikus?|limericks?|sonnets?|songs?|lyrics|stor(?:y|ies)|essays?|novels?|speech|speeches|toasts?|screenplay|cover letter|resume|cv|blog post|tweet|article|homework|rap|joke|fairy tale|letter|"
    r"python|javascript|java|program|function|script|code|game|website|app|scraper|algorithm)\b",
    r"^(?:write|compose|generate|craft)\b.*\b(?:poem|haiku|song|story|essay|lyrics|novel|joke)\b|^poem\b",
    r"\b(?:do|solve|finish|help(?: me)? with) (?:my|the|this) (?:\w+ )?(?:homework|assignment|exam|essay|thesis|equation|math|maths)\b|\bsolve (?:the |this )?(?:equation|integral|puzzle|riddle|sudoku)\b|\bhomework\b",
    r"\btranslate\b.{0,80}\b(?:to|into|in)\b|^translate\b|\bhow (?:do|would) (?:you|i) say\b.{0,60}\bin \w+",
    r"^(?:what(?:'s| is)|calculate|compute|how much is) (?:the )?(?:square root|sum|product|derivative|integral|factorial|\d[\d\s.,]*\s*(?:[-+*/x×÷^]|plus|minus|times|divided by))",
    r"^(?:calculate|compute)? ?\d[\d\s.]*(?:[-+*/x×÷^] ?\d[\d\s.]*)+[=?]*$",
    r"\b(?:summari[sz]e|proofread|rewrite|paraphrase|rephrase)\b.{0,20}\b(?:this|the following|text|article|book|essay|paragraph|email)\b",
)
ADVICE = _any(
    r"\b(?:should i|can i|what|which|how (?:much|many))\b.{0,30}\b(?:medicine|medication|pill|pills|ibuprofen|aspirin|paracetamol|antibiotics?|dosage|dose)\b|\b(?:i have|i've got|treat|cure|remedy for|symptoms? of|diagnose)\b.{0,24}\b(?:headache|fever|cough|cold|flu|rash|pain|migraine|cancer|diabetes|depression|stomach|sore throat|covid)\b|\bmy (?:rash|headache|fever|cough|symptoms)\b",
    r"\b(?:sue|suing|lawsuit|lawyer|divorce|custody|my landlord|press charges|legal advice|immigration lawyer|my will|inheritance)\b",
    r"\b(?:vote|voting|election|elections|president|prime minister|political party|democrats?|republicans?|conservatives?|labour party|congress|parliament|politic\w*|war in|gaza|ukraine|abortion|gun control)\b",
    r"\b(?:mortgage|buy a house|my taxes|tax return|lottery|casino|betting|bet on)\b",
    r"\b(?:lose weight|diet plan|workout plan|get pregnant|astrology)\b",
)
TRIVIA = _any(
    r"\b(?:capital (?:city )?of|population of|president of|king of|queen of|currency of|flag of|tallest|highest mountain|longest river|biggest country|deepest ocean|distance (?:to|from|between)|how far is the (?:moon|sun))\b",
    r"^who (?:wrote|painted|invented|discovered|composed|directed|sang|sings|played|starred|was the first|is the richest)\b",
    r"^(?:when|where) (?:was|were|did) (?:\w+ ){1,3}(?:born|die|died|invented|discovered|war|battle)\b|\b(?:world war|roman empire|dinosaurs?|planets?|galaxy|black hole|einstein|shakespeare|napoleon|taylor swift|eiffel tower|mount everest)\b",
    r"\bhow (?:tall|old|rich|far|heavy) is (?!(?:my|our|the (?:ticket|token|password|certificate|backup|log|data|cluster|server)))\w+",
)
OUT_CHINESE = _any(
    r"天气|下雨吗|会下雨|下雪|气温|几度",
    r"(?:讲|说|来)(?:一?个|点|段)?(?:笑话|故事|段子|谜语|冷笑话)|逗我|笑话",
    r"(?:写|作|来|编|做|创作|生成)(?:一|个|首|篇|段|点|封)*[^。?]{0,8}(?:诗|歌词|歌|小说|故事|作文|散文|情书|剧本|论文|演讲稿|对联|文案|祝福语|游戏|爬虫|程序|代码|脚本)",
    r"(?:股票|基金|比特币|虚拟币|加密货币|彩票|黄金|a股|大盘|理财产品)[^。?]{0,10}(?:涨|跌|买|卖|推荐|行情|价格|走势|怎么样|入手)|(?:买|炒)[^。?]{0,6}(?:股票|基金|比特币|股)|(?:股价|比特币|炒股|彩票)",
    r"(?:翻译|译)(?:成|为|一下|这|下面|这段|这句)|翻译[:：]|用(?:英语|英文|日语|法语|德语|韩语|西班牙语)怎么说",
    r"(?:推荐|介绍)[^。?]{0,10}(?:电影|电视剧|书|小说|餐厅|餐馆|饭店|美食|歌|音乐|游戏|景点|旅游|酒吧|火锅|口红|礼物)|(?:哪里|哪儿|附近)[^。?]{0,6}(?:好吃|好玩|逛街|吃饭)",
    r"(?:做|写|解|帮)[^。?]{0,8}(?:作业|数学题|方程|应用题|家庭作业)|解(?:一下|这)?(?:道|个)?(?:题|方程)",
    r"(?:头疼|头痛|发烧|感冒|咳嗽|胃疼|肚子疼|失眠|过敏|牙疼|嗓子疼|生病)[^。?假]{0,10}(?:吃什么|怎么治|怎么办|吃药|用药|什么药|看什么)|吃什么药|偏方|减肥",
    r"(?:打官司|起诉|离婚|律师|房东|遗产|诉讼|抚养权)",
    r"(?:总统|选举|大选|政党|首相|政治|战争|投票给)",
    r"星座|运势|算命|占卜|塔罗|生肖|人生的意义|你爱我|你喜欢我|陪我聊|陪聊|聊聊天|聊天吧|无聊|唱(?:首|个|一首)?歌|玩(?:个|一个)?游戏|女朋友|男朋友|恋爱|相亲|追女|追男",
    r"(?:菜谱|食谱|怎么做(?:饭|菜|蛋糕|红烧肉|面包|披萨)|(?:红烧肉|蛋糕|宫保鸡丁|番茄炒蛋|面条|饺子)[^。?]{0,4}(?:怎么做|做法))",
    r"(?:世界杯|奥运会|欧冠|足球|篮球|nba|比赛|球赛)[^。?]{0,12}(?:谁|赢|冠军|比分|结果|预测)|谁(?:会)?(?:赢|夺冠)",
    r"(?:首都|人口|面积)(?:是|有)|(?:的首都|的人口|的总统|最高的山|最长的河|谁发明|谁写的|谁画的|世界上最|历史上|朝代)",
)
FOLLOW_UP = _any(
    r"^(?:and|what about|how about|but|also|or|then|same for|and what|and how|what if|and if|even)\b",
    r"^(?:那|那么|还有|另外|如果是|要是|换成|同样|以及)",
)
BARE_PRONOUN = _any(
    r"\b(?:it|that|this|those|these|they|them|there|its|their|one|ones)\b",
    r"它|它们|那个|这个|那些|这些|这种|那种|该|这(?=是|要|需|能|可|怎|如)|那(?=是|要|需|能|可|怎|如|呢)",
)
