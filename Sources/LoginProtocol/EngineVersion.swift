/// The versions of a program and of the protocol that it speaks.
public struct EngineVersion: Equatable, Sendable {
  /// The program's, by semantic versioning 2.0.0. The head of CHANGELOG.md and the packages take theirs from here.
  public var program = "0.1.0"
  /// What the build is called; empty if it has no name.
  public var build = ""
  /// The protocol's: protocol/CHANGELOG.md.
  public var wire: String { "\(ProtocolVersion.current)" }

  public init(build: String = "") { self.build = build }

  /// The line that `--version` prints.
  /// - Parameter name: the program's.
  public func line(of name: String) -> String {
    "\(name) \(program), protocol \(wire)" + (build.isEmpty ? "" : ", build \(build)") + "\n"
  }
}
