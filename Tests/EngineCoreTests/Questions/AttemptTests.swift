import JSONCodec
import LoginMachine
import LoginProtocol
import Testing

@testable import EngineCore

@Suite("Outcomes of attempts")
struct AttemptTests {
  private final class Attempts: AttemptObserver {
    var all: [(result: Attempt, time: Moment)] = []
    func observe(_ result: Attempt, at time: Moment) { all.append((result, time)) }
  }

  /// Opens a session that signs up and gets these answers, each after 40 ms. All answers but the
  /// first are to a retry. Returns the reported attempts and the result of `engine/stats`.
  private func told(_ answers: [String], context: String = "{}") throws -> (tries: [Attempt], stats: JSONValue) {
    let harness = try Harness()
    let tries = Attempts()
    harness.core.observeAttempts(with: tries)
    harness.view(Calls.open().replacing(#""screen""#, with: #""context":\#(context),"screen""#))
    for line in Calls.signUp() { harness.view(line) }
    for (index, answer) in answers.enumerated() {
      harness.view(Calls.press(index == 0 ? "submit" : "retry"))
      harness.now += 40
      harness.answer(#"{"jsonrpc":"2.0","id":\#(index + 1),\#(answer)}"#)
    }
    _ = harness.takeOutput()
    harness.view(#"{"jsonrpc":"2.0","id":9,"method":"engine/stats"}"#)
    let line = try #require(harness.takeOutput().last)
    return (tries.all.map(\.result), try #require(try JSONValue(parsing: Array(line.utf8))["result"]))
  }

  @Test(
    "each outcome of an attempt is reported to the observer with its code, and counted in engine/stats",
    arguments: [
      (
        #""result":{"outcome":"accepted","principal":"ada","proofs":[{"factor":"pwd","at":7}]}"#, "accepted", nil,
        "accepted"
      ),
      (#""result":{"outcome":"rejected","reason":"taken"}"#, "rejected", "taken", "rejected"),
      (#""result":{"outcome":"throttled","retryAfterMs":5}"#, "throttled", "throttled", "throttled"),
      (#""error":{"code":1,"message":"no","data":{"code":"busy"}}"#, "failed", "network.busy", "failed"),
      (#""result":7"#, "failed", "network.invalidAnswer", "failed"),
      (#""result":{"outcome":"notice","message":"So it is."}"#, nil, nil, "notice"),
    ] as [(String, String?, String?, String)])
  func outcomes(answer: String, outcome: String?, code: String?, counted: String) throws {
    let (tries, stats) = try told([answer], context: #"{"address":"203.0.113.7"}"#)
    #expect(tries.count == (outcome == nil ? 0 : 1))
    if let result = tries.first {
      #expect(result.outcome.rawValue == outcome && result.code == code)
      #expect(result.session == Array("s".utf8) && result.flow == "standard" && result.request == "setup")
      #expect(result.principal == (outcome == "accepted" ? "ada" : nil))
      #expect(result.proofs == (outcome == "accepted" ? [Proof("pwd", at: 7)] : nil))
      #expect(result.context == Array(#"{"address":"203.0.113.7"}"#.utf8))
    }
    for member in try #require(stats["outcomes"]?.members) {
      #expect(member.value.integer == (member.key == counted ? 1 : 0), "\(member.key)")
    }
  }

  @Test("engine/stats counts sessions, questions, and answers by how long they took")
  func counts() throws {
    let busy = #""error":{"code":1,"message":"no"}"#
    let stats = try told([busy, busy, #""result":{"outcome":"accepted"}"#]).stats
    #expect(stats["sessions"]?.text == #"{"open":1,"opened":1}"#)
    #expect(stats["attempts"]?.text == #"{"open":0,"asked":3,"answered":3,"cancelled":0}"#)
    #expect(stats["latencies"]?["sumMs"]?.integer == 120 && stats["latencies"]?["longestMs"]?.integer == 40)
    let buckets = try #require(stats["latencies"]?["buckets"]?.array).map { $0.text }
    #expect(buckets[1] == #"{"upToMs":30,"count":0}"# && buckets[2] == #"{"upToMs":100,"count":3}"#)
    #expect(buckets.last == #"{"count":3}"#)
  }

  @Test("cancelled questions are counted in engine/stats, and not reported as attempts")
  func cancelled() throws {
    let harness = try Harness()
    let tries = Attempts()
    harness.core.observeAttempts(with: tries)
    harness.signUp()
    harness.view(Calls.press("cancel"))
    harness.answer(Calls.accepted(1))
    _ = harness.takeOutput()
    harness.view(#"{"jsonrpc":"2.0","id":9,"method":"engine/stats"}"#)
    #expect(tries.all.isEmpty)
    #expect(
      harness.takeOutput().last?.contains(#""attempts":{"open":0,"asked":1,"answered":0,"cancelled":1}"#) == true)
  }

  @Test("a wrong answer to a challenge is reported as a rejected attempt, and the challenge itself is not reported")
  func challenge() throws {
    let screen = #""screen":{"id":"c","title":"C","sections":[]}"#
    let harness = try Harness()
    let tries = Attempts()
    harness.core.observeAttempts(with: tries)
    harness.signUp()
    harness.answer(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge",\#(screen)}}"#)
    #expect(tries.all.isEmpty)
    harness.view(Calls.press("submit"))
    harness.answer(
      #"{"jsonrpc":"2.0","id":2,"result":{"outcome":"challenge","error":{"code":"code.wrong","text":"No."}}}"#)
    #expect(tries.all.map(\.result.outcome) == [.rejected] && tries.all.first?.result.code == "code.wrong")
    #expect(tries.all.first?.result.attempt.number == 1)
  }

  @Test("the counters of engine/stats do not overflow, however long answers take")
  func extremes() {
    var statistics = EngineStatistics()
    statistics.noteAnswer(.accepted, after: .max)
    statistics.noteAnswer(.accepted, after: .max)
    statistics.noteAnswer(.failed, after: 10)
    #expect(statistics.sum == .max && statistics.longest == .max && statistics.answered == 3)
    #expect(statistics.distribution.first?.count == 1 && statistics.distribution.last?.count == 3)
  }
}
