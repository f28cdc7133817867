"""One XML element with the line it starts on."""

from __future__ import annotations

from dataclasses import dataclass, field

# of a name or value quoted from the file: a message stays one line, and two names that differ
# only at the end stay apart
SHOWN_CHARACTERS = 120
SHOWN_END = 40


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
        """The element for a message, with the named one around it and the link or joint it is in.

        `<origin> in <joint name="elbow">`, or `<color> in <material name="red"> in <link
        name="arm">`: what is inside a link or a joint always names it.
        """
        shown = [self._tag_and_name()]
        named = "name" in self.attributes
        around = self.parent
        # the robot's own name would tell nothing: every element is inside it
        while around is not None and around.parent is not None:
            is_top = around.parent.parent is None
            if "name" in around.attributes and (is_top or not named):
                shown.append(around._tag_and_name())
                named = True
            around = around.parent
        return " in ".join(shown)

    def _tag_and_name(self) -> str:
        if "name" not in self.attributes:
            return f"<{shortened(self.tag)}>"
        return f'<{shortened(self.tag)} name="{shortened(self.attributes["name"])}">'


def shortened(value: str) -> str:
    """The value cut to a length that fits a message, without line breaks and other controls."""
    shown = value
    if len(value) > SHOWN_CHARACTERS:
        shown = f"{value[: SHOWN_CHARACTERS - SHOWN_END - 1]}…{value[-SHOWN_END:]}"
    return "".join(character if character.isprintable() else " " for character in shown)
