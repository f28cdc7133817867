"""Where mesh and texture files are looked for, and what is said when they are not there."""

import os
import sys
from pathlib import Path

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import load_urdf, packages, parse_urdf, resolve_meshes

pytestmark = pytest.mark.usefixtures("bare_environment")


def write_robot(file, *uris, texture=None):
    """A robot whose link has one visual for each file name."""
    visuals = "".join(
        f'<visual><geometry><mesh filename="{uri}"/></geometry></visual>' for uri in uris
    )
    material = f'<material name="m"><texture filename="{texture}"/></material>' if texture else ""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'<robot name="r">{material}<link name="a">{visuals}</link></robot>', encoding="utf-8"
    )
    return file


def touch(file):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"mesh")
    return file


def package(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.xml").write_text(
        f"<?xml version='1.0'?>\n<!-- <name>no</name> --><package><name> {name} </name></package>",
        encoding="utf-8",
    )
    return folder


def paths(robot):
    return [visual.geometry.path for visual in robot.links[0].visuals]


def only_path(file, *package_dirs):
    robot = load_urdf(file, package_dirs)
    assert robot.warnings == ()
    (path,) = paths(robot)
    assert path.is_absolute()
    return path


URI = "package://arm_desc/meshes/a.stl"


def test_an_ancestor_named_like_the_package(tmp_path):
    mesh = touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    assert only_path(write_robot(tmp_path / "arm_desc" / "deep" / "urdf" / "r.urdf", URI)) == mesh


def test_an_ancestor_with_the_name_in_its_package_xml(tmp_path):
    mesh = touch(package(tmp_path / "checkout-main", "arm_desc") / "meshes" / "a.stl")
    assert only_path(write_robot(tmp_path / "checkout-main" / "urdf" / "r.urdf", URI)) == mesh


def test_a_child_folder_of_an_ancestor(tmp_path):
    mesh = touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    assert only_path(write_robot(tmp_path / "other" / "urdf" / "r.urdf", URI)) == mesh


@pytest.mark.parametrize(
    "manifest",
    [
        "<package><!-- <name>other</name> --><name>arm_desc</name></package>",
        "<package><namespace>x</namespace>\n<name >\n arm_desc </name></package>",
        "<package><name>arm_desc</name><!-- never closed <name>x</name>",
    ],
)
def test_the_name_in_a_package_xml(tmp_path, manifest):
    mesh = touch(tmp_path / "checkout" / "meshes" / "a.stl")
    (tmp_path / "checkout" / "package.xml").write_text(manifest)
    assert only_path(write_robot(tmp_path / "checkout" / "urdf" / "r.urdf", URI)) == mesh


@pytest.mark.parametrize(
    "manifest", ["<name>two words</name>", "<name>", "<name><b/></name>", "<!--" * 5000, ""]
)
def test_a_package_xml_without_a_name_is_no_package(tmp_path, manifest):
    touch(tmp_path / "checkout" / "meshes" / "a.stl")
    (tmp_path / "checkout" / "package.xml").write_text(manifest)
    robot = load_urdf(write_robot(tmp_path / "checkout" / "urdf" / "r.urdf", URI))
    # found by the same path above the file, which is said
    assert len(robot.warnings) == 1


def test_one_package_dir_may_be_given_as_it_is(tmp_path):
    mesh = touch(tmp_path / "store" / "arm_desc" / "meshes" / "a.stl")
    file = write_robot(tmp_path / "robots" / "deep" / "r.urdf", URI)
    robot = load_urdf(file, str(tmp_path / "store"))
    assert robot.links[0].visuals[0].geometry.path == mesh


def test_a_sibling_with_the_name_in_its_package_xml(tmp_path):
    mesh = touch(package(tmp_path / "src" / "arm-v2", "arm_desc") / "meshes" / "a.stl")
    assert only_path(write_robot(tmp_path / "src" / "other" / "urdf" / "r.urdf", URI)) == mesh


@pytest.mark.parametrize("inside", ["arm_desc", ".", "ws/src/arm-v2"])
def test_package_dirs_are_the_package_or_contain_it(tmp_path, inside):
    top = tmp_path / "store" / "arm_desc" if inside == "." else tmp_path / "store"
    folder = top / inside
    folder = folder if folder.name == "arm_desc" else package(folder, "arm_desc")
    mesh = touch(folder / "meshes" / "a.stl")
    file = write_robot(tmp_path / "robots" / "deep" / "r.urdf", URI)
    assert only_path(file, top) == mesh
    assert only_path(file, str(top)) == mesh


def test_package_dirs_are_relative_to_the_robot_file(tmp_path):
    mesh = touch(tmp_path / "store" / "here" / "arm_desc" / "meshes" / "a.stl")
    assert only_path(write_robot(tmp_path / "robots" / "r.urdf", URI), "../store/here") == mesh


