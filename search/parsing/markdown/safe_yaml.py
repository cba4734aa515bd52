"""YAML that somebody else wrote: read only where it is plain. Aliases, merge keys, tags and deep nesting are refused.

libyaml builds what is nested by calls within calls, in C, and ends the process where the stack ends; an alias or a
merge key lets a short text stand for a huge one. So the events are looked at first: they come one after the other,
without a stack, and reading stops with the first that is too much.
"""

import yaml

#: A longer text is a mistake, where only names, dates and lists are expected.
LONGEST = 65_536
#: How deep lists and mappings may be nested; front matter has two or three levels.
DEEPEST = 20
_MERGE = "<<"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where libyaml is there


class YamlRefused(Exception):
    """The text is no YAML that is read; the words say why, in one line."""


def load_plain(text: str, *, first_line: int = 1) -> object:
    """Return the value of one YAML document; raise `YamlRefused`. `first_line` is the number of the text's first."""
    if len(text) > LONGEST:
        raise YamlRefused("is longer than 64 kB")
    try:
        _check(text, first_line)
        return yaml.load(text, Loader=_LOADER)  # noqa: S506 - one of the two safe loaders
    except yaml.YAMLError as error:
        raise YamlRefused(f"is no valid YAML: {_one_line(error, first_line)}") from error
    except (ValueError, OverflowError) as error:  # 2024-13-45 looks like a date to YAML and is none
        raise YamlRefused(f"holds a wrong value: {' '.join(str(error).split())[:200]}") from error


def _check(text: str, first_line: int) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        line = f"(line {event.start_mark.line + first_line})" if event.start_mark else ""
        if depth > DEEPEST:
            raise YamlRefused(f"is nested more than {DEEPEST} levels deep {line}".strip())
        if isinstance(event, yaml.AliasEvent):
            raise YamlRefused(f"uses an alias (*{str(event.anchor)[:40]}), which is not read {line}".strip())
        if getattr(event, "tag", None) is not None:  # its value may be none that the tag can have
            raise YamlRefused(f"uses a tag (!), which is not read {line}".strip())
        if isinstance(event, yaml.ScalarEvent) and event.value == _MERGE and event.implicit[0]:
            raise YamlRefused(f"uses a merge key (<<), which is not read {line}".strip())


def _one_line(error: yaml.YAMLError, first_line: int) -> str:
    mark = getattr(error, "problem_mark", None)
    what = " ".join(str(getattr(error, "problem", None) or "cannot be read").split())[:200]
    return f"{what} (line {mark.line + first_line})" if mark is not None else what
