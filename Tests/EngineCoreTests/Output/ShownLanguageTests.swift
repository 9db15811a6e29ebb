import EngineCore
import Testing

@Suite("The language of a view with transitions")
struct ShownLanguageTests {
  private func call(_ method: String, _ params: String, id: Int? = nil) -> String {
    let id = id.map { #""id":\#($0),"# } ?? ""
    return #"{"jsonrpc":"2.0",\#(id)"method":"session/\#(method)","params":{"session":"s",\#(params)}}"#
  }

  @Test(
    "session/options has the language in which the view shows the list, even while a change of language is queued")
  func options() throws {
    let harness = try Harness(flows: [try SavedWalkTests.flow("countries")])
    harness.view(call("open", #""flow":"countries","locale":"en","transitions":"acknowledged""#))
    harness.view(call("presented", #""revision":1"#))
    let ask = call("options", #""item":"country""#, id: 7)
    let titles = { (harness: Harness) throws in
      try #require(harness.takeOutput().last { $0.contains(#""id":7"#) })
    }
    harness.view(ask)
    let english = try titles(harness)
    // The view was sent the first translation and has not acknowledged it. The second is queued.
    harness.view(call("locale", #""locale":"de""#), ask)
    let german = try titles(harness)
    #expect(german != english)
    harness.view(call("locale", #""locale":"en""#), ask)
    #expect(try titles(harness) == german)
    harness.view(call("presented", #""revision":2"#), ask)
    #expect(try titles(harness) == english)
  }

  @Test("if the language changes while a challenge is queued, the challenge is written completely in the new language")
  func challenge() throws {
    let harness = try Harness()
    harness.view(
      call(
        "open", #""flow":"standard","locale":"en","transitions":"acknowledged","values":{"email":"ada@example.com"}"#))
    harness.view(
      call("presented", #""revision":1"#), Calls.edit("password", "hunter22"), call("presented", #""revision":2"#))
    harness.view(Calls.press("submit"))
    // The challenge's title is a key of the flow's texts. The challenge waits until the activity is
    // hidden.
    harness.answer(
      #"{"jsonrpc":"2.0","id":1,"result":{"outcome":"challenge","screen":{"id":"c","title":"oneTimeCode.title","sections":[]}}}"#
    )
    harness.view(call("locale", #""locale":"de""#))
    _ = harness.takeOutput()
    for revision in 3...8 { harness.view(call("presented", #""revision":\#(revision)"#)) }
    let shown = harness.takeOutput().filter { $0.contains(#""screen":"c""#) }
    #expect(!shown.isEmpty && shown.allSatisfy { $0.contains(#""locale":"de""#) })
    let titles = Set(
      shown.flatMap {
        $0.matches(of: #/"screen":"c","state":"[a-zA-Z]*","title":"([^"]*)"/#).map { String($0.output.1) }
      })
    #expect(titles.count == 1, "\(titles)")
  }
}
