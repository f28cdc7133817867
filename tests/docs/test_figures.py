"""The figures are what their script draws from the library, and small."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

FIGURES = Path(__file__).resolve().parents[2] / "docs" / "figures"


@pytest.fixture(scope="module")
def make() -> Iterator[ModuleType]:
    path = list(sys.path)
    spec = importlib.util.spec_from_file_location("make_figures", FIGURES / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = path


def test_the_committed_files_are_what_the_script_draws(make: ModuleType) -> None:
    assert {path.name for path in FIGURES.glob("*.svg")} == set(make.FIGURES)
    for name, draw in make.FIGURES.items():
        advice = "changed; look at it after `python3 scripts/dev.py docs`, then commit it"
        assert (FIGURES / name).read_text(encoding="utf-8") == draw(), f"{name}: {advice}"


def test_figures_are_small_and_have_a_text_for_those_who_do_not_see_them() -> None:
    for path in FIGURES.glob("*.svg"):
        assert path.stat().st_size < 10_000
        assert len(ElementTree.parse(path).getroot().attrib["aria-label"]) > 20


def test_no_label_leaves_its_figure() -> None:
    for path in FIGURES.glob("*.svg"):
        root = ElementTree.parse(path).getroot()
        width, height = (float(root.attrib[name]) for name in ("width", "height"))
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            # a letter of a sans-serif font is about 0.55 of its size wide
            reach = 0.55 * float(text.attrib["font-size"]) * len(text.text or "")
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.attrib["text-anchor"]] * reach
            x, y = float(text.attrib["x"]), float(text.attrib["y"])
            assert x - before >= 0 and x - before + reach <= width, (path.name, text.text)
            assert 12 <= y <= height - 4, (path.name, text.text)
