"""Every number in the documents is right: their examples run, and the prose agrees with them."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
# bounds that hold in Blender: (page, number), and the file that measures or keeps them
IN_BLENDER = {
    ("architecture", "1e-5"): "tests/addon/rig/test_bake.py",
    ("architecture", "1.2e-7"): "tests/addon/rig/test_bake.py",
    ("bones", "2e-6"): "tests/addon/test_frames_in_blender.py",
    ("bones", "5e-5"): "tests/addon/test_frames_in_blender.py",
    ("bones", "7e-5"): "addon/blender/bone_plan.py",
    ("urdf-to-bones", "3e-4"): "addon/blender/bone_plan.py",
    ("urdf-to-bones", "7e-5"): "addon/blender/bone_plan.py",
}
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
DECIMAL = re.compile(r"(?<![\w.])(?:\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?![\w.]*\w)")
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)
# numbers that are names: of versions, equations and sections
LABEL = re.compile(
    r"(?:Blender|Python|numpy|[Ee]qs?\.|sections?) [\d.]+(?:(?: to |, | and )[\d.]+)*"
)


class SameNumbers(doctest.OutputChecker):
    """Compare text as it is, without regard to spaces, and numbers to the digits shown."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if skeleton(want) != skeleton(got):
            return False
        wanted = NUMBER.findall(want)
        # half a unit of the last place that any number of this answer shows
        tolerance = 0.51 * 10.0 ** -max((decimals(text) for text in wanted), default=0)
        tolerance = tolerance if tolerance < 0.1 else 0.0
        return all(
            abs(float(shown) - float(value)) <= unit(shown, tolerance)
            for shown, value in zip(wanted, NUMBER.findall(got), strict=True)
        )


def skeleton(text: str) -> str:
    """The text without spaces, with a mark where a number stands."""
    return re.sub(r"\s+", "", NUMBER.sub(" # ", text))


def decimals(number: str) -> int:
    """How many digits a number shows behind the point, not counting an exponent's."""
    return len(number.lower().partition("e")[0].partition(".")[2])


def unit(number: str, tolerance: float) -> float:
    """The tolerance for a number: that of the answer, or of its own digits with an exponent."""
    mantissa, _, exponent = number.lower().partition("e")
    if not exponent:
        return tolerance
    return 0.51 * 10.0 ** (int(exponent) - decimals(mantissa))


def examples(page: Path) -> str:
    """The page with everything but its examples blanked, so that line numbers stay true."""
    text, kept, end = page.read_text(encoding="utf-8"), "", 0
    for match in EXAMPLE.finditer(text):
        kept += "\n" * text.count("\n", end, match.start(1)) + match[1]
        end = match.end(1)
    return kept


def prose(page: Path) -> str:
    """The page without its examples."""
    return LABEL.sub("", EXAMPLE.sub("", page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_print_what_it_says(page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(checker=SameNumbers(), verbose=False)
    runner.run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_decimal_in_the_prose_stands_in_an_example_of_the_page(page: Path) -> None:
    shown = {abs(float(number)) for number in NUMBER.findall(examples(page))}
    measured = {number for stem, number in IN_BLENDER if stem == page.stem}
    found = set(DECIMAL.findall(prose(page))) - measured
    assert not {number for number in found if float(number) not in shown}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_fit_the_width_of_a_page(page: Path) -> None:
    assert not [line for line in examples(page).splitlines() if len(line) > 104]


def test_bounds_of_blender_stand_in_the_file_that_keeps_them() -> None:
    for (stem, number), file in IN_BLENDER.items():
        assert number in (DOCS / f"{stem}.md").read_text(encoding="utf-8")
        assert number in (DOCS.parent / file).read_text(encoding="utf-8"), (number, file)


@pytest.mark.parametrize(
    ("want", "got", "same"),
    [
        ("[0.5 0. 1.]", "[ 0.56 -0.     1.    ]", False),
        ("[0.500 0. 1.]", "[ 0.50004 -0.     1.    ]", True),
        ("0.785398", "0.7853981", True),
        ("0.785398", "0.7853990", False),
        ("(3, 3)", "(3, 4)", False),
        ("2.0e-07", "2.04e-07", True),
        ("2.0e-07", "2.1e-07", False),
        ("True", "False", False),
        ("x 1", "y 1", False),
    ],
)
def test_numbers_are_compared_to_the_digits_shown(want: str, got: str, same: bool) -> None:
    assert SameNumbers().check_output(want + "\n", got + "\n", 0) is same
