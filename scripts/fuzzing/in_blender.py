"""The files of a fuzz run, read and imported one after another; run by `dev.py fuzz`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from devtools.live_extension import enable_checkout
from robots_table.task import Finding, work_through


def prepare(task: Finding) -> Callable[[Path], Finding]:
    """Start Blender with the add-on; files are named by their numbers, and made at the path."""
    enable_checkout()
    from fuzzing.corpus import Corpus
    from fuzzing.parser_laws import read, refusal_kind
    from fuzzing.scene_laws import new_scene, try_import

    corpus = Corpus(task["seed"], [Path(path) for path in task["originals"]])
    path = Path(task["path"])
    new_scene()

    def look(name: Path) -> Finding:
        number = int(name.name)
        file = corpus.file(number)
        path.write_bytes(file.data)
        reading = read(file, path)
        finding: dict[str, Any] = {"kind": file.kind, "seconds": reading.seconds}
        try:
            trial = try_import(path, reading.robot, number)
        except BaseException:
            new_scene()
            raise
        refusal = reading.refusal or trial.refusal
        finding["outcome"] = f"refused: {refusal_kind(refusal)}" if refusal else "loaded"
        finding["fault"] = reading.fault or trial.fault
        if finding["fault"]:
            # what this one has left must not be the fault of the next
            new_scene()
        return finding

    return look


if __name__ == "__main__":
    work_through(prepare)
