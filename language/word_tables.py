"""Word tables of the rules brain: stop words, generic words, irregular forms, traditional characters."""


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a table that is written as running text."""
    return tuple(text.split())


#: Words of an English question that say nothing about its subject.
STOP_ENGLISH = frozenset(
    _words("""
    a about above after again all also am an and any anyone anything are aren't as ask at back be because been before
    being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't done down
    during each else etc ever every few for from further give go goes going got had hadn't has hasn't have haven't
    having he hello help her here hers hey hi him his how how's however i i'd i'll i'm i've if in into is isn't it
    it's its itself just know let let's like long make many may maybe me might more most much must my myself need
    needs no nor not now of off ok okay on once one only or other our ours out over own per please quite rather really
    same see shall she should shouldn't so some somebody someone something still such take tell than thank thanks that
    that's the their them then there there's these they they're this those through to too under until up upon us use
    used using very via want wants was wasn't we we'd we'll we're we've were weren't what what's whatever when where
    where's whether which while who who's whom whose why will with within without won't would wouldn't yes yet you
    you'd you'll you're you've your yours he's she's here's they've they'd they'll he'll she'll it'll that'll who'll
    there'll when's why's ain't somebody's someone's nobody's everybody's everyone's
    anyhow anyway anywhere somehow somewhere
    """)
)

#: Words that are content, but so common at work that having or missing one proves little.
GENERIC_ENGLISH = frozenset(
    _words("""
    able allowed answer article available best better big call case change chapter check clause colleague company
    corporate correct current currently day details different doc document documentation employee employees example
    explain fill find first follow get guide handbook happen happens hour hours info information instructions keep
    kind last main manual many mean means member must new next normal office official old options our page part
    people person place policy possible procedure process proper properly put question quick reason relevant right
    rule rules run say section set set-up setup show staff start step steps team thing things time times today
    tomorrow try type usual usually way ways week work works working workplace year exactly actually normally
    supposed
    """)
)

#: Content that any question may hold: it narrows a subject down, but rarely names it.
LIGHT_ENGLISH = frozenset(
    _words("""
    accept act afraid agree ago almost already always amount anymore appear arrive away awful bad become begin believe
    belong bring call came care carry catch choose collect come complete consider continue count cover create cut deal
    decide depend die dies drop early easy else end enough enter especially eventually exist expect extra fall far fast
    feel few fine finish fix force full gather getting great grow guy guys half hand happening hard hear hit hold hope
    huge idea important include into keeps kick kicks large later lead learn let lie little live look looks lot lots
    low meant mention mind minute moment move needed nice nobody notice number occur offer outside particular past
    perhaps person pick piece plan play point prefer prepare present pretty prevent problem problems provide pull push
    reach ready real really receive recommend refer regard remain remember require rest result rid rise safe saw saying
    seem send several side simple since single sit small sometimes soon sort sound spend stand started state stay stick
    stop strange strong stuff suddenly suggest sure switch talk tell think together top total touch toward towards
    tried trouble true trying turn two twice understand useful various wait walk while wish wonder word worry worth
    wrong yourself although though instead asap actually basically currently exactly whole entire
    """)
)

#: Words that a verb follows.
BEFORE_VERBS = frozenset(
    _words("""
    i we you they he she to do does did can could should would may must will shall don't can't cannot
    """)
)

#: Form → stem, where spelling rules do not lead there.
IRREGULAR_ENGLISH = {
    "lost": "lose", "loss": "lose", "broke": "break", "broken": "break", "bought": "buy", "paid": "pay", "sent": "send",
    "forgot": "forget", "forgotten": "forget", "stole": "steal", "stolen": "steal", "left": "leave", "leaving": "leave",
    "leaves": "leave", "leave": "leave", "got": "get", "gotten": "get", "wrote": "write", "written": "write",
    "chose": "choose", "chosen": "choose", "went": "go", "gone": "go", "ran": "run", "began": "begin", "took": "take",
    "taken": "take", "gave": "give", "given": "give", "kept": "keep", "told": "tell", "met": "meet", "fell": "fall",
    "found": "find", "held": "hold", "hung": "hang", "frozen": "freeze", "froze": "freeze", "spent": "spend",
    "flew": "fly", "flown": "fly", "drove": "drive", "driven": "drive", "slept": "sleep", "children": "child",
    "women": "woman", "men": "man", "people": "person", "mice": "mouse", "wi-fi": "wifi", "e-mail": "email",
    "mail": "email", "mails": "email", "log-in": "login", "signin": "login", "sign-in": "login", "logon": "login",
    "application": "appli", "applications": "appli", "expiry": "expir", "maintenance": "maintain",
    "response": "respond", "responses": "respond", "analysis": "analysis", "business": "business", "always": "always",
    "heavy": "heavy", "biggest": "big", "macos": "mac", "nothing": "nothing", "morning": "morning",
    "building": "building", "buildings": "building", "meeting": "meeting", "meetings": "meeting", "during": "during",
    "brought": "bring", "thought": "think", "taught": "teach", "sold": "sell", "sale": "sell", "sales": "sales",
    "death": "die",
}  # fmt: skip

#: Chinese question words and particles: taken out before characters are counted.
STOP_CHINESE = _words("""
    请问 怎么办 怎么样 怎么做 怎么弄 怎么 怎样 如何 为什么 为何 什么时候 什么时间 什么地方 什么样 什么 哪里 哪儿
    哪些 哪个 哪位 哪种 谁 多少钱 多少天 多少次 多少 几个 几天 几次 几点 几号 几岁 几月 多久 多长时间 多长 多大
    多快 多远 吗 呢 吧 啊 呀 嘛 哦 了 的 着 我们 你们 他们 咱们 我 你 您 他 她 它 请 一下 可以 能不能 能否 可不可以
    可否 是不是 是否 有没有 会不会 关于 是怎么说的 应该 应当 需要 必须 要不要 想要 想 告诉 帮忙 帮 谢谢 你好 您好
    一个 这个 那个 这些 那些 目前 现在 具体 一般 通常 到底 究竟 以及 或者 还是 如果 的话 时候 之后 之前 以后 一共
    总共 还能 还有 还要 还会 最大 最小 最多 最少 最长 最短 至少 是 在 和 与 或 及 把 被 给 让 就 都 也 还 又 该 才 最
    """)

#: Single characters that prove little when they are missing.
WEAK_CHINESE = frozenset("有要会能到对用个几多少前后上下里中时做去来不没可以为于从次天好新人从当再只很太老比较点些只")

#: Words that any question may hold; their characters prove little.
LIGHT_CHINESE = _words("""
    公司 同事 处理 办理 规定 要求 标准 流程 步骤 方法 方式 情况 问题 东西 事情 特别 合适 家里 早上 上午 下午 晚上
    中午 今天 明天 今年 明年 去年 最近 已经 一直 老是 总是 剩下 打开 打不开 准备 哪些 方面 相关 内容 说明 介绍 知道
    了解 开始 结束 使用 进行 直接 马上 一次 每次 第一次 一直 突然 部门 办公室 先做 放在 怎样 适合 属于 区别 意思
    含义 作用 如下 主要
    """)

_TRADITIONAL = (
    "請请問问題题開开關关電电腦脑機机壞坏網网絡络連连線线碼码號号報报單单處处理理點点樓楼層层時时間间發发話话"
    "會会議议進进沒没麼么嗎吗誰谁幫帮這这個个還还讓让說说誤误錯错見见門门員员專专業业戶户帳账賬账設设備备"
    "資资訊讯軟软體体檔档應应該该傳传輸输壓压縮缩無无夠够過过導导輯辑編编輸输陸陆錄录儲储存存費费假假離离職职"
    "薪薪酬酬險险週周歲岁響响係系統统級级維维護护復复啟启動动關关閉闭暫暂緊紧急急優优選选擇择確确認认證证權权"
    "限限審审批批標标準准價价錢钱買买賣卖訂订購购輪轮換换長长寫写詩诗歌歌笑笑氣气預预測测樣样東东車车飛飞"
    "灣湾漢汉語语譯译訴诉狀状態态撤撤銷销當当臺台印印類类聽听頭头燈灯風风熱热冷冷漏漏紙纸滿满裝装運运轉转"
    "歡欢謝谢對对錯错嘗尝試试幾几將将從从為为與与後后裡里裏里邊边國国隊队組组責责任任務务產产質质量量"
)
#: Traditional → simplified, for the characters that questions at work are made of.
TRADITIONAL = str.maketrans({a: b for a, b in zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True) if a != b})


#: Countries by the codes that tables head their columns with (ISO 3166, alpha-2): English names, Chinese names.
COUNTRIES = {
    name: code
    for line in """
    at austria austrian 奥地利 | au australia australian 澳大利亚 | be belgium belgian 比利时 | br brazil brazilian 巴西
    bg bulgaria bulgarian 保加利亚 | ca canada canadian 加拿大 | ch switzerland swiss 瑞士 | cn china chinese 中国
    cz czechia czech 捷克 | de germany german 德国 | dk denmark danish 丹麦 | ee estonia estonian 爱沙尼亚
    es spain spanish 西班牙 | fi finland finnish 芬兰 | fr france french 法国 | gb britain british england uk 英国
    gr greece greek 希腊 | hk hongkong 香港 | hr croatia croatian 克罗地亚 | hu hungary hungarian 匈牙利
    ie ireland irish 爱尔兰 | il israel israeli 以色列 | in india indian 印度 | it italy italian 意大利
    jp japan japanese 日本 | kr korea korean 韩国 | lt lithuania lithuanian 立陶宛 | lu luxembourg 卢森堡
    lv latvia latvian 拉脱维亚 | mx mexico mexican 墨西哥 | my malaysia malaysian 马来西亚
    nl netherlands dutch holland 荷兰
    no norway norwegian 挪威 | nz zealand 新西兰 | pl poland polish 波兰 | pt portugal portuguese 葡萄牙
    ro romania romanian 罗马尼亚 | rs serbia serbian 塞尔维亚 | se sweden swedish 瑞典 | sg singapore 新加坡
    si slovenia slovenian 斯洛文尼亚 | sk slovakia slovak 斯洛伐克 | th thailand thai 泰国 | tr turkey turkish 土耳其
    tw taiwan taiwanese 台湾 | ua ukraine ukrainian 乌克兰 | us usa america american 美国 | vn vietnam vietnamese 越南
    za southafrica 南非
""".splitlines()
    for code, *names in filter(None, (entry.split() for entry in line.split("|")))
    for name in names
}
