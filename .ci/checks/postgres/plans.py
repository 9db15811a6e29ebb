"""Every statement that the programs run uses an index, according to the server's own plans. The suite runs all statements except those of a
move."""

import re
import tempfile

import moves
from service import Program

# Administrators' statements that read a whole table.
WHOLE = (
    r"SELECT count\(\*\) FROM \w+$",
    r"SELECT account, secret FROM one_time_codes$",
    r"FROM information_schema",
    r"setval\(",
)
# Statements on the catalogue are excluded.
TABLES = "accounts tries settings reset_codes recovery_codes one_time_codes passkeys remembered_devices commits".split()


def settings():
    """The settings that the cluster needs."""
    return [
        "session_preload_libraries = 'auto_explain'", "auto_explain.log_min_duration = 0", "auto_explain.log_nested_statements = off",
        # Test tables are small: with this setting only a statement that cannot use an index scans a table.
        "enable_seqscan = off",
    ]


def move(programs, cluster, folder):
    """A move, and one after a move that was cut off, which removes the partial copy."""
    program = Program(f"{programs}/login-accounts-postgres", cluster.database("planned"), folder)
    with tempfile.TemporaryDirectory() as own:
        file = moves.make(programs, own)
        program.do("move", "--from", file)
        cluster.sql("INSERT INTO settings SELECT 'moving', value FROM settings WHERE name = 'identifierSetting'", "planned")
        done = program.run("move", "--from", file)
        assert done.returncode == 0 and "done anew" in done.stderr, done.stderr


def check(programs, cluster, folder, passed):
    move(programs, cluster, folder)
    with open(cluster.log, errors="replace") as file:
        text = file.read()
    statements, bad = set(), {}
    # Continuation lines begin with a tab.
    for entry in re.split(r"\n(?!\t)", text):
        if not entry.startswith("login-accounts|") or "Query Text: " not in entry:
            continue
        query, _, plan = entry.partition("Query Text: ")[2].partition("\n\t")
        lines = (query + "\n\t" + plan).split("\n")
        # The plan begins at the first line with a cost.
        at = next((index for index, line in enumerate(lines) if "(cost=" in line), len(lines))
        query = " ".join(" ".join(lines[:at]).split())
        statements.add(query)
        scans = [table for table in re.findall(r"Seq Scan on (\w+)", "\n".join(lines[at:])) if table in TABLES]
        if scans and not any(re.search(pattern, query) for pattern in WHOLE):
            bad[query] = scans
    assert len(statements) > 60, f"only {len(statements)} statements were seen"
    assert not bad, "\n".join(f"all of {', '.join(tables)} is read by: {query}" for query, tables in bad.items())
    passed("plans", f"{len(statements)} statements, each by an index")
