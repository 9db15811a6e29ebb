import JSONCodec
import Testing

@Suite("login-engine mock and a view that follows the transcript")
struct FollowingViewTests {
  @Test(
    "login-engine mock accepts a view that follows the transcript, and sends it the transcript's output",
    arguments: TranscriptTests.played)
  func passes(file: String) throws {
    // The timeouts can be long, because no expected line is missing.
    let view = try TranscriptView(file).play(with: file, ["--timeout", "600", "--optional-timeout", "600"])
    #expect(view.error.isEmpty)
    #expect(view.status == 0)
    #expect(view.other == nil)
  }

  /// Views that differ from the transcript's view in ways that every view is free to choose.
  private static let free = [
    WrongView("does not press what is refused", "session/press-refusals", .leaveOut(#""id":15"#), ""),
    WrongView("does not look", "s3/silent-view-times-out", .leaveOut("session/snapshot"), ""),
    WrongView("does not say what it has presented", "s3/alert-stays", .leaveOut("session/presented"), ""),
    WrongView("presses what is refused", "session/navigation", .add(WrongView.press("cancel")), ""),
    WrongView(
      "closes a session at the end", "session/navigation",
      .add(#"{"jsonrpc":"2.0","method":"session/close","params":{"session":"s1"}}"#), ""),
    WrongView(
      "does not answer what was called off", "frontend/cancelled", .leaveOut(#""outcome""#), ""),
  ]

  @Test(
    "login-engine mock accepts a view that differs from the transcript's in ways that views are free to choose",
    arguments: free)
  func isFree(view: WrongView) throws {
    let path = "\(TranscriptTests.folder)/\(view.file).jsonl"
    var (other, first) = try #require(try view.view(of: path), "the transcript has other lines now")
    // The mock does not answer a call that is left out, and no update counts an event that is left
    // out.
    if case .leaveOut = view.change {
      let end = other.steps[first...].firstIndex {
        if case .read(let line, _) = $0 { line["method"]?.string != "session/update" } else { true }
      }
      if let end, case .read(let line, _) = other.steps[end], line["error"] != nil || end == first && line["id"] != nil,
        line["method"] == nil
      {
        other.steps.removeSubrange(first...end)
      }
    }
    let result = try other.play(with: path, ["--timeout", "600", "--optional-timeout", "2"])
    #expect(result.error.isEmpty)
    #expect(result.status == 0)
  }

  @Test(
    "login-engine mock accepts a view that does not wait for the engine's output",
    arguments: TranscriptTests.played.filter { $0.contains("/session/") || $0.contains("/challenge/") })
  func isAhead(file: String) throws {
    var view = try TranscriptView(file)
    view.steps.removeAll { if case .read = $0 { true } else { false } }
    let result = try view.play(with: file, ["--timeout", "600", "--optional-timeout", "600"])
    #expect(result.error.isEmpty)
    #expect(result.status == 0)
  }
}
