"""Every number in the documents is right: their examples run, and the prose agrees with them."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
# its numbers are times on one machine, which `dev.py bench dynamics` measures anew
MEASURED = "performance"
# numbers that no example of their page can show, above all those that hold in Blender: page,
# and the file that measures or keeps them
KEPT = {
    ("architecture", "tests/addon/rig/bake/test_bake.py"): ("1e-5", "1.2e-7"),
    ("architecture", "core/driver.py"): ("3,000",),
    ("architecture", "tests/addon/rig/bake/test_bake_loops.py"): ("0.1",),
    ("bones", "tests/addon/test_frames_in_blender.py"): (
        *("2e-6", "5e-5", "35°", "9e-5", "2e-5", "6.4°", "4.5°", "13.5°", "10,000"),
    ),
    ("examples", "tests/addon/mechanism/test_play.py"): ("1e-5",),
    ("examples", "tests/scripts/test_examples.py"): ("60",),
    ("loops-in-blender", "tests/addon/rig/bake/test_bake_loops.py"): ("0.1",),
    ("loops-in-blender", "core/key_segments.py"): ("0.02",),
    ("loops-in-blender", "tests/addon/rig/loops/conftest.py"): ("0.45", "0.3"),
    ("urdf-to-bones", "tests/addon/test_frames_in_blender.py"): ("3°", "20°"),
    ("urdf-to-bones", "addon/blender/bone_plan.py"): ("3e-4",),
}
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# what the prose says in figures: powers of ten, angles, thousands, decimals, and whole numbers of
# two digits or more; smaller ones count things or stand in formulas
QUANTITY = re.compile(
    r"(?<![\w.,^{])(?:"
    r"(?P<factor>[\d.]+)\s*\\cdot\s*10\^\{?(?P<exponent>-?\d+)\}?"
    r"|10\^\{?(?P<power>-?\d+)\}?"
    r"|(?P<degrees>\d+(?:\.\d+)?)°"
    r"|(?P<thousands>\d{1,3}(?:,\d{3})+)(?![\d.])"
    r"|(?P<plain>\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+|\d{2,})(?![\w.]*\w)"
    r")"
)
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)
# numbers that are names: of versions, equations, sections and years
LABEL = re.compile(
    r"(?:Blender|Python|numpy|[Ee]qs?\.|sections?) [\d.]+(?:(?: to |, | and )[\d.]+)*"
    r"|\((?:19|20)\d\d\)"
)
# code and links, which hold names
CODE = re.compile(r"`[^`\n]*`|\]\([^)]*\)")


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
    """The page without its examples, and without what only looks like a number."""
    return CODE.sub("", LABEL.sub("", EXAMPLE.sub("", page.read_text(encoding="utf-8"))))


def quantities(text: str) -> dict[str, float]:
    """The numbers of a text as it writes them, and their values."""
    found = {}
    for match in QUANTITY.finditer(text):
        part = match.groupdict()
        if part["factor"]:
            value = float(f"{part['factor']}e{part['exponent']}")
        elif part["power"]:
            value = float(f"1e{part['power']}")
        else:
            value = float((part["degrees"] or part["plain"] or part["thousands"]).replace(",", ""))
        found[match[0]] = value
    return found


def values_in(source: str) -> set[float]:
    """All numbers that a file of code writes."""
    return {abs(float(n)) for n in NUMBER.findall(re.sub(r"(?<=\d)_(?=\d)", "", source))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_print_what_it_says(page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(checker=SameNumbers(), verbose=False)
    runner.run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem != MEASURED], ids=lambda page: page.stem
)
def test_every_number_in_the_prose_stands_in_an_example_of_the_page(page: Path) -> None:
    shown = values_in(examples(page))
    kept = {
        number for (stem, _), numbers in KEPT.items() if stem == page.stem for number in numbers
    }
    found = quantities(prose(page))
    # examples are in radians, so an angle in degrees never stands in one
    loose = {text for text, value in found.items() if "°" in text or value not in shown}
    assert not loose - kept
    # and none is listed for nothing
    assert not kept - loose


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_fit_the_width_of_a_page(page: Path) -> None:
    assert not [line for line in examples(page).splitlines() if len(line) > 104]


def test_numbers_without_an_example_stand_in_the_file_that_keeps_them() -> None:
    for (_, file), numbers in KEPT.items():
        written = values_in((DOCS.parent / file).read_text(encoding="utf-8"))
        for number in numbers:
            (value,) = quantities(number).values()
            assert value in written, (number, file)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("about $6 \\cdot 10^{-8}\\,d$", 6e-8),
        ("$\\ge 10^{-6}$", 1e-6),
        ("within 35° of", 35.0),
        ("at 6.4°", 6.4),
        ("tests compare 10,000 random", 1e4),
        ("faster than 3000/s", 3000.0),
        ("$\\Omega$ = 300 rad/s", 300.0),
        ("up to 1.05e-4 m", 1.05e-4),
        ("in 2 steps of `x[12]` or (10)", 10.0),
        ("see `page` [it](a-20.md) for 1 of 4×4 and $x_{12}$, R2D2, eq", None),
    ],
)
def test_numbers_are_found_however_they_are_written(text: str, value: float | None) -> None:
    found = list(quantities(CODE.sub("", text)).values())
    assert found == ([] if value is None else [value])


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
