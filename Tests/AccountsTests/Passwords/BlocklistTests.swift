import Accounts
import CCrypto
import Foundation
import TestSupport
import Testing

@Suite struct BlocklistTests {
  let folder: TemporaryDirectory
  var path: String { folder.file("blocklist") }

  init() throws { folder = try TemporaryDirectory() }

  private static let known = (0..<300).map { "known password \($0 * 7_919 % 10_007)" }
  private static let unknown =
    (0..<300).map { "Known password \($0)" } + ["", "known", "known password 99999", "zebra 9", "A"]

  @Test func `only the passwords in a blocklist of words are found in it`() throws {
    try write(Self.known.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    try expectExact()
  }

  @Test(arguments: [":3", ":12345", ""]) func `only the passwords in a blocklist of digests are found in it`(
    count: String
  )
    throws
  {
    try write(Self.known.map { digest($0) + count }.sorted())
    try expectExact()
    try write(Self.known.map { digest($0).lowercased() + count }.sorted(), separator: "\r\n")
    try expectExact()
  }

  @Test(arguments: [true, false])
  func `a byte order mark is ignored at the start of a blocklist and belongs to the line elsewhere`(isDigests: Bool)
    throws
  {
    let lines = isDigests ? Self.known.map { digest($0) }.sorted() : Self.known.sorted()
    try write(["\u{FEFF}" + lines[0]] + lines.dropFirst())
    try expectExact()
    #expect(try Blocklist.check(path: path) == lines.count)
    if isDigests {
      try write([lines[0], "\u{FEFF}" + lines[1]])
      #expect(throws: BlocklistError.malformed(line: 2)) { try Blocklist(path: path) }
    }
    try Data([0xEF, 0xBB, 0xBF]).write(to: URL(fileURLWithPath: path))
    #expect(throws: BlocklistError.empty) { try Blocklist(path: path) }
  }

  @Test(.enabled(if: geteuid() == 0, "to give links away takes the rights of root"), arguments: [true, false])
  func `a blocklist that other users could replace is refused`(isLink: Bool) throws {
    try write(["a bad password"])
    symlink("blocklist", folder.file("link"))
    _ = try Blocklist(path: folder.file("link"))
    if isLink { lchown(folder.file("link"), 12_345, 0) } else { chmod(path, 0o666) }
    #expect(throws: BlocklistError.self) { try Blocklist(path: folder.file("link")) }
  }

  @Test func `both the normal form and the typed form of a password are looked up in the blocklist`() throws {
    try write(["caf\u{E9} cr\u{E8}me"])
    #expect(try isKnown("cafe\u{301} cre\u{300}me", in: Blocklist(path: path)))
    try write(["cafe\u{301} cre\u{300}me"])
    #expect(try isKnown("cafe\u{301} cre\u{300}me", in: Blocklist(path: path)))
  }

  @Test(
    arguments: [
      (["b 2345678", "c 2345678", "a 2345678"], .unsorted(line: 3)), (["a", "", "b"], .malformed(line: 2)),
      (["a", String(repeating: "b", count: 1_025), "c"], .malformed(line: 2)),
      (["a", "b\0", "c"], .malformed(line: 2)),
      ([digest("a"), "no digest"], .malformed(line: 2)), ([digest("a"), digest("a") + ":"], .malformed(line: 2)),
      ([digest("a"), digest("a") + ":1x"], .malformed(line: 2)),
      ([digest("a"), digest("a") + "0"], .malformed(line: 2)),
      (["F" + digest("a").dropFirst(), "0" + digest("a").dropFirst()], .unsorted(line: 2)),
    ] as [([String], BlocklistError)])
  func `an unsorted or malformed blocklist is refused with the number of the bad line`(
    lines: [String], error: BlocklistError
  ) throws {
    try write(lines)
    #expect(throws: error) { try Blocklist(path: path) }
    #expect(throws: error) { try Blocklist.check(path: path) }
  }

  @Test(
    arguments: [
      (["# list", digest("a"), digest("b")], .mixed(line: 2)),
      (["# list", "# of digests", digest("a") + ":3"], .mixed(line: 3)),
      (["00000", digest("a").lowercased()], .mixed(line: 2)),
      (["a password", String(repeating: "e1", count: 16)], .mixed(line: 2)),
      (["a password", String(repeating: "e1", count: 32) + ":9"], .mixed(line: 2)),
      (["# SHA-512", String(repeating: "0A", count: 64)], .mixed(line: 2)),
      ([digest("a"), "# the rest"], .malformed(line: 2)),
      ([digest("a"), String(repeating: "F", count: 32)], .malformed(line: 2)),
      ([String(repeating: "0A", count: 28)], .otherDigests), ([String(repeating: "0A", count: 64)], .otherDigests),
      (["", digest("a")], .malformed(line: 1)), (["a", "\r"], .malformed(line: 2)),
    ] as [([String], BlocklistError)])
  func `a blocklist with lines of several kinds is refused with the number of a line and the remedy`(
    lines: [String], error: BlocklistError
  ) throws {
    try write(lines)
    #expect(throws: error) { try Blocklist(path: path) }
    #expect(throws: error) { try Blocklist.check(path: path) }
    // The message names the remedy.
    #expect(error.explanation.contains("take ") || error.explanation.contains("give "))
  }

  @Test func `a long blocklist of digests that starts with a comment is refused`() throws {
    // So long that only samples are checked.
    try write(["# list"] + Array(repeating: digest("a"), count: 200_000))
    let error = #expect(throws: BlocklistError.self) { try Blocklist(path: path) }
    guard case .mixed = error else { return #expect(error == .mixed(line: 2)) }
  }

  @Test func `a blocklist of words may contain words that resemble digests`() throws {
    let words = [
      "cafe", "deadbeef", "f00" + digest("a"), digest("a").dropLast() + "", digest("a") + "x", digest("b") + ":x",
    ]
    try write(words.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(try isKnown("deadbeef", in: Blocklist(path: path)))
  }

  @Test func `an empty or missing blocklist is refused`() throws {
    #expect(throws: BlocklistError.unreadable(code: ENOENT)) { try Blocklist(path: path) }
    #expect(throws: BlocklistError.unreadable(code: EINVAL)) { try Blocklist(path: "/dev/null") }
    try "".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: BlocklistError.empty) { try Blocklist(path: path) }
  }

  @Test func `a replaced blocklist takes effect at once, and while it is unusable no new password can be set`() throws {
    try write(["first list"])
    let list = try Blocklist(path: path)
    #expect(try isKnown("first list", in: list))
    try write(["other list"])
    #expect(try !isKnown("first list", in: list))
    #expect(try isKnown("other list", in: list))
    try write(["b", "a"])
    #expect(throws: AccountStoreError.blocklistUnusable(.unsorted(line: 2))) { try isKnown("other list", in: list) }
  }

  @Test func `a blocklist that is truncated while it is open causes an error and does not end the process`() throws {
    try write((10_000..<20_000).map { "known password \($0)" })
    let list = try BlocklistFile(path: path)
    #expect(try Array("known password 19999".utf8).withUnsafeBytes { try list.contains($0) })
    #expect(truncate(path, 42) == 0)
    #expect(throws: BlocklistError.malformed(line: 3)) {
      try Array("known password 19999".utf8).withUnsafeBytes { try list.contains($0) }
    }
  }

  @Test(arguments: [32, 64], ["", ":7"]) func `a blocklist of digests that are not SHA-1 is refused`(
    digits: Int, count: String
  ) throws {
    try write([String(repeating: "0A", count: digits / 2) + count])
    #expect(throws: BlocklistError.otherDigests) { try Blocklist(path: path) }
  }

  @Test func `a sign-up with a password from the blocklist is refused`() throws {
    try write(["correct horse", "wrong horse"])
    let list = try Blocklist(path: path)
    let file = try TemporaryFile()
    let store = try file.store { $0.passwordRules.blocklist = list }
    #expect(try store.register("ada@example.com", "ada") == .refused([RefusedValue(.password, .common)]))
    #expect(try store.register("ada@example.com", "ada", "another horse").isAccepted)
  }

  private func expectExact() throws {
    let list = try Blocklist(path: path)
    #expect(try Self.known.filter { try !isKnown($0, in: list) } == [])
    #expect(try Self.unknown.filter { try isKnown($0, in: list) } == [])
    #expect(try Blocklist.check(path: path) == Self.known.count)
  }

  private func isKnown(_ password: String, in list: Blocklist) throws -> Bool {
    var rules = PasswordRules()
    rules.minimumLength = 1
    rules.blocklist = list
    return try Array(password.utf8).withUnsafeBytes {
      try rules.problem(newPassword: $0, asksForCode: false)
    } == .common
  }

  private func write(_ lines: [String], separator: String = "\n") throws {
    try (lines.joined(separator: separator) + separator).write(toFile: path, atomically: true, encoding: .utf8)
  }
}

private func digest(_ text: String) -> String {
  var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA1_LENGTH))
  Array(text.utf8).withUnsafeBytes { ccrypto_digest(CCRYPTO_SHA1, $0.baseAddress, $0.count, &digest) }
  return digest.map { String(format: "%02X", $0) }.joined()
}
