"""Word tables of the rules brain: stop words, generic words, irregular forms, synonyms, traditional characters."""


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
    you'd you'll you're you've your yours
    """)
)

#: Words that are content, but so common at work that having or missing one proves little.
GENERIC_ENGLISH = frozenset(
    _words("""
    able allowed answer available best better big call case change check colleague company corporate correct current
    currently day details different doc document documentation employee employees example explain fill find first
    follow get guide handbook happen happens hour hours info information instructions keep kind last main manual
    many mean means member must new next normal office official old options our page part people person place policy
    possible procedure process proper properly put question quick reason relevant right rule rules run say section
    set set-up setup show staff start step steps team thing things time times today tomorrow try type usual usually
    way ways week work works working workplace year exactly actually normally supposed
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

#: Form → stem, where spelling rules do not lead there.
IRREGULAR_ENGLISH = {
    "lost": "lose", "loss": "lose", "losing": "lose", "lose": "lose", "broke": "break", "broken": "break",
    "bought": "buy", "buying": "buy", "paid": "pay", "pays": "pay", "sent": "send", "forgot": "forget",
    "forgotten": "forget", "forgetting": "forget", "stole": "steal", "stolen": "steal", "left": "leave",
    "leaving": "leave", "leaves": "leave", "leave": "leave", "got": "get", "gotten": "get", "getting": "get",
    "wrote": "write", "written": "write", "writing": "write", "chose": "choose", "chosen": "choose",
    "went": "go", "gone": "go", "ran": "run", "running": "run", "runs": "run", "began": "begin", "took": "take",
    "taken": "take", "taking": "take", "gave": "give", "given": "give", "kept": "keep", "told": "tell", "met": "meet",
    "fell": "fall", "found": "find", "held": "hold", "hung": "hang", "frozen": "freeze", "froze": "freeze",
    "spent": "spend", "flew": "fly", "flown": "fly", "drove": "drive", "driven": "drive", "slept": "sleep",
    "children": "child", "women": "woman", "men": "man", "people": "person", "mice": "mouse", "data": "data",
    "wi-fi": "wifi", "wifi": "wifi", "wlan": "wlan", "e-mail": "email", "emails": "email", "mail": "email",
    "mails": "email", "mailbox": "mailbox", "login": "login", "log-in": "login", "logins": "login", "signin": "login",
    "sign-in": "login", "logon": "login", "application": "appli", "applications": "appli", "apply": "appli",
    "applied": "appli", "applies": "appli", "applying": "appli", "expiry": "expir", "expires": "expir",
    "maintenance": "maintain", "response": "respond", "responses": "respond", "pods": "pod", "news": "news",
    "access": "access", "process": "process", "address": "address", "addresses": "address", "status": "status",
    "analysis": "analysis", "business": "business", "invoicing": "invoic", "visa": "visa", "visas": "visa",
    "bus": "bus", "gas": "gas", "always": "always", "sick": "sick", "sickness": "sick", "illness": "ill",
    "heavy": "heavy", "biggest": "big", "laptops": "laptop", "os": "os", "macos": "mac", "thing": "thing",
    "nothing": "nothing", "morning": "morning", "evening": "evening", "building": "building", "buildings": "building",
    "parking": "park", "meeting": "meeting", "meetings": "meeting", "training": "train", "onboarding": "onboard",
    "string": "string", "strings": "string", "during": "during", "bring": "bring", "brought": "bring",
    "need": "need", "speed": "speed", "feed": "feed", "red": "red", "bed": "bed", "king": "king", "ring": "ring",
    "spring": "spring", "wing": "wing", "thought": "think", "taught": "teach", "sold": "sell", "sale": "sell",
    "sales": "sales", "costs": "cost", "cost": "cost", "death": "die", "died": "die", "passed": "pass",
}  # fmt: skip

