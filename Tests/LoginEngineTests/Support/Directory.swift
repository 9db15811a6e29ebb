import EventLoop
import Foundation
import TestSupport
import Testing

/// A directory for one test of the engine.
final class Directory {
  private let directory: TemporaryDirectory
  var path: String { directory.path }
  var accounts: String { directory.file("accounts.sqlite3") }

  init() throws { directory = try TemporaryDirectory() }

  /// One with the account of `ada`, as somebody signs up.
  static func withAccount() throws -> Directory {
    let directory = try Directory()
    let engine = try Running(in: directory)
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "new", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
    return directory
  }

  /// Writes a file and returns its path.
  func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    let file = directory.file(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    chmod(file, mode)
    return file
  }

  func read(_ name: String) -> String { (try? String(contentsOfFile: directory.file(name), encoding: .utf8)) ?? "" }

  /// An authenticator in the language of `sh`. `$id` is the question's number after `ask`, which ends the script at the end of input.
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
    return ["--authenticator", "/bin/sh " + (try write("authenticator-\(UUID().uuidString)", script))]
  }

  /// Every byte of every file in it but standard error's.
  func contents() throws -> [(name: String, bytes: Data)] {
    try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
      FileManager.default.contents(atPath: directory.file(name)).map { (name, $0) }
    }
  }
}
