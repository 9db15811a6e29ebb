import Foundation

/// The amount of work of tests with an adjustable amount: the events of a walk, the rounds of a
/// fuzzer, the kills of a process.
///
/// The usual run of a debug build does a hundredth of the full amount, because unoptimised code
/// takes ten to thirty times as long. The usual run of a release build does the full amount.
/// `LOGIN_ENGINE_STRESS=N` asks for N times the full amount in either build, and enables the stress
/// tests, which the usual run skips and lists as skipped.
public enum Workload {
  /// N of `LOGIN_ENGINE_STRESS=N`, from 1 on; `nil` if the variable is missing or has any other
  /// value.
  private static let factor: Int? = ProcessInfo.processInfo.environment["LOGIN_ENGINE_STRESS"].flatMap { Int($0) }
    .flatMap { (1...10_000).contains($0) ? $0 : nil }

  /// Whether the stress tests run.
  public static var includesStress: Bool { factor != nil }

  /// Whether more than the full amount is requested, as in nightly runs: then tests also do what
  /// takes an hour.
  public static var takesAnHour: Bool { (factor ?? 0) > 1 }

  /// The comment on a skipped stress test.
  public static let stressHint = "a stress test; LOGIN_ENGINE_STRESS=1 runs it"

  #if DEBUG
    private static let share = 100
  #else
    private static let share = 1
  #endif

  /// This run's share of a full amount, and never less than `least`.
  public static func amount(_ full: Int, atLeast least: Int = 1) -> Int {
    if let factor { return full * factor }
    return max(full / share, least)
  }

  /// This run's part of a list of similar elements: every eighth in the usual run of a debug build,
  /// else all.
  public static func part<Element>(of all: [Element]) -> [Element] {
    guard factor == nil, share > 1 else { return all }
    return stride(from: 0, to: all.count, by: 8).map { all[$0] }
  }
}
