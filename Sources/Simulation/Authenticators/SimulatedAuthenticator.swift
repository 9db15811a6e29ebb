import EngineCore
import JSONCodec

/// An authenticator as the core's host sees it: a process that can be started, two pipes, and what it has been asked.
struct SimulatedAuthenticator {
  let profile: AuthenticatorProfile
  var isAvailable = true
  var isRunning = false
  /// Whether it takes questions.
  var isInputOpen = false
  /// Whether the core has said that nothing more will be sent.
  var isInputEnded = false
  /// Whether it reads what is written to it. If not, its pipe is full.
  var isReading = true
  /// Whether the core was told that the pipe is full, and waits to be told that it is not.
  var owesSend = false
  var book = QuestionBook()
  /// What it has read of a line.
  private var partial: [UInt8] = []
  /// What it has written and the core has not read.
  var pending = PendingBytes()
  /// Whether it has written the beginning of a line.
  var isMidLine = false
  /// Everything that it has read.
  private(set) var heard = RunningHash()

  init(_ profile: AuthenticatorProfile) { self.profile = profile }

  mutating func start() {
    isRunning = true
    isInputOpen = true
    isInputEnded = false
    isReading = true
    owesSend = false
    isMidLine = false
    partial = []
    pending = PendingBytes()
    book.loseAll()
  }

  mutating func end() {
    isRunning = false
    isInputOpen = false
    owesSend = false
    isMidLine = false
    partial = []
    pending = PendingBytes()
    book.loseAll()
  }

  /// Takes so many of the bytes that the core sends. Returns the lines that are whole by that.
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
