import JSONCodec
import LoginMachine

/// A view's screen as it is written: memory that is lent, and what only few screens have, made ready beforehand. Copying it retains nothing.
struct ShownScreen {
  typealias Chunk = ScreenTemplate.Chunk

  let form: FlatTemplate
  let header: ViewState.Header
  let focus: Focus
  /// Whether links are enabled that others are not.
  let hasWithheldLinks: Bool
  /// Whether there is nothing to say but the form.
  let isFormOnly: Bool
  private let states: UnsafeRawBufferPointer
  private let texts: UnsafeRawBufferPointer
  private let extras: Unmanaged<Extras>?

  /// What the authenticator said of items, and the options of long lists that are shown.
  fileprivate final class Extras {
    let remarks: [(remark: Draft.Remark, message: [UInt8])]
    let picks: [Int: Chunk]

    init(_ view: borrowing ViewState, _ form: FlatTemplate, _ strings: StringTable) {
      var remarks: [(remark: Draft.Remark, message: [UInt8])] = []
      for remark in view.remarks {
        var message = ByteBuffer()
        message.appendMessage(remark.message, strings)
        remarks.append((remark, message.array()))
      }
      self.remarks = remarks
      var picks: [Int: Chunk] = [:]
      for (item, list) in form.owner.longLists { picks[item] = view.withShownPick(of: item) { list.option($0) } }
      self.picks = picks
    }
  }

  /// What is shown of a view whose items these are.
  @inline(__always) fileprivate init(
    _ view: (header: ViewState.Header, focus: Focus, hasOverlay: Bool, hasWithheldLinks: Bool), _ form: FlatTemplate,
    _ states: UnsafeRawBufferPointer, _ texts: UnsafeRawBufferPointer, _ extras: Extras?
  ) {
    precondition(states.count >= form.count &* MemoryLayout<UInt64>.size)
    self.form = form
    header = view.header
    focus = view.focus
    hasWithheldLinks = view.hasWithheldLinks
    isFormOnly = !view.header[.showsActivity] && !view.hasOverlay
    self.states = states
    self.texts = texts
    self.extras = extras.map { .passUnretained($0) }
  }

  /// What is shown of an item beside its text.
  @inline(__always) func item(_ index: Int) -> ViewState.ItemView {
    precondition(index >= 0 && index < form.count)
    var item = ViewState.ItemView(Draft.EntryState(states, at: index), marks: header.showsMarks)
    if let extras, extras._withUnsafeGuaranteedRef({ $0.blames(index) }) { item.validity = .invalid }
    return item
  }

  /// Whether an item is not on the screen.
  @inline(__always) func isHidden(_ index: Int) -> Bool {
    precondition(index >= 0 && index < form.count)
    return Draft.EntryState(states, at: index).isHidden
  }

  /// Whether a section is there.
  @inline(__always) func shows(section: Int) -> Bool {
    Draft.Entries.shows(section: section, states, items: form.count)
  }

  /// The text of an item.
  @inline(__always) func text(of index: Int) -> UnsafeRawBufferPointer {
    let start = index == 0 ? 0 : Draft.EntryState(states, at: index - 1).textEnd
    return UnsafeRawBufferPointer(rebasing: texts[start..<Draft.EntryState(states, at: index).textEnd])
  }

  /// Whether the authenticator said something of any item.
  var hasRemarks: Bool {
    @inline(__always) get { extras?._withUnsafeGuaranteedRef { !$0.remarks.isEmpty } ?? false }
  }

  /// What the authenticator said of an item, as it is written.
  func remarks(of index: Int) -> [[UInt8]] {
    extras?._withUnsafeGuaranteedRef { $0.remarks.filter { $0.remark.item == index }.map(\.message) } ?? []
  }

  /// The option of a long list that is shown.
  func pick(of index: Int) -> Chunk? { extras?._withUnsafeGuaranteedRef { $0.picks[index] } }

  /// The most bytes that the screen has, or any part of it.
  var room: Int {
    @inline(__always) get {
      form.largest + JSONPen.room(forString: texts.count)
        + (extras?._withUnsafeGuaranteedRef { $0.remarks.reduce(0) { $0 + $1.message.count + 1 } } ?? 0)
    }
  }
}

extension FlowTemplate {
  /// Lends the screen that a view shows, which is one of the template's. The view is passed `inout` only because it is not copied that way.
  @inline(__always) func withShownScreen<R>(of view: inout ViewState, _ body: (ShownScreen) -> R) -> R {
    let (form, owner) = form(of: &view)
    return withExtendedLifetime(owner) {
      let rest = (view.header, view.focus, view.hasOverlay, !view.withheldLinks.isEmpty)
      let hasExtras = form.hasLongLists || view.header[.hasRarities] && !view.remarks.isEmpty
      let extras = hasExtras ? ShownScreen.Extras(view, form, strings) : nil
      return withExtendedLifetime(extras) {
        view.entries.withAll { states, texts in body(ShownScreen(rest, form, states, texts, extras)) }
      }
    }
  }
}

extension ShownScreen.Extras {
  /// Whether the authenticator said something against the value of an item.
  func blames(_ item: Int) -> Bool { remarks.contains { $0.remark.item == item && !$0.remark.isNotice } }
}