#: Groups of English words that stand for the same thing at most workplaces.
SYNONYMS_ENGLISH = (
    "laptop notebook computer machine pc macbook workstation",
    "phone mobile smartphone cellphone cell handset",
    "phone telephone",
    "device laptop phone computer tablet",
    "mac macbook macos osx apple",
    "screen monitor display",
    "wifi wireless wlan",
    "internet network",
    "email e-mail mailbox inbox outlook",
    "password passphrase passcode credential credentials",
    "password pin",
    "2fa mfa two-factor multi-factor authenticator otp",
    "login signin sign-in log-in logon",
    "login log sign",
    "reset change recover forget renew",
    "lose steal missing stolen",
    "connect join link attach",
    "install deploy setup add",
    "remove delete uninstall erase wipe",
    "create add new open make",
    "restart reboot relaunch bounce recycle rerun",
    "rollback roll-back roll revert undo",
    "child daughter son kid kids toddler",
    "partner wife husband spouse girlfriend boyfriend",
    "parent mother father mum mom dad",
    "birth pregnant pregnancy expecting maternity",
    "release deploy rollout ship deployment",
    "scale resize replica replicas",
    "outage incident downtime",
    "oncall on-call standby pager",
    "alert alarm page notification",
    "backup restore snapshot",
    "vacation holiday holidays leave pto day-off annual",
    "holiday public-holiday",
    "sick ill illness unwell sickness absence",
    "parental maternity paternity baby birth child newborn",
    "wedding marriage marry",
    "bereavement death funeral die compassionate",
    "salary pay wage payroll compensation payslip",
    "bonus incentive",
    "expense expenses reimburse reimbursement claim refund receipt",
    "travel trip flight journey business-trip",
    "hotel accommodation lodging room",
    "meal food lunch dinner catering per-diem",
    "taxi cab uber ride",
    "train rail railway",
    "mileage kilometre kilometer km",
    "car drive vehicle",
    "purchase buy order procure procurement",
    "approve approval sign-off authorise authorize permission",
    "boss manager supervisor lead",
    "employee staff worker colleague",
    "newcomer joiner starter hire onboard new-hire",
    "quit resign resignation notice offboard leaver depart",
    "remote home wfh telework homeworking hybrid",
    "visitor guest",
    "badge card keycard pass",
    "desk seat workspace",
    "park parking garage",
    "deadline due cutoff latest",
    "limit maximum max cap quota allowance",
    "minimum least min",
    "price cost fee charge rate",
    "fix repair solve resolve troubleshoot",
    "error failure fail problem issue fault",
    "slow performance sluggish latency",
    "print printer printing",
    "scan scanner",
    "book reserve reservation booking",
    "invoice bill billing",
    "contract agreement",
    "customer client",
    "supplier vendor",
    "certificate cert tls ssl",
    "secret secrets token key",
    "access permission permissions rights privilege",
    "folder directory share drive",
    "file document",
    "config configuration configure settings setting",
    "log logs logging",
    "show view display see list look",
    "contact reach call",
    "emergency urgent",
    "fire evacuation alarm",
    "injury accident hurt first-aid",
    "confidential sensitive private",
    "phishing suspicious scam spam",
    "virus malware ransomware",
    "training course learn workshop certification conference",
    "review appraisal evaluation performance",
    "probation trial",
    "pension retirement",
    "insurance health medical",
    "kubernetes k8s",
    "container pod",
    "carry roll transfer",
    "max maximum most",
    "often frequent frequency",
    "encrypt encryption bitlocker filevault",
    "update upgrade patch",
    "software app appli program",
    "equipment hardware gear kit device",
    "department team unit division group",
    "switch change move transfer swap",
    "mandatory compulsory required obligatory must",
    "newcomer beginner newbie joiner new-starter",
    "fine penalty ticket",
    "flight plane airline",
    "cancel cancelled cancellation withdraw",
    "delay delayed late",
    "divert forward redirect",
    "mute silence snooze",
    "exercise drill rehearsal",
    "gift present giveaway hospitality",
    "quick quickly fast soon speed",
    "respond answer reply react",
    "signal reception coverage",
    "weak poor bad",
    "leaving resign depart exit offboard",
    "return hand-in give-back",
    "start begin commence",
    "end finish stop terminate",
    "allow allowed permit permitted may",
    "forbid forbidden prohibit prohibited ban banned",
    "anonymous anonymously confidential confidentially",
    "misconduct harassment bullying discrimination whistleblow",
    "report notify inform tell",
    "help support assistance desk",
    "money pay payment cash",
    "bank account iban",
    "address location site",
    "room space hall",
    "floor storey level",
    "lift elevator",
    "toilet restroom bathroom",
    "kitchen canteen cafeteria",
    "bike bicycle cycle cycling",
    "bus shuttle coach",
    "abroad overseas foreign international",
    "customer client guest",
    "shift rota schedule roster",
    "overtime extra-hours",
    "weekend saturday sunday",
    "night evening",
    "calendar schedule appointment",
    "meeting conference call",
    "projector beamer screen",
    "keyboard mouse peripheral",
    "spill spilled liquid water coffee",
    "battery charger power",
    "disk drive storage ssd",
    "full quota space size",
    "spam phishing suspicious",
    "attachment file",
    "signature sign",
    "stamp seal",
    "certificate proof letter confirmation",
    "reference recommendation letter",
    "promotion raise grade",
    "goal objective target",
    "feedback review",
    "mentor buddy coach",
    "doctor physician medical",
    "note certificate proof",
    "vote election poll",
    "key token card",
    "lock locked block blocked",
    "attempt try tries",
    "expire expired lapse outdated",
    "renew renewal extend extension",
    "rotate rotation exchange",
    "leak leaked expose exposed compromise",
    "commit push git repository repo",
    "primary leader master",
    "replica follower standby secondary",
    "failover switchover promote",
    "crash fail die exit",
    "memory oom ram",
    "pending waiting stuck queue",
    "quota limit budget",
    "version release build",
    "freeze stop ban",
    "severity priority sev",
    "postmortem retrospective review",
    "status state health",
    "namespace environment project",
    "dashboard grafana chart",
    "query search find",
    "download fetch get",
    "upload submit hand",
    "rename name call",
)

