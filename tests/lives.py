"""The program that starts a module again and again: `python -m tests.lives MODULE`.

Each line of its standard input is a list of arguments in JSON. A fork of this process, into which everything that the
module needs was imported once, runs the module with them; how it ended is answered with a line.
"""

import importlib
import json
import os
import runpy
import sys
import traceback
from collections.abc import Sequence


def one(module: str, arguments: Sequence[str]) -> int:
    """Run the module in a process of its own and return its exit code; minus the signal's number when killed."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    code = 1
    try:
        os.dup2(2, 1)  # what the module prints is no answer
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - the process ends here
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    importlib.import_module(sys.argv[1])
    del sys.modules[sys.argv[1]]  # each life has it anew
    name = sys.argv[1]
    for line in sys.stdin:
        print(one(name, json.loads(line)), flush=True)  # noqa: T201 - the answer
