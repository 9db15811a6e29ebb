import Foundation

/// How much work a test does if its amount is adjustable: how many random events it sends, how many
/// rounds a fuzzer runs, or how often a process is killed.
///
/// The usual run of a debug build does a hundredth of the full amount, because unoptimised code
/// takes ten to thirty times as long. The usual run of a release build does the full amount.
/// `LOGIN_ENGINE_STRESS=N` asks for N times the full amount in either build, and enables the stress
/// tests, which the usual run skips and lists as skipped.
public enum Workload {
  /// N of `LOGIN_ENGINE_STRESS=N`, from 1 to 10,000; `nil` if the variable is missing or has any
  /// other value.
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

  /// How much of a full amount a test does in this run, never less than `least`.
  public static func amount(_ full: Int, atLeast least: Int = 1) -> Int {
    if let factor { return full * factor }
    return max(full / share, least)
  }

  /// The elements of a list of similar elements that are tested in this run: every eighth in the
  /// usual run of a debug build, and otherwise all.
  public static func part<Element>(of all: [Element]) -> [Element] {
    guard factor == nil, share > 1 else { return all }
    return stride(from: 0, to: all.count, by: 8).map { all[$0] }
  }
}
