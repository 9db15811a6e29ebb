import Glibc

/// How long tests wait for what has to happen, in milliseconds. A test that passes never waits so long on any machine; one that fails
/// ends after this time.
public let longestWait: Int32 = 120_000

/// Waits until a condition holds. Returns whether it did within the longest wait.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  // Turns are counted instead of time, so that a machine that stands still for a while counts as one turn.
  for _ in 0..<longestWait / 5 {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
