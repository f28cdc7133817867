"""How large a description may be: more than any real robot, less than what would be a hang."""

from __future__ import annotations

from .report import Report

# the largest of 80 robots' files has 0.2 MB, one of 10,000 links with shapes about 5 MB
LARGEST_FILE = 32_000_000  # bytes: the worst of that size takes 4 s
# elements, of 400 bytes each: those of 20,000 links with joints, shapes and inertia
LARGEST_COUNT = 400_000


def refuse_large(size: int, report: Report) -> None:
    """Raise UrdfError for a file of more than LARGEST_FILE bytes, before it is read."""
    if size > LARGEST_FILE:
        raise report.file_error(
            f"has {size / 1e6:.1f} MB; wanted at most {LARGEST_FILE / 1e6:g} MB, which no robot's "
            "description needs (meshes belong in files of their own)"
        )
