import JSONCodec
import LoginMachine

/// The screen of a view while it is written: borrowed memory, and extras that few screens have.
/// Copying a `ShownScreen` retains nothing.
struct ShownScreen {
  typealias Chunk = ScreenTemplate.Chunk

  let form: FlatTemplate
  let header: ViewState.Header
  let focus: Focus
  /// Whether some links are disabled while others are enabled.
  let hasWithheldLinks: Bool
  /// Whether there is nothing to write but the form.
  let isFormOnly: Bool
  /// The look of an item with the first validity.
  private let firstLook: Int
  private let states: UnsafeRawBufferPointer
  private let texts: (start: UnsafeRawPointer?, count: Int)
  private let extras: Unmanaged<Extras>?

  /// The authenticator's remarks on items, the picked options of long lists, and the template,
  /// which may be temporary.
  fileprivate final class Extras {
    let template: ScreenTemplate
    let remarks: [(remark: Draft.Remark, message: [UInt8])]
    let picks: [Int: Chunk]

    init(_ view: borrowing ViewState, _ template: ScreenTemplate, _ strings: StringTable) {
      self.template = template
      var remarks: [(remark: Draft.Remark, message: [UInt8])] = []
      for remark in view.remarks {
        var message = ByteBuffer()
        message.appendMessage(remark.message, strings)
        remarks.append((remark, message.array()))
      }
      self.remarks = remarks
      var picks: [Int: Chunk] = [:]
      for (item, list) in template.longLists { picks[item] = view.withShownPick(of: item) { list.option($0) } }
      self.picks = picks
    }
  }

  /// Creates the screen of a view from the states and texts of its items.
  @inline(__always) fileprivate init(
    _ view: (header: ViewState.Header, focus: Focus, hasRareMembers: Bool, hasWithheldLinks: Bool),
    _ form: FlatTemplate,
    _ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer, _ extras: Unmanaged<Extras>?
  ) {
    precondition(states.count >= form.count &* MemoryLayout<UInt64>.size)
    self.form = form
    header = view.header
    focus = view.focus
    hasWithheldLinks = view.hasWithheldLinks
    isFormOnly = !view.header[.showsActivity] && !view.hasRareMembers
    firstLook = ScreenTemplate.look(.unknown, isEditable: header.isEditable)
    self.states = states
    self.texts = (texts.baseAddress, texts.count)
    self.extras = extras
  }

  /// The state of an item, without its text.
  @inline(__always) func state(of index: Int) -> Draft.EntryState {
    precondition(index >= 0 && index < form.count)
    return Draft.EntryState(states, at: index)
  }

  /// The broken rules of an item in this state whose messages are shown.
  @inline(__always) func failing(_ state: Draft.EntryState) -> RuleSet { state.shownFailing(marks: header.showsMarks) }

  /// Whether the value of an item in this state is known to be valid or invalid.
  @inline(__always) func validity(of index: Int, _ state: Draft.EntryState) -> ViewState.Validity {
    if let extras, extras.takeUnretainedValue().blames(index) { return .invalid }
    return state.shownValidity(marks: header.showsMarks)
  }

  /// The look of an item with this validity.
  @inline(__always) func look(_ validity: ViewState.Validity) -> Int { firstLook &+ Int(validity.rawValue) }

  /// Whether a section is shown.
  @inline(__always) func shows(section: Int) -> Bool {
    Draft.Entries.shows(section: section, states, items: form.count)
  }

  /// The text of an item in this state.
  @inline(__always) func text(of index: Int, _ state: Draft.EntryState) -> UnsafeRawBufferPointer {
    let start = index == 0 ? 0 : self.state(of: index &- 1).textEnd
    let end = state.textEnd
    precondition(start <= end && end <= texts.count)
    return UnsafeRawBufferPointer(start: texts.start.map { $0 + start }, count: end &- start)
  }

  /// Whether the authenticator has remarks about any item.
  var hasRemarks: Bool {
    @inline(__always) get { extras.map { !$0.takeUnretainedValue().remarks.isEmpty } ?? false }
  }

  /// The remarks about an item, as JSON.
  func remarks(of index: Int) -> [[UInt8]] {
    extras?.takeUnretainedValue().remarks.filter { $0.remark.item == index }.map(\.message) ?? []
  }

  /// The shown option of a long list.
  func pick(of index: Int) -> Chunk? { extras?.takeUnretainedValue().picks[index] }

  /// The maximum size of the screen, in bytes.
  var room: Int {
    @inline(__always) get {
      form.largest + JSONPen.room(forString: texts.count)
        + (extras?.takeUnretainedValue().remarks.reduce(0) { $0 + $1.message.count + 1 } ?? 0)
    }
  }
}

extension FlowTemplate {
  /// Lends the screen that a view shows, which must belong to this template. The view is `inout`
  /// only to avoid a copy.
  @inline(__always) func withShownScreen<R>(of view: inout ViewState, _ body: (ShownScreen) -> R) -> R {
    let (form, extras) = form(of: &view)
    // Manual, because there are rarely extras, and releasing `nil` through the runtime would still
    // cost a call.
    defer { extras?.release() }
    let rest = (view.header, view.focus, view.hasRareMembers, !view.withheldLinks.isEmpty)
    return view.withEntries { states, texts in body(ShownScreen(rest, form, states, texts, extras)) }
  }

  /// The flat template of the screen that a view shows, and its extras, which the caller has to
  /// release.
  @inline(__always) private func form(of view: inout ViewState) -> (FlatTemplate, Unmanaged<ShownScreen.Extras>?) {
    if let index = view.header.flowScreen {
      let form = form(ofScreen: index)
      if !form.hasLongLists, !view.header[.hasRareState] || view.remarks.isEmpty { return (form, nil) }
    }
    let template = screen(of: view)
    return (template.form, .passRetained(ShownScreen.Extras(view, template, strings)))
  }
}

extension ShownScreen.Extras {
  /// Whether the authenticator has rejected the item's value.
  func blames(_ item: Int) -> Bool { remarks.contains { $0.remark.item == item && !$0.remark.isNotice } }
}
