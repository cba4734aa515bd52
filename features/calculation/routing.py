"""How people ask for a calculation: an expression of literals, with nothing around it but "what is … ?"."""

import re
from collections.abc import Mapping

from agent.brains.rules.routes import Lacks, Route
from language.words import normalise
from storage.ids import JsonValue

_OPERAND = r"[(\s]*[-−]?(?:\d{4}-\d{2}-\d{2}|\d+(?:\.\d+)?\s*%?|\.\d+|today)\s*(?:days?|hours?|minutes?|weeks?)?[)\s]*"
_EXPRESSION = rf"(?P<expression>{_OPERAND}(?:(?:\*\*|[-+*/^×÷−%]|\bof\b){_OPERAND})+)"
_ASKED = re.compile(rf"^(?:what is|what's|how much is|calculate|compute|计算|算一下|请问)\s*{_EXPRESSION}[=?？。. ]*$")
_ASKED_AFTER = re.compile(rf"^{_EXPRESSION}\s*(?:=|等于|是)\s*(?:多少|几|\?|？)?[?？。 ]*$")


def read(text: str) -> Mapping[str, JsonValue] | Lacks:
    """Return the expression of a message."""
    plain = normalise(text)
    found = _ASKED.search(plain) or _ASKED_AFTER.search(plain)
    return {"expression": found["expression"].strip()} if found else Lacks("expression")


ROUTE = Route(tool="calculate", read=read, patterns=(_ASKED, _ASKED_AFTER))
