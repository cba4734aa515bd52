"""What people call secrets, what they put between a secret's name and the secret, and what is none of all that."""

import re
from enum import Enum


class SecretKind(Enum):
    """What a name promises."""

    PASSWORD = "password"  # noqa: S105 - anything: a word, a number, a sentence
    CODE = "code"  # digits, or groups of them
    KEY = "key"  # long, and no word
    LOGIN = "login"  # somebody's name, and after it the secret


#: What has a lock that opens with a number.
LOCKS = (
    r"doors?|gates?|entrance|alarm(?:[ ]panel|[ ]system)?|keypad|(?:the|our|my|this|key|hotel|office)[ ]safe"
    r"|lock(?:er|[ ]?box)?|padlock|garage|barrier"
    r"|gym|lift|elevator|(?:cash|letter|tool|key)[ -]?box|drawer|cage|cabinet|server[ ]room|bike[ ]?(?:room|shed)"
)
LOCKS_CHINESE = "门锁|门口|房门|键盘|门禁|大门|道闸|密码锁|保险[柜箱]|报警器|储物柜|钱箱|机房|车库|闸机|电梯"
#: A code, where it is not one of a kind that is no secret.
_OTHER_CODES = frozenset(
    """
    area booking color colour cost country discount dress error event exit fault item order post postal product promo qr
    sort source status voucher zip
    """.split()  # noqa: SIM905 - twenty words read better as a text
)
CODE_WORD = "(?i:" + "".join(f"(?<!{kind} )" for kind in sorted(_OTHER_CODES)) + r"\bcodes?\b)"
_OPENS = (
    rf"(?:the|our|my|your|this|that)[ ](?:\w{{1,20}}[ ]){{0,2}}(?:{LOCKS})"
    r"|(?:disarm|unlock|open|enter|get[ ]in|log[ ]?in|sign[ ]?in)"
)
_PASSWORD = (
    (
        r"(?:secret|magic|code|safe|watch|duress)[ -]?words?|p[a@4][s$5]{1,2}[ -]?(?:words?|phrases?|codes?)"
        # spelled in haste: pasword, psswrd, passwrod, passowrd, paswoord, Passwort, passwd
        r"|p(?:[a@4][s$5z]{1,3}|[s$5]{1,3}[a@4]?)(?:w[a-z0]{0,3}(?:d|t)|[o0]w?r?dw?|wor)s?|passphras|pasphrase"
        r"|pass?cod|p[ /.]?w"
        r"|pass|pwd|psw|pword"
        r"|kennwort|mot de passe|contrase[ñn]a|(?:unlock|security|secret|magic)[ -]?phrase"
        r"|(?:security|secret)[ ](?:question[ ])?answer|answer[ ]to[ ](?:my|the|our)[ ](?:security|secret)[ ]question"
    ),
    r"[密蜜][ \u3000]{0,3}[码碼马吗玛]|口令|暗号|通行码",
)
_CODE = (
    (
        r"pin(?:[ -]?(?:code|number|no\.?))?|puk|tan|otp|totp|cvv2?|cvc2?"
        r"|ssn|social security(?: (?:number|no\.?))?|national insurance (?:number|no\.?)|steuer-?id(?:nummer)?"
        r"|(?:passport|national id|identity card|id card|driver['’]?s? licen[cs]e|tax(?:payer)? id)"
        r"(?: ?(?:number|no\.?|#|id))|tax id(?=[ ](?:is|was)[ ])"
        r"|(?:verification|one[ -]?time|single[ -]use|security|access|door|alarm|unlock|entry|gate|safe|vault"
        r"|lock|2fa|mfa"
        r"|two[ -]factor|sms|login|log-?in|sign-?in|confirmation|auth(?:entication|enticator|orisation"
        r"|orization)?|backup"
        r"|recovery|reset|scratch|emergency|keypad|combination|card|pairing|screen|phone|tablet|voicemail)"
        r"(?:[ -](?!errors?|status|exit|postal|zip|country|cost|order|source)[a-z]{2,12})?[ -]?"
        r"(?:codes?|pins?|combination)"
        rf"|combination(?=[ ](?:of|for|to|on)[ ](?:(?:the|my|our|this|that)[ ])?(?:\w{{1,20}}[ ])?(?:{LOCKS}|safe"
        rf"|vault)\b)"
        r"|(?:2fa|mfa|two[ -]factor(?:[ ]app)?|authenticator(?:[ ]app)?|sms)[ ](?:just[ ])?(?:says|shows|gives"
        r"|gave|sent|texted)"
        rf"|codes?(?=[ ](?:for|to|of|on)[ ](?:{_OPENS})\b)"
        r"|codes?(?=[ ](?:from|on|in|by|of)[ ](?:the|my|our)[ ](?:authenticator|app|text|sms|phone|token|key[ ]?fob))"
    ),
    (
        r"PIN ?码|(?<![A-Za-z])PIN(?=[0-9]{4,8}(?![0-9]))|验证码|校验码|动态码|安全码|恢复代?码|备[用份]代?码"
        r"|一次性密码|救援码|解锁码|开锁码|门禁码|一次性代码|授权码|激活码"
        r"|(?:双因素|两步)(?:软件|应用|验证)?|取件码"
        r"|(?<![代源编条维错乱页尺解转数起筹态误扫税区域国商品料单机号件物么个加打])码"
        r"(?=(?:就?是|为|[:：])?[ ]?[（(“「【\[]?[A-Za-z]{0,6}[0-9])|(?:身份证|护照|社保|驾照|驾驶证)(?:号码?)?"
    ),
)
_KEY = (
    (
        r"(?:api|access|secret|private|signing|encryption|shared|pre-?shared|ssh|account|master|service|wpa2?"
        r"|wifi|wi-fi"
        r"|bitlocker|recovery|wireguard|storage|webhook|host|client|app|consumer|root|deploy(?:ment)?"
        r"|subscription)[ _-]?(?:key"
        r"|secret)s?"
        r"|(?:totp|otp|2fa|mfa|authenticator)[ _-]?(?:seed|secret|key)s?|seed(?:[ -]phrase)?|recovery phrase|mnemonic"
        r"|(?:(?:api|access|auth|bearer|refresh|session|personal access|bot|id|service|deploy|secret)[ _-]?)?tokens?"
        r"|secrets?(?![ ](?:question[ ])?answer|[ ]question|[ ]word)|connection[ -]?string|(?<=[A-Za-z0-9]_)auth"
    ),
    r"密钥|秘钥|密匙|钥匙(?= ?[A-Za-z0-9])|令牌|凭[证据]|私钥|种子|助记词|访问键|API ?[Kk]ey",
)
_LOGIN = (
    (
        r"log-?ins?|logons?|log-?in (?:details|data)|sign-?in|credentials?|creds"
        r"|user(?:name)?(?: ?(?:and|/|&) ?)pass(?:word)?"
    ),
    r"[账帐]号密码|用户名密码|用户名[和/、]密码|[账帐]号[和/、]密码|登录信息|登录名和密码",
)


