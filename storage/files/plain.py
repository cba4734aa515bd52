"""What of YAML is read, whoever wrote it: aliases, merge keys, tags and deep nesting are not.

libyaml builds what is nested by calls within calls, in C, and ends the process where the stack ends; an alias or a
merge key lets a short text stand for a huge one. So the events are looked at first: they come one after the other,
without a stack, and looking stops with the first that is too much.
"""

import yaml

#: How deep lists and mappings may be nested; front matter has two or three levels, a catalogue five.
DEEPEST = 20
_MERGE = "<<"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster where libyaml is there


def refused(text: str) -> tuple[int, str] | None:
    """Return the line of the first thing that is not read, from 1, and why; None for nothing. Raise `YAMLError`."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        problem = _problem(event, depth)
        if problem:
            return event.start_mark.line + 1 if event.start_mark else 1, problem
    return None


def described(error: yaml.YAMLError) -> tuple[int | None, str]:
    """Return the line of a mistake in YAML, from 1, and one line of words about it."""
    mark = getattr(error, "problem_mark", None)
    what = " ".join(str(getattr(error, "problem", None) or "it cannot be read").split())[:200]
    return None if mark is None else mark.line + 1, what


def _problem(event: yaml.Event, depth: int) -> str:
    if depth > DEEPEST:
        return f"is nested more than {DEEPEST} levels deep"
    if isinstance(event, yaml.AliasEvent):
        return f"uses an alias (*{str(event.anchor)[:40]}), which is not read"
    if getattr(event, "tag", None) is not None:  # its value may be none that the tag can have
        return "uses a tag (!), which is not read"
    if isinstance(event, yaml.ScalarEvent) and event.value == _MERGE and event.implicit[0]:
        return "uses a merge key (<<), which is not read"
    return ""
