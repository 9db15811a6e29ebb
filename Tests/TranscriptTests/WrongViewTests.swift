import JSONCodec
import TestSupport
import Testing

@Suite("login-engine mock and a view that deviates")
struct WrongViewTests {
  private static func check(_ wrong: WrongView) throws {
    let path = "\(TranscriptTests.folder)/\(wrong.file).jsonl"
    let (view, first) = try #require(try wrong.view(of: path), "the transcript has other lines now")
    let result = try view.play(with: path, ["--timeout", "600", "--optional-timeout", "0.2"], impatient: first)
    #expect(result.status == 1)
    #expect(result.error.contains(wrong.complaint), "\(result.error)")
    #expect(result.error.hasPrefix("login-engine mock: \(path)"), "\(result.error)")
  }

  @Test("the mock reports a view that enters something different", arguments: WrongView.typing)
  func typing(wrong: WrongView) throws { try Self.check(wrong) }

  @Test("the mock reports a view that presses something different", arguments: WrongView.pressing)
  func pressing(wrong: WrongView) throws { try Self.check(wrong) }

  @Test("the mock reports a view that opens or closes a session differently", arguments: WrongView.opening)
  func opening(wrong: WrongView) throws { try Self.check(wrong) }

  @Test("the mock reports a frontend that answers a question differently", arguments: WrongView.answering)
  func answering(wrong: WrongView) throws { try Self.check(wrong) }

  @Test("the mock reports a view that sends a different line under lockstep", arguments: WrongView.lockstep)
  func lockstep(wrong: WrongView) throws { try Self.check(wrong) }

  @Test(
    "login-engine mock reports, for every transcript, a view that exits before the last accepted press",
    arguments: Workload.part(of: Conversation.all))
  func early(conversation: Conversation) throws {
    let refused = Set(conversation.lines("out").compactMap { $0["error"] == nil ? nil : $0["id"]?.text })
    let taken = conversation.lines("in").last { line in
      line["method"]?.string == "session/press" && line["id"].map { !refused.contains($0.text) } ?? false
    }
    guard let taken else { return }
    let path = "\(TranscriptTests.folder)/\(conversation.name)"
    let wrong = WrongView("ends early", conversation.name, .stopBefore(taken.text), "")
    // `view` returns `nil` if no line of the view contains the text of this press. Such a
    // transcript is skipped.
    guard let (view, first) = try wrong.view(of: path) else { return }
    let result = try view.play(with: path, ["--timeout", "600", "--optional-timeout", "30"], impatient: first)
    #expect(result.status == 1)
    #expect(result.error.contains("but the view has closed its end"), "\(result.error)")
  }
}
