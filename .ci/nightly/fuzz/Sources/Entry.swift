import Glibc

/// What libFuzzer calls. Which target a process runs, LOGIN_ENGINE_FUZZ says, so that one program has them all.
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

/// How many lines, definitions, expressions and the like were handled; an input can have several.
nonisolated(unsafe) var handledLines = 0

/// What is fuzzed. Each has a file of its own here.
enum Target: String, CaseIterable {
  /// What a view writes, with time, faults and proper events in between.
  case lines
  /// What an authenticator writes.
  case answers
  /// `session/open` with something saved.
  case saved
  /// Flow definitions.
  case flows
  /// Transcripts, read and played.
  case transcripts
  /// What the engine asks the built-in accounts, and lines of an export.
  case accounts
  /// Credentials of passkeys, the data and keys in them, and CBOR.
  case passkeys
  /// Regular expressions.
  case patterns
  /// The codec.
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

/// Ends the process in a way that libFuzzer takes for a finding.
func fail(_ text: String) -> Never {
  say("BROKEN: \(text)")
  abort()
}

func say(_ text: String) {
  var text = text + "\n"
  text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// A number that stands for these bytes: the same in every run (FNV-1a, 64 bits).
func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
