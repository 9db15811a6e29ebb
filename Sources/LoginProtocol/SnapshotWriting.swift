public import JSONCodec
import LoginForms
public import LoginMachine

extension ByteBuffer {
  /// Appends a snapshot.
  public mutating func appendSnapshot(_ view: borrowing ViewState, _ template: FlowTemplate) {
    let screen = template.screen(of: view)
    append(0x7B)
    append(screen.heads[Int(view.phase.rawValue)], of: screen.base)
    appendSnapshotRest(view, view, screen, template)
  }

  /// Appends the member `snapshot` of an update, with the comma before it. `items` says what the view shows of its items.
  mutating func appendSnapshotMember(
    _ view: borrowing ViewState, _ items: borrowing some ItemSource, _ screen: ScreenTemplate, _ flow: FlowTemplate
  ) {
    append(screen.snapshotHeads[Int(view.phase.rawValue)], of: screen.base)
    appendSnapshotRest(view, items, screen, flow)
  }

  /// Appends a snapshot from behind the head of its screen on.
  @inline(__always) private mutating func appendSnapshotRest(
    _ view: borrowing ViewState, _ items: borrowing some ItemSource, _ screen: ScreenTemplate, _ flow: FlowTemplate
  ) {
    let isFormOnly = !view.showsActivity && !view.hasOverlay
    appendSections(view, items, screen, flow, isFormOnly ? screen.formFeet : screen.feet)
    if view.showsActivity || view.hasOverlay {
      appendSnapshotEnd(view, screen.screen, flow.strings)
    } else if !view.withheldLinks.isEmpty {
      append(screen.formOnlyEnd, of: screen.base)
    }
    appendFocus(view, screen)
    append(0x7D)
  }

