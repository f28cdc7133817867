"""Thousands of valid and broken robot files through parser and import: a table, and the faults."""

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .environments import default_environment
from .packages import fetch_robots
from .places import BUILD, ROOT
from .terminal import DevError, say
from .threads import with_one_thread
from .workers import findings

PROGRAM = ROOT / "scripts" / "fuzzing" / "in_blender.py"
FOLDER = BUILD / "fuzz"
COUNT = 2000
SEED = 1
PATIENCE = 60.0  # s for one file, and for the start of Blender; reading may take 5 s of them
SHOWN_SLOWEST = 3
SIGN_OF_LIFE = 500  # files
LAST_LINES = 4  # of the trace of an error, which say where it was
MOST_FAULTS = 20
LONGEST = 600  # characters of a fault that are printed

# of the table's columns; --help has them too
LEGEND = (
    "valid: robots made at random",
    "broken: such with faults in their structure (elements and values)",
    "damaged: such with faults in their bytes",
    "broken real, damaged real: the files of example robots and tests, with the same faults",
    "?: where the program ended or hung",
)

Record = dict[str, Any]


def run_fuzz(count: int, seed: int) -> int:
    """Set up, try all files, print a table; return 1 where one broke a law, else 0."""
    if count < 1:
        raise DevError(f"--count {count}: wanted 1 or more")
    environment = default_environment()
    originals = original_files()
    FOLDER.mkdir(parents=True, exist_ok=True)
    say(f"{count} files of seed {seed} on bpy {environment.bpy}")
    start = time.perf_counter()
    records: list[Record] = []
    faults = 0
    # of its own, so that several runs do not meddle with each other
    with tempfile.TemporaryDirectory(prefix="run-", dir=FOLDER) as folder:
        current = Path(folder, "robot.urdf")
        for record in tried(environment.python, originals, count, seed, current):
            records.append(record)
            if record["fault"]:
                say(fault_line(record, seed, keep(current, record, seed)))
                faults += 1
            if faults == MOST_FAULTS:
                say(f"{faults} faults are enough")
                break
            if len(records) % SIGN_OF_LIFE == 0:
                say(f"  {len(records)} files, {time.perf_counter() - start:.0f} s")
    say("\n".join(report(records, time.perf_counter() - start)))
    return 1 if any(record["fault"] for record in records) else 0


def original_files() -> list[Path]:
    """The real files that are broken: those of the example robots and of the tests."""
    folders = (fetch_robots(), ROOT / "tests" / "data" / "urdf")
    return sorted(path for folder in folders for path in folder.rglob("*.urdf"))


def tried(
    python: Path, originals: Sequence[Path], count: int, seed: int, current: Path
) -> Iterator[Record]:
    """What became of each file; where the program crashed or hung that is the fault.

    Each is at the path `current` while it is tried.
    """
    task = {"seed": seed, "originals": [str(path) for path in originals], "path": str(current)}
    names = [str(number) for number in range(count)]
    for finding in findings([python, PROGRAM], names, task, with_one_thread({}), PATIENCE):
        why = finding.get("crash") or finding.get("exception")
        if why:
            last = " / ".join(line.strip() for line in why.splitlines()[-LAST_LINES:])
            yield {"kind": "?", "outcome": "fault", "seconds": 0.0, **finding, "fault": last}
        else:
            yield finding


def keep(current: Path, record: Record, seed: int) -> Path:
    """Put the file that broke a law aside: it is still the current one."""
    kept = FOLDER / f"seed-{seed}-{record['file']}.urdf"
    shutil.copyfile(current, kept)
    return kept


def fault_line(record: Record, seed: int, kept: Path) -> str:
    """What a person needs to look into a fault."""
    what = f"seed {seed}, file {record['file']} ({record['kind']}), {kept}"
    return f"FAULT {what}: {record['fault'][:LONGEST]}"


def report(records: Sequence[Record], seconds: float) -> list[str]:
    """The table: what became of the files of each kind, and the slowest."""
    kinds = sorted({record["kind"] for record in records})
    counts = Counter((record["outcome"], record["kind"]) for record in records)
    lines = [
        "",
        *LEGEND,
        "",
        "".join((f"{'':<22}", *(f"{kind:>14}" for kind in kinds), f"{'all':>8}")),
    ]
    for outcome in sorted({record["outcome"] for record in records}):
        of_kinds = [counts[outcome, kind] for kind in kinds]
        numbers = "".join(f"{number or '':>14}" for number in of_kinds)
        lines.append(f"{outcome:<22}{numbers}{sum(of_kinds):>8}")
    slowest = sorted(records, key=lambda record: -record["seconds"])[:SHOWN_SLOWEST]
    shown = ", ".join(f"{item['seconds']:.3f} s (file {item['file']})" for item in slowest)
    faults = sum(bool(record["fault"]) for record in records)
    lines += [
        "",
        f"slowest to read: {shown}",
        f"{len(records)} files, {faults} faults, {seconds:.0f} s",
    ]
    return lines
