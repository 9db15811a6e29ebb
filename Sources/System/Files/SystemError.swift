import CSystem
import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, e.g. `open`.
  public let call: String
  /// The `errno` of the call.
  public let number: Int32

  public init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// The error with the current `errno` of this thread.
  static func last(_ call: String) -> SystemError {
    SystemError(call: call, number: errno)
  }

  /// The system's text for the number, e.g. `No such file or directory`.
  public var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "error \(number)" }
      csystem_error_text(number, start, buffer.count)
      return String(cString: start)
    }
  }

  public var description: String { "\(call): \(reason)" }
}
