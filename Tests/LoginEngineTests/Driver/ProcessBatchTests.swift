import Foundation
import JSONCodec
import System
import TestSupport
import Testing

/// Batches, as JSON-RPC 2.0 defines them.
@Suite(.waits) struct ProcessBatchTests {
  @Test("the entries of a batch are handled in order, and their replies follow all updates in one array")
  func order() throws {
    let engine = try RunningEngine()
    let entries = [
      Line.open("a", id: 1), Line.edit("a", "email", "x"), Line.edit("a", "email", "xy", id: 2), "1",
      Line.edit("a", "nowhere", "x", id: 3), Line.call("session/shout", id: 4, []),
      Line.batch([Line.open("nested", id: 5)]),
    ]
    try engine.send(Line.batch(entries))
    let heard = try engine.until { $0.array != nil }
    #expect(heard.dropLast().map(\.revision) == [1, 2, 3, 3])
    let replies = try #require(heard.last?.array)
    #expect(replies.map { $0["id"]?.integer } == [1, 2, nil, 3, 4, nil])
    #expect(
      replies.map { $0.errorCode } == [nil, nil, "invalidRequest", "unknownItem", "methodNotFound", "invalidRequest"])
  }

  @Test("a batch of notifications has no reply")
  func notifications() throws {
    let engine = try RunningEngine()
    try engine.send(Line.batch([Line.open("a"), Line.edit("a", "email", "x")]))
    let (messages, _) = try engine.finish()
    #expect(messages.map(\.isUpdate) == [true, true])
  }

  @Test("a batch may have 1 to 1,000 entries")
  func size() throws {
    let engine = try RunningEngine()
    try engine.ask(Line.open("a", id: 0))
    let entries = (1...1001).map { (n: Int) in Line.edit("a", "email", "\(n)", id: n) }
    try engine.send(Line.batch(Array(entries.prefix(1000))))
    let heard = try engine.until { $0.array != nil }
    #expect(heard.count == 1001)
    #expect(heard.last?.array?.compactMap { $0["id"]?.integer } == Array(1...1000))
    for line in [Line.batch(entries), "[]"] {
      try engine.send(line)
      let error = try engine.next()
      #expect(error.errorCode == "invalidRequest")
      #expect(error["id"]?.isNull == true)
    }
  }

  @Test("after 4 MiB of replies, further requests of a batch are refused, and the effects of earlier entries remain")
  func replies() throws {
    let engine = try RunningEngine()
    // Names of 100 bytes: a list of all 300 sessions has some 50 KB, and 1,000 lists would be ten
    // times the limit.
    let names = (1...300).map { (n: Int) in String(repeating: "x", count: 97) + String(n + 100) }
    try engine.send(names.map { Line.open($0) })
    for _ in names { #expect(try engine.next().isUpdate) }
    let list = { (id: Int) in Line.call("session/list", id: id, [.init("limit", .number("1000"))]) }
    let entries =
      [Line.open("before", id: 0)] + (1...997).map(list)
      + [Line.edit("before", "email", "x"), Line.edit("before", "email", "xy", id: 998)]
    try engine.send(Line.batch(entries))

    let heard = try engine.until { $0.array != nil }
    #expect(heard.dropLast().map(\.session) == ["before", "before", "before"])
    #expect(heard.dropLast().map(\.revision) == [1, 2, 2])
    let replies = try #require(heard.last?.array)
    #expect(replies.map { $0["id"]?.integer } == Array(0...998))
    let taken = replies.prefix { $0["error"] == nil }
    #expect(taken.dropFirst().allSatisfy { $0["result"]?["sessions"]?.array?.count == 301 })
    let bytes = taken.reduce(0) { $0 + $1.text.utf8.count + 1 }
    let last = taken.last.map { $0.text.utf8.count + 1 } ?? 0
    // The reply that exceeds the limit is the last one.
    #expect(bytes > 4 << 20 && bytes - last <= 4 << 20)
    #expect(replies.dropFirst(taken.count).allSatisfy { $0.errorCode == "limitExceeded" })
    let data = replies.last?["error"]?["data"]
    #expect(data?["limit"]?.string == "maxBatchReplyBytes")
    #expect(data?["maximum"]?.integer == 4 << 20)

    // The notification after the limit was handled, the request was not. The next batch has its own
    // limit.
    try engine.send(Line.batch([Line.snapshot("before", id: 1)]))
    let snapshot = try engine.next().array?.first?["result"]
    #expect(snapshot?["revision"]?.integer == 2)
    let item = snapshot?["snapshot"]?["sections"]?.array?.first?["items"]?.array?.first
    #expect(item?["value"]?.string == "x")
    #expect(try engine.finish().status == .exited(0))
  }

  @Test("if a batch's next entry has to wait for a pending login, the batch continues when the login is decided")
  func lockstep() throws {
    let engine = try RunningEngine(["--lockstep"])
    let setup = Line.setup("a", "ada@example.com", "ada", "correct horse")
    let entries = setup + [Line.snapshot("a", id: 1)] + Line.login("b") + [Line.snapshot("b", id: 2)]
    try engine.send(Line.batch(entries))
    let heard = try engine.until { $0.array != nil }
    let states = heard.last?.array?.map { $0["result"]?["snapshot"]?["state"]?.string }
    #expect(states == ["requestSucceeded", "requestSucceeded"])
  }

  @Test("a batch pauses while the view does not read its output, and then continues")
  func blocked() throws {
    let engine = try RunningEngine()
    let long = String(repeating: "x", count: 4000)
    let entries = (1...999).map { (n: Int) in Line.edit("a", "email", "\(n)" + long, id: n) }
    // These batches are far more than the pipe and the engine hold.
    let batches =
      [Line.batch([Line.open("a")] + Array(entries.prefix(150)))]
      + Array(repeating: Line.batch(Array(entries.suffix(200))), count: 7)
    Thread.detachNewThread { try? engine.send(batches) }
    try engine.waitUntilQuiet()
    var revision = 0
    for count in [150, 200, 200, 200, 200, 200, 200, 200] {
      let heard = try engine.until { $0.array != nil }
      for update in heard.dropLast() {
        revision += 1
        #expect(update.revision == revision)
      }
      #expect(heard.last?.array?.count == count)
    }
    #expect(revision == 1551)
  }

  @Test("clock/advance in a batch fires timers before the next entry of the batch is handled")
  func advance() throws {
    let directory = try Directory()
    let engine = try RunningEngine(["--clock", "manual"] + directory.authenticator("exec sleep 600"), in: directory)
    let entries = Line.login("a") + [Line.advance(30_000, id: 1), Line.snapshot("a", id: 2)]
    try engine.send(Line.batch(entries))
    let replies = try #require(try engine.until { $0.array != nil }.last?.array)
    #expect(replies.count == 2)
    #expect(replies.last?["result"]?["snapshot"]?["state"]?.string == "requestFailed")
    try engine.send(Line.batch([Line.advance(1, id: 3)]))
    #expect(try engine.next().array?.count == 1)
  }
}
