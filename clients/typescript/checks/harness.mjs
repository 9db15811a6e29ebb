// Counts checks that are written as sentences.

let [passed, failed] = [0, 0];

/** Runs a check, which fails if it throws or takes longer than ten seconds. */
export async function holds(what, check) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("no end after ten seconds")), 10_000)));
  try {
    await Promise.race([check(), late]);
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${what}: ${error.stack}`);
  }
  clearTimeout(timer);
}

export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
