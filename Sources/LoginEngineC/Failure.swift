import CLoginEngine

/// The reason why a call of the C interface failed. `text` never contains a value of a line, an
/// answer or a question.
struct Failure: Error {
  let status: Status
  let text: String

  /// The error statuses in login_engine.h.
  enum Status: Int32 {
    case badArgument = 1, badOptions, badAnswer, wrongState, noRoom
  }

  init(_ status: Status, _ text: String) {
    self.status = status
    self.text = text
  }

  static func badArgument(_ text: String) -> Failure { Failure(.badArgument, text) }
  static func badOptions(_ text: String) -> Failure { Failure(.badOptions, text) }

  /// Writes the error text with a final NUL. A text that is too long is cut between two characters.
  func write(to error: UnsafeMutablePointer<login_engine_error>) {
    let room = MemoryLayout<login_engine_error>.size - 1
    var count = 0
    withUnsafeMutableBytes(of: &error.pointee) { memory in
      for scalar in text.unicodeScalars {
        let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        // A NUL would end the C string early.
        guard scalar != "\0", count + bytes.count <= room else { break }
        for byte in bytes {
          memory[count] = byte
          count += 1
        }
      }
      memory[count] = 0
    }
  }
}

/// Runs the body of a C function whose arguments may lie in text that the engine has lent. Wipes
/// the lent text afterwards.
func attempt(
  _ error: UnsafeMutablePointer<login_engine_error>?, endingLoanOf engine: OpaquePointer?,
  _ body: () throws(Failure) -> Void
) -> Int32 {
  defer { Arguments.takeBack(from: engine) }
  return attempt(error, body)
}

/// Runs the body of a C function. Returns its failure as a status and, if `error` is not NULL,
/// writes it there as text.
func attempt(_ error: UnsafeMutablePointer<login_engine_error>?, _ body: () throws(Failure) -> Void) -> Int32 {
  do throws(Failure) {
    try body()
    return 0
  } catch let failure {
    if let error { failure.write(to: error) }
    return failure.status.rawValue
  }
}
