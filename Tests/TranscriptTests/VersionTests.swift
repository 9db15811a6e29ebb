import Foundation
import TestSupport
import Testing

/// The program's version is a constant in the sources. All other files that contain the version
/// have to agree with it.
@Suite("The program's version", .waits)
struct VersionTests {
  private static func file(_ path: String) throws -> String {
    try String(contentsOfFile: DocumentTests.root + "/" + path, encoding: .utf8)
  }

  /// The versions of the program and the protocol from `--version`.
  private static func printed() throws -> (program: String, wire: String) {
    let text = try Program(["--version"]).text
    let match = try #require(text.firstMatch(of: #/^login-engine (\S+), protocol (\S+?)(,.*)?\n$/#))
    return (String(match.1), String(match.2))
  }

  @Test("the sources contain the program's version in one place, and --version prints it")
  func oneConstant() throws {
    let (program, wire) = try Self.printed()
    var places: [String] = []
    let sources = DocumentTests.root + "/Sources"
    for case let path as String in try #require(FileManager.default.enumerator(atPath: sources))
    where path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasSuffix(".h") {
      if try Self.file("Sources/" + path).contains("\"\(program)\"") { places.append(path) }
    }
    #expect(places == ["LoginProtocol/EngineVersion.swift"])
    let constants = try Self.file("Sources/" + places[0])
    #expect(constants.contains("var program = \"\(program)\""))
    let numbers = wire.split(separator: ".")
    let version = try Self.file("Sources/LoginProtocol/ProtocolVersion.swift")
    #expect(version.contains("current = ProtocolVersion(major: \(numbers[0]), minor: \(numbers[1]))"))
  }

  @Test("CHANGELOG.md begins with the program's version, and the protocol's changelog with the protocol's version")
  func changelogs() throws {
    let (program, wire) = try Self.printed()
    for (path, version) in [("CHANGELOG.md", program), ("protocol/CHANGELOG.md", wire)] {
      let head = try Self.file(path).split(separator: "\n").first { $0.contains(#/^## \d/#) }
      #expect(head == "## \(version)", "\(path)")
    }
    let heads = try Self.file("CHANGELOG.md").matches(of: #/(?m)^## (.*)$/#).map { String($0.1) }
    #expect(heads.allSatisfy { $0.wholeMatch(of: #/\d+\.\d+\.\d+/#) != nil || $0 == "What a version promises" })
  }

  @Test("the packages for Python and npm have the program's version")
  func packages() throws {
    let version = try Self.printed().program
    #expect(try Self.file("clients/python/pyproject.toml").contains("\nversion = \"\(version)\"\n"))
    let npm = try Self.file("clients/typescript/package.json")
    #expect(npm.contains("\n  \"version\": \"\(version)\",\n"))
    #expect(npm.contains("\n    \"@login-engine/linux-x64\": \"\(version)\"\n"))
  }
}
