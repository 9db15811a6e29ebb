import JSONCodec
import LoginMachine
import LoginProtocol

/// Reads the state outside the form that is shown: screens that were left, requests in the
/// background, checks and the focus.
extension SavedReader {
  mutating func left(_ member: SavedMember?, besides shown: Int) throws(RPCError) -> [SavedState.Left] {
    var left: [SavedState.Left] = []
    for element in try member?.elements(atMost: flow.screens.count + 1000) ?? [] {
      let name = try element.required(SavedName.screen).text()
      guard let index = flow.screens.firstIndex(where: { $0.id == name }), index != shown,
        !left.contains(where: { $0.screen == index })
      else {
        if isSameFlow {
          throw try element.required(SavedName.screen).problem("Expected another screen of the flow, once.")
        }
        continue
      }
      var screen = SavedState.Left(
        screen: index, draft: try draft(element.required(SavedName.items), on: flow.screens[index]))
      screen.throttle = try throttle(ifGiven: element[SavedName.throttle])
      if isSameFlow, screen.throttle != nil {
        screen.failure = try message(ifGiven: element[SavedName.failure])
        screen.failedQuestion = try question(ifGiven: element[SavedName.key])
      }
      left.append(screen)
    }
    return left
  }

  mutating func throttledLinks(_ member: SavedMember?) throws(RPCError) -> [SavedState.ThrottledLink] {
    var held: [SavedState.ThrottledLink] = []
    for element in try member?.elements(atMost: SavedLimits.entries) ?? [] {
      let throttle = try throttle(element, besides: [SavedName.screen, SavedName.action])
      let name = try element.required(SavedName.screen).text()
      let screen = flow.screens.firstIndex { $0.id == name }
      do throws(RPCError) {
        guard let screen else { throw try element.required(SavedName.screen).problem("The flow has no such screen.") }
        let link = try link(element.required(SavedName.action), on: flow.screens[screen])
        held.append(.init(screen: screen, link: link, throttle: throttle))
      } catch {
        if isSameFlow { throw error }
      }
    }
    return held
  }

  /// The initial requests that run in the background, given by their indices among the screen's
  /// initial requests. The request that is pending in `stage` must not be among them.
  func background(_ member: SavedMember?, on screen: Screen, besides stage: SavedState.Stage) throws(RPCError) -> [Int]
  {
    var indices: [Int] = []
    for element in try member?.elements(atMost: screen.initialRequests.count) ?? [] {
      let index = try beginning(element, on: screen)
      guard screen.initialRequests[index].place == .background else {
        throw element.problem("No such request runs in the background.")
      }
      guard !indices.contains(index), stage.source != .initial(index) else {
        throw element.problem("Expected each request once.")
      }
      indices.append(index)
    }
    return indices
  }

  func checks(_ member: SavedMember?, on screen: Screen) throws(RPCError) -> [Int] {
    var checks: [Int] = []
    for element in try member?.elements(atMost: screen.items.count) ?? [] {
      let item = try item(element, on: screen)
      guard screen.items[item].check != nil, !checks.contains(item) else {
        throw element.problem("Expected an item that is checked, once.")
      }
      checks.append(item)
    }
    return checks
  }

  func focus(
    _ member: SavedMember?, on screen: Screen, hasAlert: Bool
  ) throws(RPCError) -> Focus.Target? {
    guard let member else { return nil }
    let kind: SavedFocus = try member.required(SavedName.kind).word(SavedFocus.allCases)
    switch kind {
    case .primary: return .primary
    case .alert:
      guard hasAlert else { throw member.problem("There is no alert.") }
      return .dismissal
    case .item: return .item(try item(member.required(SavedName.item), on: screen))
    }
  }
}
