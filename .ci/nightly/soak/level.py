"""Memory and descriptors of a process and its children over time."""

import os
import statistics
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
# Allowed fluctuation: pages of an allocator and of SQLite's cache.
ALLOWANCE = 1.5 * 2**20


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []


def resident(process):
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE


def descriptors(process):
    return len(os.listdir(f"/proc/{process}/fd"))


class Samples:
    """Judges whether memory and descriptors are level once the first tenth of the time is over."""

    def __init__(self, seconds):
        self.begin, self.seconds = time.monotonic(), seconds
        self.taken = {}

    def take(self, engine):
        """A sample of an engine and of the authenticators that it has."""
        at = (time.monotonic() - self.begin) / self.seconds
        below = children(engine.process.pid)
        processes = [("engine", [engine.process.pid]), ("authenticators", below)]
        for name, numbers in processes:
            try:
                memory, open_files = sum(map(resident, numbers)), sum(map(descriptors, numbers))
            except (OSError, IndexError):
                # One has just gone.
                continue
            self.taken.setdefault(name, []).append((at, memory, open_files, len(numbers)))

    def judge(self):
        for name, taken in self.taken.items():
            # Of repeatedly restarted authenticators, only their number counts.
            counts = [count for _, _, _, count in taken]
            usual = statistics.mode(counts)
            taken = [sample for sample in taken if sample[3] == usual]
            early = [sample for sample in taken if 0.1 <= sample[0] < 0.3]
            late = [sample for sample in taken if sample[0] >= 0.8]
            if usual == 0 or not early or not late:
                continue
            before, after = (statistics.median(sample[1] for sample in part) for part in (early, late))
            # Between the two there are seven tenths of the time.
            holds = after - before <= max(ALLOWANCE, before * 0.03)
            most = max(sample[1] for sample in taken)
            yield holds, f"memory of {name} {before / 2**20:.1f} MiB early, {after / 2**20:.1f} MiB late, at most {most / 2**20:.1f}"
            files = [statistics.median_high(sample[2] for sample in part) for part in (early, late)]
            most = max(sample[2] for sample in taken)
            yield files[1] <= files[0] + 2, f"descriptors of {name} {files[0]} early, {files[1]} late, at most {most}"
            yield max(counts) <= usual + 2, f"processes of {name} {usual}, at most {max(counts)}"
