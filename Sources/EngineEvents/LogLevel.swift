/// How important a line of the log is.
public enum LogLevel: Int, CaseIterable, Sendable, Comparable {
  case error, warning, info, debug

  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
