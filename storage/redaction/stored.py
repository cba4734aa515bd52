"""Secrets out of whatever is stored, logged or shown."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from storage.ids import JsonValue

MARK = "[redacted]"

#: Not `\b`: a Chinese character before a key is a word character too.
START, END = r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])"  # before END nothing is given back: no shorter run ends there

#: What follows "webhook/" in an address: parts, one of them long and with digits.
_HOOK = (
    r"(?=(?:[0-9A-Za-z@_-]{0,80}/){0,4}(?=[A-Za-z_-]{0,30}[0-9][A-Za-z_-]{0,30}[0-9][A-Za-z_-]{0,30}[0-9])"
    r"[0-9A-Za-z@_-]{24,200})[0-9A-Za-z@/_-]{24,400}"
)

#: Credentials that are known by their own shape.
SHAPES = (
    (
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}"
        r"-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    ),
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:\s{1,3}[0-9A-Za-z+/=]{20,200})*",  # one that was cut off
    START + r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16}" + END,  # Amazon
    START + r"AIza[0-9A-Za-z_-]{35}" + END,  # Google
    START + r"GOCSPX-[0-9A-Za-z_-]{20,64}+" + END,
    START + r"ya29\.[0-9A-Za-z_-]{20,2000}+" + END,
    START + r"LTAI[0-9A-Za-z]{12,24}+" + END,  # Alibaba
    START + r"AKID[0-9A-Za-z]{32}" + END,  # Tencent
    START + r"gh[pousr]_[0-9A-Za-z]{30,255}+" + END,  # GitHub
    START + r"github_pat_[0-9A-Za-z_]{22,255}+" + END,
    START + r"gl(?:pat|rt|dt|ft|ptt|cbt|imt|agent|oas|soat|ffct)-[0-9A-Za-z_-]{20,64}+" + END,  # GitLab
    START + r"xox[abeoprs]-[0-9A-Za-z-]{10,250}+" + END,  # Slack
    START + r"xapp-[0-9A-Za-z-]{10,250}+" + END,
    # the address of a webhook is its key: what follows "hook" and has a long part with digits in it
    r"(?<=hooks\.slack\.com/services/)[0-9A-Za-z/]{20,100}",
    r"(?<=hook/)" + _HOOK,
    r"(?<=hooks/)" + _HOOK,
    r"(?<=hookb2/)" + _HOOK,
    START + r"(?:[srp]k_(?:live|test)|whsec)_[0-9A-Za-z]{16,128}+" + END,  # Stripe
    START + r"sq0(?:atp|csp)-[0-9A-Za-z_-]{22,64}+" + END,  # Square
    START + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}" + END,  # Shopify
    START + r"do[opr]_v1_[0-9a-f]{64}" + END,  # DigitalOcean
    START + r"ATATT3[0-9A-Za-z_=-]{60,255}" + END,  # Atlassian
    START + r"dapi[0-9a-f]{32}" + END,  # Databricks
    START + r"hv[sb]\.[0-9A-Za-z_-]{24,255}+" + END,  # Vault
    START + r"NRAK-[0-9A-Z]{27}" + END,  # New Relic
    START + r"SK[0-9a-f]{32}" + END,  # Twilio
    START + r"key-[0-9a-z]{32}" + END,  # Mailgun
    START + r"pat-[a-z]{2}[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}" + END,  # HubSpot
    START + r"pul-[0-9a-f]{40}" + END,  # Pulumi
    START + r"[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{60,70}" + END,  # Terraform Cloud
    START + r"dp\.(?:pt|st|sa|ct|scim|audit)\.[0-9A-Za-z._-]{40,70}" + END,  # Doppler
    START + r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}" + END,  # Postman
    START + r"pat[0-9A-Za-z]{14}\.[0-9a-f]{64}" + END,  # Airtable
    START + r"[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,45}+" + END,  # Discord
    START
    + r"(?:lin_api_|figd_|glsa_|glc_|ntn_|sntrys_|sntryu_|tskey-|rnd_|xai-|gsk_|r8_|pplx-|ops_|nfp_|fly?_|vercel_)"
    r"(?=[A-Za-z_-]{0,60}[0-9])[0-9A-Za-z_=+/-]{20,400}",  # those that are known by what they begin with
    START + r"[0-9]{8,10}:[0-9A-Za-z_-]{35}" + END,  # Telegram
    START + r"[0-9a-f]{32}-us[0-9]{1,2}+" + END,  # Mailchimp
    r"(?<![0-9-])(?:[0-9]{6}-){7}[0-9]{6}(?![0-9-])",  # BitLocker
    START + r"AGE-SECRET-KEY-1[0-9A-Z]{58}" + END,
    START + r"[0-9A-Za-z_~.-]{3}8Q~[0-9A-Za-z_~.-]{31,34}(?![0-9A-Za-z_~-])",  # Microsoft Entra
    r"(?i:(?<=[?&]x-amz-signature=)|(?<=[?&]signature=))[0-9A-Za-z%+/=_-]{30,500}",
    r"(?<=[?&]sig=)[0-9A-Za-z%+/=_-]{20,200}",  # signed addresses of Azure
    (  # what a browser is known by
        r"(?i:(?<=session=)|(?<=sessionid=)|(?<=session_id=)|(?<=phpsessid=)|(?<=[ ;]sid=))"
        r"(?=[^\s;]{0,100}[0-9])[0-9A-Za-z%+/=_.-]{16,400}"
    ),
    r"(?<=[?&]key=)(?=[^\s\d]{0,100}\d)[0-9A-Za-z%+/=_-]{20,200}",
    START + r"sk-(?:proj-|ant-|svcacct-)?(?=[0-9A-Za-z_-]{0,200}[0-9])[0-9A-Za-z_-]{20,200}+" + END,  # model vendors
    START + r"hf_[0-9A-Za-z]{30,64}+" + END,
    START + r"SG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{32,64}+" + END,
    START + r"(?:npm_|dckr_pat_|pypi-)[0-9A-Za-z_-]{24,255}+" + END,
    START + r"eyJ[0-9A-Za-z_-]{8,4000}\.[0-9A-Za-z_-]{8,8000}\.[0-9A-Za-z_-]{0,2000}",  # JSON web tokens
)
_SHAPES = re.compile("|".join(SHAPES))


#: `Authorization: Bearer …`; an ordinary word after "bearer" or "basic" has no digit in it.
_BEARER = re.compile(START + r"((?i:bearer|basic)[ \t]{1,4})(?=[^\s\d]{0,4000}\d)[0-9A-Za-z._~+/=-]{16,4000}")

#: The password of `scheme://user:password@host`.
_URL = re.compile(r"((?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@?#]{0,200}:)[^\s/?]{1,500}(?=@)")

NAMES = (
    r"(?i:password|passwd|passphrase|pwd|(?<![a-z])(?<!boarding )(?<!parking )pass|secret|token|nonce"
    r"|api[_-]?key|access[_-]?key"
    r"|account[_-]?key|private[_-]?key|signing[_-]?key|credentials?)|密码|口令|密钥|秘钥|令牌"
)
_SECRET_KEY = re.compile(rf"(?:{NAMES}|(?i:authorization|cookie|csrf))$")

#: `name=value`, `name: value`, `"name": "value"`, `密码：value`, `密码是value`.
_PAIR = re.compile(
    rf"""(?P<name>(?:{NAMES})["']?[ \t]{{0,3}}(?P<sign>[=＝:：]|是|为)[ \t]{{0,3}})"""
    r"""(?:(?P<quote>["'])(?P<quoted>[^"'\n]{1,300})(?P=quote)"""
    r"""|(?P<value>[!-~](?:(?![\\&;,<>()}\]"'])[!-~]){0,300})(?P<last>[ \t]{0,3}$)?)""",
    re.MULTILINE,
)

#: What stands after "password:" in a text about passwords: places to fill in, and plain words.
_NO_SECRET = re.compile(
    r"""[=<>{(\[*$&|,;.:"'`/\\-].*|[0-9]{1,3}|[0-9]{1,3}-[a-z]+|%\w|(?i:required|optional|none|null|true|false|"""
    r"""(?:os|process|sys|config|settings|env|request|args|self|form)\.[A-Za-z_].*|empty|expired|forgotten|forgot|reset|changed?|invalid|incorrect|wrong|missing|unknown|yes|no|see|below|above)"""
)
_PLAIN_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*[.,!?]*")


#: Texts without a secret that were looked at lately: a passage passes by several times in one run, and in many runs.
_CLEAN: dict[str, None] = {}
_MOST_CLEAN, _LONGEST_CLEAN = 1_024, 8_000


def redact(text: str) -> str:
    """Return the text with every secret that is recognised replaced by a mark; ordinary words stay."""
    if text in _CLEAN:
        return text
    clean = _redact(text)
    if clean == text and len(text) <= _LONGEST_CLEAN:
        _CLEAN[text] = None
        if len(_CLEAN) > _MOST_CLEAN:
            with suppress(RuntimeError):  # another thread keeps one at the same moment
                _CLEAN.pop(next(iter(_CLEAN)), None)
    return clean


def _redact(text: str) -> str:
    return _PAIR.sub(_hide_value, without_shapes(text))


def without_shapes(text: str) -> str:
    """Return the text without what is a secret by its own shape, whatever stands before it."""
    text = _SHAPES.sub(MARK, text)
    text = _URL.sub(rf"\1{MARK}", text)
    return _BEARER.sub(rf"\1{MARK}", text)


def redact_json(value: JsonValue) -> JsonValue:
    """Return the value with every text in it redacted, and whole what a secret's name stands for."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {
            name: MARK if isinstance(item, str) and item and _SECRET_KEY.search(name) else redact_json(item)
            for name, item in value.items()
        }
    if isinstance(value, Sequence):
        return [redact_json(item) for item in value]
    return value


def _hide_value(pair: re.Match[str]) -> str:
    quote = pair["quote"]
    if quote:
        return pair["name"] + quote + MARK + quote
    value: str = pair["value"]
    if not _is_secret(value, assigned=pair["sign"] in "=＝", alone=pair["last"] is not None):
        return pair[0]
    return pair["name"] + MARK + (pair["last"] or "")


def _is_secret(value: str, *, assigned: bool, alone: bool) -> bool:
    """Judge what stands after a secret's name: assigned with `=`, alone on the rest of its line, or amid words."""
    if value.startswith(MARK[:-1]) or _NO_SECRET.fullmatch(value):
        return False
    if assigned:
        return True
    return len(value) >= 4 and (alone or not _PLAIN_WORD.fullmatch(value))
