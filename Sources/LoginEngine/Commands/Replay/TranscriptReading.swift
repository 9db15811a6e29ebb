import Glibc
import JSONCodec
import SecretMemory
import System

extension Transcript {
  /// The deepest nesting that a line may have: that of a message, plus the step around the message.
  private static var maximumDepth: Int { 128 }
  private static var maximumLineBytes: Int { 16 << 20 }
  /// The longest line to which `"length"` can pad a text: longer than the largest line limit of an
  /// engine.
  fileprivate static var longestFilling: Int { (256 << 20) + 2 }
  /// The advice for a file that has no steps or ends within a line.
  private static var adviceOnRecording: String {
    "if it is a recording, the engine ended before it had written more: record the run again"
  }

  /// Reads a transcript file.
  init(reading path: String) throws(TranscriptError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw TranscriptError(text: "\(path): \(SystemError(call: "open", number: errno).reason)")
    }
    defer { Descriptor.close(descriptor) }
    var lines = LineBuffer(maximumLineBytes: Self.maximumLineBytes)
    var number = 0
    var fill = Reading.wouldBlock
    while fill != .endOfFile {
      fill = lines.fill(from: descriptor)
      if case .failed(let error) = fill { throw TranscriptError(text: "\(path): \(error.reason)") }
      while let line = lines.next() ?? (fill == .endOfFile ? lines.nextAtEnd() : nil) {
        number += 1
        try append(line, number)
      }
    }
    guard !entries.isEmpty || !isComplete else {
      let what = number == 0 ? "the file is empty" : "there is no step in it"
      throw TranscriptError(text: "\(path): \(what); \(Self.adviceOnRecording)")
    }
  }

  private mutating func append(_ line: LineBuffer.Line, _ number: Int) throws(TranscriptError) {
    let bytes: UnsafeRawBufferPointer
    var isTerminated = true
    switch line {
    // The recording engine was killed while it wrote this line.
    case .unterminated where !isComplete: return
    case .whole(let text): bytes = text
    case .unterminated(let text):
      bytes = text
      isTerminated = false
    case .tooLong: throw problem(number, "the line is over \(Self.maximumLineBytes) bytes")
    }
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes, maximumDepth: Self.maximumDepth)
    } catch {
      if !isTerminated, error.reason == .truncated {
        throw problem(number, "the file ends in the middle of this line; \(Self.adviceOnRecording)")
      }
      throw problem(number, "not JSON: at byte \(error.offset), \(error.reason.rawValue)")
    }
    try append(value, number)
  }

  private mutating func append(_ value: JSONValue, _ number: Int) throws(TranscriptError) {
    guard let all = value.members, let first = all.first else { throw problem(number, "a step is an object") }
    var members = StepMembers(all)
    switch first.key {
    case "note":
      guard first.value.string != nil else { throw problem(number, "a note is a string") }
    case "options":
      guard entries.isEmpty, let values = first.value.array, values.allSatisfy({ $0.string != nil }) else {
        throw problem(number, "options is an array of strings, before any other step")
      }
      let words = values.compactMap(\.string)
      try TranscriptOptions.check(words) { self.problem(number, $0) }
      options += words
      if let value = members.completeness() { isComplete = value }
    default:
      guard let step = step(first, &members) else {
        throw problem(number, "this is not a step; see protocol/transcripts/README.md")
      }
      if inputHasEnded, step.usesInput { throw problem(number, "the input has ended before") }
      if case .some(let name) = step.authenticator, !authenticators.contains(name) {
        throw problem(number, Self.unknown(name))
      }
      entries.append(Entry(line: number, step: step))
      if members.isUnterminated { entries.append(Entry(line: number, step: .end)) }
      if case .end? = entries.last?.step { inputHasEnded = true }
    }
    guard members.areAllKnown else { throw problem(number, "a member of this step is unknown") }
  }

  private func step(_ first: JSONValue.Member, _ members: inout StepMembers) -> Step? {
    let value = first.value
    switch first.key {
    case "in": return .input(Array((value.text + "\n").utf8))
    case "raw": return value.string.flatMap { members.ended(Array($0.utf8)) }.map { .input($0) }
    case "rawBase16": return value.string.flatMap(bytes(base16:)).flatMap { members.ended($0) }.map { .input($0) }
    case "out": return members.ignored().map { .output(value, ignoring: $0) }
    case "ask":
      let name = members.authenticator()
      return members.ignored().map { .ask(value, ignoring: $0, of: name) }
    case "answer": return .answer(Array((value.text + "\n").utf8), of: members.authenticator())
    case "rawAnswer":
      let name = members.authenticator()
      return value.string.flatMap { members.filled(Array($0.utf8)) }.map { .answer($0 + [0x0A], of: name) }
    case "fault":
      let name = members.authenticator()
      return value.string.flatMap(Transcript.Fault.init).map { .fault($0, of: name) }
    case "signal": return value.string == "terminate" ? .terminate : nil
    case "advance": return value.integer.flatMap { UInt64(exactly: $0) }.map { .advance($0) }
    case "end": return value.bool == true ? .end : nil
    default: return nil
    }
  }

  private func problem(_ line: Int, _ text: String) -> TranscriptError {
    TranscriptError(text: "\(place(line)): \(text)")
  }

  private static func unknown(_ name: String?) -> String {
    guard let name else { return "no authenticator is played: the options say that others decide everything" }
    return "the options name no authenticator {authenticator:\(name)}"
  }

  private func bytes(base16 text: String) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != 0x20 }.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high * 16 + low))
    }
    return bytes
  }
}

