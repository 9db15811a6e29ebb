import Glibc

/// How long tests wait at most for an expected event, in milliseconds. On any machine, a test that
/// passes waits for less long, and a test that fails ends after this time.
public let longestWait: Int32 = 120_000

/// Waits until a condition holds. Returns false if it does not hold within `longestWait`.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  // The loop counts its rounds instead of time, so that a pause of the machine counts as one round.
  for _ in 0..<longestWait / 5 {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
