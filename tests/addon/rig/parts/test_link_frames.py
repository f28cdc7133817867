"""Empties in the frames of links on fixed joints."""

import pytest

from ....close import assert_close


@pytest.mark.parametrize("fixed_links", ["MERGE", "KEEP"])
def test_they_stand_where_the_core_says(workshop, random_poses, fixed_links):
    result = workshop.make(fixed_frames=True, fixed_links=fixed_links)
    frames = workshop.parts(result, "frame")
    assert set(frames) == {("tool", 0), ("tip", 0)}
    for poses in random_poses(result):
        for (link, _), obj in frames.items():
            assert_close(workshop.world(obj), poses[link], 1e-5)


def test_those_of_a_real_robot_stand_where_the_core_says(workshop, random_poses, robots):
    file = robots / "talos_data/robots/talos_reduced.urdf"
    result = workshop.bring(file, fixed_frames=True, floating_base=True, shown="COLLISION")
    frames = workshop.parts(result, "frame")
    assert len(frames) > 20
    for poses in random_poses(result, 1):
        for (link, _), obj in frames.items():
            assert_close(workshop.world(obj), poses[link], 1e-5, link)


def test_they_are_arrows_called_like_their_links(workshop):
    result = workshop.make(fixed_frames=True)
    (place,) = result.collection.children
    assert place.name == "made frames"
    # there is a visual of that name already
    assert sorted(obj.name for obj in place.objects) == ["tip", "tool frame"]
    assert all(obj.type == "EMPTY" for obj in place.objects)
    assert all(obj.empty_display_type == "ARROWS" for obj in place.objects)
    (size,) = {obj.empty_display_size for obj in place.objects}
    # the robot is about 0.8 m long
    assert 0.02 < size < 0.08


def test_without_fixed_joints_there_are_none(workshop):
    result = workshop.make('<link name="bare"/>', fixed_frames=True)
    assert workshop.parts(result, "frame") == {}
    assert list(result.collection.children) == []
