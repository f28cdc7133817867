"""Everything a developer runs, with all its set-up. Python 3.10 or newer with pip is enough.

python3 scripts/dev.py demo     a robot falls under gravity: .blend, film, picture, table
python3 scripts/dev.py test     every test
python3 scripts/dev.py build    the extension's zip, for Blender's Install from Disk
python3 scripts/dev.py robots   many robots into Blender: a table and pictures of them
python3 scripts/dev.py fuzz     broken robot files through parser and import
python3 scripts/dev.py bench    speed, against other packages
python3 scripts/dev.py docs     the documents as HTML
"""

import argparse
import sys
from pathlib import Path

if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit("dev.py wants Python 3.10 or newer, this is " + sys.version.split()[0])

from devtools import suites
from devtools.bench import BENCHMARKS, run_bench
from devtools.demo import Demo, run_demo
from devtools.docs import build_docs
from devtools.environments import default_environment
from devtools.extension import build, tool_of
from devtools.fuzz import COUNT, SEED, run_fuzz
from devtools.fuzz import LEGEND as FUZZ_LEGEND
from devtools.pins import PYTHON_OF_BPY
from devtools.places import BUILD
from devtools.robot_files import PACKAGES
from devtools.robots import Table, run_robots
from devtools.robots_report import LEGEND as ROBOTS_LEGEND
from devtools.terminal import DevError, fail, say


def main(arguments: list[str]) -> int:
    """Run one command; return its exit code: 3 where the wanted Python is not to be had."""
    ours, pytest_options = split_at_dashes(arguments)
    options = parser().parse_args(ours)
    try:
        if options.command == "demo":
            return run_demo(Demo(options.robot, options.out, options.duration, options.render))
        if options.command == "build":
            say(str(build(tool_of(default_environment()))))
            return 0
        if options.command == "robots":
            return run_robots(Table(options.package, options.only, options.bpy, options.pictures))
        if options.command == "fuzz":
            return run_fuzz(options.count, options.seed)
        if options.command == "bench":
            return run_bench(options.name, options.bpy)
        if options.command == "docs":
            say(str(build_docs()))
            return 0
        return test(options, pytest_options)
    except DevError as error:
        return fail(error)
    except KeyboardInterrupt:
        return fail(DevError("interrupted; the same command goes on where it stopped"))


def test(options: argparse.Namespace, pytest_options: list[str]) -> int:
    """Run the tests that were asked for."""
    if options.core:
        return suites.test_core(pytest_options)
    if options.blender:
        return suites.test_blender(pytest_options)
    if options.bpy is not None:
        return suites.test_wheel(options.bpy, pytest_options)
    return suites.test_all(pytest_options)


def split_at_dashes(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Our own arguments, and those after `--`."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        prog="dev.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="simulate a robot and bake, save and render it")
    demo.add_argument("--robot", type=Path, metavar="FILE.urdf", help="default: the Franka Panda")
    demo.add_argument("--out", type=Path, metavar="DIR", default=BUILD / "demo")
    demo.add_argument("--duration", type=float, metavar="S", help="seconds")
    demo.add_argument("--no-render", dest="render", action="store_false", help="no film or picture")

    tests = commands.add_parser("test", help="run tests; arguments after -- go to pytest")
    which = tests.add_mutually_exclusive_group()
    which.add_argument("--core", action="store_true", help="the core alone: numpy and pytest")
    which.add_argument("--bpy", metavar="VERSION", help=f"one of {', '.join(PYTHON_OF_BPY)}")
    which.add_argument("--blender", action="store_true", help="a real blender --background")

    commands.add_parser("build", help="build and validate the extension's zip")

    robots = commands.add_parser(
        "robots",
        help="import the robots of packages, and look at them",
        epilog=". ".join(("Columns of the table", *ROBOTS_LEGEND)),
    )
    robots.add_argument("--package", metavar="P", help=f"{', '.join(PACKAGES)}, or a folder")
    robots.add_argument("--only", metavar="PATTERN", help="files with this in their paths")
    robots.add_argument("--bpy", metavar="VERSION", help=f"one of {', '.join(PYTHON_OF_BPY)}")
    robots.add_argument(
        "--no-pictures",
        dest="pictures",
        action="store_false",
        help="only the table, no picture of each robot",
    )

    fuzz = commands.add_parser(
        "fuzz",
        help="try valid and broken robot files made at random",
        epilog=". ".join(("Columns of the table", *FUZZ_LEGEND)),
    )
    fuzz.add_argument("--count", type=int, metavar="N", default=COUNT, help="files")
    fuzz.add_argument(
        "--seed",
        type=int,
        metavar="N",
        default=SEED,
        help=f"where the random files start: the same seed makes the same files (default: {SEED})",
    )

    bench = commands.add_parser("bench", help="measure speed against other packages")
    bench.add_argument("name", choices=BENCHMARKS)
    bench.add_argument("--bpy", metavar="VERSION", help=f"of import: {', '.join(PYTHON_OF_BPY)}")

    commands.add_parser("docs", help="write the documents as HTML into build/docs")
    return top


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
