/// The severity of a log line.
public enum LogLevel: Int, CaseIterable, Sendable, Comparable {
  case error, warning, info, debug

  /// The name in options and logs. Explicit, because the runtime's description of a case takes a
  /// tenth of the start time.
  public var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "info"
    case .debug: "debug"
    }
  }

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