def _name(kind: SecretKind, latin: str, chinese: str) -> str:
    """Return the pattern of the names of one kind; `DB_PASSWORD` holds one, and Chinese has no spaces."""
    return rf"(?P<{kind.value}>{chinese}|(?<![A-Za-z0-9])(?:{latin})(?![A-Za-z0-9]))"


#: A name of a secret.
NAME = re.compile(
    "|".join(
        (
            _name(SecretKind.LOGIN, *_LOGIN),
            _name(SecretKind.CODE, *_CODE),
            _name(SecretKind.KEY, *_KEY),
            _name(SecretKind.PASSWORD, *_PASSWORD),
        )
    ),
    re.IGNORECASE,
)

#: A name that belongs to another word: "boarding pass", "pass the salt", "password policy".
OTHER_BEFORE = re.compile(
    r"(?i:\b(?:boarding|parking|day|season|rail|bus|press|visitor|guest|mountain|hall|ski|travel|first|second"
    r"|to|will|can"
    r"|did(?:n't)?|must|push|safety|bowling|hair|drawing|lynch|rolling|mr\.?|zip|top|open|trade|kill|error"
    r"|status|cost|area|postal|dress|qr|source|country|order|booking|discount|response))[ -]$"
)
OTHER_AFTER = re.compile(
    r"(?i:['’]?s?[ _-](?:polic(?:y|ies)|rules?|resets?|managers?|pages?|portals?|links?|fields?|box|forms?"
    r"|changes?|expir\w+"
    r"|length|strength|hints?|prompts?|apps?|generators?|requirements?|protect\w*|less|vaults?|safes?|tickets?|rotation"
    r"|history|complexity|dialogs?|screens?|masks?|files?|lists?|problems?|issues?|questions?|e-?mails?|messages?"
    r"|errors?|letters?|help|support|fingerprints?|service|desks?|readers?|entry|pads?|button|checks?"
    r"|authentication|sharing|storage"
    r"|santa|sauce|rates?|limits?|budgets?|counts?|usage|ring|economy|names?|types?|ids?)\b)"
    r"|(?:(?:重置|修改)(?![成为了])|管理|策略|规则|长度|强度|过期|提示|页面|框|找回|保护|本|错误|问题|复杂|要求"
    r"|有效期|输入|政策|器)"
)

