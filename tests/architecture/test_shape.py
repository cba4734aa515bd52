"""Functions and modules stay small enough to be read at once."""

from pathlib import Path

from tests.architecture.shape import (
    MAX_ENTRIES,
    MAX_FUNCTION,
    MAX_MODULE,
    busy_packages,
    full_folders,
    long_functions,
    long_modules,
)
from tests.architecture.source import made_up, product, suite

#: Folders with more entries, each with its reason: lists of like things, of which nobody reads the whole.
LISTS = {
    "evals": "one module for each thing that is measured, beside what they share",
    "migrations.versions": "one script for each change of the tables",
    "bot.cli": "one module for each command; its folder is being made new",
    "features.anatomy": "what a feature is made of, one module for each part",
    "features.data": "the parts of a feature, by the names that the guide gives them",
    "features.diagnosis": "the parts of a feature, by the names that the guide gives them",
    "features.digests": "the parts of a feature, by the names that the guide gives them",
    "features.knowledge": "the parts of a feature, by the names that the guide gives them",
    "features.reminders": "the parts of a feature, by the names that the guide gives them",
    "features.tickets": "the parts of a feature, by the names that the guide gives them",
}


def test_no_function_is_long() -> None:
    assert list(long_functions([*product(), *suite()])) == []


def test_no_module_is_long() -> None:
    assert list(long_modules(product())) == []


def test_packages_hold_a_docstring_and_nothing_else() -> None:
    assert list(busy_packages(product())) == []


def test_no_folder_is_full() -> None:
    assert [each for each in full_folders(product()) if each.partition(" ")[0] not in LISTS] == []


def test_a_long_function_is_found(tmp_path: Path) -> None:
    body = "    pass\n" * MAX_FUNCTION
    modules = made_up(tmp_path, {"a/long.py": f"def f():\n{body}", "a/short.py": "def g():\n    pass\n"})

    assert list(long_functions(modules)) == [f"a.long:1 f has {MAX_FUNCTION + 1} lines"]


def test_a_long_module_is_found(tmp_path: Path) -> None:
    modules = made_up(tmp_path, {"a/big.py": "x = 1\n" * (MAX_MODULE + 1)})

    assert list(long_modules(modules)) == ["a.big has 501 lines"]


def test_a_busy_package_is_found(tmp_path: Path) -> None:
    modules = made_up(tmp_path, {"a/__init__.py": '"""A."""\nfrom a.b import c\n', "b/__init__.py": ""})

    assert list(busy_packages(modules)) == ["a", "b"]


def test_a_full_folder_is_found(tmp_path: Path) -> None:
    files = {f"a/m{number}.py": "" for number in range(MAX_ENTRIES + 1)}
    modules = made_up(tmp_path, {"a/__init__.py": "", **files, "b/c/__init__.py": "", "b/c/d.py": ""})

    assert list(full_folders(modules)) == ["a has 13 entries"]
