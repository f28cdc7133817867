"""When the benchmark of the frames fails, and what it measures."""

from benchmarks.frames import ANY, PLAIN, Line, pairs, summary

SEQUENCES = ("XYZ", "ZXZ", "ZYX")


def line(ours: float, at_best: float, source: str = "matrix", target: str = "rpy") -> Line:
    return Line(source, target, ours, 0.9 * ours, at_best)


def test_a_line_fails_by_its_cost_or_beyond_noise() -> None:
    assert line(10.0, 1.2).fault is None
    # the median is below 1, but one round of four is not
    assert line(10.0, 1.01).fault is None
    assert line(10.0, 0.97).fault == "ratio 0.90, wanted 1.00"
    assert "matrix to rpy: ratio 0.90" in summary([line(10.0, 0.9)])
    assert line(1000.0, 5.0).fault == "1000 ns an item, wanted less than 1000"


def test_every_kind_of_conversion_is_measured() -> None:
    measured = list(pairs(SEQUENCES))
    assert len(measured) == len(set(measured))
    names = (*PLAIN, *SEQUENCES)
    assert {(name, name) for name in names} <= set(measured)
    assert {("quaternion" + ANY, name) for name in PLAIN} <= set(measured)
    assert {("XYZ", "ZYX"), ("ZYX", "ZXZ"), ("XYZ", "matrix"), ("rpy", "quaternion")} <= set(
        measured
    )
