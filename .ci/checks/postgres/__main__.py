"""Usage: python3 .ci/checks/postgres [PROGRAMS [--full] [--tests BUNDLE] [STEP ...]]"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import bouncer
import cuts
import deployment
import errors
import failover
import idle
import keys
import moves
import plans
import races
import scale
import standby
from cluster import Cluster

STEPS = ["suite", "plans", "errors", "races", "bouncer", "cuts", "idle", "keys", "moves", "deployment", "standby", "failovers"]
# Steps that run only with --full or by name.
LONG = ["scale"]
# Steps that share a cluster with default settings.
PLAIN = {"bouncer": bouncer, "cuts": cuts, "deployment": deployment, "errors": errors, "idle": idle, "keys": keys, "moves": moves, "races": races}
arguments = argparse.ArgumentParser()
arguments.add_argument("programs", nargs="?", default=".build/release")
arguments.add_argument("--full", action="store_true")
arguments.add_argument("--tests", default=".build/debug/login-enginePackageTests.xctest")
arguments.add_argument("steps", nargs="*")
given = arguments.parse_intermixed_args()
programs = os.path.realpath(given.programs)
steps = given.steps or STEPS + (LONG if given.full else [])
if set(steps) - set(STEPS + LONG):
    arguments.error("the steps are " + ", ".join(STEPS + LONG))
count = {"passed": 0, "failed": 0}
started = time.monotonic()


def passed(step, text):
    count["passed"] += 1
    print(f"{step}: {text} (after {time.monotonic() - started:.0f} s)", flush=True)


def suite(cluster):
    """Runs the account tests on a server instead of files."""
    tests = [given.tests, "--testing-library", "swift-testing", "--filter", "AccountsTests|AccountServiceTests"]
    # Only a long run races all pairs of operations.
    environment = {**os.environ, "LOGIN_ENGINE_POSTGRESQL": cluster.connection(), **({"LOGIN_ENGINE_STRESS": "2"} if given.full else {})}
    done = subprocess.run(tests, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    last = [line for line in done.stdout.split("\n") if "Test run with" in line and "passed" in line]
    if done.returncode != 0 or not last:
        print("\n".join(line for line in done.stdout.split("\n") if "✘" in line), file=sys.stderr)
        raise AssertionError("tests failed on PostgreSQL")
    passed("suite", last[-1].split("Test run ")[-1].rstrip("."))


# Clusters are then stopped and removed too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
# The path is short because socket paths are limited.
folder = tempfile.mkdtemp(prefix="accounts-", dir="/tmp")
# Servers and programs have different users, and a program takes no file that another user could replace.
os.chmod(folder, 0o1777)
clusters = {}
try:
    for step in steps:
        try:
            if step in ("suite", "plans"):
                if "suite" not in clusters:
                    clusters["suite"] = Cluster(folder, 54311)
                    clusters["suite"].create(*plans.settings())
                    suite(clusters["suite"])
                if step == "plans":
                    plans.check(programs, clusters["suite"], folder, passed)
            elif step == "failovers":
                failover.check(programs, folder, 54341, 50 if given.full else 5, passed)
            elif step == "standby":
                standby.check(programs, folder, 54361, passed)
            elif step == "scale":
                scale.check(programs, folder, 54351, passed)
            else:
                if "plain" not in clusters:
                    clusters["plain"] = Cluster(folder, 54321, listens=True)
                    clusters["plain"].create()
                PLAIN[step].check(programs, clusters["plain"], folder, passed, given.full)
        except AssertionError as error:
            count["failed"] += 1
            print(f"{step} failed: {error}", file=sys.stderr, flush=True)
finally:
    for cluster in clusters.values():
        cluster.stop()
    shutil.rmtree(folder, ignore_errors=True)
print(f"{count['passed']} passed, {count['failed']} failed")
sys.exit(1 if count["failed"] else 0)
