import JSONCodec
import LoginMachine

/// The screen of a view while it is being written. It refers to borrowed memory, and to `Extras`
/// that few screens have. Copying a `ShownScreen` retains nothing.
struct ShownScreen {
  typealias Chunk = ScreenTemplate.Chunk

  let form: FlatTemplate
  let header: ViewState.Header
  let focus: Focus
  /// Whether some links are disabled while others are enabled.
  let hasWithheldLinks: Bool
  /// Whether the view shows only the form, so that nothing else has to be written.
  let isFormOnly: Bool
  /// The index of the look that an item has if its validity is `unknown`.
  private let firstLook: Int
  private let states: UnsafeRawBufferPointer
  private let texts: (start: UnsafeRawPointer?, count: Int)
  private let extras: Unmanaged<Extras>?

  /// The parts that few screens have: the authenticator's messages at items, and the picked options
  /// of long lists. Also keeps the template in memory, which may be a temporary one.
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

  /// The rules that an item in this state breaks and whose messages are shown.
  @inline(__always) func failing(_ state: Draft.EntryState) -> RuleSet { state.shownFailing(marks: header.showsMarks) }

  /// The validity of an item in this state, as the view shows it.
  @inline(__always) func validity(of index: Int, _ state: Draft.EntryState) -> ViewState.Validity {
    if let extras, extras.takeUnretainedValue().blames(index) { return .invalid }
    return state.shownValidity(marks: header.showsMarks)
  }

  /// The index of the look that an item with this validity has.
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

  /// Whether the authenticator has sent messages about any item.
  var hasRemarks: Bool {
    @inline(__always) get { extras.map { !$0.takeUnretainedValue().remarks.isEmpty } ?? false }
  }

  /// The authenticator's messages about an item, as JSON texts.
  func remarks(of index: Int) -> [[UInt8]] {
    extras?.takeUnretainedValue().remarks.filter { $0.remark.item == index }.map(\.message) ?? []
  }

  /// The picked option of a long list, as the view shows it; `nil` if no option is picked. `index`
  /// is the index of the list's item.
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
  /// Lends the screen that a view shows. The screen must belong to this template. `view` is `inout`
  /// only to avoid a copy.
  @inline(__always) func withShownScreen<R>(of view: inout ViewState, _ body: (ShownScreen) -> R) -> R {
    let (form, extras) = form(of: &view)
    // The extras are released by hand: there rarely are any, and automatic release would call the
    // runtime even for `nil`.
    defer { extras?.release() }
    let rest = (view.header, view.focus, view.hasRareMembers, !view.withheldLinks.isEmpty)
    return view.withEntries { states, texts in body(ShownScreen(rest, form, states, texts, extras)) }
  }

  /// The flat template of the screen that a view shows, and the screen's extras. The caller has to
  /// release the extras.
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
  /// Whether the authenticator has sent a message about the item that marks its value as invalid.
  func blames(_ item: Int) -> Bool { remarks.contains { $0.remark.item == item && !$0.remark.isNotice } }
}
