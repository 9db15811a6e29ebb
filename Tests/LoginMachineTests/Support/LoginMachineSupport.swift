import FlowFiles
import Foundation
import LoginMachine
import TestSupport
import Testing

/// The flow for tests: a copy of the standard flow, so that the tests do not depend on its names.
func standardFlow() throws -> Flow {
  let text = try Data(contentsOf: Checkout.tests.appending(path: "Fixtures/flows/example.json"))
  return try FlowFile.read(Array(text), name: "example.json")
}

extension Flow {
  /// This flow with other options.
  func with(
    marking: FlowOptions.Marking? = nil, pending: FlowOptions.PendingStyle? = nil,
    _ change: (inout FlowOptions) -> Void = { _ in }
  ) -> Flow {
    var options = options
    options.marking = marking ?? options.marking
    options.pending = pending ?? options.pending
    change(&options)
    return Flow(
      id: id, start: start, screens: screens, options: options, strings: strings, defaultLocale: defaultLocale)
  }
}

/// An answer that rejects a request because of invalid credentials.
let refusal = Answer.failed(Message("invalidCredentials"), items: [])
let acceptance = Answer.accepted(principal: "ada", data: nil)

extension SessionMachine {
  /// The index of the item with this id on the current screen.
  func item(_ id: String) throws -> Int { try #require(screen.items.firstIndex { $0.id == id }) }

  /// Enters a text as the engine does: a plain text into the draft, and for a secret only the
  /// verdict of its rules.
  @discardableResult mutating func type(_ text: String, into id: String) throws -> Bool {
    let index = try item(id)
    let bytes = Array(text.utf8)
    guard screen.items[index].isSecret else { return change(index, to: bytes.span).isShown }
    let failing = RuleSet(of: screen.items[index].rules, failingOn: bytes.span)
    return changeSecret(index, isFilled: !bytes.isEmpty, failing: failing).isShown
  }

  /// Applies an answer. The question after it has the next number.
  mutating func handleAnswer(_ answer: Answer, to id: QuestionID, at utc: UInt64? = nil) -> Step {
    handleAnswer(answer, to: id, at: utc, question: id.next)
  }

  /// What the machine shows.
  var view: ViewState {
    var view = ViewState()
    view.project(self)
    return view
  }
}

extension ViewState {
  /// What the machine shows, with an unspecified focus, so that views of different revisions can be
  /// compared.
  var unfocused: ViewState {
    var view = self
    view.focus = .nowhere
    return view
  }

  func text(of item: Int) -> String { withText(of: item) { String(decoding: $0, as: UTF8.self) } }
}

/// The phases of a machine on the standard login screen, and how to reach them.
enum Situation: String, CaseIterable, Sendable {
  case initial, unvalidated, validated, requestPending, requestFailed, requestSucceeded

  var phase: Phase.Name {
    switch self {
    case .initial: .initial
    case .unvalidated: .unvalidated
    case .validated: .validated
    case .requestPending: .requestPending
    case .requestFailed: .requestFailed
    case .requestSucceeded: .requestSucceeded
    }
  }

  /// The id of the open question, or of the last question if none is open.
  static var question: QuestionID { 7 }
  /// The id of the question before `question`.
  static var formerQuestion: QuestionID { 6 }

  /// A machine in this situation.
  func machine(_ flow: Flow) throws -> SessionMachine {
    var machine = SessionMachine(flow: flow, screen: flow.start)
    guard self != .initial else { return machine }
    try machine.type("ada@example.com", into: "email")
    guard self != .unvalidated else { return machine }
    try machine.type("correct horse", into: "password")
    guard self != .validated else { return machine }
    _ = machine.press(.submit, question: Situation.question)
    switch self {
    case .requestFailed: _ = machine.handleAnswer(refusal, to: Situation.question)
    case .requestSucceeded: _ = machine.handleAnswer(acceptance, to: Situation.question)
    case .initial, .unvalidated, .validated, .requestPending: break
    }
    return machine
  }
}
