import EngineCore
import LoginMachine
import LoginProtocol
import Testing

@Suite("Events for the observer")
struct ObserverTests {
  /// An observer that keeps the events about questions.
  private final class Observer: EngineObserver {
    /// For each line: its method, and the session that asks the question.
    var lines: [String] = []
    var late: [String] = []

    func observe(_ event: EngineEvent, at time: Moment) {
      switch event {
      case .question(let line, _): note(line.bytes, line.asking)
      case .output(let line): note(line.bytes, line.asking)
      case .lateReply(let question): late.append("reply \(question.number)")
      case .lateNotice(let conversation): late.append("notice \(conversation.number)")
      default: break
      }
    }

    private func note(_ bytes: UnsafeRawBufferPointer, _ asking: AskingSession?) {
      for method in ["submit", "continue", "cancel", "describe"]
      where text(bytes).contains(#""method":"authenticator/\#(method)""#) {
        let session = asking.map { String(decoding: $0.session, as: UTF8.self) } ?? "-"
        lines.append("\(method) \(session)")
      }
    }
  }

  private static let challenge =
    #""result":{"outcome":"challenge","screen":{"id":"code","title":"Code","sections":[{"id":"s","items":["#
    + #"{"id":"code","apiKey":"code","kind":"input","inputType":"text"}]}]}}}"#

  @Test(
    "observers get each question with the session that asks it, and each notice without a session",
    arguments: [AuthenticatorChoice.Backend.frontend, .command(["check"])])
  func asking(backend: AuthenticatorChoice.Backend) throws {
    let harness = try Harness { $0.authenticators = [AuthenticatorChoice(.all, backend)] }
    let observer = Observer()
    harness.core.observe(with: observer)
    let isFrontend = backend == .frontend
    func answer(_ question: Int, _ result: String) {
      let id = isFrontend ? #""authenticator-\#(question)""# : "\(question)"
      let line = #"{"jsonrpc":"2.0","id":\#(id),\#(result)"#
      if isFrontend { harness.view(line) } else { harness.answer(line) }
    }
    harness.signUp("a")
    harness.signUp("b")
    answer(2, Self.challenge)
    answer(1, Self.challenge)
    harness.view(
      Calls.edit("code", "1", session: "a"), Calls.press("submit", session: "a"),
      Calls.edit("code", "1", session: "b"), Calls.press("submit", session: "b"),
      Calls.press("cancel", session: "a"))
    let first = isFrontend ? [] : ["describe -"]
    #expect(observer.lines == first + ["submit a", "submit b", "continue a", "continue b", "cancel -"])
    answer(3, #""result":{"outcome":"accepted"}}"#)
    let notice = #"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":1,"message":{"code":"m"}}}"#
    if isFrontend { harness.view(notice) } else { harness.answer(notice) }
    #expect(observer.late == ["reply 3", "notice 1"])
  }

  /// An observer that keeps the order in which lines arrive from views and are sent to
  /// authenticators.
  private final class OrderObserver: EngineObserver {
    var order: [String] = []

    func observe(_ event: EngineEvent, at time: Moment) {
      switch event {
      case .message: order.append("line")
      case .timer: order.append("timer")
      case .question: order.append("sent")
      default: break
      }
    }
  }

  @Test("the effects of a timeout run before the next timeout fires, and before lines of the view that have arrived")
  func orderOfTimeouts() throws {
    let harness = try Harness()
    harness.signUp("a")
    harness.wait(until: 1000)
    harness.signUp("b")
    let observer = OrderObserver()
    harness.core.observe(with: observer)
    harness.now = 40_000
    harness.view(Calls.list(), Calls.list())
    #expect(observer.order == ["timer", "sent", "timer", "sent", "line", "line"])
  }
}
