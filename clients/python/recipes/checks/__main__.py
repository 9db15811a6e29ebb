"""Runs the checks of the recipes: see `check`."""

import sys
import tempfile
from pathlib import Path

from directory import check_directory
from mail import check_mail
from modules import check_modules
from openid import check_openid
from person import Check, Engine

CHECKS = {"ldap": check_directory, "pam": check_modules, "openid": check_openid, "mail": check_mail}


def main():
    program, names = sys.argv[1], sys.argv[2:] or list(CHECKS)
    check = Check()
    for name in names:
        with tempfile.TemporaryDirectory(prefix="login-engine-recipe-") as folder:
            try:
                CHECKS[name](check, program, Path(folder))
            except Exception:
                print(*(line for engine in Engine.started for line in engine.log), sep="\n", file=sys.stderr)
                raise
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
