import Glibc

/// The longest wait of a test for an expected event, in milliseconds. A test that passes never
/// waits that long on any machine; one that fails ends after this time.
public let longestWait: Int32 = 120_000

/// Waits until a condition holds. Returns whether it did within the longest wait.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  // Rounds are counted instead of time, so that a pause of the machine counts as one round.
  for _ in 0..<longestWait / 5 {
    if try condition() { return true }
    usleep(5_000)
  }
  return try condition()
}
