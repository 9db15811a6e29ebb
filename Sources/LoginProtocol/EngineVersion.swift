/// The versions of a program and of the protocol that it speaks.
public struct EngineVersion: Equatable, Sendable {
  /// The program's, by semantic versioning 2.0.0. The head of CHANGELOG.md and the packages take theirs from here.
  public var program = "0.1.0"
  /// The protocol's, `MAJOR.MINOR`: protocol/CHANGELOG.md.
  public var wire = "1.0"

  public init() {}

  /// The line that `--version` prints.
  /// - Parameters:
  ///   - name: the program's.
  ///   - build: what the build is called; empty if it has no name.
  public func line(of name: String, build: String) -> String {
    "\(name) \(program), protocol \(wire)" + (build.isEmpty ? "" : ", build \(build)") + "\n"
  }
}
