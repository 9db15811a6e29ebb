import CSystem

/// The command line of this process.
public enum ProcessArguments {
  /// All words of the command line, the name of the program first.
  public static var all: [String] {
    (0..<csystem_argument_count()).compactMap { csystem_argument($0).map { String(cString: $0) } }
  }
}
