/// How important a line of the log is.
public enum LogLevel: Int, CaseIterable, Sendable, Comparable {
  case error, warning, info, debug

  /// How options and logs call it. Written out, because the runtime's own description of a case costs a tenth of a start.
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
