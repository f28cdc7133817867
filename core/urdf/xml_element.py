"""One XML element with the line it starts on."""

from __future__ import annotations

from dataclasses import dataclass, field

SHOWN_NAME = 80  # characters of a name in a message


@dataclass(eq=False, slots=True)
class Element:
    """An element as the file has it: names keep their prefix, text content is not kept.

    URDF says everything in attributes, so the text between tags would only cost memory.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    parent: Element | None = field(default=None, repr=False)
    children: list[Element] = field(default_factory=list, repr=False)

    def all(self, tag: str) -> list[Element]:
        """The direct children with that tag, in the order of the file."""
        return [child for child in self.children if child.tag == tag]

    def get(self, attribute: str) -> str | None:
        """The attribute's value as written, None where it is not given."""
        return self.attributes.get(attribute)

    def describe(self) -> str:
        """The element for a message: `<origin> in <joint name="elbow">`."""
        if "name" in self.attributes:
            return self._tag_and_name()
        owner = self.parent
        while owner is not None and "name" not in owner.attributes:
            owner = owner.parent
        # the robot's own name would tell nothing: every element is inside it
        if owner is None or owner.parent is None:
            return f"<{self.tag}>"
        return f"<{self.tag}> in {owner._tag_and_name()}"

    def _tag_and_name(self) -> str:
        name = self.attributes["name"]
        shown = name if len(name) <= SHOWN_NAME else name[: SHOWN_NAME - 1] + "…"
        return f'<{self.tag} name="{shown}">'
