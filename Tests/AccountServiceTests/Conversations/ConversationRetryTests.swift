import Foundation
import JSONCodec
import TestSupport
import Testing

/// Tests of retries of requests that were carried out, but whose answers were lost.
@Suite(.waits) struct ConversationRetryTests {
  let directory: TemporaryDirectory
  let service: Service

  init() throws {
    directory = try TemporaryDirectory()
    service = try Service.withAda(directory.file, ["--clock", "manual"])
  }

  @Test func `a retry of a recovery code gets the same reply as the first attempt, and uses up no other code`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    let first = try service.proceed(3, 2, ["code": codes[0]])
    #expect(first.outcome == "accepted")
    for id in 4...9 { #expect(try service.proceed(id, 2, ["code": codes[0]], retryOf: 3)["result"] == first["result"]) }
    #expect(try Service.run(directory.file, ["list"]).output.contains("\t2\t-\t-\t"))
    // The reply is repeated only for the same code, and only for a retry.
    #expect(try service.proceed(10, 2, ["code": codes[1]], retryOf: 3).outcome == "rejected")
    #expect(try service.proceed(11, 2, ["code": codes[0]]).outcome == "rejected")
    #expect(try Service.run(directory.file, ["list"]).output.contains("\t2\t-\t-\t"))
  }

  @Test
  func `a retry of a recovery code asks for the new password again, and a retry of that password is accepted again`()
    throws
  {
    let codes = try Service.codes(directory.file)
    _ = try Service.run(directory.file, ["expire", "ada"])
    _ = try service.ask(2, "login", adasLogin)
    let first = try service.proceed(3, 2, ["code": codes[0]])
    #expect(try service.proceed(4, 2, ["code": codes[0]], retryOf: 3)["result"] == first["result"])
    let last = try service.proceed(5, 2, ["password": "another horse"])
    #expect(last.outcome == "accepted")
    #expect(try service.proceed(6, 2, ["password": "another horse"], retryOf: 5)["result"] == last["result"])
    #expect(try Service.run(directory.file, ["list"]).output.contains("\t2\t-\t-\t"))
  }

  @Test(.onFile)
  func `a retry of a request that got an error, and no decision, is processed like a new request`() throws {
    let codes = try Service.codes(directory.file)
    _ = try service.ask(2, "login", adasLogin)
    try FileManager.default.moveItem(atPath: directory.file, toPath: directory.file + ".away")
    try FileManager.default.createDirectory(atPath: directory.file, withIntermediateDirectories: false)
    let failed = try service.proceed(3, 2, ["code": codes[0]])
    #expect(failed.errorCode?.hasPrefix("accounts") == true)
    try FileManager.default.removeItem(atPath: directory.file)
    try FileManager.default.moveItem(atPath: directory.file + ".away", toPath: directory.file)
    #expect(try service.proceed(4, 2, ["code": codes[0]], retryOf: 3).outcome == "accepted")
  }

  @Test func `no code or password of a conversation is left in memory`() throws {
    let codes = try Service.codes(directory.file)
    _ = try Service.run(directory.file, ["expire", "ada"])
    let service = try Service(directory.file, ["--hardening", "off"])
    let password = "kX7#mQ2!vR9$wZ4"
    _ = try service.ask(2, "login", adasLogin)
    let wrong = codes[0].dropLast() + (codes[0].hasSuffix("0") ? "1" : "0")
    #expect(try service.proceed(3, 2, ["code": String(wrong)]).outcome == "challenge")
    #expect(try service.proceed(4, 2, ["code": codes[0]]).outcome == "challenge")
    #expect(try service.proceed(5, 2, ["password": password]).outcome == "accepted")
    let memory = try Memory(processID: service.processID)
    #expect(memory.count(of: Array("ada@example.com".utf8)) > 0)
    for text in [codes[0], codes[0].replacingOccurrences(of: "-", with: ""), String(wrong), password] {
      #expect(memory.count(of: Array(text.utf8)) == 0)
    }
  }
}
