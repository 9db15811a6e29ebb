import LoginMachine
import Testing

@testable import EngineCore

@Suite("Pending submits")
struct SubmitTableTests {
  private let id = Array("7".utf8)

  private func entry(_ question: QuestionID) -> SubmitTable.Entry {
    .init(request: RequestID(text: id, ignored: []), question: question, timeout: nil)
  }

  @Test("a pending submit is over as soon as its session waits for another question, or for none")
  func settled() {
    var table = SubmitTable()
    table.insert(entry(3), inSlot: 1)
    #expect(table.count == 1 && table.slots == [1])
    #expect(table.removeSettled(inSlot: 1, 3)?.question == nil)
    #expect(table.removeSettled(inSlot: 2, nil)?.question == nil)
    #expect(table.removeSettled(inSlot: 1, 4)?.request.text == id)
    #expect(table.isEmpty)
    table.insert(entry(5), inSlot: 1)
    #expect(table.removeSettled(inSlot: 1, nil)?.request.text == id)
  }

  @Test("a pending submit can be removed once, whatever question its session waits for")
  func removal() {
    var table = SubmitTable()
    table.insert(entry(3), inSlot: 1)
    #expect(table.remove(inSlot: 1)?.request.text == id)
    #expect(table.remove(inSlot: 1)?.question == nil)
    #expect(table.isEmpty)
  }

  @Test("a pending submit is found by the JSON text of its request id")
  func found() {
    var table = SubmitTable()
    table.insert(entry(3), inSlot: 5)
    for (text, slot) in [("7", 5), ("70", nil), ("\"7\"", nil)] {
      #expect(Array(text.utf8).withUnsafeBytes { table.slot(of: $0) } == slot)
    }
  }
}
