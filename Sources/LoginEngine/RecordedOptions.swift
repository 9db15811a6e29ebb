import EventLoop
import JSONCodec

/// The beginning of a recording: a note, and the options that a replay has to be given.
struct RecordedOptions {
  /// With their ends.
  let lines: [UInt8]
  /// Where in the file the time stands for which the end of input is put off. In seconds, and always as long.
  private(set) var drainTimeoutOffset: Int?
  /// Where in the file stands whether the recording is complete.
  private(set) var completenessOffset: Int?

  /// For a run in which nothing was given up: enough for a replayer to answer what was answered, on any machine.
  private static let longDrainTimeout = "060.0"
  /// For a run in which something was given up: replays wait for less long, since nobody answers anyway.
  static let shortDrainTimeout = Array("001.0".utf8)
  /// What a recording is until the engine has done its work, and after that.
  private static let incomplete = "false"
  static let complete = Array("true ".utf8)

  /// - Parameter canOverwrite: whether the file lets things be changed that were written.
  init(_ options: EngineOptions, canOverwrite: Bool) {
    var words: [String] = []
    for file in options.flowFiles { words += ["--flow", file] }
    words += RecordedOptions.authenticators(options)
    if options.isLockstep { words.append("--lockstep") }
    let usual = EngineOptions()
    func add(_ name: String, _ value: Int, _ usual: Int) { if value != usual { words += [name, "\(value)"] } }
    add("--max-sessions", options.maximumSessions, usual.maximumSessions)
    add("--max-line-bytes", options.maximumLineBytes, usual.maximumLineBytes)
    add("--max-value-bytes", options.maximumValueBytes, usual.maximumValueBytes)
    if options.idleTimeout != usual.idleTimeout {
      words += ["--idle-timeout", RecordedOptions.seconds(options.idleTimeout)]
    }
    var text = #"{"note":"A recording."}"# + "\n"
    let plain = words.map { JSONValue.string($0).text }
    text += #"{"options":["# + plain.map { $0 + "," }.joined() + #""--drain-timeout",""#
    if canOverwrite {
      drainTimeoutOffset = text.utf8.count
      text += RecordedOptions.longDrainTimeout + #""],"complete":"#
      completenessOffset = text.utf8.count
      text += RecordedOptions.incomplete + "}\n"
    } else {
      text += RecordedOptions.seconds(options.drainTimeout) + "\"]}\n"
    }
    lines = Array(text.utf8)
  }

  /// Who decides what, if it is not one for all: the frontend, or somebody whom the replayer plays.
  private static func authenticators(_ options: EngineOptions) -> [String] {
    let names = AuthenticatorNames(options.authenticators)
    guard names.areSeveral || options.authenticators.contains(where: { $0.decider == .frontend }) else { return [] }
    let rest = AuthenticatorChoice(.all, .accounts)
    let isComplete = options.authenticators.contains { $0.requests == .all }
    return (options.authenticators + (isComplete ? [] : [rest])).flatMap { choice in
      let name = names.inTranscripts(choice.decider).map { ":\($0)" } ?? ""
      let decider = choice.decider == .frontend ? "frontend" : "{authenticator\(name)}"
      return ["--authenticator", "\(choice.requests.text)=\(decider)"]
    }
  }

  private static func seconds(_ milliseconds: UInt64) -> String {
    let fraction = milliseconds % 1000
    guard fraction > 0 else { return "\(milliseconds / 1000)" }
    return "\(milliseconds / 1000)." + String(String(fraction + 1000).dropFirst())
  }

  /// The JSON pointers to what a replay is described by otherwise, in a line that answers `engine/describe`, as JSON; `nil` for other lines.
  static func describedPointers(_ line: UnsafeRawBufferPointer) -> String? {
    guard contains(line, #""features":["#), let message = try? JSONValue(parsing: line) else { return nil }
    func places(_ reply: JSONValue, _ prefix: String) -> [JSONValue] {
      guard reply["result"]?["features"] != nil else { return [] }
      return ["features", "authenticators"].filter { reply["result"]?[$0] != nil }
        .map { .string("\(prefix)/result/\($0)") }
    }
    let pointers = message.array?.enumerated().flatMap { places($1, "/\($0)") } ?? places(message, "")
    return pointers.isEmpty ? nil : JSONValue.array(pointers).text
  }

  private static func contains(_ line: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    let wanted = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard line.count >= wanted.count else { return false }
    return (0...line.count - wanted.count).contains { start in
      line[start] == wanted[0]
        && sameBytes(UnsafeRawBufferPointer(rebasing: line[start..<start + wanted.count]), wanted)
    }
  }
}
