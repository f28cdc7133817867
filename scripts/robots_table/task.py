"""A task as devtools.workers gives it: the files, and lines with what is found in each."""

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = str(Path(__file__).resolve().parents[1])
if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)

from batch.chatter import Quiet  # noqa: E402
from devtools.workers import MARK, READY  # noqa: E402

Finding = dict[str, Any]


def work_through(prepare: Callable[[Finding], Callable[[Path], Finding]]) -> None:
    """Prepare for the task, look at each file, tell what is found, and leave the process.

    Args:
        prepare: takes the task and returns the function that looks at one file. What that raises
            is the finding "exception".
    """
    task = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    with Quiet() as quiet:
        look = prepare(task)
        quiet.say(MARK + json.dumps({READY: True}))
        for file in task["files"]:
            try:
                finding = look(Path(file))
            except Exception:
                finding = {"exception": traceback.format_exc()}
            quiet.say(MARK + json.dumps({"file": file, **finding}))
    # some Blenders hang or crash when they end
    os._exit(0)
