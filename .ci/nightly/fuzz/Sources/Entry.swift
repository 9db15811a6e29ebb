import Glibc

/// Called by libFuzzer when the process starts. The environment variable LOGIN_ENGINE_FUZZ names
/// the target that the process runs, so that one program contains all targets.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  let name = getenv("LOGIN_ENGINE_FUZZ").map { String(cString: $0) } ?? ""
  guard let found = Target(rawValue: name) else {
    fail("LOGIN_ENGINE_FUZZ is none of \(Target.allCases.map(\.rawValue).joined(separator: " "))")
  }
  target = found
  if found == .passkeys { PasskeyTarget.prepare() }
  atexit { say("lines: \(handledLines)") }
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}

nonisolated(unsafe) private var target = Target.json

/// How many lines, flow definitions, regular expressions and the like were handled. One input can
/// contain several.
nonisolated(unsafe) var handledLines = 0

/// What is fuzzed. The code of each target is in a file of its own in this folder; `lines` and
/// `answers` share one.
enum Target: String, CaseIterable {
  /// Lines that a view writes, with steps in between in which time passes, an authenticator fails
  /// or something valid happens.
  case lines
  /// Results with which an authenticator answers.
  case answers
  /// Saved sessions that `session/open` is to open.
  case saved
  /// Flow definitions.
  case flows
  /// Transcripts, which are parsed and replayed.
  case transcripts
  /// Messages of the engine to the built-in accounts, and lines of an export of accounts.
  case accounts
  /// Credentials of passkeys, the data and keys in such credentials, and CBOR.
  case passkeys
  /// Regular expressions.
  case patterns
  /// JSON texts, and the splitting of input into lines.
  case json

  func run(_ input: UnsafeRawBufferPointer) {
    switch self {
    case .lines: WorldTarget.run(Array(input), writesAnswers: false)
    case .answers: WorldTarget.run(Array(input), writesAnswers: true)
    case .saved: SavedTarget.run(Array(input))
    case .flows: FlowTarget.run(Array(input))
    case .transcripts: TranscriptTarget.run(input)
    case .accounts: AccountTarget.run(Array(input))
    case .passkeys: PasskeyTarget.run(Array(input))
    case .patterns: PatternTarget.run(Array(input))
    case .json: JSONTarget.run(input)
    }
  }
}

/// Ends the process in a way that libFuzzer reports as a finding.
func fail(_ text: String) -> Never {
  say("BROKEN: \(text)")
  abort()
}

func say(_ text: String) {
  var text = text + "\n"
  text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// A hash of these bytes, which is the same in every run (FNV-1a, 64 bits).
func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
