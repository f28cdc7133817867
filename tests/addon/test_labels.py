"""Labels: at most 63 bytes, whole characters, unique."""

from dynarig.addon.blender.labels import label, unique_label


def test_short_names_stay():
    assert label("panda_link0") == "panda_link0"


def test_cut_on_a_character_boundary():
    text = "a" * 62 + "é"
    assert label(text) == "a" * 62
    assert label("关节" * 20) == ("关节" * 20)[:21]
    assert len(label("🤖" * 40).encode()) == 60


def test_empty_and_unencodable_names_become_something():
    assert label("") == "unnamed"
    assert label("a\udc80b") == "a?b"


def test_clashing_names_are_told_apart_within_the_limit():
    taken = set()
    for _ in range(12):
        taken.add(unique_label("wheel", taken))
    assert "wheel" in taken and "wheel_12" in taken

    long = "x" * 80
    first = unique_label(long, set())
    second = unique_label(long + "different", {first})
    assert first != second
    assert len(second.encode()) == 63 and second.endswith("_2")
