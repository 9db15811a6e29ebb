import Glibc
import LoginMachine
import System

/// All authenticators of a transcript that the replayer plays, by their names in the transcript.
/// One of them has no name.
final class ScriptedAuthenticators {
  private let named: [String?: ScriptedAuthenticator]

  /// - Parameter prefix: a unique prefix for the names of the sockets.
  init(_ transcript: Transcript, prefix: String, loop: EventLoop) throws(SystemError) {
    var named: [String?: ScriptedAuthenticator] = [:]
    // The socket names contain numbers, because an authenticator's name can be longer than a
    // socket's name may be.
    for (number, name) in transcript.authenticators.enumerated() {
      named[name] = try ScriptedAuthenticator(
        "\(prefix)-\(number)", canBeMissing: transcript.canMiss(name), loop: loop)
    }
    self.named = named
  }

  /// The authenticator with this name. No other name can be asked for, because the names in a
  /// transcript are checked when it is read.
  subscript(name: String?) -> ScriptedAuthenticator? { named[name] }

  /// Takes the next line from the engine to the authenticator with this name; see
  /// `ScriptedAuthenticator.takeLine`.
  func takeLine(of name: String?, description isExpected: Bool = false) -> [UInt8]? {
    named[name]?.takeLine(description: isExpected)
  }

  /// Takes any line from the engine, with the name of the authenticator that it was sent to.
  func takeAnyLine() -> (name: String?, line: [UInt8])? {
    for (name, authenticator) in named {
      if let line = authenticator.takeLine() { return (name, line) }
    }
    return nil
  }

  /// The names of the authenticators.
  var names: [String?] { Array(named.keys) }
  /// Whether all processes of these authenticators have ended.
  var haveEnded: Bool { named.values.allSatisfy(\.hasEnded) }
  /// The number of authenticator processes that have connected and not ended.
  var count: Int { named.values.reduce(0) { $0 + $1.count } }
  /// Ends those processes that do not read their input; see
  /// `ScriptedAuthenticator.releaseUnresponsive`.
  func releaseUnresponsive() { for authenticator in named.values { authenticator.releaseUnresponsive() } }
  /// Whether the engine may not have read everything that one of the authenticators has sent.
  var areBusy: Bool { named.values.contains(where: \.isBusy) }
}

extension Transcript {
  /// Parses an option whose value ends with a placeholder for the command of one of the replayer's
  /// authenticators. Returns the text before the placeholder and the authenticator's name.
  static func authenticator(in word: String) -> (prefix: Substring, name: String?)? {
    guard word.hasSuffix("}"), let brace = word.lastIndex(of: "{") else { return nil }
    let inner = word[brace...].dropFirst().dropLast()
    let prefix = word[..<brace]
    if inner == "authenticator" { return (prefix, nil) }
    guard inner.hasPrefix("authenticator:") else { return nil }
    let name = inner.dropFirst("authenticator:".count)
    guard !name.isEmpty, name.utf8.allSatisfy(ASCIIName.isPart) else { return nil }
    return (prefix, String(name))
  }

  /// The names of the authenticators that the replayer plays.
  func findAuthenticators() -> Set<String?> {
    let inOptions = Set(options.compactMap { Self.authenticator(in: $0) }.map(\.name))
    return namesAuthenticator ? inOptions : inOptions.union([nil])
  }

  /// Whether an option names an authenticator for all requests. Without such an option, the
  /// replayer's nameless authenticator gets the requests that no option mentions.
  private var namesAuthenticator: Bool {
    zip(options, options.dropFirst()).contains { option, value in
      guard option == "--authenticator" else { return false }
      let which = TranscriptOptions.split(value).which
      return which == nil || which == "*"
    }
  }

  /// Whether the transcript makes an authenticator unavailable, so that its executable must be
  /// removable.
  func canMiss(_ name: String?) -> Bool {
    entries.contains { if case .fault(.unavailable, name) = $0.step { true } else { false } }
  }

  /// The arguments of the engine. The replayer's nameless authenticator gets the requests for which
  /// the options name no other authenticator.
  func arguments(for authenticators: ScriptedAuthenticators) -> [String] {
    arguments { authenticators[$0]?.command ?? [] }
  }

  /// The arguments of the engine, with the given commands for the replayer's authenticators.
  func arguments(commands: (_ name: String?) -> [String]) -> [String] {
    func command(_ name: String?) -> String { CommandWords.join(commands(name)) }
    let named = options.map { word in
      Self.authenticator(in: word).map { $0.prefix + command($0.name) } ?? word
    }
    let isNamed = namesAuthenticator
    return ["--clock", "manual", "--run", "replay"] + (isNamed ? [] : ["--authenticator", command(nil)]) + named
  }
}