def test_search_paths_of_ros(tmp_path, monkeypatch):
    file = write_robot(tmp_path / "robots" / "r.urdf", URI)
    second = touch(tmp_path / "prefix" / "share" / "arm_desc" / "meshes" / "a.stl")
    prefixes = os.pathsep.join(["relative", str(tmp_path / "none"), str(tmp_path / "prefix")])
    monkeypatch.setenv("AMENT_PREFIX_PATH", prefixes)
    assert only_path(file) == second

    first = touch(tmp_path / "ws" / "src" / "arm_desc" / "meshes" / "a.stl")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "ws" / "src"))
    assert only_path(file) == first


def test_nearer_places_win_and_a_place_without_the_file_is_passed_over(tmp_path, monkeypatch):
    file = write_robot(tmp_path / "near" / "arm_desc" / "urdf" / "r.urdf", URI)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "prefix"))
    order = [
        tmp_path / "prefix" / "share" / "arm_desc",
        tmp_path / "given" / "arm_desc",
        package(tmp_path / "near" / "sibling", "arm_desc"),
        tmp_path / "near" / "arm_desc",
    ]
    for folder in order:
        mesh = touch(folder / "meshes" / "a.stl")
        assert only_path(file, tmp_path / "given") == mesh


@pytest.mark.parametrize(
    "uri",
    [
        "package://arm_desc/my%20meshes/ä.stl",
        "package://arm_desc/my meshes/ä.stl",
        "package://arm_desc/my meshes/%C3%A4.stl",
        "package:///arm_desc/my meshes/ä.stl",
        "package://arm_desc//my meshes/./ä.stl",
        "package://arm_desc/../arm_desc/my meshes/ä.stl",
        r"package://arm_desc\my meshes\ä.stl",
        "PACKAGE://arm_desc/my meshes/ä.stl",
        "model://arm_desc/my meshes/ä.stl",
        "../my meshes/ä.stl",
        r"..\my meshes\ä.stl",
        "../my%20meshes/ä.stl",
        " ../my meshes/ä.stl ",
        "file://../my meshes/ä.stl",
    ],
)
def test_ways_to_write_one_file(tmp_path, uri):
    mesh = touch(tmp_path / "arm_desc" / "my meshes" / "ä.stl")
    assert only_path(write_robot(tmp_path / "arm_desc" / "urdf" / "r.urdf", uri)) == mesh


@pytest.mark.parametrize("form", ["{}", "file://{}", "file://localhost{}", "file:{}"])
def test_absolute_files(tmp_path, form):
    mesh = touch(tmp_path / "a b.stl")
    file = write_robot(tmp_path / "robots" / "r.urdf", form.format(mesh.as_posix()))
    assert only_path(file) == mesh
    assert only_path(write_robot(file, form.format(mesh.as_posix().replace(" ", "%20")))) == mesh


@pytest.mark.skipif(sys.platform != "win32", reason="drive letters mean something on Windows only")
def test_drive_letters(tmp_path):
    mesh = touch(tmp_path / "a.stl")
    for form in ("file:///{}", "file://{}"):
        assert only_path(write_robot(tmp_path / "r.urdf", form.format(mesh.as_posix()))) == mesh


@pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed on Windows")
@pytest.mark.parametrize("name", ["a:b.stl", "100%25.stl", "back\\slash.stl", "x%20y.stl"])
def test_a_literal_name_comes_first(tmp_path, name):
    mesh = touch(tmp_path / name)
    assert only_path(write_robot(tmp_path / "r.urdf", name)) == mesh


def test_textures_of_materials_and_of_visuals(tmp_path):
    image = touch(tmp_path / "wood.png")
    robot = load_urdf(write_robot(tmp_path / "r.urdf", texture="wood.png"))
    assert robot.materials["m"].texture_path == image

    text = (
        '<robot name="r"><link name="a"><visual><geometry><sphere radius="1"/></geometry>'
        '<material name="m"><texture filename="wood.png"/></material></visual></link></robot>'
    )
    robot = resolve_meshes(parse_urdf(text, tmp_path / "r.urdf"))
    assert robot.links[0].visuals[0].material.texture_path == image


