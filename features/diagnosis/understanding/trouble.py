"""Words for what ails a program, for how it is, for papers that are no program, and for trouble that is over."""

import re

TROUBLE = re.compile(
    "(?<![a-z0-9_])"
    r"(?:down|broken?|issues|affected|impacted|fail(?:s|ed|ing|ure|ures)?|crash\w*+|restart(?:s|ed|ing)?"
    r"|slow(?:er)?|errors?|5xx|50\ds?|time(?:s|d)? ?outs?|timing out|unhealthy|unavailable|unreachable"
    r"|not (?:working|ready|responding|starting|up)|stuck|pending|oom\w*+|killed|degraded|wrong|red|problems?"
    r"|trouble|outage|flapping|throttl\w*+|evicted|backoff|happen\w*+|dying|hanging|losing|alert(?:s|ing)?|odd"
    r"|strange|weird\w*+|unusual|acting up|kaputt?|packed (?:in|up)|conked out|gave up|misbehav\w*+|spinn\w++"
    r"|spins?|hangs?|hung|freez\w++|frozen|froze|dead|died|crawl\w++|on fire|(?:keeps?|still) loading"
    "|loads? forever|(?:won['’]?t|doesn['’]?t|does not|never|cannot|can['’]?t) loads?"
    "|(?:(?:is|are|was|does|do|did|has|could|wo)(?:n['’]t| not)|can(?:not|['’]t)) (?:even |really )?"
    r"(?:answer|respond|load|work|start|open|connect|come up|reachable|available|usable|healthy|letting|let)\w*+"
    "|stopped (?:answering|responding|working|loading)|(?:nobody|no one) can|does nothing|nothing happens"
    "|incidents?|unusable|toast|spik(?:e[sd]?|ing)|sluggish|laggy|bust(?:ed)?|borked|hosed|bad gateway|off with"
    "|(?:seems?|looks?) off|(?:is|are)n['’]t going through|bouncing|error rates?"
    r"|(?:white|blank|empty) (?:page|screen)s?|f[ae]ll(?:s|en|ing)? over|lagg\w++|leak(?:s|ing)?"
    "|(?:enough|out of|low on|short of|much|more) (?:memory|ram|cpu|disk)"
    "|(?:memory|ram|cpu) (?:usage|use|leak|load)|errors? out|erroring|unresponsive|declin(?:ing|ed)"
    r"|crash-?loop\w*+|(?:through the|hit the) roof|sky[- ]?high|bad day|complain(?:s|ing|ts? about)"
    "|(?:is|are|goes|went|stays) (?:blank|white|empty)|not going through"
    "|(?:is|what(?:'s)?|anything|something) up with|(?:returns?|shows?) (?:nothing|no results|empty|garbage)"
    r"|something(?:'s| is) (?:off|up)|shaky|patchy|intermittent\w*+|issue (?:with|w/|in|on)|having a moment"
    r"|recover\w*+|eat(?:s|ing) (?:all|up|so)|(?:getting|got|were|was) paged"
    "|(?:take|takes|taking|took|for) (?:so |too )?"
    r"(?:long|forever|ages|\w{1,8} (?:seconds|secs|minutes|mins|s)))(?![a-z0-9_])|坏了|坏掉|不正常|不对劲|是空的"
    "|空白|[这那好太很]么?卡|转圈|没反应|没响应|白屏|加载不|刷不|进不去|登不|连不上|访问不|用不了|变红|抽风|炸了"
    "|歇菜|罢工|挂|崩|重启|报错|错误|失败|超时|卡住|卡死|异常|不可用|宕|打不开|起不来|启动不了|故障|问题|告警"
    "|拉不到|被杀|内存|限流|驱逐|怎么了|怎么回事|[变很好太这那特非越更又超常别么点来]慢"
    "|慢(?:了|死|得|吗|啊|$|[?？])"
)
#: What only programs do and have; whoever says so means one also where an invoice is spoken of.
OF_PROGRAMS = re.compile(
    "(?<![a-z0-9_])"
    r"(?:down|crash\w*+|restart\w*+|slow(?:er)?|5xx|50\ds?|time(?:s|d)? ?outs?|timing out|unhealthy|errors? out"
    "|erroring|unresponsive|(?:through the|hit the) roof|(?:users|customers|people) are complaining|off with"
    "|(?:seems?|looks?) off|(?:page|screen|site) (?:is|stays|goes) (?:blank|white|empty)"
    "|(?:returns?|shows?) (?:nothing|no results|garbage)|bad day|takes? (?:ages|forever)|namespace|shaky|unstable"
    "|dead|throws? (?:an? )?(?:errors?|exceptions?)|unavailable|unreachable|responding|outage|hangs?|hanging"
    r"|spins?|spinning|freez\w++|frozen|(?:white|blank|empty) (?:page|screen)s?|error rates?|load(?:s|ing)?"
    "|answering|connect|unusable|toast|spik(?:e[sd]?|ing)|sluggish|laggy|bust(?:ed)?|borked|hosed|bad gateway"
    r"|f[ae]ll(?:s|en|ing)? over|(?:nobody|no one) can|does nothing|incidents?|flapping|dying|oom\w*+|throttl\w*+"
    r"|memory|cpu|services?|apps?|api|pods?|logs?|deploy\w*+|latency|requests?|cluster|server)(?![a-z0-9_])|抽风"
    "|炸了|歇菜|罢工|挂|崩|重启|报错|超时|宕|打不开|起不来|慢|卡|服务|应用|接口|日志|线上|容器|部署|发布"
)
#: What a program does not do any more, in words that are said of other things, too.
FAILS_NOW = re.compile(
    r"\b(?:is|are|do|does|did)(?:n['’]?t| not) (?:work|load|respond|go(?:ing)? through)|\b(?:keeps?|is|are) bouncing\b"
)
#: Papers, and what happens to them: of an app that is called by an everyday word they are not.
PAPERS = re.compile(
    r"\b(?:invoices?|iban|banks?|amounts?|refund\w*+|salar(?:y|ies)|payslips?|suppliers?|vendors?|contracts?|terms"
    r"|clauses?|receipts?|expenses?|reimburs\w*+|approv\w*+|pages?|sections?|chapters?|documents?|handbook"
    r"|checklists?|typos?|booking|hotel|tickets?)\b|发票|合同|条款|供应商|工资|报销|退款|退回|财务|金额|账号|银行"
    "|收据|审批|文章|清单|章节|错别字|写错|第.{1,3}[步条页章]|工单|打印"
)
HEALTH = re.compile(
    r"\bhow(?:'s| is| are)\b"
    r"|\b(?:ok|okay|fine|healthy|health|status|up|alive|running|back|stable|online|reachable|available|usable"
    r"|all right|alright|going on)\b|正常|健康|状态|稳定|恢复|可用|还好|没事|有没有事"
)
#: What is said of trouble that is over, or that is meant to come; and what else somebody wants done about it.
NOT_NOW = re.compile(
    r"\b(?:was|were|had|used to|no longer (?!work|load|respond|answer|start|open|reach|avail|accept)"
    r"|(?:down|broken|slow|fail\w*+|crash\w*+|restart\w*+|hang\w*+|stuck|errors?) any ?more|fixed|solved|resolved"
    r"|recovered|works again|back up|yesterday|last (?:night|time|week|month|year|\w{2,6}day)|will|going to"
    r"|planned|scheduled|maintenance|if|when(?:ever)?|unless|remind\w*+|tickets?|tell|notify|ping)\b|昨天|上周"
    "|上次|已经?(?:修|恢复|解决)|恢复了|修好|计划|维护|如果|万一|提醒|工单|通知"
)
