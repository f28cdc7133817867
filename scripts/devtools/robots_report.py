"""The table that `dev.py robots` prints: a row for each file, what is wrong with it, the sums."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

PEER_ROOM = 1e-9  # m, and parts of one: both compute with double precision
LABEL = 58  # letters of a file's path
# heading and width of each column of figures
COLUMNS = (
    ("links", 6),
    ("bones", 6),
    ("meshes", 7),
    ("missing", 8),
    ("triangles", 10),
    ("materials", 10),
    ("textures", 9),
    ("drivers", 8),
    ("warnings", 9),
    ("seconds", 8),
    ("off", 8),
    ("peer", 8),
)
HEAD = "file".ljust(LABEL) + "".join(name.rjust(width) for name, width in COLUMNS)
LEGEND = (
    "off: how far links and shapes in Blender are from where the core has them, at random poses "
    "(m, and parts of one)",
    "peer: how far the core is from pinocchio (the same; - where that does not load the file)",
)

Record = Mapping[str, Any]


def faults(record: Record) -> list[str]:
    """What is wrong with a robot: nothing where it imports in full and is where it should be."""
    return [*faults_in_blender(record), *faults_in_core(record["peer"])]


def faults_in_blender(record: Record) -> Iterator[str]:
    """What is wrong with what came into Blender."""
    if "crash" in record:
        yield f"Blender: {record['crash']}\n{record['output']}"
    if "exception" in record:
        yield f"in Blender: {record['exception'].strip()}"
    if "refused" in record and record["peer"].get("loads"):
        yield f"pinocchio loads it; refused: {record['refused']}"
    if "robot" not in record:
        return
    if record["excess"] > 0.0:
        yield (
            f"poses differ from the core's: links {record['links_off']:.1e}, "
            f"shapes {record['parts_off']:.1e}"
        )
    lost = record["parts"] - record["absent"] - record["shown"]
    if lost:
        yield f"{lost} of {record['parts']} shapes did not come in, and their files are there"
    if record["empty_textures"]:
        yield f"textures hold nothing: {', '.join(record['empty_textures'])}"


def faults_in_core(peer: Record) -> Iterator[str]:
    """What is wrong with what our core makes of it, beside pinocchio."""
    if "crash" in peer:
        yield f"beside pinocchio: {peer['crash']}\n{peer['output']}"
    if "exception" in peer:
        yield f"beside pinocchio: {peer['exception'].strip()}"
    if not peer.get("difference", 0.0) <= PEER_ROOM:
        yield f"core and pinocchio differ by {peer['difference']:.1e}"


def row(record: Record) -> str:
    """One line of the table."""
    label = record["label"]
    shown = label if len(label) < LABEL else "…" + label[len(label) - LABEL + 2 :]
    if "robot" not in record:
        return f"{shown:<{LABEL}}  {'does not come in':>40}"
    figures = {**record, "missing": len(record["missing"]), "warnings": len(record["warnings"])}
    texts = {
        "seconds": f"{record['seconds']:.2f}",
        "off": f"{max(record['links_off'], record['parts_off']):.0e}",
        "peer": told_difference(record["peer"]),
    }
    return f"{shown:<{LABEL}}" + "".join(
        f"{texts.get(name, figures.get(name)):>{width}}" for name, width in COLUMNS
    )


def told_difference(peer: Record) -> str:
    """How far the core is from pinocchio; a dash where that does not load the file."""
    return f"{peer['difference']:.0e}" if "difference" in peer else "-"


def remarks(record: Record) -> list[str]:
    """Lines below a row: what is wrong, what is missing in the package, and chosen options."""
    lines = [f"  FAIL {fault}" for fault in record["faults"]]
    if "refused" in record and not record["peer"].get("loads"):
        lines.append(f"  refused, by pinocchio too: {record['refused']}")
    if record.get("missing"):
        lines.append(f"  missing: {', '.join(record['missing'])}")
    if "options" in record:
        lines.append(f"  options: {record['options']}: {record['reason']}")
    return lines


def summary(records: Sequence[Record], seconds: float) -> list[str]:
    """The sums of each package, and of all."""
    lines = [""]
    for package in dict.fromkeys(record["package"] for record in records):
        own = [record for record in records if record["package"] == package]
        lines.append(f"{package}: {sums(own)}")
    bad = [record["label"] for record in records if record["faults"]]
    lines.append(f"all: {sums(records)}; {seconds:.0f} s")
    lines.append(f"FAIL: {', '.join(bad)}" if bad else "nothing is wrong")
    return lines


def sums(records: Sequence[Record]) -> str:
    """The figures of some robots in a line."""
    came = [record for record in records if "robot" in record]
    off = max((max(item["links_off"], item["parts_off"]) for item in came), default=0.0)
    peer = max((record["peer"].get("difference", 0.0) for record in records), default=0.0)
    return (
        f"{len(came)} of {len(records)} files come in, "
        f"{sum(item['links'] for item in came)} links, "
        f"{sum(item['meshes'] for item in came)} meshes and "
        f"{sum(len(item['missing']) for item in came)} missing, "
        f"{sum(item['triangles'] for item in came)} triangles, "
        f"{sum(len(item['warnings']) for item in came)} warnings; "
        f"Blender is {off:.1e} from the core, the core {peer:.1e} from pinocchio; "
        f"{sum(bool(record['faults']) for record in records)} with faults"
    )
