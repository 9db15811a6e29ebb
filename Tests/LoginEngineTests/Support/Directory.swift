import Foundation
import System
import TestSupport
import Testing

/// A directory for one test of the engine.
final class Directory: TemporaryDirectory {
  var accounts: String { file("accounts.sqlite3") }

  /// A directory with the account of `ada`, created by signing up.
  static func withAccount() throws -> Directory {
    let directory = try Directory()
    let engine = try RunningEngine(in: directory)
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "new", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
    return directory
  }

  /// The options for an authenticator in `sh`. After `ask`, `$id` is the question's number; `ask`
  /// exits the script at the end of input.
  func authenticator(_ body: String) throws -> [String] {
    let script = """
      #!/bin/sh
      line=
      ask() {
        while read -r line || exit 0; do
          case $line in
          *authenticator/submit*) id=${line#*'"id":'}; id=${id%%,*}; return ;;
          esac
        done
      }
      answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
      accept() { answer '{"outcome":"accepted","principal":"ada"}'; }
      \(body)

      """
    return ["--authenticator", "/bin/sh " + (try write(script, to: "authenticator-\(UUID().uuidString)"))]
  }

  /// The bytes of every file in the directory.
  func contents() throws -> [(name: String, bytes: Data)] {
    try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
      FileManager.default.contents(atPath: file(name)).map { (name, $0) }
    }
  }
}
