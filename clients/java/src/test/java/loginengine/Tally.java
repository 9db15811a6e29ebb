package loginengine;

/** Counts what passes and fails. */
final class Tally {
  private int passed, failed;

  void check(String what, boolean holds) {
    if (holds) passed++;
    else failed++;
    if (!holds) System.out.println("FAILED: " + what);
  }

  void print() {
    System.out.println(passed + " passed, " + failed + " failed");
  }
}
