"""A page as a tree of elements, for tests that read what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "br", "img", "input", "hr", "source", "col", "wbr"}


@dataclass(slots=True)
class Element:
    """A tag with its attributes, and the texts and elements in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it, with single blanks, and without what is hidden."""
        parts = [each if isinstance(each, str) else each.text for each in self.content]
        return " ".join(" ".join(parts).split())

    @property
    def classes(self) -> list[str]:
        """Its classes."""
        return self.attributes.get("class", "").split()

    def all(self, tag: str, name: str = "") -> Iterator[Element]:
        """Every element of a tag below it, of a class where one is named."""
        for each in self.content:
            if isinstance(each, Element):
                if each.tag == tag and (not name or name in each.classes):
                    yield each
                yield from each.all(tag, name)

    def first(self, tag: str, name: str = "") -> Element:
        """The first such element."""
        return next(self.all(tag, name))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.path = [Element("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.path[-1].content.append(element)
        if tag not in _VOID:
            self.path.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.path[-1].content.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in [element.tag for element in self.path]:
            while self.path.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.path[-1].tag not in ("script", "style"):
            self.path[-1].content.append(data)


def parse(page: str) -> Element:
    """The tree of a page."""
    builder = _Builder()
    builder.feed(page)
    return builder.path[0]
