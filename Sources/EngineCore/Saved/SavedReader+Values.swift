import JSONCodec
import LoginMachine
import LoginProtocol

/// Reads values and messages.
extension SavedReader {
  func draft(_ items: SavedMember, on screen: Screen) throws(RPCError) -> Draft {
    guard let members = items.value.members else { throw items.problem("Expected an object by item.") }
    var draft = Draft(of: screen)
    var known = 0
    var marks: [(item: Int, isTouched: Bool, isMarked: Bool)] = []
    // Items are read in the order of the screen, since an item may depend on earlier items.
    for (index, item) in screen.items.enumerated() {
      guard let member = items[item.id] else { continue }
      known += 1
      if let value = member[SavedName.value] {
        do throws(RPCError) {
          try enter(value, at: index, of: screen, into: &draft)
        } catch {
          // A value that is not valid in the changed flow is dropped, and so is what was saved
          // about it.
          if isSameFlow { throw error }
          continue
        }
      }
      let isTouched = try member[SavedName.touched]?.flag() ?? false
      marks.append((index, isTouched, try member[SavedName.marked]?.flag() ?? false))
    }
    guard known == members.count || !isSameFlow else {
      throw items.problem("There is an item that the screen has not.")
    }
    for index in screen.items.indices { draft.setMarks(isTouched: false, isMarked: false, at: index) }
    for mark in marks { draft.setMarks(isTouched: mark.isTouched, isMarked: mark.isMarked, at: mark.item) }
    return draft
  }

  private func enter(
    _ member: SavedMember, at index: Int, of screen: Screen, into draft: inout Draft
  ) throws(RPCError) {
    let traits = screen.traits[index]
    guard traits.isDisjoint(with: [.isSecret, .isText, .isExternal]) else {
      throw member.problem("No value of such an item is saved.")
    }
    switch screen.items[index].kind {
    case .switch:
      guard let isOn = member.value.bool else { throw member.problem("Expected true or false.") }
      draft.set(isOn, at: index, of: screen, marks: false)
    case .selection(let options, _):
      if member.value.isNull { return draft.pick(nil, at: index, of: screen, marks: false) }
      guard let text = member.value.string, options.contains(where: { $0.id == text }) else {
        throw member.problem("Expected null or the id of one of the item's options.")
      }
      let option = Array(text.utf8)[...]
      draft.pick(option.span, at: index, of: screen, marks: false)
    case .input, .text, .link, .code, .external:
      let text = Array(try member.text(0...maximumValueBytes).utf8)[...]
      draft.enter(text.span, into: index, of: screen, marks: false, at: utc)
    }
  }

  func readRemarks(_ member: SavedMember?, into draft: inout Draft, on screen: Screen) throws(RPCError) {
    for remark in try member?.elements(atMost: SavedLimits.entries) ?? [] {
      let item = try item(remark.required(SavedName.item), on: screen)
      draft.add(
        try message(remark.required(SavedName.message)), to: item,
        isNotice: try remark[SavedName.notice]?.flag() ?? false)
    }
  }

  func item(_ member: SavedMember, on screen: Screen) throws(RPCError) -> Int {
    let name = try member.text()
    guard let item = screen.items.firstIndex(where: { $0.id == name }) else {
      throw member.problem("The screen has no such item.")
    }
    return item
  }

  func alerts(_ member: SavedMember?, on screen: Screen) throws(RPCError) -> [Alert] {
    guard let member else { return [] }
    guard screen.alert != nil else { throw member.problem("The screen has no alerts.") }
    var alerts: [Alert] = []
    for element in try member.elements(atMost: SavedLimits.entries) {
      let kind: Screen.AlertKind = try element.required(SavedName.kind).word(Screen.AlertKind.allCases)
      var messages: [Message] = []
      let list = try element.required(SavedName.messages)
      for message in try list.elements(atMost: SavedLimits.entries) {
        messages.append(try self.message(message))
      }
      alerts.append(Alert(kind, title: try element[SavedName.title]?.text(), messages: messages))
    }
    return alerts
  }

  func message(ifGiven member: SavedMember?) throws(RPCError) -> Message? {
    guard let member else { return nil }
    return try message(member)
  }

  func message(_ member: SavedMember) throws(RPCError) -> Message {
    var message = Message(try member.required(SavedName.code).text(1...Message.maximumCodeLength))
    message.text = try member[SavedName.text]?.text()
    message.severity = try member[SavedName.severity]?.word(Message.Severity.allCases)
    message.isVerbatim = try member[SavedName.verbatim]?.flag() ?? false
    if let params = member[SavedName.params] {
      guard let members = params.value.members, members.count <= SavedLimits.entries else {
        throw params.problem("Expected an object.")
      }
      for member in members {
        switch member.value {
        case .number(let text): message.parameters.append(.init(member.key, .number(text)))
        case .string(let text): message.parameters.append(.init(member.key, .text(text)))
        case .null, .bool, .array, .object: throw params.problem("Expected strings and numbers.")
        }
      }
    }
    return message
  }
}