#: Chinese question words and particles: taken out before characters are counted.
STOP_CHINESE = _words("""
    请问 怎么办 怎么样 怎么做 怎么弄 怎么 怎样 如何 为什么 为何 什么时候 什么时间 什么地方 什么样 什么 哪里 哪儿
    哪些 哪个 哪位 哪种 谁 多少钱 多少天 多少次 多少 几个 几天 几次 几点 几号 几岁 几月 多久 多长时间 多长 多大
    多快 多远 吗 呢 吧 啊 呀 嘛 哦 了 的 着 我们 你们 他们 咱们 我 你 您 他 她 它 请 一下 可以 能不能 能否 可不可以
    可否 是不是 是否 有没有 会不会 关于 是怎么说的 应该 应当 需要 必须 要不要 想要 想 告诉 帮忙 帮 谢谢 你好 您好
    一个 这个 那个 这些 那些 目前 现在 具体 一般 通常 到底 究竟 以及 或者 还是 如果 的话 时候 之后 之前 以后 一共
    总共 还能 还有 还要 还会 是 在 和 与 或 及 把 被 给 让 就 都 也 还 又 该 才 最
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

#: Groups of Chinese words that stand for the same thing at most workplaces.
SYNONYMS_CHINESE = (
    "电脑 笔记本 计算机 笔记本电脑 主机 设备",
    "手机 移动设备 设备 电话",
    "屏幕 显示器",
    "无线网 无线网络 无线 wifi wi-fi",
    "网络 上网 网",
    "邮箱 邮件 电子邮件 信箱",
    "密码 口令",
    "重置 重设 重新设 重新设置 修改 更改 找回 忘记 忘了 忘",
    "登录 登陆 登入",
    "连接 连上 连 接入 链接",
    "安装 装 部署",
    "删除 移除 卸载 清除",
    "申请 办理 提交 开通",
    "新建 创建 添加 增加",
    "重启 重新启动",
    "回滚 回退 撤回",
    "发布 部署 上线",
    "扩容 扩缩容 伸缩 副本",
    "故障 事故 事件 中断",
    "值班 轮值 oncall on-call",
    "告警 报警 警报",
    "丢失 丢了 遗失 丢 被盗 失窃 弄丢",
    "坏 损坏 故障 坏掉",
    "休假 请假 年假 假期 放假 假",
    "病假 生病 请病假",
    "产假 陪产假 育儿假 生孩子 生小孩",
    "婚假 结婚",
    "丧假 去世",
    "工资 薪资 薪水 薪酬 工资单",
    "奖金 绩效",
    "报销 费用 报账 报",
    "发票 票据 凭证",
    "出差 差旅",
    "酒店 住宿 宾馆",
    "餐费 餐饮 伙食 餐补 吃饭",
    "打车 出租车 网约车",
    "火车 高铁 动车",
    "机票 飞机 航班",
    "采购 购买 买",
    "审批 批准 同意 批",
    "领导 经理 主管 上级 老板",
    "员工 职员 同事",
    "入职 新员工 新人 报到",
    "离职 辞职 辞呈",
    "远程 居家 在家 在家办公 居家办公 远程办公",
    "访客 来访 客人",
    "门禁 工卡 门卡 胸卡",
    "工位 座位",
    "停车 车位",
    "截止 最晚 期限 之前",
    "上限 最多 最高 额度 限额 标准",
    "下限 最少 至少",
    "价格 费用 多少钱",
    "修理 维修 报修 修",
    "打印机 打印",
    "预订 预定 预约 订",
    "合同 协议",
    "客户 顾客",
    "供应商 厂商",
    "证书 tls ssl",
    "密钥 令牌 token",
    "权限 访问",
    "文件夹 目录 共享盘",
    "文件 文档",
    "配置 设置 设定",
    "日志 log",
    "查看 看 显示 查",
    "联系 找",
    "紧急 急",
    "火警 火灾 疏散 着火",
    "可疑 钓鱼 诈骗",
    "病毒 木马 勒索",
    "培训 课程 学习",
    "试用期 转正",
    "社保 五险一金 公积金",
    "医保 保险",
    "容器 pod",
    "结转 转到 顺延",
    "升级 更新",
    "软件 应用 程序",
    "加班 调休",
    "开始 生效",
    "结婚 婚假 领证 婚礼",
    "怀孕 产假 产检",
    "哺乳 母婴 哺乳室 母婴室",
    "预支 借款 备用金 预付",
    "差旅 出差",
    "领 领用 领取 申领",
    "几点 时间 时段",
    "找不到 丢 遗失 丢失",
    "批 审批 批准",
    "谁 负责 联系",
    "收费 价格 费用 元",
    "开饭 早餐 午餐 晚餐 供应",
    "礼物 礼品 福利 礼金",
    "下雨 暴雨 恶劣天气 天气",
    "换 更换 调换",
    "转 调 调动",
    "坐 乘坐 乘",
    "慢 缓慢 卡",
    "声音 麦克风 音频",
    "人数 人 容纳",
    "最大 最多",
    "体检 健康检查",
    "生日 节日",
    "锻炼 运动 健身 球队",
    "老人 亲属 家属 父母",
    "孩子 子女 小孩",
    "车 车位 停车",
    "电动车 电动自行车 电瓶车",
    "盖章 公章 用印 印章",
    "证明 开证明 在职证明",
    "发布 上线 部署",
    "回退 回滚 撤回",
    "监控 告警 指标",
    "数据库 库 主库 从库",
    "主从 切换 故障切换",
    "日志 查询 检索",
    "内存 oom 溢出",
    "磁盘 硬盘 空间",
    "超时 断开 断线 掉线",
    "申请 办 办理 提交",
    "修改 更改 变更 调整",
    "取消 撤销 作废",
    "过期 到期 失效 作废",
    "延长 续期 续签 展期",
    "补办 重办 补卡",
    "迟到 考勤 打卡",
    "调休 换休 补休",
    "转正 试用期",
    "内推 推荐",
    "奖金 年终奖 绩效",
)

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