  /// Appends what a snapshot says after its screen, up to where the keyboard is.
  mutating func appendSnapshotEnd(_ view: borrowing ViewState, _ screen: Screen, _ strings: StringTable) {
    append(#","activity":"#)
    appendBoolean(view.showsActivity)
    append(#","error":"#)
    if let error = view.error { appendError(error, strings) } else { append("null") }
    append(#","notice":"#)
    if let notice = view.notice { appendMessage(notice, strings) } else { append("null") }
    append(#","alert":"#)
    if let alert = view.alert {
      appendAlert(alert, id: view.alertID, screen, strings)
    } else {
      append("null")
    }
    append(#","scene":"#)
    if let scene = view.scene { appendScene(scene) } else { append("null") }
    append(#","retryAt":"#)
    appendRetry(view.retry)
    append(#","focus":"#)
  }

  /// Appends `{on, since}`, or `null`.
  @inline(__always) mutating func appendFocus(_ view: borrowing ViewState, _ template: ScreenTemplate) {
    let focus = view.focus
    guard let target = focus.target else { return append("null") }
    switch target {
    case .item(let item): append(template.items[item].focus, of: template.base)
    case .primary:
      append(#"{"on":"#)
      append(template.primaryIDs[view.primary.partIndex], of: template.base)
      append(#","since":"#)
    case .dismissal:
      append(#"{"on":"#)
      appendJSONString(template.screen.alert?.dismiss.id ?? "")
      append(#","since":"#)
    }
    append(decimal: focus.since)
    append(0x7D)
  }

  /// Appends `{at, afterMs}`, or `null`.
  mutating func appendRetry(_ retry: RetryTime?) {
    guard let retry else { return append("null") }
    append(#"{"at":"#)
    append(decimal: retry.end)
    append(#","afterMs":"#)
    append(decimal: retry.duration)
    append(0x7D)
  }

  /// Appends a screen's members without braces: `"screen"`, `"state"`, `"title"`, `"sections"`, `"actions"`.
  mutating func appendScreen(_ view: borrowing ViewState, _ template: ScreenTemplate, _ flow: FlowTemplate) {
    append(template.heads[Int(view.phase.rawValue)], of: template.base)
    appendSections(view, view, template, flow, template.feet)
  }

  /// Appends what stands behind a screen's head, and `feet` behind that unless the actions have to be written one by one.
  @inline(__always) private mutating func appendSections(
    _ view: borrowing ViewState, _ items: borrowing some ItemSource, _ template: ScreenTemplate, _ flow: FlowTemplate,
    _ feet: [ScreenTemplate.Chunk]
  ) {
    if template.screen.isDynamic {
      appendDynamicSections(view, items, template, flow)
    } else {
      for item in template.items.indices { appendItem(item, view, items, template, flow) }
    }
    guard view.withheldLinks.isEmpty else {
      append(template.end, of: template.base)
      return appendActions(view, template)
    }
    let foot = ScreenTemplate.footIndex(
      view.primary, isEnabled: view.primaryIsEnabled, linksAreEnabled: view.linksAreEnabled)
    append(feet[foot], of: template.base)
  }

  /// Appends what is there of sections whose items come and go.
  private mutating func appendDynamicSections(
    _ view: borrowing ViewState, _ items: borrowing some ItemSource, _ template: ScreenTemplate, _ flow: FlowTemplate
  ) {
    var isFirst = true
    for index in template.sections.indices where view.sections[index] {
      if !isFirst { append(0x2C) }
      isFirst = false
      appendSection(index, view, items, template, flow)
    }
  }

  /// Appends the actions where some of the links are enabled and others are not.
  @inline(never) private mutating func appendActions(_ view: borrowing ViewState, _ template: ScreenTemplate) {
    append(#","actions":["#)
    append(template.primary[view.primary.partIndex * 2 + (view.primaryIsEnabled ? 1 : 0)], of: template.base)
    for link in template.screen.links.indices {
      append(0x2C)
      appendLink(link, view, template)
    }
    append("]")
  }

  /// Appends a link of a screen that has links with requests, with the end of the time for which it is held.
  mutating func appendLink(_ link: Int, _ view: borrowing ViewState, _ template: ScreenTemplate) {
    let chunk = template.links[link * 2 + (view.enablesLink(link) ? 1 : 0)]
    guard let retry = view.retry(of: link) else { return append(chunk, of: template.base) }
    // Up to the `null}` at its end.
    append(template.base + Int(chunk.start), Int(chunk.count) - 5)
    appendRetry(retry)
    append(0x7D)
  }

  /// Appends a section with the items that are there.
  mutating func appendSection(
    _ index: Int, _ view: borrowing ViewState, _ items: borrowing some ItemSource, _ template: ScreenTemplate,
    _ flow: FlowTemplate
  ) {
    append(template.sections[index], of: template.base)
    var isFirst = true
    for item in template.screen.sections[index].items {
      let state = items.item(item)
      if state.isHidden { continue }
      if !isFirst { append(0x2C) }
      isFirst = false
      appendWholeItem(item, state, view, items, template, flow)
    }
    append("]}")
  }

  /// Appends an item by itself.
  @inline(__always) mutating func appendWholeItem(
    _ index: Int, _ state: ViewState.ItemView, _ view: borrowing ViewState, _ items: borrowing some ItemSource,
    _ template: ScreenTemplate, _ flow: FlowTemplate
  ) {
    append(template.items[index].start, of: template.base)
    appendValue(index, state, view, items, template)
    let look = ScreenTemplate.lookIndex(index, state.validity, isEditable: view.isEditable)
    if hasMessages(index, state, view, template) {
      append(template.openings[look], of: template.base)
      appendMessages(index, state.failing, view.remarks, template, flow)
      append("]}")
    } else {
      append(template.tails[look], of: template.base)
    }
  }

  /// Appends an item of a screen where nothing comes or goes from its value on, and all that stands before the next value.
  @inline(__always) private mutating func appendItem(
    _ index: Int, _ view: borrowing ViewState, _ items: borrowing some ItemSource, _ template: ScreenTemplate,
    _ flow: FlowTemplate
  ) {
    let state = items.item(index)
    appendValue(index, state, view, items, template)
    let look = ScreenTemplate.lookIndex(index, state.validity, isEditable: view.isEditable)
    if hasMessages(index, state, view, template) {
      append(template.openings[look], of: template.base)
      appendMessages(index, state.failing, view.remarks, template, flow)
      append(template.items[index].closing, of: template.base)
    } else {
      append(template.joints[look], of: template.base)
    }
  }

  /// Whether there may be something to read beside an item.
  @inline(__always) private func hasMessages(
    _ index: Int, _ state: ViewState.ItemView, _ view: borrowing ViewState, _ template: ScreenTemplate
  ) -> Bool {
    (!state.failing.isEmpty || !view.remarks.isEmpty) && template.items[index].showsValidity
  }

  /// Appends what stands in the place of an item's value.
  @inline(__always) private mutating func appendValue(
    _ index: Int, _ state: ViewState.ItemView, _ view: borrowing ViewState, _ items: borrowing some ItemSource,
    _ template: ScreenTemplate
  ) {
    let shows = template.items[index].shows
    if shows == .pick {
      appendPick(index, state, view, items, template)
    } else {
      appendValue(index, state, items, shows)
    }
  }

  @inline(__always) mutating func appendValue(
    _ index: Int, _ state: ViewState.ItemView, _ items: borrowing some ItemSource, _ shows: ScreenTemplate.Shows
  ) {
    switch shows {
    case .text, .pick:
      if state.isAbsent { append("null") } else { items.withText(of: index) { appendJSONString($0) } }
    case .json:
      if state.isAbsent { append("null") } else { items.withText(of: index) { append($0) } }
    case .nothing: break
    case .filled: appendBoolean(state.isFilled)
    case .position:
      if let isOn = state.isOn { appendBoolean(isOn) } else { append("null") }
    }
  }

  mutating func appendMessages(
    _ index: Int, _ failing: RuleSet, _ remarks: [Draft.Remark], _ template: ScreenTemplate, _ flow: FlowTemplate
  ) {
    if failing.isEmpty, remarks.isEmpty { return }
    var isFirst = true
    for rule in template.items[index].failures.indices where failing.contains(rule) {
      if !isFirst { append(0x2C) }
      isFirst = false
      append(template.items[index].failures[rule], of: template.base)
    }
    for remark in remarks where remark.item == index {
      if !isFirst { append(0x2C) }
      isFirst = false
      appendMessage(remark.message, flow.strings)
    }
  }

  @inline(__always) mutating func append(_ chunk: ScreenTemplate.Chunk, of base: UnsafeRawPointer) {
    append(base + Int(chunk.start), Int(chunk.count))
  }

  @inline(__always) mutating func appendBoolean(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Appends what is shown as an error: it answers a press and so interrupts, but for the end of a throttle, which comes by itself.
  mutating func appendError(_ error: Message, _ strings: StringTable) {
    appendMessage(error, strings, isAssertive: error.code != EngineMessage.throttleOver.rawValue)
  }

  /// Appends `{code, text, params?, severity?, politeness?}` with the text in the language of `strings`.
  mutating func appendMessage(_ message: Message, _ strings: StringTable, isAssertive: Bool = false) {
    append(#"{"code":"#)
    appendJSONString(message.code)
    append(#","text":"#)
    appendJSONString(strings.text(message))
    if !message.parameters.isEmpty {
      append(#","params":{"#)
      for (index, parameter) in message.parameters.enumerated() {
        if index > 0 { append(0x2C) }
        appendJSONString(parameter.name)
        append(0x3A)
        switch parameter.value {
        case .number(let text): append(text)
        case .text(let text): appendJSONString(text)
        }
      }
      append(0x7D)
    }
    if let severity = message.severity {
      append(#","severity":"#)
      appendJSONString(severity.rawValue)
    }
    if isAssertive { append(#","politeness":"assertive""#) }
    append(0x7D)
  }

  /// Appends `{id, title, text, messages, actions}`.
  mutating func appendAlert(_ alert: Alert, id: UInt64, _ screen: Screen, _ strings: StringTable) {
    append(#"{"id":"#)
    append(decimal: id)
    append(#","title":"#)
    if let title = alert.title ?? screen.alert?.titles[alert.kind].map({ strings.text($0) }) {
      appendJSONString(title)
    } else {
      append("null")
    }
    append(#","text":"#)
    appendJSONString(alert.messages.map { strings.text($0) }.joined(separator: "\n"))
    append(#","messages":["#)
    for (index, message) in alert.messages.enumerated() {
      if index > 0 { append(0x2C) }
      appendMessage(message, strings, isAssertive: true)
    }
    append(#"],"actions":["#)
    if let model = screen.alert {
      append(#"{"id":"#)
      appendJSONString(model.dismiss.id)
      append(#","title":"#)
      appendJSONString(strings.text(model.dismiss.title))
      append(#","role":"#)
      appendJSONString(model.role.rawValue)
      append(#","enabled":true}"#)
    }
    append("]}")
  }

  /// Appends `{id, principal, data, values, factors?}`.
  mutating func appendScene(_ scene: Scene) {
    append(#"{"id":"#)
    appendJSONString(scene.id)
    append(#","principal":"#)
    if let principal = scene.principal { appendJSONString(principal) } else { append("null") }
    append(#","data":"#)
    if let data = scene.data { append(data) } else { append("null") }
    append(#","values":{"#)
    for (index, entered) in scene.values.enumerated() {
      if index > 0 { append(0x2C) }
      appendJSONString(entered.item)
      append(0x3A)
      appendPlain(entered.value)
    }
    append(0x7D)
    if let factors = scene.factors { appendFactors(factors) }
    append(0x7D)
  }

  private mutating func appendPlain(_ value: ItemValue) {
    switch value {
    case .text(let text?), .option(let text?): appendJSONString(text)
    case .position(let isOn?): appendBoolean(isOn)
    case .text(nil), .option(nil), .position(nil), .json, .secret: append("null")
    }
  }

  /// Appends the member `factors`, with the comma before it.
  mutating func appendFactors(_ factors: [String]) {
    append(#","factors":["#)
    for (index, factor) in factors.enumerated() {
      if index > 0 { append(0x2C) }
      appendJSONString(factor)
    }
    append(0x5D)
  }
}
