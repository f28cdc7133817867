"""The documents as HTML: Sphinx in an environment of its own, every warning an error."""

import shutil
from pathlib import Path

from .environments import environment_without_blender, plain_environment
from .places import BUILD, ROOT
from .terminal import run_quietly

SOURCE = ROOT / "docs"
HTML = BUILD / "docs"


def docs_environment() -> Path:
    """The interpreter of an environment in the cache with Sphinx and MyST, nothing else."""
    return environment_without_blender("docs", [], "docs.txt")


def draw_figures() -> None:
    """Draw the figures anew from the library; as long as neither changes, so do the files."""
    script = SOURCE / "figures" / "make.py"
    run_quietly([plain_environment(), script], f"running {script.relative_to(ROOT)}")


def build_docs(target: Path = HTML) -> Path:
    """Write the pages below docs/ as HTML; return the one to open first."""
    draw_figures()
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    # what Sphinx keeps for a next run stands beside the pages, not among them
    cache = target.with_name(f"{target.name}-cache")
    options = ("-q", "-b", "html", "--fail-on-warning", "--keep-going", "--fresh-env")
    run_quietly(
        [docs_environment(), "-m", "sphinx", *options, "-d", cache, SOURCE, target],
        f"building {target.name}",
    )
    return target / "index.html"
