import JSONCodec
import ViewModel

/// What is written to the log, none of which may be a secret.
final class LogCheck {
  /// What was wrong with the first line that was.
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
