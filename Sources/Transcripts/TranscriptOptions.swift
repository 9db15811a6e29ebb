import CommandLineKit

/// The options that a transcript may give to the engine: none that runs programs, uses accounts or writes files, so that a recording by
/// somebody else can be replayed.
enum TranscriptOptions {
  /// Each is followed by a value but the first.
  private static let names: Set<String> = [
    "--lockstep", "--flow", "--authenticator", "--max-sessions", "--max-line-bytes", "--max-value-bytes",
    "--idle-timeout", "--drain-timeout", "--clock",
  ]

  /// Throws what `problem` makes of the first that it may not give.
  static func check(_ words: [String], _ problem: (String) -> TranscriptError) throws(TranscriptError) {
    var rest = words[...]
    while let name = rest.popFirst() {
      guard names.contains(name) else { throw problem("the option \(name) is none that a transcript may give") }
      guard name != "--lockstep" else { continue }
      guard let value = rest.popFirst() else { throw problem("the option \(name) has no value") }
      guard name != "--clock" || value.hasPrefix("manual=") else {
        throw problem("the clock of a transcript is always moved by hand: write manual=UTCMS")
      }
      guard name != "--authenticator" || isPlayed(value) else {
        throw problem("the authenticator is none that a transcript may name: write {authenticator} or frontend")
      }
    }
  }

  /// Whether somebody is named who is there in a replay: the replayer, or the frontend.
  private static func isPlayed(_ value: String) -> Bool {
    let decider = String(split(value).decider)
    return decider == "frontend" || Transcript.authenticator(in: decider)?.prefix.isEmpty == true
  }

  /// Takes `[WHICH=]WHAT` apart as the engine does, which takes anything else before a `=` for a part of a command.
  static func split(_ value: String) -> (which: Substring?, decider: Substring) {
    guard let equals = value.firstIndex(of: "="), equals > value.startIndex,
      value[..<equals].utf8.allSatisfy({ CommandWords.isPartOfName($0) || $0 == 0x2F || $0 == 0x2A })
    else { return (nil, value[...]) }
    return (value[..<equals], value[value.index(after: equals)...])
  }
}
