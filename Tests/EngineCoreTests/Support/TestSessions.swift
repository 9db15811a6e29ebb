import LoginMachine
import LoginProtocol
import Testing

@testable import EngineCore

/// Makes sessions of the default flow, for tests of tables.
struct TestSessions {
  let template: FlowTemplate

  init() throws {
    var catalog = try FlowCatalog(loaded: [])
    template = catalog.template(of: catalog.first, locale: nil)
  }

  func session(_ name: String, slot: Int = 0) -> Session {
    let machine = SessionMachine(flow: template.flow, screen: template.flow.start)
    return Session(id: SessionName(name), slot: slot, template: template, machine: machine, now: 0)
  }
}

/// The key of the question `id` in the conversation that the question `first` began, or that it
/// began itself.
func key(_ id: UInt64, of first: UInt64? = nil) -> QuestionKey {
  QuestionKey(QuestionID(number: id), of: conversation(first ?? id))
}

/// The conversation that begins with the question of this number.
func conversation(_ first: UInt64) -> ConversationID { ConversationID(first: QuestionID(number: first)) }