#: "password: x", "password = x", "password is x", "password (x)", "密码是x", "密码改成了x".
SIGN = re.compile(
    r"""(?:[ ]below(?=:))?["'`*_)\]]{0,3}(?:[ ]{0,2}[(（][^()（）\n]{1,40}[)）])?[ \t]{0,4}"""
    r"""(?:[:：=＝]{1,2}>?|[-=]>|→|[–—|]|>(?=[^\s<])|[ \t]-(?=[ \t]))\s{0,3}"""
)
IS = re.compile(
    r"(?i:['’]s[ \t]{1,3}|,[ \t]which[ \t](?:is|was)[ \t]{1,3}"
    r"|[*_`\"”’]{0,3}[ \t]{1,4}(?:(?:which|that|it|i think|now|still|currently|has|had"
    r"|seems to|should"
    r"|must|will|might|may|would|used to)[ \t]{1,3}){0,2}(?:is|was|be|been|are|were|equals?|reads|goes|being"
    r"|lautet|ist|est|es)"
    r"(?:[ \t]{1,3}(?:below|now|still|currently|just|simply|again|called|set to|changed to|actually|probably|always"
    r"|the following|as follows|something like|this|temporarily|jetzt))?[ \t]{0,3}[:：=]?\s{1,3})"
    r"|(?:还是老样子|没变|没改|照旧)[ ，,:：]{1,2}"
    r"|[ \t]{0,3}(?:[就还应该现在目前仍然依旧一直好像可能大概默认暂时都也我您你他设]{0,6})"
    r"(?:改|换|设|设置|重置|更新|变|修改|更改|定|填|输入?|用)?(?:成|为|的)?了?(?:是不是|是|为|叫做?|成了?|有(?:这"
    r"|下面|以下)?[几两三0-9]?个|[:：=])"
    r"[ \t]{0,3}[:：=]?(?:默认的?|临时的?|出厂的?|初始的?|原来的?)?[ \t]{0,3}"
    r"(?:我?的?(?:生日|工号|学号|手机号?|身份证后六位)(?=[0-9]{4}))?"
    r"|就?是?我?的?(?:生日|工号|学号|手机号?|身份证后六位)[是为:：]?(?=[0-9]{4})"
)
#: "changed my password to x", where the change was said before the name.
TO = re.compile(r"(?i:[ \t]{1,3}(?:back[ \t]{1,3})?(?:to|into|as)(?:[ \t]{1,3}(?:just|simply))?[ \t]{0,3}:?[ \t]{1,3})")
CHANGED = re.compile(
    r"(?i:\b(?:chang|set|reset|updat|switch|turn|put|chose|choos|pick|mov|rotat|renam|made|mak)(?:e|es|ed|ing|ting)?\b)"
    r"[^.!?\n]{0,40}$"
)
#: What stands between a name and its "is": "password for the VPN is x", "密码（内网）是x".
FAR = re.compile(
    r"(?P<between>[^\n.!?。！？；;:：=]{1,60}?)"
    r"(?P<sign>(?<![A-Za-z])(?i:is|was|are|be|ist)[ \t]{1,3}"
    r"(?i:(?:still|now|currently|actually|probably|always)[ \t]{1,3})?|[:：=＝][ \t]{0,3}|[ ]?(?:[-=]>|→)[ ]?"
    r"|[ ][-–—][ ](?=[^\s]{6,64}(?:[ ][-–—]|[ ]?\n|$))"
    r"|(?:是|为|成|叫)[ \t]{0,3}|,[ \t](?=[^\s,]{4,64},[ \t])|[ ][(](?=[^\s()]{4,64}[)]))"
)
NEAR = re.compile(r"[ \t]{1,4}|(?<![A-Za-z])(?=[\x21-\x7e])|\s{0,2}[(（「『“‘\"'`][ \t]?")

#: What begins with that belongs to the name: what follows the "is" is the secret's, plain words too.
BELONGS = re.compile(r"[ ](?:for|of|with|to|at|you|they|we|he|she)\b|['\"]?,[ ]?(?:mine\b|我的)|[^\x00-\x7f]")

