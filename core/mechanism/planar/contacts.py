"""Contact in a plane; see docs/contact.md."""

from __future__ import annotations

from typing import ClassVar

from ..component import Space
from ..contacts.limit import LimitPart
from ..contacts.part import ContactPart


class Contact(ContactPart):
    """Two shapes that cannot pass through each other."""

    space: ClassVar[Space] = "planar"


class JointLimit(LimitPart):
    """A joint that stops at its limits, as a contact."""

    space: ClassVar[Space] = "planar"
