import FlowFiles
import LoginEngine
import LoginMachine
import Testing

@Suite("Three background requests")
struct ExplorerRaceTests {
  private func flow() throws -> Flow {
    try FlowFile.read(
      Array(
        #"""
        {
          "flow": "race",
          "screens": [
            {
              "id": "login", "title": "t", "request": "login",
              "sections": [{ "id": "all", "items": [{ "id": "password", "apiKey": "password", "kind": "input", "inputType": "password", "title": "t" }] }],
              "actions": { "submit": { "id": "submit", "title": "t" } },
              "links": [{ "id": "other", "title": "t", "screen": "code" }],
              "begins": [
                { "request": "passkey", "as": "beside", "success": { "scene": "home" } },
                { "request": "phone", "as": "beside", "success": { "screen": "code" } },
                { "request": "news", "as": "beside" }
              ],
              "success": { "scene": "home" }
            },
            {
              "id": "code", "title": "t", "request": "code",
              "sections": [{ "id": "all", "items": [{ "id": "code", "apiKey": "code", "kind": "input", "inputType": "oneTimeCode", "title": "t" }] }],
              "actions": { "submit": { "id": "submit", "title": "t" } },
              "success": { "scene": "home" }
            }
          ],
          "defaultLocale": "en", "strings": { "en": { "t": "Text" } }
        }
        """#.utf8), name: "race.json")
  }

  @Test("when one of three background requests is decided, the other two are withdrawn") func race() throws {
    let found = Exploration(of: try flow())
    #expect(found.remainingRequests == [])
    #expect(found.isSound)
    for index in 0..<2 { #expect(found.edges.contains { $0.event == .backgroundAccepted(index) }) }
    #expect(found.edges.contains { $0.event == .backgroundAccepted(0) && found.isFinal($0.to) })
  }

  @Test("the explorer reports background requests that stay open, are not withdrawn or still accept answers")
  func left() throws {
    let before = SessionMachine.racing(try flow())
    let questions = before.backgroundQuestions
    try #require(questions.count == 3)
    var after = before
    let step = after.handleAnswer(.accepted(principal: nil, data: nil), to: questions[0], question: 99)
    let withdrawn = step.abandoned
    #expect(step.wiping == .all && Set(withdrawn.map(\.number)) == Set(questions.dropFirst().map(\.number)))
    func left(_ after: SessionMachine, _ withdrawn: [QuestionID]) -> [Exploration.RemainingRequest.Reason] {
      Exploration.remainingRequests(before, after, answered: questions[0], withdrawn: withdrawn)
    }
    #expect(left(after, withdrawn) == [])
    #expect(left(after, []) == [.notWithdrawn, .notWithdrawn])
    #expect(left(before, withdrawn) == [.goesOn])
  }
}

extension SessionMachine {
  fileprivate static func racing(_ flow: Flow) -> SessionMachine {
    var machine = SessionMachine(flow: flow, screen: 0)
    _ = machine.start(question: 1)
    return machine
  }
}
