"""YAML that an operator wrote, with the line on which each thing stands.

Only plain YAML is read (`plain.py`). A name that stands twice is refused, too: YAML would silently take the second.
"""

import errno
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import yaml

from storage.files.given import given_text
from storage.files.plain import LOADER, described, refused

#: A longer text is a mistake; a catalogue of 200 tables has 400 kB.
LONGEST = 2_000_000

#: Problems of a file that are told at once, and characters of a name in one.
MOST_TOLD = 20
_LONGEST_NAME = 80

Way = tuple[str | int, ...]


class FileInvalid(Exception):
    """A file says something that cannot be followed; each line names file, line and what to do."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class YamlText:
    """What a file says."""

    path: Path
    value: object
    node: yaml.Node | None

    def line(self, way: Way) -> int:
        """Return the number of the line on which something stands, of what is around it where it does not exist."""
        here, line = self.node, 1
        for step in way:
            found = _step(here, step)
            if found is None:
                return line
            line, here = found
        return line


def read_text(path: Path, *, longest: int = LONGEST) -> YamlText:
    """Return what a file says; raise `FileInvalid`."""
    try:
        text = given_text(path, longest=longest, encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise FileInvalid((f"{path}: there is no such file. Write it.",)) from error
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise _too_long(path, longest) from error
        raise FileInvalid((f"{path}: cannot be read ({error.strerror}). Check its permissions.",)) from error
    except UnicodeDecodeError as error:
        raise FileInvalid((f"{path}: is not UTF-8 text. Save it as UTF-8.",)) from error
    return parse_text(text, path, longest=longest)


def parse_text(text: str, path: Path, *, longest: int = LONGEST) -> YamlText:
    """Return what a text says; raise `FileInvalid`. `path` is where the text stands."""
    if len(text) > longest:
        raise _too_long(path, longest)
    try:
        if found := refused(text):
            raise FileInvalid((f"{path}:{found[0]}: {found[1]}. Write the value itself, in plain YAML.",))
        loader = LOADER(text)
        try:
            node = loader.get_single_node()
            value = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        at, what = described(error)
        where = path if at is None else f"{path}:{at}"
        raise FileInvalid((f"{where}: this is no YAML: {what}. Correct it.",)) from error
    except (ValueError, OverflowError) as error:  # 2024-13-45 looks like a date to YAML and is none
        raise FileInvalid((f"{path}: holds a wrong value: {str(error)[:80]}. Write it in quotes.",)) from error
    twins = (f"{path}:{line}: {shortened(name)} stands here a second time. Remove one." for line, name in _twins(node))
    if first := first_told(twins):
        raise FileInvalid(first)
    return YamlText(path, value, node)


def shortened(name: object) -> str:
    """Return a name as a problem tells it: of a long one its beginning."""
    text = str(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def first_told(problems: Iterator[str]) -> tuple[str, ...]:
    """Return the first problems of a file, and that there are more: nobody corrects thousands at once."""
    first = tuple(islice(problems, MOST_TOLD))
    return first if next(problems, None) is None else (*first, "There are more: correct these first.")


def _too_long(path: Path, longest: int) -> FileInvalid:
    return FileInvalid((f"{path}: is longer than {longest // 1_000_000} MB. Split it, or remove what is not used.",))


def _twins(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    yield key.start_mark.line + 1, key.value
                seen.add(key.value)
            yield from _twins(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _twins(item)


def _step(node: yaml.Node | None, step: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value.lower() == str(step).lower():
                return key.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        item = node.value[step]
        return item.start_mark.line + 1, item
    return None
