import Foundation
import JSONCodec
import Synchronization
import System
import TestSupport
import Testing

/// Backpressure: if the reader pauses, the engine stops reading, keeps bounded memory, and loses
/// nothing.
@Suite(.waits) struct BackpressureTests {
  static let limit = 64 << 10  // KiB

  @Test(
    "while the view does not read, the engine takes under 64 MiB for any number of events, and then sends every update in order"
  )
  func unread() throws { try Self.offerUnread(byteCount: 48 << 20) }

  /// Sends `byteCount` bytes of events to an engine while its output is not read, then reads the
  /// output.
  static func offerUnread(byteCount: Int) throws {
    let engine = try RunningEngine()
    try engine.ask(Line.open("a", id: 1))
    let template = Array((Line.edit("a", "email", "00000000" + String(repeating: "x", count: 4000)) + "\n").utf8)
    let count = byteCount / template.count + 1
    let offered = Offer(to: engine) { number, line in
      if line.isEmpty { line = template }
      Offer.write(number, at: "00000000".utf8.count, behind: #""value":""#, in: &line)
    }
    offered.start(count)
    try offered.waitUntilBlocked()
    #expect(offered.sent < count / 4)
    #expect(Processes.kibibytes(engine.processID, "VmHWM") < limit)
    // The engine must sleep while its output is not read.
    try engine.waitUntilQuiet(for: 300_000)
    var revision = 1
    var isRight = true
    try engine.eachLine(count) { line in
      revision += 1
      isRight = isRight && Offer.number(behind: #""revision":"#, in: line) == revision
      isRight = isRight && Offer.number(behind: #""value":""#, in: line) == revision - 2
    }
    #expect(revision == count + 1)
    #expect(isRight)
    #expect(Processes.kibibytes(engine.processID, "VmHWM") < limit)
    #expect(try engine.finish().messages.isEmpty)
  }

  @Test("an authenticator that never reads does not make the engine's memory grow, however many logins are cancelled")
  func deafAuthenticator() throws { try Self.submitAndCancel(byteCount: Workload.amount(16 << 20, atLeast: 1 << 20)) }

  /// Sends `byteCount` bytes of events that submit and cancel a login again and again.
  static func submitAndCancel(byteCount: Int) throws {
    let directory = try Directory()
    let options = ["--drain-timeout", "0"] + (try directory.authenticator("exec sleep 600"))
    let engine = try RunningEngine(options, in: directory)
    try engine.send(
      Line.open("a"), Line.edit("a", "email", "ada@example.com"), Line.edit("a", "password", "secret"))
    _ = try engine.update(of: "a", "validated")
    let pair = Array((Line.press("a", "submit") + "\n" + Line.press("a", "cancel") + "\n").utf8)
    let count = byteCount / pair.count
    let offered = Offer(to: engine) { _, line in if line.isEmpty { line = pair } }
    offered.start(count)
    var revision = 3
    var isRight = true
    try engine.eachLine(count * 2) { line in
      revision += 1
      isRight = isRight && Offer.number(behind: #""revision":"#, in: line) == revision
    }
    #expect(isRight)
    #expect(Processes.kibibytes(engine.processID, "VmHWM") < Self.limit)
    engine.signal(SIGTERM)
    #expect(try engine.wait() == .exited(0))
  }

  @Test("an authenticator that floods its output neither makes the engine's memory grow nor blocks sessions")
  func flood() throws {
    let directory = try Directory()
    let answer = #"{"jsonrpc":"2.0","id":999999,"result":{"outcome":"rejected","reason":"invalidCredentials"}}"#
    let flooding = try directory.authenticator("ask; accept; exec yes '\(answer)'")
    let engine = try RunningEngine(["--drain-timeout", "0"] + flooding, in: directory)
    try engine.send(Line.login("a"))
    _ = try engine.update(of: "a", "requestSucceeded")
    // Other sessions must be served meanwhile; their question stays open.
    try engine.send(Line.login("b"))
    _ = try engine.update(of: "b", "requestPending")
    let template = Array((Line.edit("c", "email", "00000000") + "\n").utf8)
    try engine.send(Line.open("c"))
    let count = 40_000
    let offered = Offer(to: engine) { number, line in
      if line.isEmpty { line = template }
      Offer.write(number, at: 8, behind: #""value":""#, in: &line)
    }
    offered.start(count)
    try offered.waitUntilBlocked()
    var lines = 0
    try engine.eachLine(count + 1) { _ in lines += 1 }
    #expect(lines == count + 1)
    #expect(Processes.kibibytes(engine.processID, "VmHWM") < Self.limit)
    engine.signal(SIGTERM)
    #expect(try engine.wait() == .exited(0))
  }
}

/// A thread that sends lines as fast as the engine reads them.
private final class Offer: Sendable {
  private let progress = Atomic<Int>(0)
  private let engine: RunningEngine
  private let fill: @Sendable (Int, inout [UInt8]) -> Void

  /// Starts to send. `fill` gets the number of the next line and the previous line, which it
  /// changes into the next line. Before the first line, the previous line is empty.
  init(to engine: RunningEngine, fill: @escaping @Sendable (Int, inout [UInt8]) -> Void) {
    self.engine = engine
    self.fill = fill
  }

  /// The number of lines that the thread has sent so far.
  var sent: Int { progress.load(ordering: .relaxed) }

  func start(_ count: Int) {
    Thread.detachNewThread { [self] in
      var line: [UInt8] = []
      var many: [UInt8] = []
      for number in 0..<count {
        fill(number, &line)
        many += line
        guard many.count > 32_000 || number == count - 1 else { continue }
        guard (try? engine.send(bytes: many)) != nil else { return }
        many.removeAll(keepingCapacity: true)
        progress.store(number + 1, ordering: .relaxed)
      }
    }
  }

  /// Waits until the engine has stopped reading its input.
  func waitUntilBlocked() throws {
    var last = -1
    try Eventually.holds("the engine stops reading") {
      let before = last
      last = sent
      usleep(200_000)
      return before == last && last > 0
    }
  }

  /// Writes a number of eight digits into a line, after `mark`.
  static func write(_ number: Int, at width: Int, behind mark: StaticString, in line: inout [UInt8]) {
    guard let start = position(behind: mark, in: line.span.bytes) else { return }
    var rest = number
    for index in stride(from: start + width - 1, through: start, by: -1) {
      line[index] = UInt8(0x30 + rest % 10)
      rest /= 10
    }
  }

  /// The first number after `mark` in a line.
  static func number(behind mark: StaticString, in line: RawSpan) -> Int? {
    guard var index = position(behind: mark, in: line) else { return nil }
    var number = 0
    while index < line.byteCount {
      let byte = line.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      guard (0x30...0x39).contains(byte) else { break }
      number = number * 10 + Int(byte) - 0x30
      index += 1
    }
    return number
  }

  private static func position(behind mark: StaticString, in line: RawSpan) -> Int? {
    line.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var from = 0
      while from + mark.utf8CodeUnitCount <= bytes.count,
        let hit = memchr(base + from, Int32(mark.utf8Start[0]), bytes.count - from)
      {
        let offset = UnsafeRawPointer(hit) - base
        guard offset + mark.utf8CodeUnitCount <= bytes.count else { return nil }
        if memcmp(hit, mark.utf8Start, mark.utf8CodeUnitCount) == 0 { return offset + mark.utf8CodeUnitCount }
        from = offset + 1
      }
      return nil
    }
  }
}

extension RunningEngine {
  /// Calls `body` with each of the next `count` lines of output, without copying them.
  fileprivate func eachLine(_ count: Int, _ body: (RawSpan) -> Void) throws {
    for number in 0..<count {
      guard try lendLine(body) else { throw Failure("the engine has ended after \(number) lines; stderr: \(log)") }
    }
  }
}

// One thread writes to the engine while another thread reads from it. The two use separate
// properties.
extension RunningEngine: @unchecked Sendable {}
