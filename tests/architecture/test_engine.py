"""The engine knows no feature: `agent/brains` holds no name of a feature or a tool, and no word of tickets."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, Module, imports, made_up, product

FEATURES = frozenset(folder.name for folder in (ROOT / "features").iterdir() if (folder / "feature.py").is_file())
#: What tickets are called where people read it or write it; "draft" is a common verb, its things are not.
TICKETS = re.compile(r"tickets?(?![a-z])|工单|报修|draft_|_draft", re.IGNORECASE)
#: What the layers let `agent` know of the domains: the values it carries, never what one feature does with them.
DOMAINS = {
    "tickets": frozenset[str](),
    "search": frozenset({"agent.runner", "agent.tools"}),
}


def engine() -> list[Module]:
    return [module for module in product() if module.name.startswith("agent.brains")]


def names(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield every identifier and every string of a module, docstrings left out."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(module.tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield node, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node, name
            case ast.Constant(value=str(text)) if id(node) not in docs:
                yield node, text


def tools() -> frozenset[str]:
    """Return the name of every tool that a feature writes down."""
    found = set[str]()
    for path in (ROOT / "features").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ToolSpec":
                found.update(str(ast.literal_eval(each.value)) for each in node.keywords if _is_name(each))
    return frozenset(found)


def _is_name(keyword: ast.keyword) -> bool:
    return keyword.arg == "name" and isinstance(keyword.value, ast.Constant)


def known(modules: Iterable[Module], strange: frozenset[str]) -> Iterator[str]:
    """Yield where a module names a tool or a feature, or speaks of tickets."""
    for module in modules:
        for node, text in names(module):
            if text in strange or TICKETS.search(text):
                yield f"{module.at(node)} {text[:40]}"


def test_the_engine_names_no_feature() -> None:
    scanned, strange = engine(), FEATURES | tools()

    assert {"agent.brains.assistant", "agent.brains.rules.model", "agent.brains.rules.routes"} <= {
        module.name for module in scanned
    }
    assert {"tickets", "knowledge", "calculation", "search_knowledge", "draft_ticket", "calculate"} <= strange
    assert list(known(scanned, strange)) == []


@pytest.mark.parametrize("domain", sorted(DOMAINS))
def test_agent_knows_of_a_domain_what_its_layers_allow(domain: str) -> None:
    scanned = [module for module in product() if module.name.startswith("agent.")]
    importing = {
        ".".join(module.name.split(".")[:2])
        for module in scanned
        if any(each.top == domain for each in imports(module))
    }

    assert len(scanned) > 40
    assert importing == DOMAINS[domain]


def test_what_names_a_feature_is_found(tmp_path: Path) -> None:
    modules = made_up(
        tmp_path,
        {
            "a/by_tool.py": 'STEP = "calculate"\n',
            "a/by_identifier.py": "def ticket_number():\n    pass\n",
            "a/by_word.py": 'WORD = "我要报修"\n',
            "a/clean.py": '"""Knows no tickets."""\n\n\ndef sketch():\n    """Make no ticket."""\n    return "it"\n',
        },
    )

    found = list(known(modules, frozenset({"calculate"})))
    assert [each.split(" ")[0] for each in found] == ["a.by_identifier:1", "a.by_tool:1", "a.by_word:1"]
