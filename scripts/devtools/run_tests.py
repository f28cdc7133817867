"""Run pytest inside Blender.

With the wheel: `python run_tests.py …`; in a real Blender:
`blender --background --factory-startup --python run_tests.py -- …`.
"""

import os
import sys

# where pytest is, for a Blender with a Python of its own
PACKAGES = "DYNARIG_TEST_PACKAGES"


def main() -> int:
    """Run pytest on the arguments, after `--` where Blender has read the ones before."""
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    sys.path[:0] = [path for path in os.environ.get(PACKAGES, "").split(os.pathsep) if path]
    import pytest

    return int(pytest.main(arguments))


if __name__ == "__main__":
    try:
        code = main()
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    # some Blenders hang or crash when they end; the tests are over, so leave at once
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
