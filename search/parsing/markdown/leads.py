"""Paragraphs and clauses that bold words head ("**Breaks.** Up to six hours …"), made sections of a page built of them.

One such paragraph may be a remark; several in a row are the parts of their section, and each is a matter of its own.
So are the items of a numbered list that all begin so, unless they are the steps of a task.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

#: The number of an item, and bold words before a mark, with the text that goes on in the same line.
_LEAD = re.compile(
    r" {0,3}(?P<number>\d{1,3}[.)] +)?\*\*(?P<lead>[^*\n]{2,80}?)"
    r"(?:(?P<asked>[?？!！])\*\*|[.:：。]\*\*|\*\* ?[.:：。](?!\S{0,3}//))\s*+(?=\S)"
)
_NUMBER = re.compile(r"(?P<indent> {0,3})\d{1,3}[.)] +")
_LABEL = re.compile(
    r"(?:please )?(?:note|nb|important|warning|tip|hint|caution|attention|example|remember|danger|update|edit|ps|"
    r"注意|提示|警告|重要|备注|说明|例如|示例|温馨提示)",
    re.IGNORECASE,
)
#: What a step of a task begins with.
_STEP = re.compile(
    r"(?:add|apply|ask|call|check|choose|click|close|complete|configure|confirm|connect|copy|create|decide|define|delete|"
    r"deploy|disconnect|download|enable|enter|export|fill|find|get|give|go|import|inform|install|keep|lock|log|make|move|"
    r"notify|open|order|paste|pick|plan|plug|prepare|press|print|pull|push|put|read|remove|rename|report|request|reset|"
    r"restart|restore|review|run|save|scan|select|send|set|sign|start|stay|step|stop|submit|switch|take|tell|test|turn|"
    r"type|unlock|unplug|update|upload|use|verify|wait|walk|wash|write)\b|"
    r"第.{1,2}步|步骤|打开|点|选|输入|提交|填|登录|检查|联系|关|下载|安装|按|拔|插|等|确认|通知|重启|准备",
    re.IGNORECASE,
)
#: The words of a heading at most, the paragraphs of one section that make it one of parts, and the items of a list.
_WORDS, _FEWEST, _FEWEST_ITEMS = 10, 3, 4
_DEEPEST = 6


@dataclass(frozen=True)
class LedPart:
    """What stands below a heading: its level, the first lines of its paragraphs, and of the items of numbered lists."""

    level: int
    paragraphs: list[int] = field(default_factory=list)
    lists: list[range] = field(default_factory=list)  # the lines of each


def with_leads(lines: Sequence[str], parts: Iterable[LedPart]) -> list[str]:
    """Return the lines of a page, bold words that head paragraphs and clauses made headings below the one above."""
    written: dict[int, str] = {}
    for part in parts:
        marks = "#" * min(part.level + 1, _DEEPEST)
        led = {at: found for at in part.paragraphs if (found := _lead_of(lines[at]))}
        if len(led) >= _FEWEST:
            written |= {at: f"{marks} {head}\n\n{rest}" for at, (head, rest) in led.items()}
        for each in part.lists:
            clauses = _clauses(lines, each)
            width = next((len(number[0]) for at in each if (number := _NUMBER.match(lines[at]))), 0)
            written |= {at: _dedented(lines[at], width) for at in each if clauses}
            written |= {at: f"\n{marks} {head}\n\n{rest}" for at, (head, rest) in clauses.items()}
    return "\n".join(written.get(at, line) for at, line in enumerate(lines)).split("\n")


def _clauses(lines: Sequence[str], each: range) -> Mapping[int, tuple[str, str]]:
    """Return the heading and the text of each item of a list, by its line; none unless all items are clauses."""
    first = _NUMBER.match(lines[each.start])
    indent = len(first["indent"]) if first else 0
    items = [at for at in each if (found := _NUMBER.match(lines[at])) and len(found["indent"]) == indent]
    led = {at: lead for at in items if (lead := _lead_of(lines[at]))}
    is_task = any(_STEP.match(_NUMBER.sub("", head)) for head, _ in led.values())
    return led if len(led) == len(items) >= _FEWEST_ITEMS and not is_task else {}


def _dedented(line: str, width: int) -> str:
    """Return a line that goes on with an item without what sets it in."""
    return line[width:] if not line[:width].strip() else line


def _lead_of(line: str) -> tuple[str, str] | None:
    """Return the words that head a paragraph or an item and the rest of its first line; None where none do."""
    found = _LEAD.match(line)
    if found is None or _LABEL.fullmatch(found["lead"].strip()) or len(found["lead"].split()) > _WORDS:
        return None
    return f"{found['number'] or ''}{found['lead'].strip()}{found['asked'] or ''}", line[found.end() :]
