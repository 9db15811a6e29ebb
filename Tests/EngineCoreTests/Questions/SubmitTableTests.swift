import LoginMachine
import Testing

@testable import EngineCore

@Suite("Submits that wait")
struct SubmitTableTests {
  private let id = Array("7".utf8)

  @Test("a submit is over once its session waits for another question, or for none")
  func settled() {
    var table = SubmitTable()
    table.insert(id, awaiting: 3, inSlot: 1)
    #expect(table.count == 1 && table.slots == [1])
    #expect(table.removeSettled(inSlot: 1, 3) == nil)
    #expect(table.removeSettled(inSlot: 2, nil) == nil)
    #expect(table.removeSettled(inSlot: 1, 4) == id)
    #expect(table.isEmpty)
    table.insert(id, awaiting: 5, inSlot: 1)
    #expect(table.removeSettled(inSlot: 1, nil) == id)
  }

  @Test("a submit is taken out once, whatever its session waits for")
  func removal() {
    var table = SubmitTable()
    table.insert(id, awaiting: 3, inSlot: 1)
    #expect(table.remove(inSlot: 1) == id)
    #expect(table.remove(inSlot: 1) == nil)
    #expect(table.isEmpty)
  }
}
