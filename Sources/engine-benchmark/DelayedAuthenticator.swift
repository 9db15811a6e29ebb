import Glibc
import JSONCodec
import System

/// An authenticator that answers each question after a second and has any number of questions open
/// at once. It gives the first answer only after a given number of questions has arrived.
///
/// This proves that the engine asks all these questions at the same time: if the engine held one
/// back, the authenticator would answer none.
enum DelayedAuthenticator {
  /// The command-line argument that makes this program act as the delayed authenticator. The number
  /// of questions follows it.
  static let argument = "patient-authenticator"
  private static let delay: UInt64 = 1_000_000_000

  /// Answers the questions on standard input until standard input ends. Gives no answer before
  /// `together` questions are open. Returns the exit status.
  static func run(together: Int) -> Int32 {
    var lines = ByteBuffer(capacity: 1 << 20)
    var answers = ByteBuffer(capacity: 1 << 16)
    var document = JSONDocument()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var waiting: ArraySlice<(id: UInt64, due: UInt64)> = []
    var isComplete = false
    while true {
      if waiting.count >= together { isComplete = true }
      var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let now = Clock.now()
      let time = isComplete ? waiting.first.map { $0.due > now ? Int32(($0.due - now) / 1_000_000) + 1 : 0 } : nil
      if poll(&entry, 1, time ?? -1) > 0 {
        let count = read(0, &chunk, chunk.count)
        guard count > 0 else { return count == 0 ? 0 : 1 }
        chunk.withUnsafeBytes { lines.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        let taken = lines.withBytes { takeQuestions($0, &document, &waiting) }
        lines.consume(taken)
      }
      while isComplete, let next = waiting.first, next.due <= Clock.now() {
        append(next.id, &answers)
        waiting = waiting.dropFirst()
      }
      while !answers.isEmpty {
        guard case .written(let written) = answers.withBytes({ Descriptor.write(1, $0) }) else { return 1 }
        answers.consume(written)
      }
    }
  }

  /// Appends the questions in the complete lines to `waiting`. Returns the length of these lines.
  private static func takeQuestions(
    _ bytes: UnsafeRawBufferPointer, _ document: inout JSONDocument,
    _ waiting: inout ArraySlice<(id: UInt64, due: UInt64)>
  ) -> Int {
    var start = 0
    while let end = OutputBuffer.lineEnd(bytes, from: start) {
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      start = end + 1
      guard (try? document.parse(line)) != nil, let root = document.root, let id = document.member("id", of: root),
        let number = document.wholeNumber(id)
      else { continue }
      waiting.append((number, Clock.now() + delay))
    }
    return start
  }

  private static func append(_ id: UInt64, _ answers: inout ByteBuffer) {
    answers.append("{\"jsonrpc\":\"2.0\",\"id\":")
    answers.append(decimal: id)
    answers.append(",\"result\":{\"outcome\":\"accepted\",\"principal\":\"ada\"}}\n")
  }
}
