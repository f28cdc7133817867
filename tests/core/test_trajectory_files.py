"""Files of trajectories are written whole or not at all, and what is no file or model is told."""

from __future__ import annotations

import os
import resource
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_tree
from dynarig.core.errors import TrajectoryError
from dynarig.core.mechanism import Mechanism, planar
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import load_trajectory, read_csv, read_npz, write_csv, write_npz

WRITERS = {".npz": write_npz, ".csv": write_csv}
SUFFIXES = pytest.mark.parametrize("suffix", WRITERS)


@pytest.fixture(scope="module")
def model(random_tree: Any) -> Any:
    return compile_tree(random_tree(3, ["revolute", "prismatic"]))


@pytest.fixture(scope="module")
def motion(model: Any) -> Any:
    return run(simulate(model, np.linspace(0.0, 0.2, 400), v=0.5 * np.ones(model.nv)))


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes: writing fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@SUFFIXES
@pytest.mark.parametrize("size", [0, 5000, 20000])
def test_what_was_there_outlives_a_full_disk(
    motion: Any, tmp_path: Path, suffix: str, size: int
) -> None:
    file = tmp_path / f"motion{suffix}"
    file.write_bytes(b"before")
    with full_after(size), pytest.raises(TrajectoryError, match=rf"motion{suffix}: cannot be wri"):
        motion.save(file)
    assert file.read_bytes() == b"before"
    assert os.listdir(tmp_path) == [file.name]
    file.unlink()
    with full_after(size), pytest.raises(TrajectoryError):
        WRITERS[suffix](motion, file)
    assert os.listdir(tmp_path) == []


@SUFFIXES
def test_a_file_that_is_replaced_keeps_its_mode_and_its_links(
    model: Any, motion: Any, tmp_path: Path, suffix: str
) -> None:
    file, link = tmp_path / f"motion{suffix}", tmp_path / f"link{suffix}"
    motion.save(str(file))
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    whole = file.read_bytes()
    file.write_bytes(b"before")
    file.chmod(0o640)
    link.symlink_to(file)
    motion.save(link)
    assert link.is_symlink()
    assert file.read_bytes() == whole
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    np.testing.assert_array_equal(load_trajectory(link, model).q, motion.q)
    assert sorted(os.listdir(tmp_path)) == sorted([file.name, link.name, "plain"])


@SUFFIXES
def test_places_that_cannot_be_written(motion: Any, tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    (tmp_path / "file").write_bytes(b"")
    places = [
        tmp_path / "missing" / f"motion{suffix}",
        folder,
        tmp_path / "file" / f"motion{suffix}",
        tmp_path / f"{'x' * 300}{suffix}",
    ]
    for place in places:
        with pytest.raises(TrajectoryError) as refused:
            motion.save(place)
        assert str(refused.value).startswith(f"{place}: cannot be written: ")
        assert isinstance(refused.value.__cause__, OSError)
    assert sorted(os.listdir(tmp_path)) == ["file", folder.name]
    assert os.listdir(folder) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
@SUFFIXES
def test_protected_files_and_folders(motion: Any, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"motion{suffix}"
    file.write_bytes(b"before")
    for protected, mode in ((file, 0o444), (tmp_path, 0o555)):
        before = protected.stat().st_mode
        protected.chmod(mode)
        with pytest.raises(TrajectoryError, match=f"motion{suffix}: cannot be written"):
            motion.save(file)
        protected.chmod(before)
        assert file.read_bytes() == b"before"


@pytest.mark.parametrize("path", [None, 3, b"motion.npz", "", "a\0.npz", ["motion.npz"]])
def test_what_is_no_path(model: Any, motion: Any, path: Any) -> None:
    for call in (
        lambda: motion.save(path),
        lambda: write_npz(motion, path),
        lambda: write_csv(motion, path),
        lambda: load_trajectory(path, model),
        lambda: read_npz(model, path),
        lambda: read_csv(model, path),
    ):
        with pytest.raises(TrajectoryError, match=r"^path: wanted the path of a file, got "):
            call()


@SUFFIXES
def test_what_is_no_model(model: Any, motion: Any, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"motion{suffix}"
    motion.save(file)
    mechanism = Mechanism("pendulum", [planar.World("world")])
    for other in (None, mechanism, "model", motion):
        message = r"^model: wanted a Model or a System, got .*mechanism.compile\(\).system$"
        with pytest.raises(TrajectoryError, match=message):
            load_trajectory(file, other)
        with pytest.raises(TrajectoryError, match=message):
            (read_npz if suffix == ".npz" else read_csv)(other, file)
    for ours in (model, System(model)):
        np.testing.assert_array_equal(load_trajectory(file, ours).q, motion.q)


@pytest.mark.parametrize("cell", ["1_0", "_1", "1_000.5", "1e1_0", "1,0", "0x10", "--1"])
def test_cells_that_are_no_numbers(model: Any, tmp_path: Path, cell: str) -> None:
    file = tmp_path / "motion.csv"
    name = model.joint_names[0]
    file.write_text(f'time,{name}\n0,0\n1,"{cell}"\n')
    with pytest.raises(TrajectoryError, match=rf"csv:3: column '{name}': wanted a finite number"):
        read_csv(model, file)
