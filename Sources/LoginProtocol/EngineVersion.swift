/// The versions of a program and of its protocol.
public struct EngineVersion: Equatable, Sendable {
  /// The program's version (semantic versioning 2.0.0). CHANGELOG.md and the packages have the same
  /// version.
  public var program = "0.1.0"
  /// The name of the program's build; empty if it has none.
  public var build = ""
  /// The version of the protocol; see protocol/CHANGELOG.md.
  public var wire: String { "\(ProtocolVersion.current)" }

  public init(build: String = "") { self.build = build }

  /// The line that `--version` prints.
  ///
  /// - Parameter name: the name of the program.
  public func line(of name: String) -> String {
    "\(name) \(program), protocol \(wire)" + (build.isEmpty ? "" : ", build \(build)") + "\n"
  }
}
