/// The content of updates: the param `detail` of `session/open`.
public enum UpdateDetail: String, CaseIterable, Sendable {
  /// The snapshot. The default.
  case snapshot
  /// The snapshot and the commands.
  case full
  /// The commands.
  case commands

  var hasSnapshot: Bool {
    @inline(__always) get {
      switch self {
      case .snapshot, .full: true
      case .commands: false
      }
    }
  }

  var hasCommands: Bool {
    @inline(__always) get {
      switch self {
      case .full, .commands: true
      case .snapshot: false
      }
    }
  }
}
