import Glibc

/// Tells a person at a terminal how far long work has come: one line on standard error that is written anew, and taken away in the end.
///
/// Where standard error is no terminal, or one that cannot take a line away (`TERM=dumb`), nothing is written.
public final class ProgressLine {
  private let what: String
  private let total: Int?
  private let descriptor: Int32
  private let isShown: Bool
  private let interval: UInt64
  private var nextTime: UInt64
  private var isThere = false

  /// Short work is over before anybody looks, in milliseconds.
  private static let delay: UInt64 = 500
  /// How often the line is written anew at most, in milliseconds.
  private static let interval: UInt64 = 100

  /// - Parameters:
  ///   - what: what is counted, such as "transcripts".
  ///   - total: how many there are, if that is known.
  public convenience init(_ what: String, of total: Int? = nil) {
    self.init(
      what, of: total, on: 2, terminal: getenv("TERM").map { String(cString: $0) } ?? "",
      delay: ProgressLine.delay, interval: ProgressLine.interval)
  }

  /// - Parameters:
  ///   - descriptor: where the line is written.
  ///   - terminal: the kind of terminal, as `TERM` has it.
  ///   - delay: how long nothing is shown, in milliseconds.
  ///   - interval: for how long what is shown stays, in milliseconds.
  init(_ what: String, of total: Int?, on descriptor: Int32, terminal: String, delay: UInt64, interval: UInt64) {
    self.interval = interval
    self.what = what
    self.total = total
    self.descriptor = descriptor
    isShown = isatty(descriptor) == 1 && !["", "dumb"].contains(terminal)
    nextTime = isShown ? MonotonicClock.now() + delay : 0
  }

  deinit { clear() }

  /// Shows how many are done, unless that was shown a moment ago.
  public func show(_ done: Int) {
    guard isDue else { return }
    write(ProgressLine.text(done, what, of: total))
  }

  /// Shows what is being done, unless something was shown a moment ago.
  public func show(_ text: String) {
    guard isDue else { return }
    write(text)
  }

  /// Takes the line away, so that something else can be written.
  public func clear() {
    guard isThere else { return }
    isThere = false
    put(ProgressLine.erasing)
  }

  /// Such as "120 of 557 transcripts (21%)", or "12000 accounts".
  static func text(_ done: Int, _ what: String, of total: Int?) -> String {
    guard let total, total > 0 else { return "\(done) \(what)" }
    let percent = Int(Double(min(max(done, 0), total)) / Double(total) * 100)
    return "\(done) of \(total) \(what) (\(percent)%)"
  }

  private var isDue: Bool { isShown && MonotonicClock.now() >= nextTime }

  private func write(_ text: String) {
    nextTime = MonotonicClock.now() + interval
    isThere = true
    // Longer lines would wrap, and only the last row would be taken away.
    put(ProgressLine.erasing + text.prefix(72))
  }

  /// To the beginning of the line, and all behind that away (ECMA-48, EL).
  private static let erasing = "\r\u{1B}[K"

  private func put(_ text: String) { _ = BlockingOutput.write(text, to: descriptor) }
}
