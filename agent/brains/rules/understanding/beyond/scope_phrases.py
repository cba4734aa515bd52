"""What a duty desk does not do: small talk, general knowledge, advice, secrets of others, in English and Chinese.

All patterns run over text in one spelling (`language.words.normalise`): lower case, half width, simplified characters.
"""

from agent.brains.rules.understanding.phrases import any_of

OVERRIDE = any_of(
    r"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,30}\b(?:previous|prior|above|all|your|the|any|"
    r"every)\b.{0,20}"
    r"\b(?:instruction|instructions|rules|prompt|guidelines|policies|restrictions|permissions|approval|"
    r"approvals|safety|confirmation)\b",
    r"\b(?:system prompt|developer mode|jailbreak|dan mode|your (?:instructions|prompt|guidelines|programming))\b",
    (
        r"\b(?:pretend|act|behave|imagine|assume)\b.{0,20}\b(?:you are|you're|to be|as if|as (?:an? )?(?:admin|"
        r"administrator|root|superuser|operator|system|my))\b"
    ),
    (
        r"\b(?:you are|you're) now\b|\bdo anything now\b|\bwithout (?:asking for |any )?(?:confirmation|approval|"
        r"permission)\b.*\b(?:delete|cancel|file|close|grant)\b"
    ),
    (
        r"\b(?:give|make|grant) (?:me|myself) (?:admin|administrator|root|full|superuser|all) (?:access|rights|"
        r"permissions?|privileges)\b.*\b(?:now|yourself|without)\b"
    ),
    (
        r"(?:忽略|无视|忘记|忘掉|绕过|跳过|不要遵守|不用管)[^。?]{0,16}(?:指令|指示|规则|提示|限制|权限|审批|"
        r"要求|设定|确认)"
    ),
    r"系统提示词|提示词|越狱|开发者模式|假装你是|假设你是|扮演|你现在是|从现在起你",
)
SECRETS = any_of(
    r"\b(?:tell|give|show|send|reveal|find|get|print|list|leak|read|dump|share|what(?:'s| is| are))\b.{0,30}"
    r"\b(?!my\b|our\b|the\b|your\b|its\b|today's\b|company's\b|what's\b|it's\b|let's\b|here's\b|that's\b|"
    r"who's\b|where's\b)(?:[a-z]+'s|his|her|their|everyone's|everybody's|colleagues'|users'|employees'|"
    r"somebody else's|someone else's) "
    r"(?:\w+ ){0,3}?(?:passwords?|passcodes?|pin|pins|credentials?|private keys?|api keys?|access tokens?|"
    r"secret keys?|login details|mailbox|emails|messages|private messages|browsing history)\b",
    (
        r"\b(?:passwords?|credentials?|private keys?|api keys?|secrets?|login) (?:of|for|from|"
        r"belonging to) (?!my\b|the (?:wifi|wi-fi|guest|printer|vpn|test|demo)|guest|wifi|printer|"
        r"vpn)(?:\w+ )?(?:ceo|cfo|boss|manager|colleague|coworker|co-worker|another|other|someone|somebody|"
        r"everyone|all|every|user|employee|admin|root|him|her|them|production|prod)\b"
    ),
    (
        r"\b(?:hack|crack|break into|spy on|steal|phish|keylog)\b.{0,30}\b(?:into|account|accounts|password|"
        r"passwords|mailbox|email|network|system|colleague|laptop|phone|wifi|data)\b"
    ),
    (
        r"\b(?:read|open|access|see|look into) (?:\w+'s|his|her|their|my (?:boss|manager|"
        r"colleague)'s) (?:e-?mails?|messages|mailbox|inbox|chats?|files)\b"
    ),
    (
        r"(?:告诉|给|发|看|查|拿到|透露|列出|显示)[^。?]{0,12}(?:他|她|他们|别人|同事|老板|领导|经理|总裁|某人|"
        r"所有人|大家|其他人|管理员|[^我的\s]{1,4}(?=的密码))的?[^。?]{0,6}(?:密码|口令|私钥|密钥|验证码|"
        r"聊天记录|邮件|邮箱密码|账号密码)"
    ),
    r"把[^我\s，。]{1,8}的[^。?]{0,4}(?:密码|口令|私钥|密钥|验证码|聊天记录)[^。?]{0,4}(?:告诉|发给|给|显示)",
    (
        r"(?:破解|盗取|盗用|黑进|黑掉|入侵|偷看|偷|监听|窃取)[^。?]{0,14}(?:密码|账号|邮箱|邮件|系统|网络|电脑|"
        r"手机|wifi|数据|聊天)"
    ),
)
#: Words that make even "weather" or "stock" a matter of the company's documents.
COMPANY_MATTER = any_of(
    r"\b(?:policy|policies|procedure|leave|allowance|reimburse\w*|expense\w*|claim|handbook|office|company|"
    r"employee\w*|vest\w*|closure|"
    r"work(?:ing)?|benefit\w*|insurance|form|runbook|deploy\w*|cluster|server|vpn|account|approval|"
    r"manager|hr|contract|api|kubernetes|kubectl|pod|pods|database|config\w*)\b",
    (
        r"制度|政策|规定|流程|假|报销|补贴|津贴|公司|办公|员工|入职|离职|保险|福利|审批|申请|部署|集群|服务器|"
        r"账号|合同|手册|配置|数据库"
    ),
)
CHIT_CHAT = any_of(
    (
        r"\bweather\b|\bforecast\b|\bgoing to rain\b|\bwill it (?:rain|snow)\b|\btemperature (?:outside|in|today|"
        r"tomorrow)\b"
    ),
    (
        r"\b(?:tell|say|know|make|give|read)\b.{0,20}\b(?:jokes?|riddles?|puns?|fun facts?|stor(?:y|ies))\b|"
        r"\bmake me laugh\b"
    ),
    (
        r"\b(?:stock|share|bitcoin|crypto\w*|ethereum|gold|currency) (?:price|prices|tips?|market|pick|picks|"
        r"quote)\b|\b(?:buy|sell|invest)\b.{0,24}\b(?:stocks?|shares?|bitcoin|crypto\w*|ethereum|gold|funds?|"
        r"etfs?)\b|\b(?:should|shall) i invest\b|\bbitcoin\b"
    ),
    (
        r"\bhoroscope\b|\bzodiac\b|\btarot\b|\bmeaning of life\b|\bdo you (?:love|like|hate|feel|dream|believe|"
        r"think)\b|\bare you (?:married|single|conscious|alive|sentient|happy)\b"
    ),
    (
        r"\b(?:recipe|recipes)\b|\bhow (?:do|to|can|should) (?:i |we |you )?(?:\w+ )?(?:cook|bake|"
        r"make (?:a )?(?:cake|pasta|pizza|bread|soup|coffee cake|pancakes?|lasagn\w+))\b"
    ),
    (
        r"\b(?:who|which team|what team)\b.{0,16}\b(?:won|win|wins|winning|scored|beat)\b|\b(?:football|soccer|"
        r"basketball|cricket|tennis|nba|nfl)\b.{0,24}\b(?:scores?|results?|match|win|wins|won|final|tonight)\b"
        r"|\b(?:world cup|super bowl|olympics|premier league|match score|match result)\b"
    ),
    (
        r"\b(?:recommend|suggest|what(?:'s| is| are) (?:the |a |some |your )?(?:best|good|"
        r"favou?rite))\b.{0,20}\b(?:movies?|films?|books?|songs?|bands?|music|"
        r"games?|restaurants?|novels?|series|tv shows?|holiday destinations?|perfumes?|wine|gifts?)\b"
    ),
    (
        r"\b(?:sing|rap|dance|flirt|chat with me|play (?:a game|chess|games? with|some music|tic)|"
        r"entertain me|i'm bored|"
        r"i am bored|roleplay|role-play)\b"
    ),
    (
        r"\b(?:dating|love letter|break ?up with|(?:find|get|impress|date|kiss|gift for) (?:me )?(?:a |my |"
        r"the )?(?:girlfriend|boyfriend|crush|wife|husband))\b"
    ),
)
#: No desk writes these, whatever they are about.
POETRY = any_of(
    r"^(?:write|compose|generate|craft|sing|tell|make)\b.{0,40}\b(?:poems?|haikus?|limericks?|sonnets?|songs?|lyrics|jokes?)\b",
    r"(?:写|作|来|编|讲|说)(?:一|个|首|篇|段)*[^。?]{0,12}(?:诗|歌词|笑话|段子)",
)
WRITING = any_of(
    r"^(?:write|compose|generate|draft|create|make|produce|craft|invent)\b(?: me| us| up)?(?: an?| some| the|"
    r" another)?(?: \w+){0,3}? "
    r"(?:poems?|haikus?|limericks?|sonnets?|songs?|lyrics|stor(?:y|ies)|essays?|novels?|speech|speeches|"
    r"toasts?|screenplay|cover letter|resume|cv|blog post|tweet|article|homework|rap|joke|fairy tale|letter|"
    r"python|javascript|java|program|function|script|code|game|website|app|scraper|algorithm)\b",
    r"^(?:write|compose|generate|craft)\b.*\b(?:poem|haiku|song|story|essay|lyrics|novel|joke)\b|^poem\b",
    (
        r"\b(?:do|solve|finish|help(?: me)? with) (?:my|the|this) (?:\w+ )?(?:homework|assignment|exam|essay|"
        r"thesis|equation|math|maths)\b|\bsolve (?:the |this )?(?:equation|integral|puzzle|riddle|sudoku)\b|"
        r"\bhomework\b"
    ),
    r"\btranslate\b.{0,80}\b(?:to|into|in)\b|^translate\b|\bhow (?:do|would) (?:you|i) say\b.{0,60}\bin \w+",
    (
        r"^(?:what(?:'s| is)|calculate|compute|how much is) (?:the )?(?:square root|sum|product|derivative|"
        r"integral|factorial|\d+ ?(?:%|percent) of \d|\d[\d\s.,]*\s*(?:[-+*/x×÷^]|plus|minus|times|divided by))"
    ),
    r"^(?:calculate|compute)? ?\d[\d\s.]*(?:[-+*/x×÷^] ?\d[\d\s.]*)+[=?]*$",
    (
        r"\b(?:summari[sz]e|proofread|rewrite|paraphrase|rephrase)\b.{0,20}\b(?:this|the following|text|article|"
        r"book|essay|paragraph|email)\b"
    ),
)
ADVICE = any_of(
    (
        r"\b(?:should i|can i|what|which|how (?:much|many))\b.{0,30}\b(?:medicine|medication|pill|pills|"
        r"ibuprofen|aspirin|paracetamol|antibiotics?|dosage|dose)\b|\b(?:i have|i've got|treat|cure|remedy for|"
        r"symptoms? of|diagnose)\b.{0,24}\b(?:headache|fever|cough|cold|flu|rash|pain|migraine|cancer|diabetes|"
        r"depression|stomach|sore throat|covid)\b|\bmy (?:rash|headache|fever|cough|symptoms)\b"
    ),
    (
        r"\b(?:sue|suing|lawsuit|lawyer|divorce|custody|my landlord|press charges|legal advice|"
        r"immigration lawyer|my will|inheritance)\b"
    ),
    (
        r"\b(?:vote for|who should i vote|voting|presidential|general election|election results?|"
        r"(?<!vice )president\b(?! of (?:sales|marketing|engineering|product|operations|finance|the))|"
        r"prime minister|political party|democrats?|republicans?|"
        r"conservatives?|labour party|congress|parliament|politic\w*|war in|gaza|ukraine|abortion|gun control)\b"
    ),
    (
        r"\b(?:which|what) (?:\w+ ){1,2}should i (?:buy|get) (?:for my|myself)\b|\b(?:mortgage|buy a house|"
        r"my taxes|tax return|lottery|casino|betting|bet on)\b"
    ),
    r"\b(?:lose weight|diet plan|workout plan|get pregnant|astrology)\b",
)
TRIVIA = any_of(
    (
        r"\b(?:capital (?:city )?of|population of|president of|king of|queen of|currency of|flag of|tallest|"
        r"highest mountain|longest river|biggest country|deepest ocean|distance (?:to|from) the (?:moon|sun|earth)|"
        r"how far is the (?:moon|sun))\b"
    ),
    (
        r"^who (?:wrote|painted|invented|discovered|composed|directed|sang|sings|played|starred|was the first|"
        r"is the richest)\b"
    ),
    (
        r"^(?:when|where) (?:was|were|did) (?:\w+ ){1,3}(?:born|die|died|invented|discovered|war|battle)\b|"
        r"\b(?:world war|roman empire|dinosaurs?|planets?|galaxy|black hole|einstein|shakespeare|napoleon|"
        r"taylor swift|eiffel tower|mount everest)\b"
    ),
    (
        r"\bhow (?:tall|old|rich|far|heavy) is (?!(?:my|our|the (?:token|password|certificate|backup|log|"
        r"data|cluster|server)))\w+"
    ),
)
OUT_CHINESE = any_of(
    r"天气|下雨吗|会下雨|下雪|气温|几度",
    r"(?:讲|说|来)(?:一?个|点|段)?(?:笑话|故事|段子|谜语|冷笑话)|逗我|笑话",
    (
        r"(?:写|作|来|编|做|创作|生成)(?:一|个|首|篇|段|点|封)*[^。?]{0,8}(?:诗|歌词|歌|小说|故事|作文|散文|情书|"
        r"剧本|论文|演讲稿|对联|文案|祝福语|游戏|爬虫|程序|代码|脚本)"
    ),
    (
        r"(?:股票|基金|比特币|虚拟币|加密货币|彩票|黄金|a股|大盘|理财产品)[^。?]{0,10}(?:涨|跌|买|卖|推荐|行情|"
        r"价格|走势|怎么样|入手)|(?:买|炒)[^。?]{0,6}(?:股票|基金|比特币|股)|(?:股价|比特币|炒股|彩票)"
    ),
    r"(?:翻译|译)(?:成|为|一下|这|下面|这段|这句)|翻译[:：]|用(?:英语|英文|日语|法语|德语|韩语|西班牙语)怎么说",
    (
        r"(?:推荐|介绍)[^。?]{0,10}(?:电影|电视剧|书|小说|餐厅|餐馆|饭店|美食|歌|音乐|游戏|景点|旅游|酒吧|火锅|"
        r"口红|礼物)|(?:哪里|哪儿|附近)[^。?]{0,6}(?:好吃|好玩|逛街|吃饭)"
    ),
    r"(?:做|写|解|帮)[^。?]{0,8}(?:作业|数学题|方程|应用题|家庭作业)|解(?:一下|这)?(?:道|个)?(?:题|方程)",
    (
        r"(?:头疼|头痛|发烧|感冒|咳嗽|胃疼|肚子疼|失眠|过敏|牙疼|嗓子疼|生病)[^。?假]{0,10}(?:吃什么|怎么治|"
        r"怎么办|吃药|用药|什么药|看什么)|吃什么药|偏方|减肥"
    ),
    r"(?:打官司|起诉|离婚|律师|房东|遗产|诉讼|抚养权)",
    r"(?:总统|大选|政党|首相|政治|战争|投票给)",
    (
        r"星座|运势|算命|占卜|塔罗|生肖|人生的意义|你爱我|你喜欢我|陪我聊|陪聊|聊聊天|聊天吧|无聊|唱(?:首|个|"
        r"一首)?歌|玩(?:个|一个)?游戏|女朋友|男朋友|恋爱|相亲|追女|追男"
    ),
    (
        r"(?:菜谱|食谱|怎么做(?:饭|菜|蛋糕|红烧肉|面包|披萨)|(?:红烧肉|蛋糕|宫保鸡丁|番茄炒蛋|面条|"
        r"饺子)[^。?]{0,4}(?:怎么做|做法))"
    ),
    r"(?:世界杯|奥运会|欧冠|足球|篮球|nba|比赛|球赛)[^。?]{0,12}(?:谁|赢|冠军|比分|结果|预测)|谁(?:会)?(?:赢|夺冠)",
    r"(?:首都|人口|面积)(?:是|有)|(?:的首都|的人口|的总统|最高的山|最长的河|谁发明|谁写的|谁画的|世界上最|历史上|朝代)",
)
