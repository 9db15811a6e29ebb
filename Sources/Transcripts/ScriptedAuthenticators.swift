import CommandLineKit
import EventLoop
import Glibc

/// All the authenticators of a transcript that the replayer plays, by what the transcript calls them. One has no name.
final class ScriptedAuthenticators {
  private let named: [String?: ScriptedAuthenticator]

  /// - Parameter prefix: a name for the sockets that nobody else uses.
  init(_ transcript: Transcript, prefix: String, loop: EventLoop) throws(SystemError) {
    var named: [String?: ScriptedAuthenticator] = [:]
    // Their own names may be longer than a socket's can be.
    for (number, name) in transcript.authenticators.enumerated() {
      named[name] = try ScriptedAuthenticator(
        "\(prefix)-\(number)", canBeMissing: transcript.misses(name), loop: loop)
    }
    self.named = named
  }

  /// The one of that name. A transcript that was read names no other.
  subscript(name: String?) -> ScriptedAuthenticator? { named[name] }

  /// What the engine said next to the one of that name; see `ScriptedAuthenticator.takeLine`.
  func takeLine(of name: String?, description isExpected: Bool = false) -> [UInt8]? {
    named[name]?.takeLine(description: isExpected)
  }

  /// What the engine said that nobody expects, and to whom.
  func takeAnyLine() -> (name: String?, line: [UInt8])? {
    for (name, authenticator) in named {
      if let line = authenticator.takeLine() { return (name, line) }
    }
    return nil
  }

  /// Their names.
  var names: [String?] { Array(named.keys) }
  /// Whether all their processes have ended.
  var haveEnded: Bool { named.values.allSatisfy(\.hasEnded) }
  /// How many processes have connected and not ended.
  var count: Int { named.values.reduce(0) { $0 + $1.count } }
  /// Whether what one has said before is still on its way.
  var areBusy: Bool { named.values.contains(where: \.isBusy) }
}

extension Transcript {
  /// What stands in options for the command that starts one of the replayer's own authenticators: whatever stands before it, and its name.
  static func authenticator(in word: String) -> (prefix: Substring, name: String?)? {
    guard word.hasSuffix("}"), let brace = word.lastIndex(of: "{") else { return nil }
    let inner = word[brace...].dropFirst().dropLast()
    let prefix = word[..<brace]
    if inner == "authenticator" { return (prefix, nil) }
    guard inner.hasPrefix("authenticator:") else { return nil }
    let name = inner.dropFirst("authenticator:".count)
    guard !name.isEmpty, name.utf8.allSatisfy(CommandWords.isPartOfName) else { return nil }
    return (prefix, String(name))
  }

  /// What the options call the authenticators that the replayer plays.
  func findAuthenticators() -> Set<String?> {
    let inOptions = Set(options.compactMap { Self.authenticator(in: $0) }.map(\.name))
    return namesAuthenticator ? inOptions : inOptions.union([nil])
  }

  /// Whether the options say who decides all that nobody else does, so that the replayer's nameless authenticator has nothing to do unless they name it.
  private var namesAuthenticator: Bool {
    zip(options, options.dropFirst()).contains { option, value in
      guard option == "--authenticator" else { return false }
      let which = TranscriptOptions.split(value).which
      return which == nil || which == "*"
    }
  }

  /// Whether an authenticator has to be one that can be taken away.
  fileprivate func misses(_ name: String?) -> Bool {
    entries.contains { if case .fault(.unavailable, name) = $0.step { true } else { false } }
  }

  /// The arguments that an engine is started with. The replayer's nameless authenticator decides whatever the options do not say who decides.
  func arguments(for authenticators: ScriptedAuthenticators) -> [String] {
    func command(_ name: String?) -> String { CommandWords.join(authenticators[name]?.command ?? []) }
    let named = options.map { word in
      Self.authenticator(in: word).map { $0.prefix + command($0.name) } ?? word
    }
    return ["--clock", "manual"] + (namesAuthenticator ? [] : ["--authenticator", command(nil)]) + named
  }
}
