"""How people ask for a calculation: figures, signs or the words for them, and nothing around but "what is … ?"."""

import re
from collections.abc import Callable, Mapping

from agent.brains.rules.routes import Route
from agent.brains.rules.slots import Lacks, Utterance
from language.words import normalise
from storage.ids import JsonValue

_DAY = r"(?:\d{4}-\d{2}-\d{2}|today|now|今天)"
_UNIT = r"(?:days?|hours?|minutes?|weeks?|天|小时|分钟|周|星期)"
_MONEY = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|yuan|rmb|cny|块|元|[$€£¥])"
_FIGURE = rf"{_MONEY}?\s*+(?:\d{{1,3}}(?:,\d{{3}})+|\d+|(?=\.\d))(?:\.\d+)?\s*(?:%|percent\b|{_MONEY}|{_UNIT})?"
#: Atomic, so that a long message that ends otherwise is given up at once.
_OPERAND = rf"(?>[(\s]*+[-−]?(?:{_DAY}|{_FIGURE})[)\s]*)"
#: What people write for a sign, and the sign.
_SIGNS = {
    r"\bplus\b|加上?": "+",
    r"\bminus\b|减去?": "-",
    r"\b(?:times|multiplied by)\b|乘以?": "*",
    r"\b(?:divided by|over)\b|除以": "/",
    r"\bpercent\b": "%",
}
_SIGN = rf"(?:\*\*|[-+*/^×÷−%]|\bof\b|{'|'.join(_SIGNS)})"
_EXPRESSION = rf"(?P<expression>{_OPERAND}(?:{_SIGN}{_OPERAND})+)"
_ASK = r"^(?:(?:please )?(?:what is|what's|how much is|calculate|compute|work out)|计算|算一下|请问)\s*+"
_END = r"[\s=?？。.]*+$"


def _as_said(found: re.Match[str]) -> str:
    """Return an expression in signs alone: no words for them, no currency, no commas within a number."""
    text = found["expression"]
    for words, sign in _SIGNS.items():
        text = re.sub(words, sign, text)
    return re.sub(rf"(?<=\d),(?=\d{{3}})|{_MONEY}", "", text).strip()


def _share(found: re.Match[str]) -> str:
    return f"{found['share']}% of {found['whole'].replace(',', '')}"


def _between(found: re.Match[str]) -> str:
    return f"{found['last']} - {found.groupdict().get('first') or 'today'}"


def _after(found: re.Match[str]) -> str:
    sign = "-" if found.groupdict().get("back") else "+"
    return f"{found.groupdict().get('from') or 'today'} {sign} {found['length']}"


_WHOLE = r"(?P<whole>\d[\d,]*(?:\.\d+)?)\s*+(?:[块元]\s*+)?"
_FROM, _LAST = rf"(?P<from>{_DAY})", rf"(?P<last>{_DAY})"
_THERE = r"(?:are there |is it |are left |are )?"
_LENGTH = rf"(?P<length>\d+\s*{_UNIT})"
_ON_DAY = r"^(?:what|which) (?:day|date)"
#: How it is asked, and the expression that is meant.
_WAYS: Mapping[str, Callable[[re.Match[str]], str]] = {
    rf"{_ASK}{_EXPRESSION}{_END}": _as_said,
    rf"^{_EXPRESSION}\s*+(?:=|等于|是)\s*+(?:多少|几|\?|？)?{_END}": _as_said,
    rf"^{_EXPRESSION}\s*[?？]$": _as_said,
    rf"^(?:{_ASK[1:]})?{_WHOLE}的\s*+(?P<share>\d+(?:\.\d+)?)\s*+%\s*+(?:是|等于)?(?:多少)?{_END}": _share,
    rf"^how many days {_THERE}(?:between|from) (?P<first>{_DAY}) (?:and|to|until|till) {_LAST}{_END}": _between,
    rf"^how many days {_THERE}(?:until|till|to) {_LAST}{_END}": _between,
    rf"^从?\s*(?P<first>{_DAY})\s*[到至]\s*{_LAST}\s*(?:一共|共)?有?(?:多少|几)天{_END}": _between,
    rf"^[离距]\s*{_LAST}\s*还?有?(?:多少|几)天{_END}": _between,
    rf"{_ON_DAY} (?:is|was|will)(?: it)?(?: be)? (?:in )?{_LENGTH}(?: (?:after|from) {_FROM})?{_END}": _after,
    rf"{_ON_DAY} (?:is|was)(?: it)? {_LENGTH} (?P<back>before|ago)(?: {_FROM})?{_END}": _after,
    rf"^{_FROM}?\s*{_LENGTH}\s*[之以]?后是(?:哪天|几号|什么日子){_END}": _after,
}
_PATTERNS = {re.compile(pattern): write for pattern, write in _WAYS.items()}


def read(said: Utterance) -> Mapping[str, JsonValue] | Lacks:
    """Return the expression of a message."""
    plain = normalise(said.text)
    for pattern, write in _PATTERNS.items():
        if found := pattern.search(plain):
            return {"expression": write(found)}
    return Lacks("expression")


ROUTE = Route(tool="calculate", read=read, patterns=tuple(_PATTERNS))
