import Testing

@testable import FlowFiles

@Suite("Name lists")
struct NameListTests {
  @Test(
    "a name's index is its position in the order of insertion, in short and long lists",
    arguments: [1, 31, 32, 33, 34, 200])
  func places(count: Int) {
    let names = list(of: count)
    #expect(names.count == count)
    for number in 0..<count { #expect(names.index(of: "name\(number)") == number) }
    #expect(names.index(of: "name\(count)") == nil && !names.contains("name"))
  }

  @Test("a duplicate name is refused and changes nothing", arguments: [1, 32, 33, 100])
  func twice(count: Int) {
    var names = list(of: count)
    for number in 0..<count {
      let isNew = names.append("name\(number)")
      #expect(!isNew)
    }
    #expect(names.count == count && names.index(of: "name0") == 0)
  }

  private func list(of count: Int) -> NameList {
    var names = NameList()
    for number in 0..<count {
      let isNew = names.append("name\(number)")
      #expect(isNew)
    }
    return names
  }
}
