/// The content of updates: the param `detail` of `session/open`.
public enum UpdateDetail: String, CaseIterable, Sendable {
  /// Updates have the snapshot. This is the default.
  case snapshot
  /// Updates have the snapshot and the commands.
  case full
  /// Updates have only the commands.
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