def test_collision_meshes_are_found_too(tmp_path):
    mesh = touch(tmp_path / "hull.stl")
    text = (
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="hull.stl"/>'
        "</geometry></collision></link></robot>"
    )
    robot = resolve_meshes(parse_urdf(text, tmp_path / "r.urdf"))
    assert robot.links[0].collisions[0].geometry.path == mesh


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("package://ghost/meshes/none.stl", "no package 'ghost'"),
        ("package://arm_desc/meshes/none.stl", "which has no 'meshes/none.stl'"),
        ("meshes/none.stl", "there is no"),
        ("/no/such/none.stl", "there is no"),
        ("file:///no/such/none.stl", "there is no"),
        ("https://example.org/a.stl", "'https:' is unknown; read are package:"),
        ("package://", "no package ''"),
        ("meshes", "there is no"),
        ("a%00b.stl", "there is no"),
        ("x" * 3000, "there is no"),
    ],
)
def test_a_missing_file_is_one_warning(tmp_path, uri, reason):
    touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    robot = load_urdf(write_robot(tmp_path / "arm_desc" / "r.urdf", uri, uri))
    assert paths(robot) == [None, None]
    (warning,) = robot.warnings
    assert (f"'{uri}': not found" in warning) == (len(uri) < 1000)  # a message stays one line
    assert reason in warning


def test_many_missing_files_of_one_folder_are_one_warning(tmp_path):
    uris = [f"package://ghost/meshes/{name}.stl" for name in "abcd"]
    few = load_urdf(write_robot(tmp_path / "few.urdf", *uris[:3], "other/a.stl"))
    assert len(few.warnings) == 4
    many = load_urdf(write_robot(tmp_path / "many.urdf", *uris, "other/a.stl"))
    ghost, other = many.warnings
    assert ghost.startswith(f"file '{uris[0]}': not found: no package 'ghost'")
    assert ghost.endswith("; so with 3 more there: 'b.stl', 'c.stl', 'd.stl'")
    assert other.startswith("file 'other/a.stl': not found")
    assert resolve_meshes(many).warnings == many.warnings


def test_another_letter_case_is_taken_and_named(tmp_path):
    mesh = touch(tmp_path / "arm_desc" / "Meshes" / "A.STL")
    if (tmp_path / "ARM_DESC").exists():
        pytest.skip("letter case does not count on this disk")
    robot = load_urdf(write_robot(tmp_path / "arm_desc" / "r.urdf", URI, "meshes/a.stl"))
    assert paths(robot) == [mesh, mesh]
    assert len(robot.warnings) == 2
    assert all(str(mesh) in text and "letter case" in text for text in robot.warnings)


def test_two_files_that_differ_only_in_case_are_not_guessed_between(tmp_path):
    touch(tmp_path / "A.stl")
    if (tmp_path / "a.STL").exists():
        pytest.skip("letter case does not count on this disk")
    touch(tmp_path / "a.STL")
    robot = load_urdf(write_robot(tmp_path / "r.urdf", "a.stl"))
    assert paths(robot) == [None]


def test_a_package_under_another_name_without_package_xml(tmp_path):
    mesh = touch(tmp_path / "download" / "meshes" / "a.stl")
    robot = load_urdf(write_robot(tmp_path / "download" / "urdf" / "r.urdf", URI))
    assert paths(robot) == [mesh]
    (warning,) = robot.warnings
    assert "package 'arm_desc' was not found" in warning
    assert str(mesh) in warning


def test_a_file_of_a_named_package_is_no_stand_in_for_another(tmp_path):
    touch(package(tmp_path / "gripper", "gripper") / "meshes" / "a.stl")
    robot = load_urdf(write_robot(tmp_path / "gripper" / "urdf" / "r.urdf", URI))
    assert paths(robot) == [None]
    assert "no package 'arm_desc'" in robot.warnings[0]


def test_a_package_that_is_there_is_never_replaced_by_chance(tmp_path):
    touch(tmp_path / "gripper" / "meshes" / "a.stl")
    (tmp_path / "arm_desc").mkdir()
    robot = load_urdf(write_robot(tmp_path / "gripper" / "urdf" / "r.urdf", URI))
    assert paths(robot) == [None]


def test_resolving_again_replaces_paths_and_warnings(tmp_path):
    mesh = touch(tmp_path / "store" / "deep" / "arm_desc" / "meshes" / "a.stl")
    file = write_robot(tmp_path / "robots" / "r.urdf", URI)
    missing = load_urdf(file)
    assert len(missing.warnings) == 1
    found = resolve_meshes(missing, [tmp_path / "store" / "deep"])
    assert (paths(found), found.warnings) == ([mesh], ())
    assert resolve_meshes(found) == missing
    assert paths(missing) == [None]


def test_the_current_folder_has_no_part_in_it(tmp_path, monkeypatch):
    touch(tmp_path / "elsewhere" / "a.stl")
    touch(tmp_path / "elsewhere" / "arm_desc" / "meshes" / "a.stl")
    monkeypatch.setenv("ROS_PACKAGE_PATH", ".")
    robot = load_urdf(write_robot(tmp_path / "robots" / "r.urdf", "a.stl", URI))
    assert paths(robot) == [None, None]


