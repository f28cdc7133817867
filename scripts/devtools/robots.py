"""Every robot of the packages into Blender: a table, a file of figures, sheets of pictures."""

import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .environments import bench_environment, default_environment, environment_for
from .pins import python_of
from .places import BUILD, ROOT
from .robot_files import RobotFile, robot_files
from .robots_report import HEAD, LEGEND, faults, remarks, row, summary
from .terminal import run_quietly, say
from .threads import with_one_thread
from .workers import findings

PROGRAMS = ROOT / "scripts" / "robots_table"
FIGURES = BUILD / "robots.json"
SHEET = BUILD / "robots.png"
SHEET_COLUMNS = 10  # pictures in a row of the one sheet of all
PAGE_COLUMNS, PAGE_ROWS = 4, 3  # of a page that is small enough to be looked at

Record = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """What is wanted of `dev.py robots`."""

    package: str | None = None  # one of PACKAGES or a folder; all packages if none
    only: str | None = None  # a pattern of the files
    bpy: str | None = None  # the Blender wheel; the one of .venv if none
    pictures: bool = True


def run_robots(table: Table) -> int:
    """Set up, import all, print and write; return 1 where something is wrong, else 0."""
    # what can be wrong is told before anything is downloaded
    if table.bpy is not None:
        python_of(table.bpy)
    files = robot_files(table.package, table.only)
    environment = default_environment() if table.bpy is None else environment_for(table.bpy)
    peer = bench_environment("dynamics")
    say(f"{len(files)} robot files on bpy {environment.bpy}")
    start = time.perf_counter()
    # Blender's settings and its pictures go to folders that are deleted after
    with tempfile.TemporaryDirectory(prefix="dynarig-robots-") as folder:
        known = {item["file"]: item for item in peer_findings(peer, files)}
        say("\n".join((*LEGEND, "", HEAD)))
        records = []
        for record in blender_findings(environment.python, files, Path(folder), table.pictures):
            record["peer"] = known[record["file"]]
            record["faults"] = faults(record)
            say("\n".join((row(record), *remarks(record))))
            records.append(record)
        if table.pictures:
            put_on_sheets(environment.python, records)
    seconds = time.perf_counter() - start
    BUILD.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    say("\n".join(summary(records, seconds)))
    return 1 if any(record["faults"] for record in records) else 0


def peer_findings(python: Path, files: Sequence[RobotFile]) -> Iterator[Record]:
    """What pinocchio and our core make of the files."""
    command = [python, PROGRAMS / "with_pinocchio.py"]
    yield from findings(command, paths(files), {}, with_one_thread({}))


def blender_findings(
    python: Path, files: Sequence[RobotFile], folder: Path, pictures: bool
) -> Iterator[Record]:
    """What comes into Blender of the files, with their labels and packages."""
    task: dict[str, Any] = {}
    by_path = {str(file.path): file for file in files}
    if pictures:
        place = folder / "pictures"
        place.mkdir()
        names = {path: file.label for path, file in by_path.items()}
        task = {"pictures": str(place), "names": names}
    variables = with_one_thread({"BLENDER_USER_RESOURCES": str(folder)})
    command = [python, PROGRAMS / "in_blender.py"]
    for finding in findings(command, paths(files), task, variables):
        file = by_path[finding["file"]]
        yield {"package": file.package, "label": file.label, **finding}


def paths(files: Sequence[RobotFile]) -> list[str]:
    """Their paths as text."""
    return [str(file.path) for file in files]


def put_on_sheets(python: Path, records: Sequence[Record]) -> None:
    """One sheet of all pictures in build/robots.png, and pages of twelve beside it."""
    pictures = [record.pop("picture") for record in records if "picture" in record]
    for old in (*BUILD.glob(f"{SHEET.stem}-*.png"), SHEET):
        old.unlink(missing_ok=True)
    if not pictures:
        return
    whole = SHEET.with_suffix(".part.png")
    make_sheets(python, {str(whole): pictures}, SHEET_COLUMNS)
    shutil.move(whole, SHEET)
    size = PAGE_COLUMNS * PAGE_ROWS
    pages = {
        str(SHEET.with_name(f"{SHEET.stem}-{number:02d}.png")): pictures[start : start + size]
        for number, start in enumerate(range(0, len(pictures), size), 1)
    }
    make_sheets(python, pages, PAGE_COLUMNS)


def make_sheets(python: Path, sheets: Mapping[str, Sequence[str]], columns: int) -> None:
    """Write pages of pictures."""
    with tempfile.TemporaryDirectory(prefix="dynarig-sheets-") as folder:
        task = Path(folder, "task.json")
        task.write_text(json.dumps({"sheets": sheets, "columns": columns}), encoding="utf-8")
        run_quietly([python, PROGRAMS / "pages.py", task], "putting the pictures on sheets")
