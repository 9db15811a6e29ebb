import Glibc

/// A progress line at a terminal: one line on standard error that is rewritten, and erased in the
/// end.
///
/// Nothing is written if standard error is not a terminal, or is a terminal that cannot erase a
/// line (`TERM=dumb`).
public final class ProgressLine {
  private let what: String
  private let total: Int?
  private let descriptor: Int32
  private let isShown: Bool
  private let interval: UInt64
  private var nextTime: UInt64
  private var isThere = false

  /// How long work must last before a line is shown, in milliseconds, so that short work shows
  /// none.
  private static let delay: UInt64 = 500
  /// The shortest time between two updates of the line, in milliseconds.
  private static let interval: UInt64 = 100

  /// Creates a progress line on standard error.
  ///
  /// - Parameters:
  ///   - what: the name of the counted things, such as "transcripts".
  ///   - total: the number of things to be counted, if it is known.
  public convenience init(_ what: String, of total: Int? = nil) {
    self.init(
      what, of: total, on: 2, terminal: getenv("TERM").map { String(cString: $0) } ?? "",
      delay: ProgressLine.delay, interval: ProgressLine.interval)
  }

  /// Creates a progress line on a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor to which the line is written.
  ///   - terminal: the kind of terminal, as in `TERM`.
  ///   - delay: how long work must last before a line is shown, in milliseconds.
  ///   - interval: the shortest time between two updates, in milliseconds.
  init(_ what: String, of total: Int?, on descriptor: Int32, terminal: String, delay: UInt64, interval: UInt64) {
    self.interval = interval
    self.what = what
    self.total = total
    self.descriptor = descriptor
    isShown = isatty(descriptor) == 1 && !["", "dumb"].contains(terminal)
    nextTime = isShown ? MonotonicClock.now() + delay : 0
  }

  deinit { clear() }

  /// Shows the number of things that are done, at most once per interval.
  public func show(_ done: Int) {
    guard isDue else { return }
    write(ProgressLine.text(done, what, of: total))
  }

  /// Shows the current work, at most once per interval.
  public func show(_ text: String) {
    guard isDue else { return }
    write(text)
  }

  /// Erases the progress line, so that other output can be written.
  public func clear() {
    guard isThere else { return }
    isThere = false
    put(ProgressLine.erasing)
  }

  /// A text such as "120 of 557 transcripts (21%)", or "12000 accounts".
  static func text(_ done: Int, _ what: String, of total: Int?) -> String {
    guard let total, total > 0 else { return "\(done) \(what)" }
    let percent = Int(Double(min(max(done, 0), total)) / Double(total) * 100)
    return "\(done) of \(total) \(what) (\(percent)%)"
  }

  private var isDue: Bool { isShown && MonotonicClock.now() >= nextTime }

  private func write(_ text: String) {
    nextTime = MonotonicClock.now() + interval
    isThere = true
    // Longer lines would wrap, and only the last row would be erased.
    put(ProgressLine.erasing + text.prefix(72))
  }

  /// Moves the cursor to the start of the line and erases the line (ECMA-48, EL).
  private static let erasing = "\r\u{1B}[K"

  private func put(_ text: String) { _ = BlockingOutput.write(text, to: descriptor) }
}