/// The members of a step after its first.
private struct StepMembers {
  private var rest: [JSONValue.Member]
  /// Whether the step's line has no newline, so that the engine's input ends within the line.
  private(set) var isUnterminated = false

  init(_ members: [JSONValue.Member]) { rest = Array(members.dropFirst()) }

  var areAllKnown: Bool { rest.isEmpty }

  /// Removes `"unterminated":true`. If the step does not have this member, appends a newline.
  mutating func ended(_ text: [UInt8]) -> [UInt8]? {
    guard let bytes = filled(text) else { return nil }
    isUnterminated = removeMember("unterminated")?.bool == true
    return isUnterminated ? bytes : bytes + [0x0A]
  }

  /// Removes `"length"` and pads the text to that many bytes; `nil` if the length is invalid.
  mutating func filled(_ bytes: [UInt8]) -> [UInt8]? {
    guard let value = removeMember("length") else { return bytes }
    guard let length = value.integer, (max(1, bytes.count)...Transcript.longestFilling).contains(length) else {
      return nil
    }
    return bytes + Array(repeating: 0x78, count: length - bytes.count)
  }

  /// Removes `"ignore"`, an array of JSON pointers; `nil` if it is anything else.
  mutating func ignored() -> [String]? {
    guard let value = removeMember("ignore") else { return [] }
    guard let pointers = value.array?.compactMap(\.string), pointers.count == value.array?.count else { return nil }
    return pointers
  }

  /// Removes `"complete"`, if it is a boolean.
  mutating func completeness() -> Bool? {
    guard let index = rest.firstIndex(where: { $0.key == "complete" && $0.value.bool != nil }) else { return nil }
    return rest.remove(at: index).value.bool
  }

  /// Removes `"authenticator"`, the name of the step's authenticator; `nil` for the one without a
  /// name.
  mutating func authenticator() -> String? {
    guard let index = rest.firstIndex(where: { $0.key == "authenticator" && $0.value.string != nil }) else {
      return nil
    }
    return rest.remove(at: index).value.string
  }

  private mutating func removeMember(_ key: String) -> JSONValue? {
    guard let index = rest.firstIndex(where: { $0.key == key }) else { return nil }
    return rest.remove(at: index).value
  }
}

extension Transcript.Step {
  /// The name of the step's authenticator; `nil` for a step without an authenticator.
  var authenticator: String?? {
    switch self {
    case .ask(_, _, let name), .answer(_, let name), .fault(_, let name): .some(name)
    case .input, .output, .advance, .end, .terminate: nil
    }
  }

  /// Whether the step needs the engine's input to be open.
  fileprivate var usesInput: Bool {
    switch self {
    case .input, .advance, .end: true
    case .output, .ask, .answer, .fault, .terminate: false
    }
  }
}
