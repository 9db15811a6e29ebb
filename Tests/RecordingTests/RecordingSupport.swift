import FlowFiles
import Foundation
import JSONCodec
import LoginMachine
import LoginProtocol
import Recording
import TestSupport
import Testing

/// A simulated run of an engine: it reports events to a `RunObserver`, and reads the recording and
/// the trace that the observer writes.
final class ObservedRun {
  private let directory: TemporaryDirectory
  private let observer: RunObserver
  private var time: Moment
  private(set) var log: [String] = []

  init(_ configure: (inout RecordingOptions) -> Void = { _ in }) throws {
    directory = try TemporaryDirectory()
    time = Moment(steady: 5000, utc: 1_700_000_000_000)
    var options = RecordingOptions(start: time)
    configure(&options)
    observer = try #require(
      try RunObserver(
        recording: directory.file("recording"), trace: directory.file("trace"), sparing: [], options, log: { _, _ in }))
  }

  func observe(_ event: EngineEvent) { observer.observe(event, at: time) }

  func wait(_ milliseconds: UInt64) {
    time.steady += milliseconds
    time.utc += milliseconds
  }

  func view(
    _ text: String, _ known: KnownValues = .none, isInBatch: Bool = false, waitsForClock: Bool = false
  ) {
    text.withBytes {
      observe(.message(ViewMessage(bytes: $0, isInBatch: isInBatch, known: known, waitsForClock: waitsForClock)))
    }
  }

  /// A call of the view.
  func call(_ method: String, _ params: String, id: String? = nil, _ known: KnownValues = .none) {
    let id = id.map { #""id":\#($0),"# } ?? ""
    view(#"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#, known)
  }

  func output(_ text: String, isClockMoving: Bool = false, asking: AskingSession? = nil) {
    text.withBytes { observe(.output(OutputLine(bytes: $0, isClockMoving: isClockMoving, asking: asking))) }
  }

  func ask(_ text: String, _ asking: AskingSession? = nil, _ name: AuthenticatorName = .only) {
    text.withBytes { observe(.question(QuestionLine(bytes: $0, asking: asking), name)) }
  }

  func reply(_ text: String, _ name: AuthenticatorName = .only, isClosing: Bool = false) {
    text.withBytes { observe(.reply($0, name, isClosing: isClosing)) }
  }

  /// An edit of a password.
  func type(_ secret: String, session: String = "s") {
    call("session/edit", #"{"session":"\#(session)","item":"password","value":"\#(secret)"}"#)
  }

  /// The steps of the recording that are written so far, without the note and the options.
  var recording: [String] { get throws { Array(try lines("recording").dropFirst(2)) } }
  var header: [String] { get throws { Array(try lines("recording").prefix(2)) } }
  var trace: [String] { get throws { try lines("trace") } }

  private func lines(_ file: String) throws -> [String] {
    try String(contentsOfFile: directory.file(file), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Ends the run and returns the steps of the recording.
  @discardableResult func finish() throws -> [String] {
    observer.finish()
    #expect(!observer.hasFailed)
    return try recording
  }
}

extension AuthenticatorName {
  static let only = AuthenticatorName("accounts", inTranscripts: nil)
  static let other = AuthenticatorName("other", inTranscripts: "other")
}

extension String {
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try Array(utf8).withUnsafeBytes(body)
  }
}

/// The first screen of the built-in flow, with `email` and `password`.
func loginScreen() throws -> Screen {
  let flow = try #require(BuiltInFlows.flow(named: "standard"))
  return flow.screens[flow.start]
}

/// The first screen of the built-in flow, with an external item in place of `password`.
func passkeyScreen() throws -> Screen {
  let login = try loginScreen()
  var items = login.items
  let password = try #require(items.firstIndex { $0.isSecret })
  items[password] = Item(
    id: "passkey", apiKey: "assertion", kind: .external(.init(type: "webauthn.get", request: nil, text: nil)),
    title: nil, placeholder: nil, rules: [])
  return Screen(
    id: login.id, title: login.title, request: login.request, sections: login.sections, items: items,
    primary: login.primary, links: login.links, alert: login.alert, success: login.success)
}
