import JSONCodec
import Testing

@testable import EngineCore

@Suite("Batches")
struct BatchTests {
  private func makeBatch(_ line: String) -> Batch? { withBytes(of: line) { Batch(copying: $0) } }

  private func next(_ batch: Batch) -> String? { batch.takeNext().map { text(batch.document.fullText($0)) } }

  @Test("the entries of a batch are returned one by one, whatever JSON values they are")
  func entries() throws {
    let batch = try #require(makeBatch(#" [1 , {"a":[2]}, [], "x" ]"#))
    #expect(next(batch) == "1")
    #expect(next(batch) == #"{"a":[2]}"#)
    #expect(next(batch) == "[]")
    #expect(batch.next != nil)
    #expect(next(batch) == #""x""#)
    #expect(batch.next == nil)
    #expect(next(batch) == nil)
  }

  @Test("the entries of a batch that have not been handled can be taken out, in order")
  func unhandled() throws {
    let batch = try #require(makeBatch("[1,[2,3],4]"))
    #expect(batch.unhandled.map { text($0) } == ["1", "[2,3]", "4"])
    _ = next(batch)
    #expect(batch.unhandled.map { text($0) } == ["[2,3]", "4"])
    _ = next(batch)
    _ = next(batch)
    #expect(batch.unhandled.isEmpty)
  }

  @Test("a batch copies its line, so that the memory of the line can be reused")
  func copy() throws {
    var line = Array("[12,34]".utf8)
    let batch = try #require(line.withUnsafeBytes { Batch(copying: $0) })
    for index in line.indices { line[index] = 0x78 }
    #expect(next(batch) == "12")
    #expect(next(batch) == "34")
  }

  @Test("an empty array is a batch without entries, and invalid JSON is no batch")
  func nothing() throws {
    let empty = try #require(makeBatch("[]"))
    #expect(empty.next == nil)
    #expect(empty.unhandled.isEmpty)
    #expect(makeBatch("[1,") == nil)
  }
}
