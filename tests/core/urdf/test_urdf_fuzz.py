"""Broken files at random: nothing but UrdfError ever leaves the reader."""

import random
from pathlib import Path

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import parse_urdf, resolve_meshes

DATA = Path(__file__).resolve().parents[2] / "data" / "urdf"
FILES = sorted(DATA.rglob("*.urdf"))
ROUNDS = 150  # for each file: two seconds in all
TOKENS = [
    *(b"", b" ", b"\x00", b"\xff", b"<", b">", b'"', b"&", b"&#0;", b"&#x10FFFF;", b"]]>"),
    *(b"nan", b"inf", b"-1e308", b"1e308", b"0", b"-0", b"1,2", b"${x}", b"$(find x)"),
    *(b"<!--", b"-->", b"<?xml ?>", b"<![CDATA[", b"<!DOCTYPE a [", b"<!ENTITY x 'y'>"),
    *(b"<link/>", b"<joint/>", b"<mimic joint='j'/>", b"</robot>", b"<robot>", b"<axis/>"),
    *(b"package://", b"file://", b"%00", b"\\", b"../", "關".encode(), b"\xed\xa0\x80"),
]


def mutated(data, choose):
    """The bytes with one to four cuts, copies, swaps or insertions."""
    for _ in range(choose.randint(1, 4)):
        start = choose.randrange(len(data) + 1)
        end = min(len(data), start + choose.choice((0, 1, 2, 8, 40, 200)))
        piece = choose.choice(
            (choose.choice(TOKENS), data[start:end] * 2, bytes(reversed(data[start:end])))
        )
        data = data[:start] + piece + data[end:]
    return data


def attribute_mutated(data, choose):
    """The bytes with the value of one attribute replaced: well-formed far more often."""
    quotes = [index for index, byte in enumerate(data) if byte == ord('"')]
    which = choose.randrange(len(quotes) // 2) * 2
    value = choose.choice([*TOKENS[-6:], b"", b"a", b"j", b"0", b"1 2 3", b"-1", b"1e308 0 0"])
    return data[: quotes[which] + 1] + value + data[quotes[which + 1] :]


def outcome(data, file):
    """The robot, or None and the message of the error; no other error is caught."""
    try:
        return parse_urdf(data, file), ""
    except UrdfError as error:
        return None, str(error)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_mutated_files(file):
    choose = random.Random(file.name)
    original = file.read_bytes()
    read = 0
    for number in range(ROUNDS):
        change = attribute_mutated if number % 2 else mutated
        data = change(original, choose)
        robot, message = outcome(data, file)
        if robot is None:
            assert message.startswith(f"{file}:"), data
            continue
        read += 1
        resolve_meshes(robot)
        again = parse_urdf(robot.text, file)
        assert (again.links, again.joints, again.root) == (robot.links, robot.joints, robot.root)
    assert 0 < read < ROUNDS or file.name in ("loop.urdf", "leftover_expr.urdf")
