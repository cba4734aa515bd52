"""Where fields of a ticket stand in what people write, in English and Chinese: places, numbers, devices, dates.

Each pattern has one group, `it`: the value as it was written.
"""

import re
from collections.abc import Mapping

from language.word_tables import STOP_ENGLISH

_COUNT = "一二三四五六七八九十两\\d"
_ORDINAL = (
    r"(?:\d{1,3}(?:st|nd|rd|th)|ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|"
    r"upper|lower)"
)
#: Products are no places: "in Excel 2.1".
_NO_PLACE = (
    r"(?!(?:Excel|Word|Outlook|Teams|Chrome|Firefox|Safari|Edge|Windows|Office|Version|SAP|Jira|Android|Python|Java|"
    r"Release|Step|Section|Chapter|Page|Line)\b)"
)
#: Rooms by what they are for, with what they are called before it: "ash ward", "castleby consulting room 2".
_PLACE_NOUN = (
    r"reception|lab|laboratory|wards?|kennels?|pharmacy|kitchen|canteen|foyer|lobby|corridor|workshop|studio|library|"
    r"basement|warehouse|store ?room|rooms?|classroom|theatre|clinic|surgery|front desk|help ?desk"
)
_NO_PLACE_WORD = (
    r"(?:the|an?|my|our|your|is|are|was|were|and|or|of|for|to|with|has|have|had|it|we|no|not|in|at|on|near|its|still|"
    r"this|that|there|every|any|some|all|meeting|conference|server|board|more|since|from|yes|no|sorry|actually|please)\b"
)
#: What follows a word for a place that only says which thing is meant.
_NO_PLACE_TAIL = (
    r"apps?|servers?|forms?|pages?|web ?sites?|systems?|accounts?|software|lists?|reports?|log-?ins?|cent(?:re|er)s?|"
    r"managers?|team|staff|nurses?|passwords?|calendar|hours|rules|menus?|bookings?|prices?|fees?|for"
)
_CALLED_PLACE = (
    rf"(?P<it>(?:(?:the|our) )?(?!rooms?\b)(?:(?!{_NO_PLACE_WORD})[a-z][\w'-]{{1,20}} ){{0,2}}"
    rf"(?:{_PLACE_NOUN})(?: \d{{1,3}}[a-z]?)?)"
)
_LOCATION = (
    re.compile(
        rf"\b(?:in|at|desk|from|near)\s+{_NO_PLACE}"
        r"(?P<it>[A-Z][a-z]+\s+(?:\d{1,2}\.\d{1,3}|[A-Z]-?\d+(?:\.\d+)?))\b"
    ),
    re.compile(r"(?<![\w-])(?P<it>[A-Z]{1,2}-?\d{1,2}\.\d{1,3}[a-z]?)(?![\w-]|\.\d)"),
    re.compile(
        r"\b(?:guests?|patients?|residents?|customers?|family|someone|lady|gentleman)\s+in\s+(?P<it>\d{2,4}[A-Z]?)\b"
    ),
    re.compile(
        r"\b(?:in|at|from|near)\s+(?P<it>(?:the\s+|our\s+)?[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?\s+"
        r"(?:depot|plant|store|shop|factory|hub|hall|terminal|yard|lab|warehouse|canteen|headquarters))\b"
    ),
    re.compile(
        rf"(?P<it>(?:仓库|厂房|车间|园区|大楼|停车场|码头)?[{_COUNT}]{{1,3}}\s?号(?:楼|门|月台|仓库|仓|库房?|车间|厅|馆|岗亭?|通道|车位|泊位|"
        rf"登机口|装卸口|码头|工位|桌))(?![{_COUNT}]{{1,3}}\s?[楼层])"
    ),
    re.compile(
        r"(?P<it>会议室\s?[A-Z][\w-]*|(?:会议室|宿舍|教室|客房|病房|房间)\s?[A-Z]?\d{1,4}(?![\d\s]?[个人台天间张把元])(?!\d))"
    ),
    re.compile(
        r"(?P<it>(?:车位|停车位|货位)\s?[A-Za-z]?\d[A-Za-z0-9.-]{0,10}|[东南西北前后正侧]门(?:岗亭|门卫|保安亭)?)(?!禁)"
    ),
    re.compile(r"\b(?:in|at)\s+(?P<it>[A-Z]?\d{1,2}\.\d{2,3})(?=\s+(?:is|are|has|have|the|we|there|and)\b|[,;]|\.?$)"),
    re.compile(
        r"(?:^|[，,。：:；;\s在])(?P<it>(?:(?![我你他她这那有个在们的了是到把给])[\u4e00-\u9fff]){2}"
        r"(?:会议室|办公室|分公司|园区|工厂|仓库|车间|码头|机场))"
    ),
    re.compile(r"\b(?P<it>(?:[Mm]eeting |[Cc]onference )?[Rr]oom\s+[A-Z][\w.-]*\w)"),
    re.compile(
        r"\b(?P<it>(?:the\s+)?(?:\d{1,3}(?:st|nd|rd|th)|\w+)\s+floor\s+(?:in|at|"
        r"of)\s+(?:the\s+)?(?:[A-Z][\w-]+)(?:\s+(?:office|building|site))?)"
    ),
    re.compile(
        rf"\b(?:(?:on|in|at|near|by|to|from|outside|above|below|next to|beside)\s+)?(?P<it>(?:the\s+|our\s+|"
        rf"my\s+)?(?:{_ORDINAL}\s+floor|floor\s+(?:\d{{1,3}}|{_ORDINAL}|[A-Z]\b)"
        rf"|(?:meeting |conference |server |board )?room\s+[A-Z]?-?\d[\w.-]{{0,40}}|building\s+\w+|"
        rf"block\s+[A-Z0-9]+|desk\s+[A-Z]?-?\d[\w.-]{{0,40}}"
        rf"|parking\s+(?:spot|space|bay|place)\s+[A-Z]?-?\d[\w.-]{{0,40}}|bay\s+(?:\d\w*|[A-Z]\d*\b)|wing\s+[A-Z0-9]+|office\s+[A-Z]?\d[\w.-]{{0,40}}|suite\s+\w+|level\s+\d+)"
        rf"(?:\s*,?\s*(?:(?:of|in|at|on)\s+)?(?:the\s+)?(?:(?:building|block|desk|room|wing|tower|office|bay|"
        rf"floor)\s+[A-Z0-9][\w.-]{{0,40}}|ward\s+[A-Z0-9][\w.-]{{0,40}}|(?:north|south|east|west|main|left|"
        rf"right)\s+(?:wing|side|building|tower|"
        rf"end)|"
        rf"(?:{_ORDINAL}\s+floor)|near the \w+(?: \w+)?|next to the \w+(?: \w+)?))*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|[,;]\s*|\b(?:to|at|in|on|of|near|from|by|above|below|under|behind|outside)\s+(?:the\s+)?)(?P<it>(?:gate|dock|warehouse|aisle|ramp|hall|terminal|berth|"
        r"counter|shed|yard|lab|depot|store|shop|plant|ward|classroom|theatre|theater|suite|cabin|courtroom|booth|"
        r"court|unit|flat|apartment|checkout|lane|platform|pool|surgery|station)\s+(?:[A-Z]-?)?\d(?:[\w.-]{0,20}\w)?|"
        r"(?:gate|dock|warehouse|hall|terminal|berth|lab|depot|plant|wing|tower|ward|classroom|theatre|courtroom|"
        r"lecture hall)\s+[A-Z])\b"
    ),
    re.compile(
        r"\b(?:in|at|near|from|on|by|inside|outside)\s+(?P<it>the\s+(?:\w+\s+){0,2}(?:lobby|reception|"
        r"library|aula|bar|pub|caf[eé]|terrace|bakery|"
        r"salon|sauna|laundry|workshop|cold (?:store|room)|clinic|stables?|auditorium|gym|gymnasium|classroom|"
        r"ward|pharmacy|laborator(?:y|ies)|restaurant|pool|spa|archive|"
        r"(?:store|stock|staff|court|ball|bath|wash|rest)rooms?|storage|front desk|information desk|checkout|counter|"
        r"(?:operating )?theatre|playground|(?<!the )(?:room|hall|area|office)s?|foyer|"
        r"courtyard|cellar|attic|toilets?|entrance|"
        r"loading (?:bay|dock)|sales floor|shop floor|nurses?'? station|copy room|"
        r"kitchen|basement|canteen|cafeteria|garage|warehouse|lounge|corridor|hallway|parking lot|"
        r"car park|stairwell|lift|elevator|rooftop|office|building|open space|landing|stairs|staircase|studio|stage|"
        r"scene dock|store|yard|gates?|balcony|gallery|stalls|box office|porch|shed|barn|garden|greenhouse|orchard|"
        r"quay|jetty|deck|roof|loft|chapel|showroom|ladies|gents|loos?|tunnel|pit)(?:\s+(?:up|down)stairs)?)\b"
        r"(?! (?:apps?|servers?|forms?|pages?|web ?sites?|systems?|accounts?|software|lists?|reports?|log-?ins?|"
        r"cent(?:re|er)|managers?|team|passwords?|calendar)\b)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:in|at|near|outside|inside) {_CALLED_PLACE}(?!\w|-| (?:{_NO_PLACE_TAIL})\b)", re.IGNORECASE),
    re.compile(
        rf"(?:^|[,;] ?){_CALLED_PLACE}"
        r"(?=[,;.!?]|$| (?:isn?'?t?|are|has|hasnt|won'?t|can'?t|doesn'?t|keeps|and|since)\b)",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?P<it>backstage|stage (?:left|right)|(?<!go )(?<!went )(?:up|down)stairs)\b", re.IGNORECASE),
    re.compile(
        rf"(?:^|[，,。：:；;\s在])(?P<it>[{_COUNT}]{{1,3}}号窗口|(?:大厅|前厅|门厅|侧台|后台|化妆间|更衣室|排练厅|售票处|走廊|"
        rf"楼道)(?:[{_COUNT}]{{1,3}}号)?)"
    ),
    re.compile(
        r"\b(?:in|at)\s+(?P<it>(?:the\s+|our\s+)?[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?\s+(?:office|building|site|"
        r"branch|campus|warehouse|meeting room|room))\b"
    ),
    re.compile(
        rf"(?P<it>(?:[^我在是的了到去从这那请你他她们个就于里有，,。\s\d\x00-\x7f{_COUNT[:-2]}]{{2,3}}(?=\d))?(?:[A-Za-z]\s?[座栋楼区馆]|"
        rf"[{_COUNT}]{{1,3}}\s?号楼|[东西南北]\s?[区楼座])?(?:第)?(?:[{_COUNT}]{{1,3}}|[Bb]\d|"
        rf"负[{_COUNT}])\s?(?:楼|层)"
        rf"(?:的|，|,|\s)?(?:[东西南北中左右]\s?[侧区边面]|[A-Za-z]\s?[区座])?(?:靠窗|"
        rf"的)?(?:[A-Za-z]?\d[\w-]{{0,40}}\s?(?:室|号|会议室|房间?|办公室|工位)?|[\u4e00-\u9fff]{{0,4}}?(?:会议室|"
        rf"办公室|茶水间|前台|大厅|机房|打印室|打印区|工位|走廊|洗手间|厕所|电梯口|休息区))?)"
    ),
    re.compile(
        r"(?P<it>(?:[A-Za-z]\s?[座栋区]|[A-Za-z]?\d[A-Za-z0-9.-]{0,40}\s?(?:号)?)(?:会议室|办公室|房间|病房|客房|教室|诊室|考场|包厢|房|室|工位)|"
        r"工位\s?[A-Za-z]?-?\d[A-Za-z0-9-]{0,40}|[A-Za-z]\s?[座栋](?:\s?\d{1,4})?)"
    ),
    re.compile(
        r"\b(?:desk|office|site|branch|seat|workplace|hub|we(?:'re| are)|I(?:'m| am)|here)\s+(?:in|"
        r"at)\s+(?P<it>[A-Z][\w-]+)"
    ),
    re.compile(
        r"(?:我(?:人|就|们)?(?:坐)?在|\b[Ii](?:'m| am) (?:in|"
        r"at)\s)\s?(?P<it>[A-Za-z]?\d[\w.-]{0,40}\w)(?![月日号年点])"
    ),
    re.compile(
        r"在(?P<it>[\u4e00-\u9fffA-Za-z0-9]{0,6}?(?:会议室|办公室|茶水间|前台|大厅|机房|打印室|打印区|休息区|"
        r"食堂|停车场|车库|仓库|办公区|洗手间|图书馆|教室|病房|药房|手术室|护士站|急诊室|门诊|礼堂|体育馆|实验室|宿舍|泳池|"
        r"健身房|宴会厅|收银台|档案室|候诊室|诊室|餐厅|厨房|后厨))"
    ),
)
_CONTACT = (
    re.compile(r"(?P<it>(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++)"),
    re.compile(r"(?P<it>\b(?:ext(?:ension)?\.?|x)\s?:?\s?\d{2,6}\b)", re.IGNORECASE),
    re.compile(r"(?P<it>(?:分机号?|内线|转)\s?[:：]?\s?\d{2,6})"),
    re.compile(
        r"(?:phone|mobile|cell|tel|telephone|call me (?:on|at)|reach me (?:on|at)|contact(?: me)?(?: on| at|"
        r" by)?|number is|电话|手机号?|联系电话|联系方式|座机)"
        r"\s?(?:is|:|：|是|为)?\s?(?P<it>\+?\d[\d\s-]{1,17}\d)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<![\w-])(?P<it>\+\d[\d\s()-]{6,18}\d|1[3-9]\d{9}|0\d{2,3}-\d{7,8}|"
        r"(?<![A-Z0-9]\s)(?=\(?0(?:[\s()/-]{0,2}\d){8,10}(?![\s-]?\d))\(?0\d{1,4}\)?[\s/-]\d{2,4}(?:[\s-]\d{2,4}){1,3}|"
        r"\(?\d{3}\)?[\s-]\d{3}[\s-]\d{4})(?![\w-])"
    ),
    re.compile(r"(?<![\w.<])(?P<it>@[A-Za-z][\w.-]{1,30})"),
    re.compile(r"(?P<it>(?:微信|企业微信|钉钉|飞书|qq)\s?(?:号)?[:：是]?\s?[A-Za-z0-9_-]{3,20})", re.IGNORECASE),
)
_DEVICE_NOUN = (
    r"beamer|smart ?board|(?:cash )?register|till(?= \d)|(?:card|payment|pos) (?:terminal|machine)|infusion pump|"
    r"ultrasound|x-ray machine|defibrillator|fridge|freezer|dishwasher|washing machine|air ?con(?:ditioner)?|kiosk|"
    r"(?:ticket|vending|franking) machine|shredder|(?:key ?card )?encoder|thermostat|photocopier|dictaphone|"
    r"laptop|notebook|macbook(?: (?:pro|air))?|thinkpad|computer|pc|desktop|workstation|printer|copier|"
    r"scanner|monitor|screen|display|keyboard|mouse|"
    r"docking station|(?<!scene )(?<!loading )dock(?! [\dA-Z])|"
    r"headset|headphones|webcam|camera|projector|phone|iphone|smartphone|tablet|ipad|"
    r"router|switch|access point|server|charger|"
    r"power supply|battery|badge reader|card reader|coffee machine|television|tv|microphone|loudspeaker|"
    r"speaker|whiteboard|ups|intercom|walkie-talkie|earpiece|mic|cable|usb stick|"
    r"(?<=the )(?<!at the )(?<!by the )(?<!near the )till"
)
_DEVICE_CHINESE = (
    "收银机|刷卡机|pos机|POS机|输液泵|监护仪|血压计|血压仪|心电图机|制卡机|冰箱|洗碗机|洗衣机|售货机|碎纸机|智能白板|电子白板|"
    "笔记本电脑|台式电脑|台式机|笔记本|电脑|打印机|复印机|扫描仪|显示器|屏幕|键盘|鼠标|扩展坞|耳机|摄像头|"
    "投影仪|投影机|投影|手机|平板|路由器|交换机|服务器|"
    "显示屏|出票机|取票机|打卡机|扫码枪|喇叭|音响|耳麦|对讲机|话筒|充电器|电池|门禁|读卡器|咖啡机|电视|麦克风|音箱|空调|电话机|座机|(?<=的)电话(?!号|[:：是]|\\s?\\d)"
)
#: A number under which a thing is listed.
_ASSET = (
    re.compile(
        r"\b(?:asset|inventory|serial|tag|equipment|machine|device)(?: tag| number| no\.?| id){0,2}(?: is)?[\s:#]{1,3}"
        r"(?P<it>[A-Z]{0,5}-?\d[\w-]{2,15})\b",
        re.IGNORECASE,
    ),
    re.compile(r"(?:资产|设备|序列|机器|固定资产)(?:编?号|码)(?:是|为|:|：)?\s?(?P<it>[A-Za-z0-9-]{3,20})"),
)
_DEVICE = (
    re.compile(r"(?<![\w-])(?P<it>(?!TCK)[A-Z]{2,5}-?\d{3,8}(?:-\d+)?)(?![\w-])"),
    re.compile(
        rf"\b(?P<it>(?:(?:HP|Dell|Lenovo|Canon|Epson|Brother|Apple|Samsung|Logitech|Cisco|Xerox|Ricoh|Asus|"
        rf"Acer|Jabra|Poly|Sony|LG|BenQ)\s+(?:[A-Z0-9][\w-]{{0,40}}\s+){{0,2}})"
        rf"(?:{_DEVICE_NOUN})?)(?=\W|$)",
    ),
    re.compile(
        rf"\b(?P<it>(?:(?:label|badge|card|barcode|receipt|thermal|laser|colou?r|network|hand|handheld|"
        rf"document|plate)\s+)?"
        rf"(?:{_DEVICE_NOUN})s?)\b",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<it>{_DEVICE_CHINESE})"),
    # A device is what ends like one: 取暖器, 叉车, 扫码枪.
    re.compile(
        r"(?:^|[，,。：:\s的台个把])(?P<it>(?:(?![的了是在有和把被给我你他这那台个])[\u4e00-\u9fff]){1,3}"
        r"(?:器|仪|枪|柜|泵|机(?![会制构房场票])))(?=[不没又总一老坏卡漏响读打被报太显吐自的，,。]|$)"
    ),
)
_PRODUCT = (
    r"outlook|excel|word|powerpoint|onenote|teams|zoom|slack|jira|confluence|sharepoint|onedrive|salesforce|"
    r"sap|workday|servicenow|github|gitlab|jenkins|"
    r"chrome|firefox|edge|safari|photoshop|figma|vpn|citrix|okta|dropbox|adobe \w+|acrobat|visual studio|"
    r"intellij|docker|windows(?: 1[01])?|macos|ms teams|office 365|skype|webex|sso|crm|erp|intranet"
)
_SYSTEM = (
    re.compile(
        r"(?:^|[.!?]\s+)(?!(?:The|My|Our|It|I|We|This|That|There|They|Wi-?[Ff]i|Since|Someone|Nobody|Everyone|"
        r"No|Hi|Hello|"
        r"Internet|Production|Please)\b)(?P<it>[A-Z][\w./+-]{0,40}(?:\s[A-Z][\w./+-]{0,40})?)\s+(?:shows?|"
        r"crash\w*|freez\w+|"
        r"hangs|is (?:down|stuck|slow|offline|not)|won't|doesn't|does not|can't|keeps|says|gives|times out|logs me out|"
        r"reports? (?:are|is|an?\b)|dashboards? (?:are|is)|stopped|fails|has)\b"
    ),
    re.compile(
        r"\b(?:my|our|the)\s+(?P<it>(?!Since\b)[A-Z][\w.+-]{0,40}(?:\s[A-Z][\w.+-]{0,40})?)\s+(?:account|"
        r"password|login|licen[cs]e|"
        r"profile|access|user)\b"
    ),
    re.compile(
        r"\b(?:log(?:ged|ging)?\s?-?(?:in|on)\s?to|sign(?:ed|ing)?\s?-?in\s?to|log(?:ged|ging)? into|"
        r"(?:get|got|getting) in(?:to)?|access to|access|permissions? (?:for|to|on)|account (?:for|on|in)|"
        r"password (?:for|to|of)|licen[cs]e for|install(?:ing)?|connect(?:ing)? to|upgrade|update)\s+"
        r"(?:the\s+|our\s+|my\s+|a\s+|an\s+|new\s+)*(?P<it>[A-Za-z][\w./+-]{0,80}(?:\s+[a-z]+(?=\s+(?:share|folder|drive|portal|system|database|mailbox|site|"
        r"calendar|dashboard)\b))?(?:\s+(?:[A-Z][\w-]{0,40}|share|"
        r"folder|drive|portal|system|database|app|server|mailbox|site|space|repo|repository|project|board|"
        r"calendar|list|channel|tool|dashboard|cluster|environment|vpn|wiki|crm|erp|share drive))*)",
    ),
    re.compile(
        r"(?:^|[.!?,] |\b(?:my|our|the|new) )(?P<it>(?!(?:the|my|our|a|an|this|that|some|no|any|new|please|"
        r"install|update|get|need|"
        r"open|use|have)\b)[A-Za-z][\w-]{1,20} (?:software|app|application|system|portal|tool|programme|"
        r"platform|database|website|web shop|"
        r"webshop|intranet|terminal server|dashboard))\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<it>{_PRODUCT})\b", re.IGNORECASE),
    re.compile(
        r"\b(?:(?:is|are|was|were|isn't|not)(?: \w+)? |can't \w+ |cannot \w+ )"
        r"(?:locked|blocked|missing|shown|booked|posted|wrong|visible|listed|gone|empty|there) in (?:the )?"
        r"(?P<it>[A-Z][\w./+-]{1,40})(?=[\s,.;!?]|$)"
    ),
    re.compile(
        r"(?:登录|登陆|访问|登不上|进不去|打不开|连不上|用不了|安装|装|使用|开通|申请)(?:不了|了)?\s?(?:一下|"
        r"新的|公司的?|我的?)?\s?(?P<it>[\u4e00-\u9fff]{2,8}?(?:系统|平台|软件|共享盘|文件夹|数据库|邮箱|"
        r"门户)|[A-Za-z][\w+.-]{0,40}(?:\s[A-Z][\w-]{0,40})?)"
    ),
    re.compile(
        r"(?P<it>(?:(?![我你他的们个把给在了得这那])[\u4e00-\u9fff]){1,4}(?:系统|平台|软件|共享盘|数据库|门户)|共享文件夹|邮箱|企业微信|"
        r"钉钉|飞书)"
    ),
    re.compile(r"(?:开通|申请|要|需要)(?P<it>[\u4e00-\u9fffA-Za-z0-9]{2,12}?)的?(?:访问)?权限"),
)
_PLACES_CHINESE = (
    "图书馆|药房|手术室|护士站|急诊室|门诊部|礼堂|体育馆|实验室|泳池|健身房|宴会厅|收银台|档案室|候诊室|后厨|厨房|"
    "食堂|餐厅|前台|大厅|茶水间|机房|停车场|车库|仓库|打印室|洗手间|男厕所|女厕所|厕所|"
    "走廊|休息区|大堂|车间|天台|(?:(?![我你他这那个的在])[\u4e00-\u9fff]){2}室"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|"
    r"jun|jul|aug|sept?|oct|nov|dec)"
)
_DATE = (
    rf"(?:(?:{_WEEKDAY},?\s+(?=\d|the\s+\d|{_MONTH}\b))?(?:the\s+)?(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s*(?:and|to|-|–|until)\s*\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s+\d{{4}})?|"
    rf"\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|\d{{1,2}}\.\d{{1,2}}\.(?:\d{{2,4}})?|{_MONTH}\s+\d{{1,2}}(?:st|nd|"
    rf"rd|th)?(?:,?\s+\d{{4}})?|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s+\d{{4}})?)|(?:next|this|last)\s+(?:week|month|"
    rf"{_WEEKDAY})|{_MONTH}|{_WEEKDAY}|tomorrow|today|yesterday"
    r"|(?<=\bon )the \d{1,2}(?:st|nd|rd|th)\b(?! (?:floor|storey|level|line|page|row|step)))"
)
_DATE_CHINESE = (
    rf"(?:(?:\d{{4}}年)?[{_COUNT}]{{1,3}}月[{_COUNT}]{{1,3}}[日号]?|(?:十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])月份?(?![{_COUNT}])|[{_COUNT}]{{1,3}}(?:日|号(?!楼|门|月台|仓|库|线|机|厅|馆|车|"
    rf"院|口|位|码|桥|岗|桌|装|登))|[上本这下]个?(?:周|"
    rf"星期|礼拜)[一二三四五六日天]?|(?:周|星期|礼拜)[一二三四五六日天]|明天|后天|今天|昨天|大后天|下个?月)"
)
_DATES = (
    re.compile(
        (
            rf"\b(?:from\s+)?(?P<it>{_DATE}(?:\s*(?:to|until|till|through|-|–|and)\s*(?:{_DATE}|\d{{1,2}}(?:st|"
            rf"nd|rd|th)?))?)(?!\w)"
        ),
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<it>{_DATE_CHINESE}(?:\s?(?:到|至|-|~|—|和|、)\s?{_DATE_CHINESE})?)"),
)
_SINCE = (
    re.compile(
        rf"\b(?P<it>since (?:this morning|this afternoon|last night|lunch(?:time)?|noon|"
        rf"about \d{{1,2}}(?::\d\d)?(?: ?[ap]m)?|\d{{1,2}}(?::\d\d)?(?: ?[ap]m)?|{_DATE}(?: (?:morning|"
        rf"afternoon|evening|night))?|"
        r"the (?:\w+ )?(?:update|upgrade|restart|reboot|move|weekend|outage|migration)|(?:an? |"
        r"\w+ )(?:hours?|minutes?|days?|weeks?)(?: ago)?))",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<it>(?:从|自)?(?:{_DATE_CHINESE}(?:早上|上午|中午|下午|晚上)?|今早|刚才|刚刚|早上|上午|"
        rf"下午)(?:开始|起|以来)|从(?:{_DATE_CHINESE}(?:早上|上午|中午|下午|晚上)?))"
    ),
)
_REASON = (
    re.compile(r"\b(?:because(?: of)?|due to|in order to|so that)\s+(?P<it>[^.!?\n]{3,300})", re.IGNORECASE),
    re.compile(r"(?:因为|由于|原因是?[:：]?|理由是?[:：]?|用于|为了)(?P<it>[^。!?！？\n]{2,200})"),
)
IMPACT = {
    "everyone": re.compile(
        r"\b(?:everyone|everybody|whole (?:company|office|building|floor)|all (?:of us|staff|employees|users|"
        r"customers)|(?:nobody|no one)(?: \w+){0,4}? (?:can|could|able|gets?|sees?|"
        r"receives?|logs?))\b(?! (?:be |get |been )?(?:hurt|injured|harmed)\b)"
        r"|所有人|全公司|大家都|全员|没人能|整层|整栋"
    ),
    "team": re.compile(
        r"\b(?:(?:my|our|whole|entire|the) (?:\w+ )?team|our department|all my colleagues)\b|全组|"
        r"整个(?:团队|组|部门)|我们(?:组|团队|部门)|全部门|本团队"
    ),
    "me": re.compile(r"\b(?:only me|just me|me only|only my)\b|只有我|仅本人|就我|我自己一个"),
}
_PLACE_FIRST = re.compile(rf"(?:^|[，,。：:；;\s])(?P<it>{_PLACES_CHINESE})(?=的|里|有|没|坏|漏|太|又|灯|空|那)")
EXTRACTORS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "location": (*_LOCATION, _PLACE_FIRST),
    "place": (*_LOCATION, _PLACE_FIRST),
    "site": (*_LOCATION, _PLACE_FIRST),
    "room": (*_LOCATION, _PLACE_FIRST),
    "contact": _CONTACT,
    "phone": _CONTACT,
    "device": _DEVICE,
    "asset": (*_ASSET, *_DEVICE),
    "equipment": _DEVICE,
    "machine": _DEVICE,
    "serial": _ASSET,
    "inventory": _ASSET,
    "telephone": _CONTACT,
    "callback": _CONTACT,
    "mobile": _CONTACT,
    "where": (*_LOCATION, _PLACE_FIRST),
    "building": (*_LOCATION, _PLACE_FIRST),
    "floor": (*_LOCATION, _PLACE_FIRST),
    "department": (*_LOCATION, _PLACE_FIRST),
    "software": _SYSTEM,
    "app": _SYSTEM,
    "system": _SYSTEM,
    "application": _SYSTEM,
    "service": _SYSTEM,
    "dates": _DATES,
    "date": _DATES,
    "since": _SINCE,
    "started": _SINCE,
    "reason": _REASON,
}
NOT_A_SYSTEM = STOP_ENGLISH | frozenset(
    {
        "everything",
        "email",
        "internet",
        "since",
        "denied",
        "nurse",
        "colleague",
        "intern",
        "trainee",
        "doctor",
        "teacher",
        "student",
        "employee",
        "guest",
        "refused",
        "error",
        "rights",
        "problems",
        "problem",
    }
)
INSTALL = re.compile(
    r"\b(?:install|reinstall|uninstall|upgrade|licen[cs]e)\b|(?<![灌罐包服西吊假])装(?![修卸配])|卸载|重装|授权"
)
PRODUCT = re.compile(_PRODUCT, re.IGNORECASE)
#: What programs alone do to people.
SHUTS_OUT = re.compile(
    r"\b(?:threw|(?:throw|kick|logg?|sign|boot)(?:s|ed|ing)?) (?:me|us|everyone|everybody|people) (?:out|off)\b"
    r"|\b(?:won'?t|doesn'?t|not) let (?:me|us|anyone) (?:log|sign|save|submit|book|upload|print)\b"
    r"|(?:老|总|一直|经常|又)?(?:自动)?(?:退出登录|被?踢(?:了|我)?出|被踢|掉登录|保存不了|提交不了)"
    r"|\b(?:won'?t|doesn'?t|not) (?:load|sync|save|refresh)(?:ing)?\b|\btim(?:es|ed|ing) out\b"
    r"|[a-z]{3}[^，,。]{0,6}(?:打不开|进不去|登不上|登不进|转圈|加载|闪退|用不了|没反应|很?卡(?!纸)|崩)"
)
#: What stands before what a program does: one word, and no thing with a category of its own.
SUBJECT = re.compile(
    r"(?:the |our |my )?(?P<it>[a-z][\w.+-]{2,30})"
    r"(?: (?:keeps|won't|wont|doesn't|doesnt|isn't|is|has|just|crash|froze|freez|hang)"
    r"|[^a-z，,。]{0,6}[打进登转加闪用没卡崩])",
    re.IGNORECASE,
)
#: How the names of machines end: 和面机.
CHINESE_MACHINE = re.compile(r"[\u4e00-\u9fff](?<![手司飞时动])机(?![会票场房构关制密])")
LOW = re.compile(
    r"\b(?:not urgent|no rush|no hurry|low priority|whenever you|when you (?:have|get) (?:time|a chance)|"
    r"not (?:that )?important|nice to have|isn't urgent)\b|不急|不着急|不紧急|有空再|低优先级|优先级低|"
    r"有空的时候"
)
URGENT = re.compile(
    r"\b(?:urgent(?:ly)?|asap|a\.s\.a\.p|immediately|right away|right now|emergency|critical|at once|"
    r"trapped|stuck (?:with \w+ )?inside|people inside|"
    r"top priority|highest priority|sev ?-?[01]|p[01](?![-.]?\d)|priority 1|on fire|smoke)\b"
    r"|紧急|加急|特急|十万火急|马上|立刻|立即|火急|着火|冒烟|最高优先级|困在|被困|里面?(?:还|还有|有)[^，,。]{0,4}(?:人|个人)|快来人"
)
#: What has to be done soon, by what is ahead: "a demo at 2pm", 下午两点要给客户演示.
_AHEAD = (
    r"(?:demo|month[- ]end|meeting|presentation|call|interview|flight|audit|go-?live|"
    r"launch|training|workshop|exam|pitch|webinar|"
    r"deadline|hearing|delivery|shift|lesson|class|lecture|operation|surgery|trial|wedding|event|show|check-in|"
    r"opening|ceremony)"
)
_SOON = (
    r"(?:at \d{1,2}(?::\d\d)?(?: ?[ap]m)?|in (?:an?|half an|\d{1,3}|two|three|ten|fifteen|twenty|thirty) "
    r"(?:hours?|minutes?|mins?)|today|tonight|tomorrow|this (?:morning|afternoon|evening)|at noon)"
)
_AHEAD_CHINESE = (
    "演示|会议|开会|汇报|面试|客户|出差|航班|培训|上线|发布|截止|交货|盘点|上课|考试|手术|开庭|婚礼|活动|开业|入住"
)
_SOON_CHINESE = (
    "[今明]天|今晚|[上下]午|中午|[一二两三四五六七八九十\\d]{1,2}[点:：]|马上|待会|一会儿?|半小时|[一两\\d]个?小时"
)
DEADLINE = re.compile(
    rf"\b{_AHEAD}\b[^.!?,;]{{0,24}}?\b{_SOON}\b|\b{_SOON}\b[^.!?,;]{{0,16}}?\b{_AHEAD}\b|"
    r"\b(?:please |pls )?hurry(?: up)?\b|\brunning out of time\b|\b(?:needed|need (?:it|this|them)|due|deadline is) "
    r"(?:\w+ ){0,2}?(?:by|before|today|tonight|within)\b[^.!?,;]{0,24}\b|"
    r"\bby (?:noon|tonight|end of (?:the )?day|eod|close of business)\b|"
    r"\b(?:by|no later than) (?:next |this )?"
    rf"(?:{_WEEKDAY}|tomorrow|(?:the )?(?:weekend|end of the (?:week|month)))"
    r"(?: (?:morning|noon|afternoon|evening|night))?\b(?! (?:it|i|we|he|she|they)\b)|"
    r"\b(?:need\w*|must|please|pls|fixed|sorted|repaired|mended|done|ready|replaced|back)\b[^.!?,;]{0,30}\bbefore "
    rf"(?:next |this )?(?:{_WEEKDAY}|tomorrow|the weekend|tonight|noon|lunch)\b|"
    r"(?:[今明后]天|[这本下]?个?(?:周|星期|礼拜)[一二三四五六日天末]?|\d{1,2}[号日]|月底|周末|下班)"
    r"(?:早上|上午|中午|下午|晚上|下班)?(?:之|以)?前(?![天一])|"
    rf"(?:{_SOON_CHINESE})[^，。！？,]{{0,8}}(?:{_AHEAD_CHINESE})|(?:{_AHEAD_CHINESE})[^，。！？,]{{0,6}}(?:{_SOON_CHINESE})|"
    r"麻烦快点|赶时间|来不及了?|等着用|急用|急着用",
    re.IGNORECASE,
)
HIGH = re.compile(
    r"\b(?:high priority|important|blocked|blocking|blocks|cannot work|can't work|cant work|"
    r"(?:whole|entire) (?:\w{1,12} )?(?:team|floor|office|company|building|site|shop|store|shift|ward|department|"
    r"school|plant|warehouse|depot|branch)|"
    r"everyone is|(?:nobody|no one|none of us) can(?! (?:be |get )?(?:hurt|injured|harmed)\b)|all of us|"
    r"(?:down|out|dead|offline|unavailable|frozen|stopped|not working) for (?:everybody|everyone|all)|"
    r"(?:customers|clients|guests|patients|passengers|visitors|people) (?:are )?(?:all )?(?:waiting|queu\w+|lining up)|"
    r"(?:queue|line) (?:is )?(?:out|down|to|round|around|through|up to) (?:of )?the \w+|"
    r"(?<!in )(?<!at )(?<!in the )(?<!at the )(?:bar|restaurant|shop|lobby|place|hall|house|store|"
    r"foyer|reception|waiting room) (?:is |'s )"
    r"(?:heaving|packed|rammed|full|jammed|mobbed|busy)|"
    r"production is down|prod is down|as soon as possible|deadline|p2(?![-.]?\d)|sev ?-?2)\b"
    r"|尽快|很急|比较急|(?<![不着紧])急(?:[!！，,。]|$)|急急|急用|在线等|优先级高|高优先级|重要|全组|我们(?:组|部门|团队)的?|"
    r"(?:整个|全)(?:团队|组|部门|公司|楼|店|办公室|仓库|门店)|[客病]人(?:都|还)?在?(?:外面|门口|前台)?(?:排队|等)|排(?:了|着)?(?:好多|很多|一堆|长队|几十|十几)|排长队|谁都|大家都|所有人|没法(?:工作|办公)|"
    r"无法(?:工作|办公)|影响(?:工作|办公|大家)|耽误|^(?:能不能|能|可以|请|麻烦|再)?快一?[点些](?:吗|吧|啊)?$"
)
PRIORITY_NAMES = {
    "urgent": "urgent|紧急|最高",
    "high": "high|高",
    "normal": "normal|medium|普通|中|正常|一般",
    "low": "low|低",
}


def extractors(name: str) -> tuple[re.Pattern[str], ...]:
    """Return where a field of that name stands: by its whole name, else by one of its words (`asset_number`)."""
    words = (name, *name.split("_"))
    return next((EXTRACTORS[word] for word in words if word in EXTRACTORS), ())


#: What stands behind the name of a thing where somebody, a paper or a place is meant: "the van rota", "mill street".
OF_THE_THING = (
    r"(?!'?s? (?:rotas?|rosters?|schedules?|time(?:table|sheet)s?|diary|bookings?|insurance|licen[cs]es?|invoices?"
    r"|drivers?|operators?|officers?|crew|instructors?|training|courses?|rental|hire|tours?|street|road|lane|hotel"
    r"|car park|yard)\b)"
)