#: What stands between a secret and its name: "x is my password", "use x as the PIN", "x是我的密码", "用x做密码".
BEFORE = re.compile(
    r"(?i:[\"'”’)]?,?[ \t]{1,2}(?:[-–—(][ \t]?)?(?:(?:is|was|are|being|that's|that[ ]is|it's"
    r"|which[ ]is)[ \t]{1,2}(?=(?:my|the|our|your"
    r"|his|her|its|their|a|an)\b)|(?:as|=)[ \t]{1,2}|(?<=\()(?=my|the|our))(?:(?:my|the|our|your|his|her|its"
    r"|their|a|an)[ \t]{1,2})?"
    r"(?:[a-z-]{1,15}[ \t]{1,2}){0,3}|[ \t]{0,2}[(（](?:[a-z-]{1,15}[ ]){0,3})$"
)
OF = re.compile(r"[ ](?:of|for|to)[ ]")
LINKS = re.compile(r"(?i:is|was|as|are|being)\b|['’]s|[=(（是作做当为这]")
BEFORE_CHINESE = re.compile(
    r"[ \t]{0,2}[\"'”’」]?(?:[，,]?[就还这那]?是|作为|当作?|做|作|为|这个)"
    r"(?:[我你您他她它]们?|公司|新|旧|现在|目前|这个)?的?"
    r"[A-Za-z\u4e00-\u9fff]{0,6}[ \t]?$"
)

#: What makes a word of letters the secret: "use x as my password", and "x is my password" with nothing before.
TAKEN = re.compile(
    r"(?i:\b(?:us(?:e|es|ed|ing)|set|chose|choose|keep|want|tr(?:y|ied)|pick|typed?|entered|enter|have|had|put"
    r"|took)[ ]{1,2})$|[用以把]$"
)
LAST_WORD = re.compile(r"[^\s\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…]{1,64}$")
ALONE = re.compile(r"(?:^|[.!?:;,\n，。：；！？][ \t]{0,2})$")
#: What makes a word of letters beside the name the secret: somebody's name before it.
ACCOUNT_BEFORE = re.compile(
    r"(?:(?i:\b(?:user(?:[ ]?name)?|login|account)\b[^.!?\n]{0,30}[ ]is)|(?i:\b(?:user(?:[ ]?name)?|user id|login"
    r"|account|log ?in as|id))|用户名?|登录名|[账帐]号|工号|[账帐]户)"
    r"[ :：=是为]{0,3}"
    r"[A-Za-z0-9._@\\+-]{1,40}[ ,，;；/|、]{0,3}(?:(?i:and|with|the|my)[ ]|和|的)?(?:(?i:the|my)[ ])?$"
)

#: Places to fill in, masks and values that say that there is none.
PLACEHOLDER = re.compile(
    r"<[^<>]{0,60}>?|\$\{[^{}]{0,60}\}?|\$\([^()]{0,60}\)?|\$(?:env:)?[A-Z_][A-Z0-9_]{0,60}|%[A-Za-z_]{1,60}%"
    r"|(?:os|process|sys|config|settings|env|request|args|self|form)\.[\w.]{1,40}[\[(]?.{0,60}"
    r"|\{\{?[^{}]{0,60}\}{0,2}"
    r"|\[[A-Za-z_ …-]{0,60}\]?|[*•●×xX.…_#?-]{2,60}|\[redacted.{0,3}"
    r"|(?i:true|false|null|none|nil|n/a|undefined|required|optional|empty|yes|no|unknown|changeme!?)"
)
#: Things that stand after "password is" and are none: addresses, times, references, files, counted things.
THING = re.compile(
    r"(?i:0x[0-9a-f]{1,16}|[a-z][a-z0-9+.-]{1,15}://.{0,400}|www\..{1,200}|[^@\s]{1,64}@[a-z0-9.-]{1,100}\.[a-z]{2,15}"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:[:/][0-9]{1,5})?|v?[0-9]{1,4}(?:\.[0-9]{1,4}){1,3}"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:am|pm)?"
    r"|[0-9]{1,4}[-–]?(?:am|pm|days?|weeks?|months?|years?|hours?|h|hrs?|min|minutes?|s|ms|sec|seconds?|chars?"
    r"|characters?|digits?|times?|bits?|bytes?|kb|mb|gb|x|%|st|nd|rd|th)"
    r"|(?:tck|inc|req|chg|prb|task|ritm|kb|sr|ref|case|iso|aes|sha|rsa|ed|ecdsa|md|bsi|nist|rfc|cve"
    r"|utf)[-_ ]?[0-9][0-9-]{0,30}"
    r"|(?:windows|office|outlook|m|o|keepass|ubuntu|ipv|web|oauth|base|saml|tls|wpa)-?[0-9]{1,3}"
    r"|1password|lastpass|bitwarden)"
)
UNITS = re.compile(
    r"(?i:[ \t-]{0,2}(?:characters?|chars?|digits?|letters?|symbols?|numbers?|days?|weeks?|months?|years?"
    r"|hours?|minutes?"
    r"|seconds?|times|attempts?|tries|of|per|bits?|bytes?|or|and more|plus|%|€|\$|eur|euros?|usd|dollars|people"
    r"|users|kg|m|mm|km|gb|tb|watts?)\b)"
    r"|[ \t]{0,2}[位个天次年月日号字周小分秒种条人元块]"
)

