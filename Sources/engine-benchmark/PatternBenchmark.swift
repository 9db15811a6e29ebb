import LoginMachine

/// Measures the worst case of pattern matching, in this process: the accepted pattern that takes
/// longest, on an input of the greatest length.
struct PatternBenchmark {
  /// The accepted pattern that takes longest: every position of the pattern is active at each of
  /// the 4,096 characters, so no accepted pattern takes more steps.
  private static let slowest = "([a-z]*){256}"
  private static let length = 4096

  func run() throws(Failure) -> [Figure] {
    let pattern: Pattern
    do throws(PatternError) { pattern = try Pattern(Self.slowest) } catch {
      throw Failure("the pattern is refused: \(error.reason.explanation)")
    }
    let text = [UInt8](repeating: 0x61, count: Self.length)
    var times: [Double] = []
    for _ in 0..<200 {
      let begin = Clock.now()
      guard pattern.matches(text.span) else { throw Failure("the pattern does not match") }
      times.append(Double(Clock.now() - begin) / 1_000)
    }
    return [
      Figure("pattern.slowest", "the slowest pattern on 4 KiB", "us", [times.percentile(50)], aim: .atMost(1_000))
    ]
  }
}
