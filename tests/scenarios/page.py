"""A page of HTML as its reader sees it: hidden parts left out, a line for each block."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "source"})
_INLINE = frozenset({"a", "b", "code", "em", "span", "strong", "sup", "time", "i", "label"})


@dataclass
class Element:
    """A tag with what it holds."""

    tag: str
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    def all(self, tag: str = "", **wanted: str) -> Iterator["Element"]:
        """Yield every such element below; `data_id="x"` asks for the attribute `data-id`, "*" for any value."""
        for child in self.children:
            if isinstance(child, Element):
                if tag in ("", child.tag) and all(child.has(name, value) for name, value in wanted.items()):
                    yield child
                yield from child.all(tag, **wanted)

    def has(self, name: str, value: str) -> bool:
        found = self.attributes.get(name.strip("_").replace("_", "-"))
        return found is not None and value in ("*", found, *(found.split() if name == "class_" else ()))

    def one(self, tag: str = "", **wanted: str) -> "Element":
        """Return the first such element; raise LookupError when there is none."""
        for found in self.all(tag, **wanted):
            return found
        raise LookupError(f"no {tag} {wanted}")

    @property
    def text(self) -> str:
        """Return what is read here, a line for each block."""
        lines = (" ".join(line.split()) for line in "".join(self._pieces()).split("\n"))
        return "\n".join(line for line in lines if line)

    @property
    def links(self) -> tuple[str, ...]:
        """Return where the links in here lead."""
        return tuple(each.attributes["href"] for each in self.all("a") if "href" in each.attributes)

    def _pieces(self) -> Iterator[str]:
        if "hidden" in self.attributes:
            return
        apart = "" if self.tag in _INLINE else "\n"
        yield apart
        for child in self.children:
            if isinstance(child, str):
                yield child.replace("\n", " ")
            else:
                yield from child._pieces()
        yield apart


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(made)
        if tag not in _VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in [element.tag for element in self.open]:
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Element:
    """Return a page or a fragment as a tree."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.open[0]
