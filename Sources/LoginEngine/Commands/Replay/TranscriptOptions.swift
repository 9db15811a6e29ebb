import LoginMachine
import System

/// The engine options that a transcript may contain. None of them runs programs, uses accounts or
/// writes files, so recordings of other people can be replayed safely.
enum TranscriptOptions {
  /// The allowed options. All except `--lockstep` take a value.
  private static let names: Set<String> = [
    "--lockstep", "--flow", "--authenticator", "--max-sessions", "--max-line-bytes", "--max-value-bytes",
    "--idle-timeout", "--drain-timeout", "--clock", "--run",
  ]

  /// Throws an error for the first option that a transcript may not contain. `problem` makes the
  /// error from a text.
  static func check(_ words: [String], _ problem: (String) -> TranscriptError) throws(TranscriptError) {
    var rest = words[...]
    while let name = rest.popFirst() {
      guard names.contains(name) else { throw problem("the option \(name) is none that a transcript may give") }
      guard name != "--lockstep" else { continue }
      guard let value = rest.popFirst() else { throw problem("the option \(name) has no value") }
      guard name != "--clock" || value.hasPrefix("manual=") else {
        throw problem("the clock of a transcript is always moved by hand: write manual=UTCMS")
      }
      guard name != "--flow" || WholeFile.isRegular(value) else {
        throw problem("the flow definition \(value) is no file: --flow is relative to where the replay is started")
      }
      guard name != "--authenticator" || isPlayed(value) else {
        throw problem("the authenticator is none that a transcript may name: write {authenticator} or frontend")
      }
    }
  }

  /// Whether a replay can play the authenticator that a value of `--authenticator` names: it is one
  /// of the replayer's authenticators or the frontend.
  private static func isPlayed(_ value: String) -> Bool {
    let backend = String(split(value).backend)
    return backend == "frontend" || Transcript.authenticator(in: backend)?.prefix.isEmpty == true
  }

  /// Splits `[WHICH=]WHAT` as the engine does. Other text before a `=` is part of a command.
  static func split(_ value: String) -> (which: Substring?, backend: Substring) {
    guard let equals = value.firstIndex(of: "="), equals > value.startIndex,
      value[..<equals].utf8.allSatisfy({ ASCIIName.isPart($0) || $0 == 0x2F || $0 == 0x2A })
    else { return (nil, value[...]) }
    return (value[..<equals], value[value.index(after: equals)...])
  }
}
