"""A port has a caller and two implementations; a class name stands in one module of the house."""

from collections.abc import Mapping
from pathlib import Path

from tests.architecture.ports import ports, repeated_classes
from tests.architecture.source import made_up, product, suite

#: Ports with fewer implementations than two, each with its reason.
SINGLE: Mapping[str, str] = {
    "Draw": "functions implement it, one for each kind of post",
    "Telling": "features may not import bot, whose notices it is",
    "Engine": "features may not import bot, whose engine it is",
    "Channels": "features may not import bot, whose channels they are",
    "Building": "one cluster fills an index beside the one that serves; the embedded index is rebuilt in its place",
    "Generational": "what a cluster can do beyond the port; the base starts without the library of one",
    "Fleeting": "what only the files of a thread do beyond the port of sources",
    "Cache": "the base starts without Redis, whose gateway it is",
}

#: Class names that stand in several modules, each with its reason.
_BLOCK = "a result and the block that draws it have one name (ARCHITECTURE 1b)"
_FOLDING = "the folder of the second one is being made new"
SHARED: Mapping[str, str] = {
    "Column": _BLOCK,
    "Message": _BLOCK,
    "Table": _BLOCK,
    "Text": _BLOCK,
    **dict.fromkeys(
        (
            "Asked", "Call", "Conflict", "Conversation", "Engine", "Feedback", "Finding", "Health", "Heard", "Line",
            "Outcome", "Passage", "Piece", "Pressed", "Record", "Reply", "Said", "Status", "Step", "Usage", "Work",
        ),
        _FOLDING,
    ),
}  # fmt: skip

PORT = "from typing import Protocol\nclass Source(Protocol):\n    def load(self, path): ...\n"
USE = "def read(source: 'Source', own: 1): return Source\n"


def test_every_port_has_a_caller() -> None:
    found = list(ports(product()))

    assert len(found) > 20, found
    assert [port for port in found if not port.callers] == []


def test_every_port_has_two_implementations() -> None:
    found = list(ports(product(), fakes=suite()))

    assert len(found) > 20, found
    assert [port for port in found if len(port.implementations) < 2 and port.name not in SINGLE] == []


def test_a_class_name_stands_in_one_module() -> None:
    assert [each for each in repeated_classes(product()) if each.partition(":")[0] not in SHARED] == []


def test_a_port_that_nobody_calls_or_implements_is_found(tmp_path: Path) -> None:
    other = "class Folder:\n    def load(self, path): ...\nclass Web:\n    def load(self, address): ...\n"
    (port,) = ports(made_up(tmp_path, {"a/port.py": PORT, "a/folder.py": other}))

    assert (port.callers, port.implementations) == ((), ("a.folder.Folder",))


def test_a_caller_and_an_inherited_method_are_found(tmp_path: Path) -> None:
    base = "class Base:\n    def load(self, path): ...\nclass Folder(Base):\n    pass\n"
    (port,) = ports(made_up(tmp_path, {"a/port.py": PORT, "a/folder.py": base, "a/use.py": USE}))

    assert (port.callers, port.implementations) == (("a.use",), ("a.folder.Base", "a.folder.Folder"))


def test_a_repeated_class_is_found(tmp_path: Path) -> None:
    modules = made_up(tmp_path, {"a/one.py": "class Same: ...\n", "b/two.py": "class Same: ...\nclass Own: ...\n"})

    assert list(repeated_classes(modules)) == ["Same: a.one, b.two"]
