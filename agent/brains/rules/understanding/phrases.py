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
    r"请你|请您|请(?![^，,。]{0,2}假)|麻烦你|麻烦您|麻烦|劳驾|拜托|能不能帮我|可不可以帮我|能否帮我|可以帮我|"
    r"能帮我|可否帮我|帮我|帮忙|帮|"
    r"我想要|我想(?!请[^，,。]{0,2}假)|我要|我需要|那就|那(?![个些边台里张位种样])|好[的吧啦啊]|好(?!像|多|几|久|大|吵|慢|卡|烫|热|冷|难|奇|"
    r"好|些|脏|黑|暗|臭|响|在))"
    r"(?:\b|(?<=[\u4e00-\u9fff]))[\s,，]*"
)
#: A request dressed as a question: its question mark says nothing.
REQUEST_START = re.compile(
    r"^(?:please |pls )?(?:can|could|would|will) (?:you|u|someone|somebody|anyone|the desk|"
    r"facilities|hr|finance|payroll)\b(?! (?:tell|"
    r"explain|show|describe))"
    r"|^(?:请)?(?:能不能|可不可以|能否|可以|能|可否|麻烦)(?:你|您|有人|谁|派人)?(?:帮|来|派|给|安排|处理|修|换)"
)
ASKED_NICELY = any_of(r"\b(?:please|pls|plz|kindly)\b", r"请|麻烦|劳驾|拜托|帮")
#: A request for help dressed as a question, at the end of a message.
POLITE_TAIL = any_of(
    r"[,.;] (?:can|could) (?:the )?(?:\w+ ){0,2}\w+ (?:please )?(?:look|check|have a look|"
    r"fix it|sort it)(?: please| into it| at it)?\??$",
    r"(?:can|could|would|will) (?:you|u|someone|somebody|anyone)(?: please| kindly)? "
    r"(?:help|assist|look|check|fix|repair|come|take|have|send|sort|replace|deal|see to)\b[^?]{0,300}\??$",
    r"(?:any|some) help(?: is| would be)?(?: appreciated| welcome)?[.!?]*$",
    r"\b(?:please |pls )?(?:help|advise|assist)(?: me| us)?[.!]*$",
    r"\b(?:thanks|thank you|thx|cheers|many thanks)(?: a lot| so much| in advance| very much)?[.!]*$",
    r"(?:能不能|可不可以|能否|可否|可以|能|麻烦|请)(?:你|您|有人|谁|派人|找人|请人|安排人)?"
    r"(?:帮|来|派|过来|修|看|处理|换|安排|尽快|给)[^?]{0,300}$",
    r"[，,][^，,。]{0,4}(?:能|可以)(?:不能)?(?:帮忙)?(?:查|看|修|弄)(?:一下|下)?吗?[?？]?$",
    r"(?:谢谢|多谢|感谢|拜托)[^?]{0,300}$",
)
#: Somebody was named by their role alone.
ASKS_WHO = re.compile(
    r"(?:(?:and|so|but|ok|sorry|well|hm)[\s,]{1,2}){0,2}who(?:'s| is| are) (?:that|this|it|he|she|they|these|those)"
    r"(?: (?:person|people|again|anyway|now|exactly|then))?[\s?!.]{0,3}"
    r"|(?:那|这|请问)?(?:个人|位|个)?(?:他|她|他们)?(?:到底)?是谁[啊呀呢来着?？。]{0,3}"
)
QUESTION_START = re.compile(
    r"^(?:how|what(?! an? [^?]*$)|what's|whats|when(?! (?:i|we) (?!can|could|should|may|must|need|have|get))|"
    r"when's|where|where's|who|who's|whom|whose|which|why|why's|how's|is|are|"
    r"am|(?:was|were)(?! (?:up|off|ill|sick|out|away|late|in|on|at|told|sent|given|just|supposed|going|wondering|"
    r"hoping|trying|planning|meant)\b)|do|does|did|can|could|may|might|should|shall|will|would|has|have|must|"
    r"any idea|any way)\b"
)
QUESTION_INSIDE = any_of(
    r"\bhow (?:do|does|can|could|should|would|to|long|many|much|often|come|early|late|soon|far|high|old|big|fast)\b",
    r"\bwho (?:signs|approves|decides|pays|handles|allows)(?: (?:it|that|this|them|off))?[ ?]*$",
    r"[,;.] ?(?:can|could|is|are|does|do|should|may|will|would) (?:it|i|we|they|that|this|there|he|she|my|the)\b",
    r"^(?:(?!know|sure|matter|me|is|was)[a-z]+ ){1,3}(?:who|whom|where|when|how)(?: then| exactly| now)?[ ?]*$",
    r"\bwhat (?:can|should|shall|do|could|would|is|are|does|happens|if|to)\b",
    r"\b(?:where|when|who|which|why) (?:can|should|do|does|is|are|to)\b",
    r"^(?:(?:up|down) )?(?:until|till|by|since|from|at|for|with|on|in|to|of|after|before|around|under) "
    r"(?:what|which|when|whom|whose|how)\b",
    r"(?: [-–—]|[,;:—–]) ?(?:what|which|whose|how|who|where|when)"
    r"(?: (?!is|are|was|were|has|have|had|does|do|did|i|we|it|they)\w+){0,3}[ ?]*$",
    r"\b(?:tell|show|explain|describe|remind) (?:me |us )?(?:how|what|when|where|who|why|which|whether|about)\b",
    r"\b(?:what now|now what|what next|what then|any advice|any tips)\b",
    r"\b(?:i wonder|wondering|any idea|do you know|does anyone know|is there (?:a|any)|are there)\b",
    (
        r"怎么|如何|怎样|咋|(?:什么|哪|谁)(?!都|也)|多少|(?<!好)几[个天次点号台小月年周位步人双套件份张把条瓶包箱辆间层岁遍场趟回杯桌页门级名]|多久|多长|为何|是否|是不是|有没有|"
        r"(?:能|可以|要|有|得|最)多[大高重长远快厚宽深晚早]|多[大高重长远快厚宽深](?=[啊呢呀]?[?!。.~,，]|"
        r"[啊呢呀]?$)|(?<![不很])多[大高重长远快厚宽深](?=要|才|就|会|能)|能不能|可不可以|要不要|会不会|能否|可否|请教"
    ),
    r"(?:吗|么|(?<![着还])呢)[?!。.~]*$",
    r"([\u4e00-\u9fff])不\1|[\u4e00-\u9fff]{2}(?:不|了没有?)[?!。.~]*$",  # 行不行, 要填表不, 修好了没
    r"的(?:原因|区别|差别|办法|方法|步骤|流程|标准|条件|要求|规定|含义|意思|期限|上限|下限|范围)[?？。~]*$",
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
    r"(?:it |that |everything )?(?:works|(?:has |is )?(?:restarted|rebooted|recovered|fixed|solved|working|back|"
    r"running|fine))(?: fine| again| now){0,2}|bye|"
    r"goodbye|see you|"
    r"谢谢|多谢|感谢|谢[了啦]|辛苦了|明白了|知道了|懂了|收到|再见|拜拜|好的|太好了|搞定了?|解决了)"
    r"(?:[\s,!.~。，]*(?:mate|buddy|guys|that(?:'s| is) (?:all|great|helpful)|that (?:really )?(?:helped|works|worked)|"
    r"(?:it )?works(?: fine)?(?: now)?|a lot|so much|very much|again|a bunch|for your help|for the help|all|"
    r"everyone|you|你|"
    r"您|大家|啦|了|哦|帮助|的帮助|你的帮助))*[\s,!.~。]*$"
)
#: Somebody leaves.
FAREWELL = re.compile(
    r"(?:(?:ok(?:ay)?|well|so|thanks|thank you|great|that(?:'s| is) (?:all|it)(?: for (?:today|now))?|i(?:'m| am) off|"
    r"好的?|谢谢|辛苦了?|你真棒|you(?:'re| are) (?:a star|great|the best|awesome)|那)[\s,.!，。]*){0,3}"
    r"(?:(?:good ?)?bye(?: bye|-bye)?|ciao|farewell|so long|good night|see (?:you|ya)|cu|take care|"
    r"have a (?:nice|good|great) (?:day|evening|weekend|one|night)|(?:until|till) (?:tomorrow|monday|next time)|"
    r"talk to you (?:later|soon)|再见|拜拜|回头见|明天见|晚安|下次见|先走了|我?下班了)"
    r"(?:[\s,.!，。]*(?:later|soon|tomorrow|then|around|again|everyone|all|desk|bot|now|on (?:mon|tues|wednes|"
    r"thurs|fri)day|"
    r"next week|good night|bye|再见|拜拜|了|啦|吧))*[\s,.!~。！]*"
)
#: Who has made the desk.
MADE_BY = re.compile(
    r"(?:(?:so|and|by the way|hey)[\s,]{1,3})?(?:who|which company) (?:has |had )?(?:built|made|created|developed|"
    r"programmed|designed|wrote|coded|invented|trained|owns|runs) (?:you|this (?:bot|desk|thing|chat ?bot|assistant))"
    r"[\s?!.]*|who(?:'s| is| are) (?:your|the) (?:maker|creator|developer|programmer|author|"
    r"inventor)s?(?: of this bot)?[\s?!.]*|"
    r"(?:是)?谁(?:把你)?(?:开发|创造|制造|做|造|写|设计|训练|发明)(?:了|出)?(?:你|这个机器人)?(?:的|"
    r"出来的)?[呀啊呢?。！]*|"
    r"你(?:是|由)谁(?:开发|创造|制造|做|造|写|设计|训练|发明)(?:出来)?的?[呀啊呢?。！]*"
)
HELP = re.compile(
    r"^(?:(?:so|ok|okay|and|hey|hi|btw|by the way|also|oh|well|(?:i'?m |it'?s |this is )?(?:my )?(?:new here|"
    r"first (?:day|week)(?: here| today| at work)?)|i(?:'ve)? just (?:joined|started)(?: here| today| this week)?|"
    r"那|对了|哦|另外|话说|顺便问一?下|我?是?新来的|我?今天?第一天(?:上班|来)?|我?刚(?:入职|来))[\s,，.!–-]{0,3}){0,3}"
    r"(?:help|help me|/?help|menu|commands|\?++|start|/start|usage|"
    r"what (?:else )?(?:can|do|could) you (?:actually )?(?:do|help(?: me)?(?: with)?|know|offer)"
    r"(?: for me| here| then| anyway| btw| exactly){0,2}|"
    r"what (?:(?:sorts?|kinds?|types?) of )?(?:(?:things?|stuff|questions?) )?(?:can|could|may) (?:i|we|people) "
    r"(?:ask(?: you)?(?: (?:about|for))?|use you for)|"
    r"how (?:do you work|can you help(?: me)?|do i use (?:you|this|this bot))|"
    r"who are you|what are you|what is this(?: bot)?|are you (?:a )?(?:bot|human|robot|real|an ai|ai)|"
    r"what(?:'s| is) your name|"
    r"how does (?:this|it|the desk|this bot) work|你有(?:哪些|什么)功能|帮助|菜单|功能|你能做什么|"
    r"你会(?:什么|啥)|你(?:还|都|到底)?(?:能|会|可以)(?:帮我?|做|干|办)(?:些|点)?(?:什么|啥|哪些)|你会做什么|你可以做什么|你能干什么|你能干嘛|你能帮我做什么|怎么用你|"
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
    r"\b(?:it|that|this|those|these|they|them|meanwhile|(?<!\bis )(?<!\bare )there(?! (?:is|are|was|were)\b)|its|their|"
    r"one|ones|he|him|his|she|her|hers)\b",
    r"它|它们|那个|这个|那些|这些|这种|那种|(?<!应)该(?![怎如不去找问做用写走办交填由向在])"
    r"|这(?=是|要|需|能|可|怎|如)|那(?=是|要|需|能|可|怎|如|呢)",
)
#: What joins a question to what was said before it: "and do I have to get several offers".
CONJUNCTION = re.compile(r"(?:(?:and|but|or|plus)[\s,]{1,2}){1,2}(?:(?:so|then|also)[\s,]{1,2})?")
#: Somebody speaks of themselves, of people, or of what was just spoken of.
TELLS = any_of(
    r"^(?:(?:and|but|so|well|no|yes|oh|ok|okay|actually|though|sorry|also)[\s,]{1,3}){0,3}"
    r"(?:i|i'\w+|im|ive|we|we'\w+|my|mine|our|he|she|he's|she's|they|they're|it's|it is|it was|"
    r"there(?:'s| is| are| was))\b",
    r"^(?:(?:但是?|可是?|不过|哦|因为|其实|好吧|嗯|不过|说实话|唉|呃)[，, ]?){0,3}(?:就?是|不是)?(?:我|他|她|咱)",
)
#: Who asks for the number or the address of whoever was named.
REACHES = any_of(
    r"\b(?:his|her|their|its|the) (?:phone |telephone |mobile |direct |extension )?"
    r"(?:number|phone|extension|e-?mails?(?: address)?|mail(?: address)?|contact)\b(?! (?:of|for|to|code)\b)",
    r"^(?:and |what(?:'s| is|s) |also ){0,2}(?:the )?(?:phone(?: number)?|number|extension|e-?mail(?: address)?|mail)"
    r"(?: there)?[ ?]*$",
    r"\bhow (?:do|can|could|should) (?:i|we) (?:reach|call|contact|phone|ring|write to) (?:him|her|them|that person)\b",
    r"(?:他|她|他们|那边)的?(?:电话|分机|号码|手机|邮箱)|^(?:那)?(?:电话|分机|号码|邮箱)(?:号码?)?(?:是)?(?:多少|呢|什么)"
    r"|怎么联系(?:他|她|$)",
)
#: Who asks whom to call about what was spoken of, and names nobody.
CALLS = any_of(
    r"^(?:and |but |so |ok(?:ay)?[, ]+)?whom? (?:do|can|should|must|could) (?:i|we) (?:then )?"
    r"(?:call|ring|phone|contact|reach|write(?: to)?|e-?mail)"
    r"(?: (?:for|about|with|in) (?:it|that|this|such a case)| then| there| now)?[ ?]*$",
    r"^(?:那|那么|这(?:个|种)?|然后)?(?:该|要|应该)?"
    r"(?:打给谁|给谁打|打哪个电话|打什么电话|联系谁|找谁|跟谁联系)[呢啊? ]*$",
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
#: What was begun is not wanted any more: alone, after a word of manners, and with a short reason behind it.
NEVER_MIND = re.compile(
    r"(?:(?:no|ok|okay|oh|ah|hm|sorry|thanks|thank you|please|actually|well|wait|stop)[\s,.!:;-]{1,3}){0,3}"
    r"(?:(?:discard|cancel|stop|abort|delete|dismiss|undo|scrap|drop|skip|scratch|forget|leave)(?: about)?"
    r"(?: it| that| this|(?: the| this| that| my)? draft)(?: again)?|"
    r"discard|never ?mind|nvm|cancel|undo|stop|abort|(?:stop|quit) (?:asking|that|it|this)(?: me)?|leave me alone|"
    r"(?:i(?:'ve| have)? )?changed my mind|don'?t bother|(?:no longer|not) (?:needed|necessary)(?: any ?more)?|"
    r"no need(?: any ?more)?|(?:it |that )?(?:doesn'?t|does not) matter(?: any ?more)?|it'?s nothing|"
    r"wrong (?:chat|window|channel|person|thread)|"
    r"(?:actually|on second thoughts?)[\s,.]{1,3}(?:no|not|rather not|don'?t)(?: thanks)?|"
    r"i (?:don'?t|do not|no longer) (?:need|want) (?:it|that|this|one)(?: any ?more)?)"
    r"(?:[\s,.;:!-]{1,3}(?:thanks|thank you|sorry|please|cheers|(?:it |that )?(?:already )?works?(?: again| now){0,2}|"
    r"(?:it'?s |already |all )?(?:solved|fixed|done|fine|sorted|good)(?: now)?|"
    r"(?:i (?:have |'ve )?|i've |we )?(?:found|fixed|solved|sorted)(?: it| that)?(?: out)?(?: myself| now)?|"
    r"my (?:mistake|bad|fault)|i(?:'ll| will) (?:do|fix|solve) it myself|(?:let'?s )?start (?:again|over))){0,3}"
    r"[\s.!]{0,3}"
    r"|(?:(?:还是|那就?|好吧?|嗯|哦|不好意思|抱歉|不)[，, ]{0,2}){0,3}"
    r"(?:(?:把?(?:它|这个|那个|草稿))?(?:算了|不提了|不用了|不用|取消|放弃|停止|停|不要了|不报了|不弄了|别提了|别弄了|别再?问了|当我没说|没事了?|撤回|作废|"
    r"不需要了|发错了|搞错了|打错了|我改主意了)(?:它|这个|那个|草稿|掉)?[吧啦了]?[，,。.!！ ]{0,3}"
    r"(?:谢谢|已经好了|自己好了|又好了|好了|我自己(?:来|解决|弄)吧?)?[，,。.!！ ]{0,3}){1,4}"
)
#: What was just done shall be taken back.
UNDO = re.compile(
    r"(?:(?:no|oh|wait|sorry|please|can you|could you)[\s,.!]{1,3}){0,3}"
    r"(?:undo(?: (?:it|that|this))?|(?:take|bring|get|put) (?:it|that|this|the draft) back|"
    r"restore(?: (?:it|that|the draft))?|i (?:do )?(?:still )?(?:want|need) (?:it|that|the draft) (?:back|"
    r"after all|again))"
    r"(?: please| again| after all)?[\s.!?]{0,3}"
    r"|(?:请|不|等等|还是|帮我)?[，, ]?(?:撤销|恢复|还原|撤回|回退)(?:一下|刚才的?|那个|草稿)?[吧了]?[。！? ]{0,2}"
)
#: Somebody begins, and has not said yet what it is about.
ABOUT_TO_ASK = re.compile(
    r"(?:(?:hi|hello|hey|sorry|so|ok|well)[\s,.!]{1,3}){0,2}(?:i(?:'ve| have)?(?: got)? (?:a|an|one|another|"
    r"some) (?:\w{1,10} )?"
    r"(?:questions?|requests?)|(?:can|may|could) i ask (?:you )?(?:something|a (?:\w{1,10} )?question)|"
    r"(?:a )?(?:quick )?question|one question)(?: for you| please)?[\s.!?:]{0,3}"
    r"|(?:你好|您好)?[，, ]?(?:请问(?:一下)?|我有(?:一)?个问题|有个问题|问一下|问个问题|我?想问(?:一下|个问题))"
    r"(?:您|你)?[。.!！?？ ]{0,3}"
    r"|(?:test(?:ing)?|ping|hello world|测试)(?: \w{1,10})?[\s.!?]{0,3}"
)
#: Somebody is cross with the desk, or says that it was no help.
NO_HELP = re.compile(
    r"(?:(?:no|sorry|hm|well|oh)[\s,.!]{1,3}){0,2}(?:you(?:'re| are)(?: so| really| just|"
    r" completely){0,2} (?:stupid|useless|dumb|an? idiot|bad|terrible|"
    r"no (?:help|use)|not (?:helpful|helping)|annoying|wrong)|(?:this|that|it)(?:'s| is| was)(?: so| really|"
    r" completely){0,2} (?:useless|stupid|"
    r"ridiculous|not helpful|no help|nonsense|wrong|not (?:right|true|correct|what i (?:asked|meant|wanted)))|"
    r"(?:stupid|useless|bad|dumb)(?: bot| desk|"
    r" thing| machine| answer)?|(?:that|this|it|you) (?:did not|didn't|does not|doesn't|don't|do not) (?:help|"
    r"understand)(?: me)?(?: at all)?|"
    r"wrong answer|not what i (?:asked|meant|wanted)|you (?:don't|do not) understand(?: me)?|wtf|fuck(?: you|"
    r" off)?|shit)[\s.!]{0,4}"
    r"|(?:你)?(?:真|好|太|怎么这么)?(?:笨|傻|蠢|没用|差劲|垃圾)(?:死了|啊|了)?[。！!]{0,3}|(?:这|那|"
    r"你)?(?:没有帮助|答非所问|不对|胡说八道|答错了|没听懂|"
    r"不是我问的)(?:了|啊)?[。！!]{0,3}"
)