#: Words that stand after "the password is" and say something about it.
SAYS_SOMETHING = frozenset(
    """
    a abgelaufen about accepted access address admin-only again all allow allowed allowing already also always
    an and another answer any anything apparently asked at auto available avoid away back bad because been being
    below bent better bigger birthday bitwarden blank blocked both broken but by cached can cannot case case-sensitive
    caught cause changing characters clear code codes coming common compromised concern confidential confirmed
    constantly correct corrupt culprit cut das dead default definitely denied der die difference different
    difficult digits disabled displayed do does due dynamic each early easy eight either else email empty
    encrypted enough enter entered error even every everything exactly exist exists expire expires exposed
    external fail failing fails falsch false fine first for firstname forgotten four free fresh from full generated
    gesperrt get getting given going gone good grayed greyed guessable hard hashed having help here hidden
    hopeless how however i identical if ignored illegal impossible in inactive incomplete incorrect indeed
    individual initials insecure inside instead invalid invisible is issue it its itself just keepass kein keine
    kept key keys known last lastname lastpass late leaked length let letters like live local locked log login long
    longer loose lost low make managed mandatory masked mein mine missing mixed more my myself name necessary
    needed neu never new next nicht no nobody noch none not nothing now null number numbers nur obsolete obvious
    odd of off ok okay old on once one one-time online only onto open optional or other our out outdated outlook
    over own password passwords permanent personal pin plain please policy possible prevent private probably
    problem protect public question random read read-only ready really reason refused rejected repeatedly
    required reset reset-only restricted richtig right running safe same saved secret secure see sensitive sent
    set shared short shown sign similar similarly simple single-use six slow so some somebody someone something
    somewhere soon stale static still stolen stored strange strength strong stuck subject sufficient supplied
    support supposed sure surname symbols synced temporary that the their there thing this to today token tokens
    tomorrow too topic tough trouble true two unavailable unchanged unclear under ungültig unique unknown unlock
    unlocked unreadable unsafe until unusable up up-to-date updated use used useless usually valid vanished
    vault vergessen verify very via view visible waiting weak weg weird welcome well what when where whether
    which who whose why will windows with without words work working works worthless wrong yellow yes yesterday
    yet you your yours zu
    """.split()  # noqa: SIM905 - two hundred words read better as a text
)
_ENDINGS = ("ed", "ing", "able", "ible", "lich", "bar")

#: What a Chinese word after 密码是 may not hold, or begin with, to be the password itself.
SAYS_SOMETHING_CHINESE = re.compile(
    r"[的了吗呢吧啊呀嘛我你您他她它请改忘错换]|什么|多少|怎么|哪|谁|何|几|过期|失效|无效|有效|正确|必|需|至少|位"
    r"|一样|相同"
    r"|默认|随机|大写|小写|字母|数字|字符|区分|加密|明文|保密|机密|安全|应该|要|可以|能|会|登录|系统|账|帐|员工"
    r"|生日|手机|身份|之后|以后"
    r"|^(?:不|没|在|从|被|给|跟|和|与|空|旧|新|无|有|对|否|由|临时|统一|同|为|是|用|很|太|已)"
)
CHINESE_WORD = re.compile(r"[\u4e00-\u9fff]{3,12}[0-9]{0,8}(?=[\s,，。.!！;；、)）]|$)")


def is_plain_secret(word: str) -> bool:
    """Return whether a word of letters alone can be the secret: it says nothing about one."""
    small = word.lower()
    return len(word) >= 4 and word.isalpha() and small not in SAYS_SOMETHING and not small.endswith(_ENDINGS)
