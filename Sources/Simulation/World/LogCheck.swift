import JSONCodec
import ViewModel

/// Checks that no log line contains a secret.
final class LogCheck {
  /// A description of the first log line that contains a secret; `nil` if there is none.
  private(set) var fault: String?

  func check(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      if firstOffset(of: Secrets.mark, in: UnsafeRawBufferPointer(bytes)) != nil, fault == nil {
        fault = "a secret is in the log: \(string(UnsafeRawBufferPointer(bytes)))"
      }
    }
  }
}