def test_text_without_a_file(tmp_path):
    mesh = touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    text = write_robot(tmp_path / "x" / "r.urdf", URI, "a.stl").read_text(encoding="utf-8")
    robot = resolve_meshes(parse_urdf(text), [tmp_path])
    assert paths(robot) == [mesh, None]
    assert "without a file" in robot.warnings[0]
    with pytest.raises(UrdfError, match="absolute"):
        resolve_meshes(parse_urdf(text), ["relative"])


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights on Windows")
def test_symbolic_links_are_kept_and_also_looked_behind(tmp_path):
    real = write_robot(tmp_path / "real" / "urdf" / "r.urdf", "../meshes/a.stl", "../meshes/b.stl")
    touch(tmp_path / "real" / "meshes" / "a.stl")
    touch(tmp_path / "real" / "meshes" / "b.stl")
    link = tmp_path / "linked" / "urdf" / "r.urdf"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    beside = touch(tmp_path / "linked" / "meshes" / "a.stl")

    robot = load_urdf(link)
    assert robot.source == link
    assert paths(robot) == [beside, tmp_path / "real" / "meshes" / "b.stl"]


def test_dots_in_the_path_of_the_file(tmp_path):
    mesh = touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    write_robot(tmp_path / "arm_desc" / "urdf" / "r.urdf", URI)
    robot = load_urdf(Path("..") / "arm_desc" / "urdf" / "r.urdf")
    assert paths(robot) == [mesh]
    assert ".." not in robot.source.parts


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights on Windows")
def test_a_linked_folder_is_a_folder(tmp_path):
    mesh = touch(tmp_path / "store" / "arm_desc" / "meshes" / "a.stl")
    file = write_robot(tmp_path / "robots" / "deep" / "r.urdf", URI)
    (tmp_path / "link").symlink_to(tmp_path / "store", target_is_directory=True)
    assert only_path(file, tmp_path / "link") == tmp_path / "link" / mesh.relative_to(
        mesh.parents[2]
    )
    # one that leads to itself is none
    (tmp_path / "store" / "circle").symlink_to(tmp_path / "store" / "circle")
    assert only_path(file, tmp_path / "store") == mesh


@pytest.mark.parametrize("folder", ["my robots", "räume", "a%20b", "a[1]", "a$b (1)"])
def test_any_folder_may_hold_a_robot(tmp_path, folder):
    mesh = touch(tmp_path / folder / "arm_desc" / "meshes" / "a.stl")
    assert only_path(write_robot(tmp_path / folder / "arm_desc" / "urdf" / "r.urdf", URI)) == mesh
    assert only_path(write_robot(tmp_path / "r.urdf", URI), tmp_path / folder) == mesh


def test_a_tilde_is_the_home_in_search_folders_and_a_name_in_files(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    mesh = touch(tmp_path / "home" / "ws" / "arm_desc" / "meshes" / "a.stl")
    file = write_robot(tmp_path / "robots" / "r.urdf", URI)
    assert only_path(file, "~/ws") == mesh
    assert load_urdf(write_robot(file, "~/ws/arm_desc/meshes/a.stl")).warnings
    beside = touch(tmp_path / "robots" / "~" / "a.stl")
    assert only_path(write_robot(file, "~/a.stl")) == beside


def test_nothing_is_written_beside_a_robot(tmp_path):
    touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    file = write_robot(tmp_path / "arm_desc" / "urdf" / "r.urdf", URI, "package://ghost/a.stl")
    before = sorted(os.walk(tmp_path))
    file.parent.chmod(0o555)
    try:
        load_urdf(file)
    finally:
        file.parent.chmod(0o755)
    assert sorted(os.walk(tmp_path)) == before


def test_a_search_folder_is_looked_through_in_part_only(tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "CRAWL_FOLDERS", 3)
    for name in "abcdef":
        package(tmp_path / "home" / name, f"package_{name}")
    file = write_robot(tmp_path / "robots" / "deep" / "r.urdf", URI)
    (warning,) = load_urdf(file, [tmp_path / "home"]).warnings
    assert f"of '{tmp_path / 'home'}' only 3 folders were looked at" in warning
    # by its own name it is found all the same
    mesh = touch(tmp_path / "home" / "arm_desc" / "meshes" / "a.stl")
    assert only_path(file, tmp_path / "home") == mesh


def test_a_far_folder_is_not_read_for_a_package_that_is_near(tmp_path, monkeypatch):
    read = []
    scandir = os.scandir
    monkeypatch.setattr(packages.os, "scandir", lambda path: read.append(path) or scandir(path))
    mesh = touch(tmp_path / "arm_desc" / "meshes" / "a.stl")
    (tmp_path / "home").mkdir()
    file = write_robot(tmp_path / "arm_desc" / "urdf" / "r.urdf", URI)
    assert only_path(file, tmp_path / "home") == mesh
    assert not read
