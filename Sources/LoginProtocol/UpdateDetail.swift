/// What updates say of what is shown: the param `detail` of `session/open`.
public enum UpdateDetail: String, CaseIterable, Sendable {
  /// The snapshot. What a view gets that asks for nothing.
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
