import CSystem
import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, e.g. `open`.
  public let call: String
  /// The call's `errno`.
  public let number: Int32

  public init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// With the `errno` of the call that was just made on this thread.
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
