import Foundation
import System
import TestSupport
import Testing

/// Symbolic links of other users in the paths of an engine's files.
@Suite(.waits, .enabled(if: geteuid() == 0, "to give links away takes root")) struct TrustedPathTests {
  private let directory: Directory

  init() throws {
    directory = try Directory()
    mkdir(directory.path + "/own", 0o700)
  }

  /// A link of another user in a folder that everyone may write to, such as /tmp.
  private func link(_ name: String, to target: String) -> String {
    mkdir(directory.path + "/shared", 0o700)
    chmod(directory.path + "/shared", 0o1777)
    let link = directory.path + "/shared/" + name
    symlink(target, link)
    lchown(link, 12_345, 12_345)
    return link
  }

  @Test(
    "the engine uses no file through another user's symbolic link, at the end of the path or in the middle",
    arguments: ["--record", "--trace", "--audit", "--restore", "--save-on-exit", "--flow"], [true, false])
  func options(option: String, isLast: Bool) throws {
    let text = #"{"jsonrpc":"2.0","method":"session/open","params":{"session":"a","principal":"admin"}}"# + "\n"
    let file = try directory.write(option == "--flow" ? "{}" : text, to: "own/file")
    let link = self.link(isLast ? "file" : "folder", to: directory.path + (isLast ? "/own/file" : "/own"))
    let path = isLast ? link : link + "/file"
    // Saving sessions renames a file over the link and does not follow it.
    let engine = try RunningEngine([option, path], in: directory)
    engine.endInput()
    #expect(try engine.wait() == .exited(1))
    #expect(engine.log.contains("the link \(link) belongs to another user: "))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == (option == "--flow" ? "{}" : text))
  }

  @Test(
    "the accounts use no file through another user's symbolic link",
    arguments: ["--file", "--pepper", "--blocklist", "--outbox"])
  func accounts(option: String) throws {
    _ = try directory.write("a bad password\n", to: "own/file")
    let link = self.link("folder", to: directory.path + "/own")
    let engine = try RunningEngine(
      accounts: [option, link + (option == "--file" ? "/accounts.sqlite3" : "/file")], in: directory)
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    if option == "--outbox" {
      _ = try engine.update(of: "new", "requestSucceeded")
    } else {
      _ = try engine.update(of: "new", "requestFailed")
    }
    #expect(try engine.finish().status == .exited(0))
    if option != "--outbox" { #expect(engine.log.contains("the link \(link) belongs to another user: ")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/own") == ["file"])
  }

  @Test("the user's own symbolic links are followed, and a folder from mktemp -d works")
  func own() throws {
    symlink("own", directory.path + "/link")
    let files = ["--record", "--trace", "--audit", "--save-on-exit", "--restore"].flatMap {
      [$0, directory.path + "/link/file" + ($0 == "--restore" ? "--save-on-exit" : $0)]
    }
    let engine = try RunningEngine(
      files, accounts: ["--file", directory.path + "/link/accounts.sqlite3"], in: directory)
    try engine.send(Line.setup("new", "ada@example.com", "ada", "correct horse"))
    _ = try engine.update(of: "new", "requestSucceeded")
    #expect(try engine.finish().status == .exited(0))
    #expect(engine.log.isEmpty)
    #expect(FileManager.default.fileExists(atPath: directory.path + "/own/file--record"))
  }

  @Test("a recording overwrites a file only with --overwrite", arguments: ["--record", "--trace"])
  func overwriting(option: String) throws {
    let file = try directory.write("precious", to: "file")
    let engine = try RunningEngine([option, file], in: directory)
    engine.endInput()
    #expect(try engine.wait() == .exited(1))
    #expect(engine.log.contains("\(option): \(file) is there already; give --overwrite"))
    #expect(directory.read("file") == "precious")
    let other = try RunningEngine([option, file, "--overwrite"], in: directory)
    other.endInput()
    #expect(try other.wait() == .exited(0))
    #expect(!directory.read("file").contains("precious"))
  }
}
