import JSONCodec
import LoginProtocol

/// A line of a transcript, without its terminator.
struct TranscriptStep: Equatable {
  let bytes: [UInt8]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }
  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The end of input.
  static let end = TranscriptStep(#"{"end":true}"#)
  /// The signal to stop the engine.
  static let terminate = TranscriptStep(#"{"signal":"terminate"}"#)

  /// A note. `text` must not contain characters that JSON has to escape.
  static func note(_ text: String) -> TranscriptStep { TranscriptStep(#"{"note":"\#(text)"}"#) }

  static func advance(_ milliseconds: UInt64) -> TranscriptStep { TranscriptStep(#"{"advance":\#(milliseconds)}"#) }

  /// The step for a line of a view. The line is written as JSON, or as a raw text if a replay could
  /// not reproduce its bytes from the JSON.
  static func input(_ text: [UInt8]) -> TranscriptStep {
    let isSame = (try? JSONValue(parsing: text))?.text.utf8.elementsEqual(text) ?? false
    return isSame ? member("in", text) : .text("raw", text)
  }

  /// The step for a line of the engine's output.
  ///
  /// - Parameter ignored: the JSON pointers, as a JSON text, to the values that may differ in a
  ///   replay.
  static func output(_ text: [UInt8], ignoring ignored: String?) -> TranscriptStep {
    member("out", text, ignored.map { #","ignore":\#($0)"# } ?? "")
  }

  static func question(_ text: [UInt8], to name: AuthenticatorName) -> TranscriptStep {
    member("ask", text, which(name))
  }

  static func answer(_ text: [UInt8], from name: AuthenticatorName) -> TranscriptStep {
    member("answer", text, which(name))
  }

  /// The step for a line of an authenticator that is not JSON, or whose exact bytes matter.
  ///
  /// - Parameter length: the length of the line, if it is longer than `text`.
  static func rawAnswer(_ text: [UInt8], length: Int? = nil, from name: AuthenticatorName) -> TranscriptStep {
    .text("rawAnswer", text, (length.map { #","length":\#($0)"# } ?? "") + which(name))
  }

  static func fault(_ fault: String, of name: AuthenticatorName) -> TranscriptStep {
    TranscriptStep(#"{"fault":"\#(fault)"\#(which(name))}"#)
  }

  /// A step whose first member is a string.
  static func text(_ name: String, _ text: [UInt8], _ more: String = "") -> TranscriptStep {
    var string = ByteBuffer()
    text.withUnsafeBytes { string.appendJSONString($0) }
    return member(name, string.array(), more)
  }

  private static func member(_ name: String, _ value: [UInt8], _ more: String = "") -> TranscriptStep {
    TranscriptStep(Array(#"{"\#(name)":"#.utf8) + value + Array("\(more)}".utf8))
  }

  /// The member that tells which authenticator a step belongs to. Names of authenticators contain
  /// no character that JSON has to escape.
  private static func which(_ name: AuthenticatorName) -> String {
    name.inTranscripts.map { #","authenticator":"\#($0)""# } ?? ""
  }
}
