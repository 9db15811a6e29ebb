import EngineCore
import JSONCodec

/// An authenticator as the core's host sees it: a process that can be started, the process's two
/// pipes, and the questions sent to it.
struct SimulatedAuthenticator {
  let profile: AuthenticatorProfile
  var isAvailable = true
  var isRunning = false
  /// Whether the authenticator still accepts questions. When it wants no more of them, it closes
  /// its input.
  var isInputOpen = false
  /// Whether the core has ended the authenticator's input.
  var isInputEnded = false
  /// Whether the authenticator reads its input. If it does not, the simulation treats the pipe as
  /// full.
  var isReading = true
  /// Whether the core was told that the authenticator's pipe is full. `send` must be called as soon
  /// as there is room again.
  var isWaitingForRoom = false
  var book = QuestionBook()
  /// The part of an incomplete line that the authenticator has read so far.
  private var partial: [UInt8] = []
  /// The bytes that the authenticator has written and the core has not read.
  var pending = PendingBytes()
  /// Whether the authenticator's last write ended in the middle of a line.
  var isMidLine = false
  /// The hash of everything that the authenticator has read from the core.
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

  /// Lets the authenticator read bytes from the core. Returns the lines that these bytes complete.
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
