"""How people begin, ask, greet and thank, in English and Chinese.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

import re


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return a pattern that matches where any of the given ones does."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


def alternatives(*phrases: str) -> str:
    """Return phrases joined as alternatives of a pattern; each line of a list may hold several with `|` between."""
    return "|".join(phrases)


def either(*phrases: str) -> str:
    """Return phrases as a group of which one has to stand."""
    return f"(?:{alternatives(*phrases)})"


#: How people greet.
GREETED = (
    r"(?:hi+ya|hi+|hello+|hey+a?|howdy|hullo|heya|yo|sup|greetings|(?:good )?(?:morning|afternoon|evening)|good "
    r"day|alright|"
    r"(?:hi|hey) there|(?:are )?you there|any(?:one|body) there|你们?好|您好|大家好|大家早|各位好|早上好|上午好|"
    r"中午好|下午好|晚上好|早安|早|嗨|哈喽|哈啰|在吗|在不在|"
    r"有人吗)"
)
#: A greeting or an address at the start.
SALUTATION = re.compile(
    rf"^(?:(?:{GREETED}|dear|sorry(?: to (?:bother|disturb) you(?: again)?)?|excuse me|"
    r"打扰一下|打扰了|再?打扰(?:您|你)?一下|不好意思|各位)"
    r"(?:[ ,]*(?:there|all|team|everyone|folks|desk|duty ?desk|dutydesk|bot|support|it|help ?desk|啊|呀|哦))*\b|@\S+)"
    r"[\s,!.:;~，。！:、]*"
)
#: Who asks to have a thing: "can I get a new mouse", "could I have a chair please".
ASKS_TO_HAVE = (
    r"(?:please )?(?:can|could|may) (?:i|we) (?:please |pls )?(?:have|get|order|request)(?= (?:an?|another|some|"
    r"two|three|one|\d+) "
    r"(?:(?:[\w'-]+ ){1,8}(?:please|pls|plz)\b|(?:new|second|replacement|spare|different|bigger)\b)| another\b)"
)
#: Words before an imperative.
POLITE_START = re.compile(
    r"^(?:please|pls|plz|kindly|just|so|ok|okay|well|then|now|also|yes|actually|"
    r"(?:can|could|would|will) (?:you|u|someone|somebody|anyone|the desk)(?: please| kindly| possibly| maybe)?|"
    r"would you mind|"
    r"i(?:'d| would) (?:like|love) (?:you )?to|i (?:want|need|have|wish) (?:you )?to|i wanna|let me|let's|"
    rf"{ASKS_TO_HAVE}|"
    r"请你|请您|请(?![^，,。]{0,2}假)|麻烦你|麻烦您|麻烦|劳驾|拜托|能不能帮我|可不可以帮我|能否帮我|可以帮我|"
    r"能帮我|可否帮我|帮我|帮忙|帮|"
    r"(?:能不能|可不可以|能否|可以|能)给我们?(?=换|配|装|加|修|发|补|开通|申请|弄)|我想要|"
    r"我想(?!请[^，,。]{0,2}假)|我要|我需要|那就|那(?![个些边台里张位种样])|好[的吧啦啊]|好(?!像|多|几|久|"
    r"大|吵|慢|卡|烫|热|冷|难|奇|"
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
GREETING = re.compile(
    rf"^(?:(?:{GREETED}|how are you(?: doing)?|how's it going|what's up|nice to meet you)[\s,!.?~。啊呀哦吗]*+"
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
    r"\b(?:it|that|this(?! (?:morning|afternoon|evening|week|weekend|month|year|quarter|time|spring|summer|autumn|"
    r"winter)\b)|those|these|they|them|meanwhile|(?<!\bis )(?<!\bare )there(?! (?:is|are|was|were)\b)|its|their|"
    r"one|ones|he|him|his|she|her|hers)\b",
    r"它|它们|那个|这个|那些|这些|这种|那种|(?<!应)该(?![怎如不去找问做用写走办交填由向在])"
    r"|这(?=是|要|需|能|可|怎|如)|那(?=是|要|需|能|可|怎|如|呢)",
)
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
    r"(?:他|她|他们|那边)的?(?:电话|分机|号码|手机|邮箱)|^(?:那)?(?:电话|分机|号码|邮箱)(?:号码?)?(?:是)?(?:多少|"
    r"呢|什么)"
    r"|怎么联系(?:他|她|$)",
)
#: Who asks whom to call about what was spoken of, and names nobody.
CALLS = any_of(
    r"^(?:and |but |so |ok(?:ay)?[, ]+)?whom? (?:do|can|should|must|could|else can) (?:i|we) (?:then |actually )?"
    r"(?:call|ring|phone|contact|reach|write(?: to)?|e-?mail|talk to|speak (?:to|with))"
    r"(?: (?:for|about|with|in) (?:it|that|this|such a case)| then| there| now)?[ ?]*$",
    r"^(?:那|那么|这(?:个|种)?|然后|我)?(?:该|要|应该|能|可以)?"
    r"(?:打电话给谁|打给谁|给谁打|打哪个电话|打什么电话|联系谁|找谁|跟谁联系)[呢啊? ]*$",
)
#: Yes to what was offered or shown.
ACCEPTED = re.compile(
    r"^(?:yes|yep|yeah|yup|y|aye|sure|ok|okay|please do|do it|do that|go (?:ahead|on|for it)|of course|please|"
    r"absolutely|"
    r"好|好的|好啊|好吧|行|可以|要|要的|是|是的|嗯|嗯嗯|对|对的|没问题|麻烦了|那就这样)"
    r"(?:[ ,，]*(?:please|thanks|thank you|do|then|go (?:ahead|on|for it)|do it|do that|open (?:a|one)|"
    r"create (?:a|one)|draft (?:a|one)|吧|啊|的|谢谢|麻烦你|请|提吧))*[.!。~]*$"
)
#: No to what was offered or shown.
REFUSED = re.compile(r"(?:no|nope|nah|no thanks|no thank you|不|不是|不要|没有|不了|否)[.!。！]{0,3}")
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
    r"|(?:hold on|hang on|wait|one (?:sec|second|moment|minute)|just a (?:sec|second|moment|minute)|稍等|等等|"
    r"等一下|等会儿?)"
    r"(?: please| a (?:sec|second|moment|minute)|一下)?[\s.!。！]{0,3}"
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
