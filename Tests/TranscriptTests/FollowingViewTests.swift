import Testing

@Suite("login-engine mock and a view that follows the transcript")
struct FollowingViewTests {
  @Test("passes, and tells the view what the transcript says", arguments: TranscriptTests.files)
  func passes(file: String) throws {
    // It is never waited for in vain.
    let view = try TranscriptView(file).play(with: file, ["--timeout", "40", "--patience", "40"])
    #expect(view.error.isEmpty)
    #expect(view.status == 0)
    #expect(view.other == nil)
  }
}
