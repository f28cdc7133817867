"""Robots made at random, valid and broken: what is read is what was made, or one clear line."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot
from dynarig.core.urdf import parse_urdf
from fuzzing.corpus import KINDS, Corpus
from fuzzing.nodes import xml_text
from fuzzing.parser_laws import read, refusal_kind
from fuzzing.random_robots import random_robot, same_robot

SEED = 7
FILES = 150


@pytest.fixture(scope="module")
def corpus(data):
    return Corpus(SEED, sorted((data / "urdf").rglob("*.urdf")))


@pytest.mark.parametrize("seed", range(40))
def test_a_robot_is_read_as_it_was_made_and_can_be_compiled(seed):
    random = np.random.default_rng(seed)
    made, node = random_robot(random, int(random.integers(1, 40)))
    plain, decorated = xml_text(node), xml_text(node, random)
    assert same_robot(parse_urdf(plain), made)
    assert same_robot(parse_urdf(decorated), made)
    model = compile_robot(parse_urdf(decorated))
    assert set(model.link_names) == {link.name for link in made.links}


def test_robots_are_told_apart():
    """The comparison of the other tests can fail."""
    robots = [random_robot(np.random.default_rng(seed), 5)[0] for seed in range(5)]
    for number, robot in enumerate(robots):
        assert [same_robot(other, robot) for other in robots] == [
            other == number for other in range(5)
        ]


def test_random_robots_hold_what_they_should_try():
    robots = [random_robot(np.random.default_rng(seed), 20)[0] for seed in range(30)]
    joints = [joint for robot in robots for joint in robot.joints]
    names = [link.name for robot in robots for link in robot.links]
    assert len({joint.type for joint in joints}) == 7
    assert any(joint.mimic for joint in joints)
    assert any(len(name.encode()) > 63 for name in names)
    assert {joint.name for joint in joints} & set(names)


def test_every_file_obeys_the_laws_of_reading(corpus, tmp_path):
    path = tmp_path / "robot.urdf"
    seen = set()
    for number in range(FILES):
        file = corpus.file(number)
        path.write_bytes(file.data)
        reading = read(file, path)
        assert reading.fault == "", f"seed {SEED}, file {number} ({file.kind})"
        refusal = refusal_kind(reading.refusal)
        assert reading.robot is not None or refusal != "other", reading.refusal
        seen.add((file.kind, reading.robot is None))
    # each kind is tried, and of each but the valid ones some are read and some refused
    both = {(kind, refused) for kind in KINDS for refused in (True, False)}
    assert seen == both - {("valid", True)}


def test_a_file_follows_from_seed_and_number_alone(corpus):
    again = Corpus(SEED, corpus.originals)
    assert [again.file(number) for number in (5, 3)] == [corpus.file(5), corpus.file(3)]
    assert Corpus(SEED + 1, corpus.originals).file(5) != corpus.file(5)
