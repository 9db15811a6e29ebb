import CLoginEngine
import JSONCodec

/// Checks the arguments of the C functions in login_engine.h.
enum Arguments {
  static func engine(_ pointer: OpaquePointer?) throws(Failure) -> HostedEngine {
    guard let engine = hosted(pointer) else { throw .badArgument("the engine is NULL") }
    return engine
  }

  /// Wipes the text that an engine has lent.
  static func takeBack(from pointer: OpaquePointer?) { hosted(pointer)?.takeBack() }

  private static func hosted(_ pointer: OpaquePointer?) -> HostedEngine? {
    pointer.map { Unmanaged<HostedEngine>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }

  /// Checks a text that is given by pointer and length. NULL with the length 0 is the empty text.
  static func text(
    _ bytes: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
  ) throws(Failure) -> UnsafeRawBufferPointer {
    // A size_t over half of the address space becomes a negative Int.
    guard length >= 0 else { throw .badArgument("the length of the \(name) is too large") }
    guard bytes != nil || length == 0 else { throw .badArgument("the \(name) is NULL") }
    return UnsafeRawBufferPointer(start: bytes, count: length)
  }

  /// Checks the pointer to which a function writes a result, which must not be NULL.
  static func result<Value>(
    _ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString
  ) throws(Failure) -> UnsafeMutablePointer<Value> {
    guard let pointer else { throw .badArgument("the place for the \(name) is NULL") }
    return pointer
  }

  /// Checks a line of an authenticator, which must be one JSON object. Returns the line without its
  /// newline.
  static func answer(_ bytes: UnsafePointer<CChar>?, _ length: Int) throws(Failure) -> UnsafeRawBufferPointer {
    var line = try text(bytes, length, "answer")
    if line.last == 0x0A { line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
    guard !line.contains(0x0A) else { throw Failure(.badAnswer, "the answer is more than one line") }
    var document = JSONDocument()
    do throws(JSONError) {
      try document.parse(line)
    } catch {
      throw Failure(.badAnswer, "the answer is not JSON: at byte \(error.offset), \(error.reason.rawValue)")
    }
    guard let root = document.root, document.kind(root) == .object else {
      throw Failure(.badAnswer, "the answer is not a JSON object")
    }
    return line
  }
}

extension login_engine_text {
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes: bytes.isEmpty ? nil : bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: bytes.count)
  }
}
