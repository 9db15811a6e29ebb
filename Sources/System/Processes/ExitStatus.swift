extension ChildProcess {
  /// The way in which a process ended.
  public enum ExitStatus: Equatable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(signal: Int32)

    /// Makes the exit status from a status of `waitpid(2)`.
    init(waitStatus: Int32) {
      let signal = waitStatus & 0x7F
      self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .killed(signal: signal)
    }

    /// How the process ended, as the rest of a sentence, e.g. `has exited with 1`.
    public var event: String {
      switch self {
      case .exited: "has \(self)"
      case .killed: "was \(self)"
      }
    }

    public var description: String {
      switch self {
      case .exited(let code): "exited with \(code)"
      case .killed(let signal): "killed by signal \(signal)"
      }
    }
  }
}
