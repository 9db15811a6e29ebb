import EngineCore
import JSONCodec

/// An authenticator as the core's host sees it: a process that can be started, its two pipes, and
/// its questions.
struct SimulatedAuthenticator {
  let profile: AuthenticatorProfile
  var isAvailable = true
  var isRunning = false
  /// Whether it accepts questions.
  var isInputOpen = false
  /// Whether the core has ended its input.
  var isInputEnded = false
  /// Whether it reads its input. If not, its pipe is full.
  var isReading = true
  /// Whether the core was told that the pipe is full, so that `send` is due once there is room.
  var isWaitingForRoom = false
  var book = QuestionBook()
  /// The bytes of an incomplete line that it has read.
  private var partial: [UInt8] = []
  /// The bytes that it has written and the core has not read.
  var pending = PendingBytes()
  /// Whether its last write ended within a line.
  var isMidLine = false
  /// The hash of everything that it has read.
  private(set) var heard = RunningHash()

  init(_ profile: AuthenticatorProfile) { self.profile = profile }

  mutating func start() {
    isRunning = true
    isInputOpen = true
    isInputEnded = false
    isReading = true
    isWaitingForRoom = false
    isMidLine = false
    partial = []
    pending = PendingBytes()
    book.endAll()
  }

  mutating func end() {
    isRunning = false
    isInputOpen = false
    isWaitingForRoom = false
    isMidLine = false
    partial = []
    pending = PendingBytes()
    book.endAll()
  }

  /// Reads bytes from the core. Returns the lines that they complete.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    heard.append(bytes)
    partial.append(contentsOf: bytes)
    var lines: [[UInt8]] = []
    while let end = partial.firstIndex(of: 0x0A) {
      lines.append(Array(partial[..<end]))
      partial.removeSubrange(...end)
    }
    return lines
  }
}
