import Accounts
import Foundation
import JSONCodec
import TestSupport
import Testing

@Suite(.waits) struct MemoryTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(
    arguments: [
      "kX7#mQ2!vR9$wZ4", "wide-ünïcödé-passphrase-€uro",
      String((0..<200).map { Character(Unicode.Scalar(UInt8(33 + $0 * 37 % 93))) }), "short+pw9",
    ], [false, true])
  func `after a sign-up and logins, the email address is in memory, but the password is nowhere`(
    password: String, isEscaped: Bool
  )
    throws
  {
    let service = try Service(directory.file, ["--hardening", "off"])
    let email = "findable.address@example.com"
    func send(_ attempt: Int, _ request: String, _ password: String, _ extra: [String: String]) throws {
      let values = ["email": email, "password": "PASSWORD"].merging(extra) { $1 }
      let text = isEscaped ? escaped(password) : String(JSONValue.string(password).text.dropFirst().dropLast())
      let line = Service.submit(attempt, request, values).replacingOccurrences(of: "PASSWORD", with: text)
      _ = try service.ask(line)
    }
    try send(1, "setup", password, ["userName": "findable"])
    try send(2, "login", password, [:])
    try send(3, "login", password + "!", [:])
    // This line ends in the middle, after the password.
    let broken = #"{"jsonrpc":"2.0","id":4,"method":"authenticator/submit","params":{"values":{"password":""#
    #expect(try service.ask(broken + escaped(password) + #"""#).errorCode == "parseError")
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array(email.utf8)) > 0)
    #expect(memory.count(of: Array(password.utf8)) == 0)
    #expect(memory.count(of: Array(password.utf8.prefix(8))) == 0)
    #expect(memory.count(of: Array(password.utf8.suffix(8))) == 0)
    #expect(memory.count(of: Array(escaped(password).utf8)) == 0)
    #expect(memory.count(of: Array(escaped(password).utf8.prefix(16))) == 0)
  }

  @Test func `the digest of a password is nowhere in memory after a look-up in a list of digests`() throws {
    let list = directory.file("list")
    let digests = (0..<1_000).map { String(format: "%040X", $0 * 7_919) }
    try (digests.joined(separator: "\n") + "\n").write(toFile: list, atomically: true, encoding: .utf8)
    let service = try Service(directory.file, ["--hardening", "off", "--blocklist", list])
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    // SHA-1 of "correct horse".
    let text = "2F9E53523B62ABC141A2B4D6019D23CBA835DBD0"
    let digest = stride(from: 0, to: 40, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
    let memory = try Memory(processID: service.processID)
    // Freed memory may have lost its first bytes.
    #expect(memory.count(of: Array(digest.suffix(4))) == 0)
    #expect(memory.count(of: Array(text.utf8.suffix(8))) == 0)
  }

  @Test func `a new secret for one-time codes is nowhere in memory once the time to confirm it has expired`() throws {
    let service = try Service(directory.file, ["--hardening", "off", "--clock", "manual"])
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    let shown = try service.ask(
      #"{"jsonrpc":"2.0","id":2,"method":"authenticator/submit","params":{"attempt":2,"request":"enrolOneTimeCodes","values":{"password":"correct horse"},"key":"k","principal":"ada"}}"#
    )
    let items = shown["result"]?["screen"]?["sections"]?[0]?["items"]?.array ?? []
    let texts = items.compactMap { $0["text"]?.string }
    let app = AuthenticatorApp(try #require(texts.last))
    let secret = app.secret.withBytes { Array($0) }
    // Only the last bytes are searched for, because freed memory may have lost its first bytes.
    func count() throws -> Int {
      let memory = try Memory(processID: service.processID)
      return memory.count(of: Array(secret.suffix(10))) + memory.count(of: Array(app.text.utf8.suffix(12)))
        + memory.count(of: Array(app.grouped.utf8.suffix(14)))
    }
    #expect(try count() > 0)
    try service.advance(600_000)
    #expect(try count() == 0)
  }

  @Test(arguments: [true, false])
  func `hardening keeps other processes of the same user from reading the memory`(isHardened: Bool) throws {
    // Both processes run without root's special rights.
    let prefix = geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"] : []
    let service = try Service(directory.file, isHardened ? [] : ["--hardening", "off"], prefix: prefix)
    #expect(try service.ask(1, "setup", ada).outcome == "accepted")
    let limits = try String(contentsOfFile: "/proc/\(service.processID)/limits", encoding: .utf8)
    #expect(limits.contains(#/Max core file size +0 +0 /#) == isHardened)
    let reader = Process()
    let command = prefix + ["/usr/bin/dd", "if=/proc/\(service.processID)/mem", "count=0"]
    reader.executableURL = URL(fileURLWithPath: command[0])
    reader.arguments = Array(command.dropFirst())
    reader.standardError = FileHandle.nullDevice
    try reader.run()
    reader.waitUntilExit()
    #expect((reader.terminationStatus != 0) == isHardened)
  }

  private func escaped(_ text: String) -> String {
    text.utf16.map { String(format: "\\u%04x", $0) }.joined()
  }
}

/// The memory of a process.
struct Memory {
  private var regions: [Data] = []

  init(processID: Int32) throws {
    let maps = try systemFile("/proc/\(processID)/maps")
    let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(processID)/mem"))
    defer { try? memory.close() }
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 1, fields[1].hasPrefix("rw"), let range = Self.range(fields[0]) else { continue }
      var region = Data(count: range.count)
      let count = region.withUnsafeMutableBytes {
        pread(memory.fileDescriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
      }
      if count > 0 { regions.append(region.prefix(count)) }
    }
  }

  private static func range(_ text: Substring) -> Range<Int>? {
    let ends = text.split(separator: "-").compactMap { Int($0, radix: 16) }
    return ends.count == 2 ? ends[0]..<ends[1] : nil
  }

  func count(of bytes: [UInt8]) -> Int {
    regions.count { region in region.withUnsafeBytes { $0.offset(of: bytes) != nil } }
  }
}
