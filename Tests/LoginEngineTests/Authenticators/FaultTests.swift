import Foundation
import JSONCodec
import TestSupport
import Testing

/// Faults of an authenticator: its own questions fail in time with a code that gives the reason,
/// and other sessions are not affected.
@Suite(.waits) struct FaultTests {
  @Test(
    "an authenticator's fault fails its session with the right code in time, affects no other session, and takes bounded memory",
    arguments: Fault.all)
  func fault(fault: Fault) throws { try FaultCase(fault).run() }

  @Test("authenticators.md lists exactly the tested faults")
  func table() throws {
    let rows = try Document.rows(of: "protocol/authenticators.md", under: "## Faults", header: "| the authenticator |")
    #expect(rows == Fault.all.map(\.row))
  }

  @Test("authenticators.md lists exactly the network codes that the engine uses")
  func codes() throws {
    let list = try JSONValue(parsing: Array(Document.text("protocol/messages.json").utf8))
    let engine = (list["messages"]?.array ?? []).filter { message in
      message["from"]?.array?.contains { $0.string == "engine" } == true
    }.compactMap { $0["code"]?.string }.filter { $0.hasPrefix("network.") }
    let rows = try Document.rows(of: "protocol/authenticators.md", under: "## Faults", header: "| code |")
    #expect(!engine.isEmpty)
    #expect(rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) } == engine)
  }
}

/// A document of the project.
enum Document {
  static let root = Checkout.root

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The rows of the table with this header under a heading, without the header and the separator.
  static func rows(of path: String, under heading: String, header: String) throws -> [String] {
    let lines = try text(path).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: heading))
    let table = try #require(lines[start...].firstIndex { $0.hasPrefix(header) })
    return Array(lines[(table + 2)...].prefix { $0.hasPrefix("|") })
  }
}

/// A test of one fault with four sessions: `a`, whose question meets the fault, `b`, which has
/// asked the same authenticator, `c`, which has asked another authenticator, and `d`, whose user is
/// still typing.
private struct FaultCase {
  let fault: Fault
  let directory: Directory
  let engine: RunningEngine
  private let file: String

