"""YAML that a stranger wrote on top of a page: read only where it is plain and short, refused in one line."""

import yaml

from storage.files.plain import LOADER, described, refused

#: A longer text is a mistake, where only names, dates and lists are expected.
LONGEST = 65_536


class YamlRefused(Exception):
    """The text is no YAML that is read; the words say why, in one line."""


def load_plain(text: str, *, first_line: int = 1) -> object:
    """Return the value of one YAML document; raise `YamlRefused`. `first_line` is the number of the text's first."""
    if len(text) > LONGEST:
        raise YamlRefused("is longer than 64 kB")
    try:
        if found := refused(text):
            line, problem = found
            raise YamlRefused(f"{problem} (line {line - 1 + first_line})")
        return yaml.load(text, Loader=LOADER)  # noqa: S506 - one of the two safe loaders
    except yaml.YAMLError as error:
        at, what = described(error)
        where = "" if at is None else f" (line {at - 1 + first_line})"
        raise YamlRefused(f"is no valid YAML: {what}{where}") from error
    except (ValueError, OverflowError) as error:  # 2024-13-45 looks like a date to YAML and is none
        raise YamlRefused(f"holds a wrong value: {' '.join(str(error).split())[:200]}") from error
