/// The severity of a log line.
public enum LogLevel: Int, CaseIterable, Sendable, Comparable {
  case error, warning, info, debug

  /// The level's name in options and logs. The names are written out, because having the runtime
  /// describe a case takes a tenth of the program's start time.
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