  init(_ fault: Fault) throws {
    self.fault = fault
    directory = try Directory()
    file = directory.path + "/faulty"
    let patient = Fixtures.text("flows/example.json").replacingOccurrences(
      of: #""flow": "example""#, with: #""flow": "patient""#
    )
    .replacingOccurrences(of: #""requestTimeoutMs": 30000"#, with: #""requestTimeoutMs": 3600000"#)
    let flow = try directory.write(patient, to: "patient.json")
    let steady = try directory.authenticator(
      "ask; while [ ! -e \(directory.path)/go ]; do sleep 0.05; done; accept; while ask; do accept; done")
    // Only the first process of the authenticator has the fault.
    let reads = fault.name.hasPrefix("never reads") ? "" : "ask; held=$id; echo > \(directory.path)/held; ask;"
    let script = try directory.authenticator(
      """
      left=\(directory.path)/left
      if mkdir \(directory.path)/once 2>/dev/null; then \(reads) \(fault.script)
      else while ask; do accept; done; fi
      """)[1]
    engine = try RunningEngine(
      [
        "--clock", "manual", "--flow", Fixtures.path("flows/example.json"), "--flow", flow, "--authenticator",
        script.replacingOccurrences(of: "/bin/sh", with: file),
        "--authenticator", "patient/*=\(steady[1])",
      ], in: directory)
    if Fault.unstartable.contains(fault.name) {
      mkdir(directory.path + "/once", 0o700)
      if fault.name == "is not executable" { _ = try directory.write("", to: "faulty") }
    } else {
      try install()
    }
  }

  /// Creates the authenticator's program where the engine looks for it. The program is a symbolic
  /// link, because a file that was just written may still be open in a process that another test is
  /// starting, and then cannot be run.
  private func install() throws {
    unlink(file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/bin/sh")
  }

  func run() throws {
    try engine.send([Line.open("c", flow: "patient")] + Line.login("c").dropFirst())
    _ = try engine.update(of: "c", "requestPending")
    try engine.send(Line.open("d"), Line.edit("d", "email", "dora@example.com"))
    if fault.name.hasPrefix("never reads") { try fillPipe() }
    try engine.send(Line.login("b"))
    if !Fault.unstartable.contains(fault.name), !fault.name.hasPrefix("never reads") {
      try Eventually.holds("it has read the first question") {
        FileManager.default.fileExists(atPath: directory.path + "/held")
      }
    }
    try engine.send(Line.login("a"))
    try expectOutcomes()

    // Sessions that are typing or have asked another authenticator are not affected.
    try engine.send(Line.edit("d", "password", "secret"))
    #expect(try engine.update(of: "d", "validated").revision == 3)
    _ = try directory.write("", to: "go")
    #expect(try engine.update(of: "c", "requestSucceeded").revision == 5)
    try expectNextAttemptWorks()
    #expect(Processes.kibibytes(engine.processID, "VmHWM") < 64 << 10)
    #expect(engine.log.utf8.count < 1 << 20)
    try expectNothingLeft()
  }

  /// Expects the outcomes of the sessions `a` and `b`, which have asked the faulty authenticator,
  /// in any order.
  private func expectOutcomes() throws {
    var expected = ["a": fault.concerned, "b": fault.other]
    var isPending = Set<String>()
    var hasCancelled = false, hasAdvanced = false
    while !expected.isEmpty {
      // The clock is advanced only once both sessions are pending, and only if both expect a
      // timeout.
      if isPending.isSuperset(of: ["a", "b"]), !hasAdvanced, expected.values.allSatisfy({ $0 == "network.timeout" }) {
        hasAdvanced = true
        if fault.name == "closes its standard input" {
          try Eventually.holds("it has done so") { FileManager.default.fileExists(atPath: directory.path + "/left") }
        }
        try engine.send(Line.advance(30_000, id: 1))
      }
      if isPending.contains("a"), fault.concerned == "cancelled", !hasCancelled {
        hasCancelled = true
        try engine.send(Line.press("a", "cancel"))
      }
      let message = try engine.next()
      guard let session = message.session, let outcome = expected[session] else { continue }
      switch message.state {
      case "requestPending": isPending.insert(session)
      case "requestSucceeded":
        #expect(outcome == "answered", "\(session)")
        expected[session] = nil
      case "requestFailed":
        #expect(message.shownError == outcome, "\(session)")
        expected[session] = nil
      case "validated" where hasCancelled && session == "a":
        expected[session] = nil
      default: break
      }
    }
  }

  private func expectNextAttemptWorks() throws {
    if Fault.unstartable.contains(fault.name) { try install() }
    switch fault.concerned {
    case "answered":
      // If that session has already succeeded, another session makes the next attempt.
      try engine.send(Line.press("d", "submit"))
      _ = try engine.update(of: "d", "requestSucceeded")
    case "cancelled":
      // The late answer is sent before the answer to the other question, so it has arrived by now.
      #expect(try engine.ask(Line.snapshot("a", id: 2)).last?["result"]?["snapshot"]?["state"]?.string == "validated")
      try engine.send(Line.press("a", "submit"))
      _ = try engine.update(of: "a", "requestSucceeded")
    default:
      for turn in 0..<fault.timeouts {
        try engine.send(Line.press("a", "retry"))
        _ = try engine.update(of: "a", "requestPending")
        try engine.send(Line.advance(30_000, id: 10 + turn))
        #expect(try engine.update(of: "a", "requestFailed").shownError == "network.timeout")
      }
      try engine.send(Line.press("a", "retry"))
      _ = try engine.update(of: "a", "requestSucceeded")
    }
  }

  /// Logs in from other sessions until their questions are more than a pipe holds.
  private func fillPipe() throws {
    let long = String(repeating: "p", count: 4000)
    for index in 0..<300 {
      try engine.send(Line.login("f\(index)", "ada@example.com", long))
      _ = try engine.update(of: "f\(index)", "requestPending")
    }
  }

  /// Expects that a child in the authenticator's process group ends together with the
  /// authenticator.
  private func expectNothingLeft() throws {
    let left = pid_t(directory.read("left").trimmingCharacters(in: .whitespacesAndNewlines))
    guard let left else { return }
    try Eventually.holds("the child is gone") { !Processes.exists(left) }
  }
}
