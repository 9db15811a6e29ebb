import LoginMachine
import Testing

/// Selections with more options than a snapshot shows.
struct LongListTests {
  private func flow(_ count: Int) throws -> Flow {
    let flow = try standardFlow()
    let options = (0..<count).map { Item.Option(id: "o\($0)", title: "t") }
    let items = [
      Item(id: "list", apiKey: "l", kind: .selection(options), title: nil, placeholder: nil, rules: []),
      Item(id: "more", apiKey: "m", kind: .input(.text), title: nil, placeholder: nil, rules: []),
    ]
    let first = flow.screens[0]
    let screen = Screen(
      id: first.id, title: first.title, request: first.request, sections: [.init(id: "all", items: 0..<2)],
      items: items, primary: first.primary, links: [], success: .scene("home"))
    return Flow(
      id: "long", start: 0, screens: [screen], options: flow.options, strings: flow.strings, defaultLocale: "en")
  }

  private func pick(_ option: String?, _ session: inout QueuedSession) {
    let before = session.machine.view
    if let id = option.map({ Array($0.utf8) }) {
      _ = session.machine.pick(id.span, at: 0)
    } else {
      _ = session.machine.pick(nil, at: 0)
    }
    session.show(after: before, edited: 0)
  }

  private func option(_ view: ViewState) -> String {
    view.withShownPick(of: 0) { String(decoding: $0, as: UTF8.self) }
  }

  @Test("only a selection with more options than are shown is a long list", arguments: [1, 200, 201, 2000])
  func trait(_ count: Int) throws {
    let screen = try flow(count).screens[0]
    #expect(screen.traits[0].contains(.isLongList) == (count > 200))
    #expect(screen.traits[0].contains(.isSelection) && !screen.traits[1].contains(.isLongList))
  }

  @Test("a new pick in a long list is sent as value and option, or only as option if the view made the pick")
  func changes() throws {
    var machine = SessionMachine(flow: try flow(201), screen: 0)
    let blank = machine.view
    _ = machine.pick(Array("o7".utf8).span, at: 0)
    let picked = machine.view
    func members(_ old: ViewState, _ new: ViewState, edited: Int?) -> [ItemMembers] {
      var changes: [ViewChange] = []
      Presenter.appendChanges(from: old, to: new, edited: edited, on: machine.screen, StringTable([:]), to: &changes)
      return changes.compactMap { if case .item(0, let members) = $0 { members } else { nil } }
    }
    #expect(members(blank, picked, edited: 0) == [.options])
    #expect(members(blank, picked, edited: nil) == [[.value, .options]])
    #expect(members(picked, blank, edited: 0) == [.options])
    #expect(members(picked, picked, edited: 0) == [])
    #expect(option(blank).isEmpty && option(picked) == "o7")
  }

  @Test(
    "if a view picks an option while an update is unsent, it shows the former option until the new one is sent to it")
  func waits() throws {
    var session = try QueuedSession(.latest, flow(201))
    pick("o1", &session)
    pick("o200", &session)
    #expect(session.written == [1] && option(session.queue.written.view).isEmpty)
    session.settle()
    #expect(option(session.queue.written.view) == "o200")
    // An edit that makes another update for the queue.
    try session.type("x", into: "more")
    let awaited = session.queue.awaited
    (session.written, session.changes) = ([], [])
    pick("o3", &session)
    if awaited != nil { #expect(option(session.queue.written.view) == "o200" && session.written.isEmpty) }
    pick("o200", &session)
    session.presentAll()
    let told = session.changes.joined().filter { if case .item(0, _) = $0 { true } else { false } }
    #expect(awaited == nil || told.isEmpty, "there and back again is nothing to tell")
    #expect(option(session.queue.written.view) == "o200")
  }

  @Test("the answer to a refused event shows the option that was picked while updates were unsent")
  func refusal() throws {
    var session = try QueuedSession(.queue, flow(201))
    pick("o200", &session)
    session.machine.countEvent()
    let before = session.queue.recordRefusal(events: session.machine.events)
    #expect(before.text(of: 0) == "o200" && option(before).isEmpty)
    #expect(session.queue.written.view.text(of: 0) == "o200" && option(session.queue.written.view) == "o200")
  }

  @Test("for a list that is shown in full, only the value is sent") func short() throws {
    var session = try QueuedSession(.queue, flow(200))
    session.settle()
    pick("o1", &session)
    let members = session.changes.joined().compactMap { if case .item(0, let members) = $0 { members } else { nil } }
    #expect(members.allSatisfy { !$0.contains(.options) })
  }
}
