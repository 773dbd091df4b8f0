"""`python -m stepscope`: the program, as `stepscope`."""

import os
import sys

from ._program import Error, program


def main() -> int:
    """Replaces this process by the program."""
    try:
        path = program()
    except Error as error:
        print("error: {}".format(error), file=sys.stderr)
        return 1
    if os.name != "nt":
        os.execv(path, ["stepscope", *sys.argv[1:]])
    # Windows cannot replace a process: a shell would not wait for the program.
    import subprocess

    return subprocess.call([path, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
