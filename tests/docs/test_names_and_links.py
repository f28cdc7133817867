"""What the documents name exists, and what the package offers is named in them."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
LINKED = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
FUNCTION = re.compile(r"`([A-Za-z_.][\w.]*)\(\)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
MODULES = (
    "frames",
    "dynamics",
    "dynamics.constraints",
    "dynamics.ellipsoid",
    "mechanism",
    "simulate",
    "trajectory",
    "urdf",
    "urdf.build",
    "keyframes",
)


FORMULA = re.compile(r"^\$\$\n(.*?)^\$\$$", re.M | re.S)


def functions_of_the_core() -> set[str]:
    found: set[str] = set()
    for name in MODULES:
        module = importlib.import_module(f"dynarig.core.{name}")
        found |= {key for key, value in vars(module).items() if callable(value)}
    return found


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub and MyST call them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_functions_named_in_a_page_exist(page: Path) -> None:
    named = set(FUNCTION.findall(page.read_text(encoding="utf-8")))
    assert not named - functions_of_the_core()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_formula_has_a_function_that_computes_it_beside_it(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for section in re.split(r"^(?=#+ )", text, flags=re.M):
        if FORMULA.search(section):
            assert FUNCTION.search(section), section.partition("\n")[0]
    for formula in FORMULA.finditer(text):
        # in the lines around it, further formulas and tables of functions among them
        around = text[max(0, formula.start() - 900) : formula.end() + 900]
        assert FUNCTION.search(around), formula[1]


def test_every_public_name_of_frames_is_in_the_documents() -> None:
    frames = importlib.import_module("dynarig.core.frames")
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = set(re.findall(r"`(\w+)(?:\(\))?`", text))
    assert not set(frames.__all__) - named


@pytest.mark.parametrize("page", LINKED, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


def test_every_page_is_listed_in_the_index() -> None:
    listed = set(re.findall(r"^(\w[\w-]*)$", (ROOT / "docs" / "index.md").read_text(), re.M))
    assert {page.stem for page in PAGES} - {"index"} <= listed
