import JSONCodec
import LoginForms

extension Definition {
  /// The condition that this defines, which can be on one of `items` only: those before whatever depends on it.
  func condition(on items: [Item]) throws(FlowFileError) -> Item.Condition {
    try allowOnly(["item", "is"])
    let item = try required("item")
    let id = try item.name()
    guard let index = items.firstIndex(where: { $0.id == id }) else {
      throw item.error(expected: "the id of a switch or selection that stands before")
    }
    let expected = try required("is")
    switch items[index].kind {
    case .switch: return Item.Condition(item: index, expected: .position(try expected.flag()))
    case .selection(let options, _):
      return Item.Condition(item: index, expected: .options(try expected.picks(from: options)))
    case .input, .text, .link: throw item.error(expected: "the id of a switch or selection that stands before")
    }
  }

  /// The ids of some options: one, or a list.
  private func picks(from options: [Item.Option]) throws(FlowFileError) -> [[UInt8]] {
    guard kind == .array else { return [try pick(from: options)] }
    return try elements(1...FlowFile.maximumValues).map { (element) throws(FlowFileError) in
      try element.pick(from: options)
    }
  }

  private func pick(from options: [Item.Option]) throws(FlowFileError) -> [UInt8] {
    guard kind == .string, let option = options.first(where: { $0.id == file.document.string(node) }) else {
      throw error(expected: "the id of one of the selection's options")
    }
    return Array(option.id.utf8)
  }
}
