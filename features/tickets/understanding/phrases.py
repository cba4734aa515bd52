"""How people speak of tickets and drafts: opening, changing, finding, following them, in English and Chinese.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

import re

from agent.brains.rules.understanding.phrases import any_of

TICKET = any_of(
    r"\btickets?\b|\btikets?\b|\bticktes?\b",
    r"\b(?:my|that|the|this|last|latest|previous|open) (?:\w+ )?(?:requests?|cases?|issues?|incidents?)\b",
    (
        r"工单|报修单|服务单|申请单|故障单|单子|[上这那][一]?(?:单|张单)|最近(?:的)?(?:那)?[一]?单|(?:我的|提的|"
        r"报的|开的)单"
    ),
)
THE_NOUN = any_of(r"\bticket\b", r"工单")
MINE = any_of(r"\bmy\b", r"我的|我(?:提|报|开)")
#: A thing that only the thread can resolve.
PRONOUN = any_of(
    r"\b(?:it|its|that|this|that one|this one|the last one|them)\b",
    r"[它]|那个|这个|刚才(?:那|的)|上一个|那一?[条张单]",
)
LAST = any_of(r"\b(?:last|latest|previous|most recent|newest|recent)\b", r"上一?[单个次张条]|上个|最近|最新|最后")
THAT = any_of(r"\b(?:that|this|it|the same)\b", r"刚才|那[个一单张条]|这[个一单张条]|它|刚刚")
DRAFT_NOUN = any_of(r"\bdrafts?\b", r"草稿")
SHOW_DRAFT = any_of(r"\b(?:show|see|view|display|open|where)\b", r"看|显示|打开|在哪")
BARE_DISCARD = re.compile(
    r"(?:please )?(?:cancel|discard)(?: it| that| this)?[.!]?|(?:取消|放弃|丢弃)(?:吧|了|掉)?[。！!.]?"
    r"|(?:算了吧?|没事了?)?[,， ]?(?:那就?)?(?:不用|别|先不|不)(?:再|麻烦)?"
    r"(?:报|提交?|开|建|填)(?:修|障|单|工单)?了?吧?[。！!.]?"
)
#: What only a filed ticket takes.
OF_FILED = any_of(
    r"^(?:re-?assign|assign|give|hand|transfer|escalate|watch|close|resolve) (?:it|that|this)\b",
    r"^(?:把它|把这个)?(?:分配|指派|转派|转|派)给",
)
OPEN_TICKET = any_of(
    r"\b(?:open|create|file|raise|log|submit|make|start|draft|place|put in|register|add|need|want|new)\b"
    r"(?: up)?(?: me| us)?(?: an?| the| another| new| this as an?| that as an?| it as an?| one){0,6}"
    r"(?: \w+){0,3}? (?:ticket|tiket|tickte|support request|service request|(?<=raise a )request|"
    r"(?<=file a )request|(?<=submit a )request|incident report|support case|incident)\b",
    (
        r"\breport (?:an?|the|this|that|my|our|another) (?:\w+ ){0,2}?(?:problem|issue|fault|bug|incident|outage|"
        r"defect|failure|error)\b"
    ),
    r"^(?:report|reporting)\b",
    r"^(?:new )?ticket ?[:：]",
    r"(?:提交?|建|开|创建|新建|登记|报|发起|下|起草|起|生成|写|立|录)(?:了)?(?:一个|一张|一下|个|张|份|"
    r"一份)?(?:新的|新|it)? ?"
    r"(?:工单|报修单|故障单|服务单|单子|单(?!位|独|元|词|号|据)|ticket|报修|故障)",
    r"(?<!流程)(?<!怎么)(?<!如何)报修|报障|报个修|报一下修|转(?:成|为)?工单|转人工",
)
CONFIRM_WORDS = re.compile(
    r"^(?:(?:yes|yep|yup|yeah|aye|ok|okay|great|good|fine|perfect|sure|right|"
    r"(?:that )?looks good|please|all good)[ ,.!]{1,3}){0,3}"
    r"(?:please |pls |just |now )?(?:go ahead(?: and)? |you can (?:now )?)?(?:confirm|submit|file|send|post|"
    r"approve)(?: it| off| out| in| that| this| the (?:draft|ticket|report|thing)| them|"
    r" that draft| now| then| please| pls| thanks)*[.!]*$"
    r"|^(?:(?:好的?|好[啦了吧]|可以了?|行了?|ok|没问题|没错|嗯|对的?|是的)[，,。 ]{0,2}){0,2}"
    r"(?:那就?)?(?:请|就这样|直接|帮我|麻烦|给我|快|你)?(?:确认|提交|确定|发送|发(?=吧|了|出|上|送|过|掉|呗|$)|发出去|交(?=吧|了|上)|报(?=上)|提(?=上)|就这样|"
    r"就这样提交|提交吧|确认提交|没问题提交)(?:上去|出去|过去|吧|了|一下|草稿|工单|那就|呗|啊|呀|哈)*[.!。]*$"
)
CANCEL = any_of(
    r"\b(?:(?:fixed|solved) itself|(?:don't|do not|no longer) need|"
    r"forget(?: about)?|never ?mind|cancel|withdraw|revoke|"
    r"retract|call off|scrap|drop|delete|remove)\b",
    r"取消|撤销|撤回|撤掉|撤单|作废|删除|删掉|不(?:需)?要了|不用(?:再)?(?:管|修|处理|弄|来)?了|自己(?:又)?好了",
)
REOPEN = any_of(r"\bre-?open(?:ed)?\b|\bopen\b.{0,200}\bagain\b", r"重开|重新打开|重新开启|重新开|再打开|再开|恢复")
RESOLVE = any_of(
    r"\b(?:resolve|close|complete|finish)\b",
    r"\bmark\b.{0,200}\b(?:resolved|done|fixed|closed|solved|complete|completed|finished)\b",
    r"^(?:#?\d+|tck-[\d-]+) (?:is |has been )?(?:resolved|done|fixed|solved)\b",
    (
        r"(?:处理|弄|修|搞)[好完]了(?![吗没])|关闭|关掉|关了|关单|办结|结单|完结|结案|标记.{0,200}(?:解决|完成)|标为.{0,200}(?:解决|完成)|(?:设|"
        r"改)[为成](?:已)?解决|^(?:把)?.*解决(?:掉|了)?(?:$|[，,:：])"
    ),
)
ASSIGN = any_of(
    (
        r"\b(?:assign|reassign|re-assign|hand|transfer|route|forward|pass|delegate)\b.{0,200}\bto\b|"
        r"\bgive\b.{0,200}\bto\b|"
        r"\bassign(?: me)?\b"
    ),
    (
        r"\b(?:i'll|i will|i can|let me) (?:take|grab|handle|do|own|pick up|work on)\b|^(?:take|grab|claim|"
        r"pick up|handle)\b"
    ),
    r"分配|指派|转给|转派|派给|交给|分给|指给|派单|我来(?:处理|接|负责|跟|做|弄)|认领|我接|由我|归我",
)
WATCH = any_of(
    r"\bwatch\b|\b(?:keep me (?:posted|updated|informed)|follow (?:the |this |that )?(?:ticket|tck))\b",
    r"\b(?:tell|notify) me (?:of|about|when) (?:(?:all|any|each|every) )?(?:change|news|something|anything)",
    r"关注|订阅",
)
UNWATCH = any_of(
    r"\bunwatch\b|\b(?:stop|no longer|don't|do not) (?:watch|follow)|取消关注|不再关注|取消订阅|不用关注",
)
_TICKET = r"(?:tickets?|reports?|issues?|requests?|incidents?|cases?|problems?|faults?)"
_LEARNS = (
    r"(?:(?:gets?|is|are|will be|'ll be|being|got) (?:told|notified|informed|alerted|pinged|messaged)"
    r"|(?:will )?(?:hears?|learns?)"
    r"|(?:will )?(?:sees?|gets?|receives?|reads?)(?= (?:it|them|my|our|the|a|new|this|notified)\b))"
)
#: Somebody asks who learns of a ticket that they may file.
WHO_IS_TOLD = any_of(
    rf"^(?:so |and |but |ok(?:ay)?,? )?(?:if i (?:open|file|raise|log|report|submit|send|make)[^?.]{{0,60}},? )?"
    rf"(?:who(?: else| all)?|does (?:any(?:one|body)|some(?:one|body))|which (?:people|person|team|channel))"
    rf" {_LEARNS}(?! (?:if|when) (?:some(?:one|body)|any(?:one|body)|people|he|she|they)\b)"
    rf".{{0,30}}\b(?:{_TICKET}\b|i (?:open|file|raise|log|report|submit))",
    rf"^(?:so |and |but )?if i (?:open|file|raise|log|report|submit)[^?.]{{0,60}}? who(?: else| all)? {_LEARNS}",
    rf"^(?:who|which (?:people|team|channel)) do(?:es)? (?:you|the desk) (?:tell|notify|inform|alert|ping)\b.{{0,30}}"
    rf"\b(?:{_TICKET}|i (?:open|file|raise|log|report|submit))\b",
    rf"^(?:where|who) do(?:es)? (?:my|our|the|a|new) (?:new )?{_TICKET} (?:go|get sent|end up)(?: to)?\b",
    r"(?:工单|报修|报障|报告|单子).{0,12}(?:谁|哪些人|什么人|有没有人|哪个(?:组|群|频道)).{0,6}(?:收到|知道|看到|看得到|接到|被通知|得到通知)",
    r"(?:谁|哪些人|什么人|有没有人).{0,6}(?:收到|知道|看到|接到|得到|被).{0,8}(?:工单|报修|单子).{0,4}(?:通知|消息|吗|呢)?$",
    r"(?:工单|报修|单子).{0,10}(?:通知|发给|发到|通知到|发送给|推送给)(?:谁|哪里?|哪些人|什么人|哪个(?:组|群|频道))",
)
URGE = any_of(
    r"\b(?:urge|chase|nudge|expedite|hurry(?: up)?|speed up|bump|prod|poke|escalate|push|ping)\b",
    r"\b(?:remind|ask) (?:them|someone|somebody|the team|the assignee|support|whoever|it|him|her)\b",
    r"\bask for an update\b|\bfollow(?:ing)? up on\b",
    r"\bstill waiting\b|\bno (?:answer|reply|response|news) (?:yet|so far)?",
    r"催|加急|跟进一下|快[一]?[点些](?!钟)|尽快(?:处理|办|解决)|还没(?:人)?(?:处理|回复|动静|解决)(?!的)|怎么还没",
)
#: Chinese leaves out what is urged when the thread knows it.
BARE_URGE = re.compile(
    r"(?:can you |could you |please )?hurry(?: up)?(?: please| a bit)?[.!?]?|"
    r"(?:请|麻烦|能不能|可以)?(?:帮我|给我)?(?:再)?(?:快一?点|快些|尽快|抓紧|优先)(?:处理|办|解决|安排|修)?"
    r"(?:一下|吗|吧|呢)?[。！]?|"
    r"(?:再|快)?(?:催(?:一?下|一催|催|办)|加急(?:一下|处理)?)(?:我的|这个|那个)?(?:工单|单子)?(?:[吧呗啊])?"
)
COMMENT = any_of(
    r"\b(?:comment|add (?:an? |another |the )?(?:note|comment|remark|detail|info|information|line|update)|"
    r"append|note (?:that|on|to|in|for)|"
    r"leave (?:an? )?(?:note|comment)|reply (?:to|on|in)|tell them|let them know)\b|\badd\b.{0,200}\bto\b|\badd that\b|"
    r"\bupdate\b.{0,200}(?::|\bwith\b)",
    r"补充|补[一]?[条句]|留言|评论|备注|追加|加[一]?[条句个](?:话|备注|评论|说明|留言)?|添加(?:评论|备注|说明)|回复|注明|说明一下",
)
SHOW = any_of(
    r"\b(?:show|view|display|see|details?|status|state|progress|look(?:ed|"
    r"ing)? (?:at|into)|look up|check|update|news)\b",
    r"\bwho (?:handles|works on|has|is (?:working on|on)|takes care of)\b|\bwhen (?:will|is|does)\b|"
    r"\b(?:is|was|has) (?:my|the|that) .{0,20}\b(?:resolved|done|fixed|closed|ready|open|finished|assigned)\b|"
    r"谁在(?:处理|负责|跟)|什么时候(?:能|可以)?(?:好|处理|解决|修好)|(?:处理|解决|修)好了(?:吗|没)",
    (
        r"\b(?:what's|what is) (?:happening|going on|up|new) (?:with|on)\b|\bwhere(?:'s| is)\b|\bhow(?:'s| is)\b|"
        r"\bwhat (?:about|happened (?:to|with))\b"
    ),
    (
        r"查看|看看|看一下|看下|显示|打开|详情|状态|进度|进展|怎么样了|到哪|情况|查一下|查下|查询|处理(?:得|"
        r"了|完|好|到|"
        r"的)|有(?:消息|结果|回复)了?[吗么没]"
    ),
)
LIST = any_of(
    r"\bwhat (?:did|have) i (?:got )?(?:report|file|open|ask for|submit)\w*\b|我(?:上周|之前|"
    r"以前)?(?:报|提)过(?:什么|哪些|的.{0,6}(?:列|看|给))",
    r"^(?:list|show)\b.{0,40}\bi(?:'ve| have)? (?:report|file|open|submit)\w*\b",
    r"\b(?:list|show|see|view|display|get|give|find|check|open)\b.{0,120}\b(?:my|our|all|open|pending|unresolved|"
    r"resolved|closed)\b"
    r".{0,120}\b(?:tickets|requests|cases)\b",
    r"\b(?:what|which|how many|any|do i have|have i|are there)\b(?:.{0,120}\btickets\b|(?: \w+){0,4} requests\b)",
    r"^(?:my|all my) (?:\w+ ){0,2}(?:tickets|requests|cases)\b|^(?:list |show )?"
    r"tickets[.?!]*$|\blist\b.{0,120}\btickets\b",
    r"(?<![帮给替])我(?:的|有|提|报|开|还|没)[^？?,，。]{0,8}(?:工单|单子)|(?:列出|列一下|查看|看看|看一下|显示|查询|"
    r"查)[^？?]{0,6}(?:全部|所有|我的|未完成|进行中)[^？?]{0,6}(?:工单|单子)"
    r"|(?:哪些|几个|多少|什么)[^？?]{0,4}(?:工单|单子|报修单)|工单列表|^工单$"
    r"|^我(?:报|提|开)(?:修|交)?过?的(?:问题|故障|报修|单)(?:都|现在)?有(?:哪些|几个|什么)",
)
#: How many, and since when.
COUNT = any_of(
    r"\bhow many\b.{0,60}\b(?:tickets|requests|cases|incidents)\b|\b(?:number|count|"
    r"amount) of (?:\w+ ){0,2}(?:tickets|requests|cases)\b",
    r"(?:多少|几)[张个]?[^？?,，。]{0,6}(?:工单|单子)|(?:工单|单子)[^？?,，。]{0,10}(?:多少|几[张个])|工单(?:总数|数量)",
)
PERIODS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("today", any_of(r"\btoday\b", r"今天|今日")),
    ("yesterday", any_of(r"\byesterday\b", r"昨天")),
    ("week", any_of(r"\b(?:this|the|per|a) week\b|\bweekly\b|\bsince monday\b", r"[本这]个?(?:周|星期|礼拜)")),
    ("month", any_of(r"\b(?:this|the|per|a) month\b|\bmonthly\b", r"[本这]个?月")),
)
#: Somebody asks after their own tickets.
OWN_ONES = any_of(r"\b(?:my|mine|i|i've|me)\b", r"我(?!们)")
ONE_TICKET = any_of(
    r"上一?[单个]|那[一]?[单个张]|这[一]?[单个张]|刚才|最近|最新|最后", r"\b(?:last|latest|that|this|newest)\b"
)
QUEUE = any_of(
    r"^(?:(?:show|open|list|view|see|check|display|get|give|what's in|what is in|go to)(?: me|"
    r" us)?)?(?: ?the| our| my team's)?"
    r" ?(?:ticket|support|help ?desk|service ?desk|work|it|duty)? ?queue(?: please)?[.?!]*$",
    r"\b(?:ticket|support|service desk|help ?desk) queue\b|\btickets of (?:everybody|everyone|all|the team)\b",
    (
        r"\b(?:unassigned|unowned|untouched|new|all|all the|everyone's|everybody's|team's|all open|waiting|"
        r"incoming) (?:open |pending )?tickets\b"
    ),
    r"\b(?:what(?:'s)?|anything|how much|something) (?:is |do we have )?(?:waiting|open|in (?:the|our) queue|"
    r"left to do|on our plate)\b|\b(?:what(?:'s| is| do we have)|is there anything) to do\b",
    r"\btickets? (?:are )?(?:waiting|unassigned|in the queue|to be done|for (?:me|us) to work)\b",
    (
        r"工单队列|队列(?:里面?|中|上)(?:现在|还)?(?:有|剩)|^(?:看看|查看|打开|显示|看一下|看下)?(?:一下)?(?:我们的)?队列$|待处理(?:的)?工单|"
        r"待办(?:的)?工单|未分配(?:的)?工单|没人处理(?:的)?工单|(?:所有|全部|"
        r"大家的|团队的)(?:的)?(?:待处理|未完成)?工单|待接(?:的)?单"
    ),
)
STATUS_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("in_progress", any_of(r"\bin progress\b|\bbeing worked\b|\bongoing\b", r"进行中|处理中")),
    (
        "resolved",
        any_of(r"\b(?:resolved|closed|solved|done|finished)\b(?<!un)", r"(?<!未)已?解决(?!吗)|已关闭|已完成|办结"),
    ),
    ("cancelled", any_of(r"\bcancell?ed\b|\bwithdrawn\b", r"已取消|已撤销|撤销的")),
    (
        "open",
        any_of(
            r"(?<!^)\bopen\b|\bunresolved\b|\bpending\b|\bunassigned\b",
            r"未解决|未完成|没解决|待处理|未分配|没完成",
        ),
    ),
)
THROW_AWAY = any_of(r"\bdiscard\b|\bthrow away\b", r"丢弃|放弃|扔掉")
#: A field of a draft is named with what it shall be.
CHANGES_FIELD = re.compile(
    r"^(?:title|priority|location|contact|category|标题|优先级|地点|类别|联系方式)[ ]?[:：]|"
    r"\b(?:change|set|update|make|edit|correct)\b.{0,200}\b(?:priority|title|location|contact|category|"
    r"description|draft|device|system|phone|floor|room)\b"
    r"|\b(?:the )?(?:priority|title|location|contact|category) (?:is|should be)\b"
    r"|(?:优先级|标题|地点|位置|联系方式|电话|类别|分类|描述|草稿)[^。?]{0,6}(?:改|换|设|是|为|成)|(?:改|"
    r"换|修改)[^。?]{0,8}(?:优先级|标题|地点|位置|联系方式|类别|草稿)"
)
#: Somebody is content with the draft as it stands.
APPROVES = re.compile(
    r"(?:(?:yes|yep|yeah|yup|ok|okay|great|fine|good)[\s,.!]{1,3}){0,2}(?:(?:that |it |all )?looks (?:good|fine|right|"
    r"ok|okay|great|correct)|"
    r"(?:that'?s|that is|it'?s|it is|all) (?:right|correct|fine|good|ok|it|all)|correct|right|perfect|good|"
    r"fine|great|go ahead)"
    r"(?:[\s,.!]{1,3}(?:thanks|thank you|please))?[\s.!]{0,3}|(?:没问题|没错|对的?|正确|可以|很好|就这样)"
    r"(?:了|吧|的)?[，,。！ ]{0,3}(?:谢谢)?"
)
#: What is said of the ticket that was just spoken of, without naming it.
ADDS = re.compile(
    r"(?:please )?add(?: that\b|:| the following\b|ing\b)|(?:补充|备注|留言|追加)(?:一下|说明)?[:：,，]|再补充",
    re.IGNORECASE,
)
ASKS_NEWS = re.compile(
    r"(?:(?:is there |are there |have you )?(?:any|some) (?:news|updates?|progress)"
    r"(?: yet| (?:on|about|with) (?:it|that|this))?|status|what(?:'s| is) the status|"
    r"how(?:'s| is) it going|(?:is it|has it been) (?:done|fixed|resolved|ready)(?: yet)?|"
    r"when will it be (?:done|fixed|ready|resolved)|"
    r"(?:and )?who(?:'s| is| will be)? (?:now )?(?:looking at|working on|handling|dealing with|looking after|"
    r"taking care of|on) (?:it|this|that)(?: now)?|is (?:anyone|anybody|someone|somebody) "
    r"(?:looking at|working on|on|handling) (?:it|this|that)(?: yet| now)?|"
    r"(?:现在)?(?:是)?(?:谁|有人)在?(?:处理|跟进?|弄|负责|修)(?:这个|它|这事)?(?:呢|了?吗)?|"
    r"(?:那|这)?(?:件|个|张)?(?:事情?|问题|工单|单子?|报修)?(?:现在)?(?:(?:进度|进展|状态|情况)(?:怎么样|如何|呢)?了?|有(?:什么)?(?:消息|进展|结果|回复)了?(?:吗|没)?|处理得?怎么样了?|(?:好|修好|解决)了(?:吗|"
    r"没)))[\s?？.。!]{0,3}"
)
BARE_REOPEN = re.compile(
    r"(?:please )?re-?open(?: it| that| this)?(?: please)?[.!]?|"
    r"(?:请)?(?:重新打开|重开|再打开|重新开)(?:它|吧|一下|工单)?[。！]?"
)
BARE_GIVE = re.compile(r"(?:请)?(?:把它|把这个)?(?:转派|指派|分配|转|派|交)给\S{1,20}")
BROKEN_AGAIN = re.compile(
    r"(?:(?:no|sorry|hi|well|unfortunately)[\s,]{1,3}){0,2}(?:it|that|this|the (?:problem|issue|error|"
    r"same (?:problem|issue|error)))(?:'s| is| has| have|)"
    r" (?:now )?(?:broken|back|not working|happening|happened|failing|down|doesn't work|does not work|"
    r"came back|come back|gone|stopped)"
    r"(?: working)?(?: again| any ?more){0,2}[\s.!]{0,3}|"
    r"(?:它|又|问题)?(?:又坏了|又来了|又不行了|再次出现了?|还是(?:不行|坏的|没好|老样子|那样|一样)|老样子|没(?:什么|啥)?变化)[。！]{0,2}"
)
#: The steps that were shown have helped.
SOLVED = re.compile(
    r"(?:(?:yes|yep|yeah|ok|okay|great|perfect|super|thanks|thank you|cheers|lovely|"
    r"brilliant|cool|(?:i )?(?:did|done|tried) (?:that|it|this)|"
    r"是的|嗯|好的|太好了|谢谢)[\s,.!，。！]{0,4}){0,3}"
    r"(?:(?:that|this|it|the problem|problem|all|everything)(?:'s| is| has been| was)? ?(?:now )?"
    r"(?:(?:really |just |has )?(?:worked|works|helped|restarted|rebooted|recovered|was it|did (?:it|the trick)|"
    r"(?:solved|sorted|fixed) (?:it|the problem))|solved|fixed|"
    r"resolved|sorted|fine|good|working|ok|okay|back)|works|worked|(?:solved|fixed|sorted)(?: it)?|it'?s (?:fine|fixed|"
    r"solved|working|good)|(?:i|we) (?:fixed|solved) it|problem solved|resolved|"
    r"(?:已经|现在|问题){0,2}(?:好了|可以了|解决了|搞定了?|行了|能用了|没问题了|正常了|有用|管用|修好了|恢复了|弄好了))"
    r"(?: (?:now|again|already|perfectly|fine|for me)){0,3}"
    r"(?:[\s,.!，。！]{0,4}(?:thanks|thank you|thx|ty|ta|mate|great|cheers|谢谢|多谢|感谢|谢了|了)){0,3}"
    r"[\s.!~。！]{0,4}"
)
#: Of those words, the ones that speak of the fault and not of the draft: it works again.
WORKS_AGAIN = any_of(
    r"\b(?:fixed|solved|resolved|works|worked|working|recovered)\b",
    r"修好|解决了|恢复了|能用了|可以用了|正常了|又好了|自己好了|已经好了",
)
RECOVERED = re.compile(
    r"(?:(?:the|my|our|it) )?(?:[\w-]{1,20} ){0,3}(?:works|is working|is fixed|is solved|is back|recovered|came back)"
    r"(?: (?:now|again|by itself|on its own)){1,2}(?:[,.] ?(?:thanks|thank you|cheers))?[.!]{0,2}"
    r"|(?:现在|它|[\u4e00-\u9fff]{2,6})?(?:又|自己|已经)(?:好了|能用了|恢复了|修好了)(?:[，,]?谢谢)?[。！]{0,2}"
)
CLOSE_IT = re.compile(
    r"(?:please )?(?:you can )?(?:close|end)(?: it| this| that| the (?:ticket|draft|report))?(?: please)?[.!]?"
    r"|(?:请|可以)?(?:关(?:掉|闭|了)?|结)(?:单|它|这个)?(?:吧|了)?|不用再?(?:报|提|管|修|处理)(?:修|单)?了?"
)
#: They have not.
STILL_BROKEN = re.compile(
    r"(?:no|nope|sorry|hm{1,6}|unfortunately|不|没有|唉)?[\s,.!，。]{0,4}"
    r"(?:(?:it|that|this|they|the \w{1,20}|my \w{1,20})?(?:'s| is| are)? ?still (?:is )?"
    r"(?:broken|there|not(?: \w{1,20}ing)?|down|nothing|the same|doesn'?t|does not|won'?t|can'?t|cannot|fails|"
    r"failing|having)"
    r"(?: (?:work|working|help|connect|print|start|problems?|any better|any good)){0,3}|"
    r"(?:it|that|this)? ?(?:did not|didn'?t|doesn'?t|does not|has not|hasn'?t) (?:really )?"
    r"(?:help|work|change|solve|fix)(?:ed)?(?: (?:it|anything|that|the problem|either))?|"
    r"no (?:luck|change|difference|success)|same (?:problem|issue|thing)(?: again)?|"
    r"(?:i )?(?:already )?tried (?:that|this|it|all (?:of )?(?:that|this|it))(?: already)?|"
    r"not solved|unsolved|not fixed|(?:还|仍然?|依然)(?:是|旧)?(?:不行|不能|没用|连不上|坏的|一样|老样子|那样|没好|"
    r"打不开|不好|"
    r"上不去|打印不了|没解决|没有解决)|不行|没用|不管用|没有用|没解决|没好|没有解决|试过了|都试过了|没帮助|还在|还有(?:这个)?(?:报错|问题))"
    r"(?:了|啊|的)?[\s.!~。！]{0,4}"
)
#: What was shown was done …
TRIED = re.compile(
    r"(?:(?:yes|ok|okay|well|i|i've|we|we've|have|already|just)[\s,]{1,2}){0,4}"
    r"(?:tried|did|done|followed|checked|went through)(?: (?:it|that|this|these|those|all|both|everything|every|each|"
    r"of|the|your|steps?|already|now|twice|again)){1,5}[\s.!]{0,3}"
    r"|(?:我|也|都|全部?|已经|按|照|步骤|说的|上面|这些|那些|你|的|方法|办法){0,8}(?:试|做|弄|操作|搞)(?:过|了)(?:一?遍|一下|两次|好几次|半天)?了?[。！]{0,2}"
)
#: … and nothing came of it.
IN_VAIN = re.compile(
    r"(?:but |and |still |sadly |unfortunately ){0,2}"
    r"(?:(?:still )?nothing(?: (?:helps|helped|works|worked|changed|happens|happened|new|at all)){0,2}|"
    r"no (?:luck|success|change|effect|result|use)|to no avail|in vain|same(?: as before)?|"
    r"(?:it |that )?(?:makes|made) no difference|(?:it )?(?:came|comes) (?:back|again)|"
    r"none of (?:it|that|them) (?:helps|helped|works|worked))"
    r"(?: (?:so far|yet|again|either|whatsoever))?[\s.!]{0,3}"
    r"|(?:可|但|但是|可是|还|都|也|一点|依然|仍然?){0,3}(?:没有?(?:效果|用|反应|变化|改善|任何变化)|不管用|不起作用|无效|老样子|又来了|不行|不好使)(?:啊|呀|了)?[。！]{0,2}"
)
NO = re.compile(r"(?:no|nope|nah|not really|没有|没|不|不是|否)[\s.!。！]{0,4}")
#: A word that calls off what was filed just now.
BARE_CANCEL = re.compile(
    r"(?:please )?(?:cancel|withdraw)(?: please)?[.!]?|"
    r"(?:请)?(?:取消|撤销|撤回)(?:吧|了|掉)?[。！!.]?"
)
#: A priority is named, for a ticket that is filed.
PRIORITISE = any_of(
    r"\b(?:change|set|raise|lower|increase|decrease|bump|put|make|reduce)\b.{0,60}\bpriority\b|"
    r"\bpriority\b.{0,40}\b(?:to|is|should be) "
    r"(?:low|normal|medium|high|urgent)\b|\b(?:bump|raise|move|set|lower|put|"
    r"escalate)\b.{0,60}\bto (?:low|normal|medium|high|urgent)\b|"
    r"\bdown ?grade\b|\bupgrade .{0,20}\bto (?:high|urgent)\b",
    r"(?:升|降|提|调)[到为成](?:最)?(?:紧急|加急|高|低|普通)|优先级.{0,12}(?:改|调|设|提|降|升|为|成)|(?:改|调|设|提高|降低|调高|调低).{0,12}优先级",
)
MAKE_URGENT = any_of(
    r"\b(?:make|mark|set|flag) (?:it|that|this|(?:my|the|that|this) (?:\w{1,12} )?ticket|"
    r"[a-z]{2,10}-\d{4}-\d{1,9}|#?\d{1,9})(?: as| to)? (?:very |more )?"
    r"(?:urgent|(?:high|highest|top) priority)\b|\b(?:raise|increase|bump) (?:the |its )?priority\b|"
    r"^(?:it|this|that)(?:'s| is) (?:really |very |now )?urgent\b",
    r"(?:改成|改为|设为|设成|标为|标记为|变成)(?:紧急|加急)|^(?:这个|这|它)?(?:真的)?很?紧急了?$|提高优先级",
)
#: Which of somebody's tickets is meant when it shall be opened again.
CLOSED_ONE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("cancelled", any_of(r"\b(?:cancell?ed|withdrawn)\b", r"取消(?:了|掉)?的|撤销(?:了)?的")),
    ("resolved", any_of(r"\b(?:resolved|closed|solved)\b", r"(?:已?解决|关闭)(?:了)?的")),
)
#: More about what was just spoken of.
GOES_ON = re.compile(r"(?:it|that|this|they|still|yes|no|also|and)\b|它|还|是|不|对|就是|也")
#: … and how they show that it is more about the same.
SAYS_MORE = re.compile(
    r"^(?:(?:and|now|but|also|ok|sorry)[\s,]{1,3}){0,2}(?:it|it's|its|this|they|they're|still)\b"
    r"(?! (?:is|was) (?:all )?(?:ok|okay|fine|good|solved|fixed)\b)|"
    r"\b(?:too|either|as well|worse|worse now)[\s.!]{0,4}$|"
    r"^(?:它|又|还是|也)|^[^，,。]{0,12}(?:[也又更]|越来越)"
)
#: Who wants a person, and no desk.
TO_A_PERSON = re.compile(
    r"\b(?:not|n't|dont|rather than|instead of|stop|no more|sick of|without|don't want)\b.{0,30}\b"
    r"(?:a |the |this |some )?(?:chat ?)?(?:bots?|robots?|machines?|computer|ai)\b.{0,24}\b"
    r"(?:need|want|give|get|let|please)\b"
    r"|\b(?:say|talk|speak|tell|explain|discuss)(?:ing)?\b.{0,24}\b(?:to|with) (?:a |the |this |some )?(?:chat ?)?"
    r"(?:bot|robot|machine|computer)\b|(?:不要|别|不想|少)[^，,。]{0,6}(?:机器人|机器|自动回复|ai)(?!人?[坏出卡])"
    r"|想?(?:直接)?(?:跟|和|找|同)(?:[^，,。不]{1,8}的)?人(?:工|类)?(?:当面|直接|亲自|好好)?(?:说|讲|聊|谈|沟通)|"
    r"\bi(?:'d| would)? (?:need|want|like|prefer) (?:to have )?an? (?:real |actual |live )?(?:person|human|"
    r"human being|agent)\b"
    r"(?! (?:in|from|at|of|on)\b)|\bis (?:there )?(?:anybody|anyone|somebody|someone) (?:there|real|human)\b|"
    r"\b(?:speak|talk|chat|get|put me|connect me)\b.{0,12}\b(?:to|with|through to|hold of)\b.{0,12}"
    r"\b(?:humans?|(?:real |actual )?persons?|agents?|operator|somebody|someone|people|colleague)"
    r"\b(?! (?:in|from|at|of|on)\b)"
    r"|\b(?:pass|hand|transfer|switch|put) me (?:over |on |through )?to (?:an? |some |the )?(?:real |actual |live )?"
    r"(?:human|person|someone|somebody|agent|operator|colleague)\b"
    r"|\b(?:human|live|real) (?:agent|person|help)\b|转人工|人工(?:客服|服务|坐席)"
    r"|\b(?:get|give|find|fetch) me (?:an? |some |the )?(?:real |actual |live )?(?:human|person|agent|operator)\b"
    r"|\bi(?:'d| would)? (?:rather|prefer to|want to|need to|like to) (?:speak|talk|chat)(?: to| with)? (?:an? )?"
    r"(?:real |actual )?(?:somebody|someone|human|person|people)\b"
    r"|\b(?:an? )?(?:actual|real|proper|living) (?:human|person|people)\b.{0,16}\b(?:talk|speak|chat|there|here)\b"
    r"|(?:找|要|跟|和|接|让|换|叫|派)(?:一?[个下名位])?(?:真人|人工|活人)|(?:换|找|叫)(?:一?[个位])人(?:来)?(?:跟我|和我|给我)?(?:说|讲|聊|谈)"
)
#: Who wants somebody, and nothing of them that could be done without a talk: "just get me someone".
GET_SOMEBODY = re.compile(
    r"(?:(?:just|please|pls|ok|no|can you|could you|can i|i want to|i need to) ){0,3}"
    r"(?:(?:get|give|find|fetch)(?: (?:me|us))?|get (?:a )?hold of|(?:connect|put) me (?:through )?(?:to|with)"
    r"|(?:talk|speak) (?:to|with)|i (?:need|want))"
    r" (?:someone|somebody|anyone|anybody|a person|a human|people)"
    r"(?: (?:please|pls|now|asap|else|real|human|i can (?:talk|speak) to|to (?:talk|speak) (?:to|with)"
    r"|who (?:knows|can help|can answer|understands)(?: me)?)){0,3}"
    r"|(?:有没有|有|来)(?:个|一个)?(?:活|真)?人(?:在|管|理我|回答?|能回)?(?:吗|啊|么)?"
)
#: Who wants to be called, and says nothing of what it is about.
CALL_BACK = re.compile(
    r"(?:please )?(?:can |could )?(?:(?:someone|somebody|anyone|the (?:service|"
    r"help) ?desk|you)(?: from [^,.;]{1,30})? )?"
    r"(?:please )?(?:call|phone|ring) me(?: back)?(?: please| asap| today| now)*[.!?]*|"
    r"(?:请|让|叫|能不能)?[^，,。]{0,8}?(?:人|服务台|客服)?给我(?:回|打)个?电话[吧吗。！]*"
)
