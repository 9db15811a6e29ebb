import AuthenticatorKit
public import JSONCodec
public import LoginMachine

extension ByteBuffer {
  /// Appends a snapshot.
  public mutating func appendSnapshot(_ view: borrowing ViewState, _ template: FlowTemplate) {
    var view = copy view
    append(0x7B)
    template.withShownScreen(of: &view) { screen in
      append(atMost: screen.room) { $0.putSnapshot(screen.form.head(screen.header.phase), screen) }
    }
    if view.showsMoreThanForm { appendSnapshotRest(&view, template) }
  }

  /// Appends the part of a snapshot that `JSONPen.putSnapshot` has not written, because the
  /// snapshot shows more than the form.
  mutating func appendSnapshotRest(_ view: inout ViewState, _ template: FlowTemplate) {
    let screen = template.screen(of: view)
    if !view.withheldLinks.isEmpty { appendActions(view, screen) }
    if view.showsActivity || view.hasRareMembers {
      appendSnapshotEnd(view, screen.screen, template.strings)
    } else {
      withExtendedLifetime(screen) { append(screen.form.formOnlyEnd, of: screen.base) }
    }
    template.withShownScreen(of: &view) { screen in
      append(atMost: screen.form.largest) { pen in
        pen.putFocus(screen)
        pen.put(0x7D)
      }
    }
  }

  /// Appends the members of a snapshot after its screen, up to the focus.
  mutating func appendSnapshotEnd(_ view: borrowing ViewState, _ screen: Screen, _ strings: StringTable) {
    append(#","activity":"#)
    appendBoolean(view.showsActivity)
    append(#","error":"#)
    if let error = view.error { appendMessage(error, strings) } else { append("null") }
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

  /// Appends the time at which a retry becomes possible: `{at, afterMs}`, or `null`.
  mutating func appendRetry(_ retry: RetryTime?) {
    guard let retry else { return append("null") }
    append(#"{"at":"#)
    append(decimal: retry.end)
    append(#","afterMs":"#)
    append(decimal: retry.duration)
    append(0x7D)
  }

  /// Appends the actions of a screen on which some links are disabled while others are enabled.
  mutating func appendActions(_ view: borrowing ViewState, _ template: ScreenTemplate) {
    append(#","actions":["#)
    append(template.primary[view.primary.roleIndex * 2 + (view.primaryIsEnabled ? 1 : 0)], of: template.base)
    for link in template.screen.links.indices {
      append(0x2C)
      appendLink(link, view, template)
    }
    append("]")
  }

  /// Appends a link of a screen on which links can make requests. If the link is throttled, this
  /// includes the time at which the throttle ends.
  mutating func appendLink(_ link: Int, _ view: borrowing ViewState, _ template: ScreenTemplate) {
    let chunk = template.links[link * 2 + (view.enablesLink(link) ? 1 : 0)]
    guard let retry = view.retry(of: link) else { return append(chunk, of: template.base) }
    // The chunk ends with `null}`, which is left out.
    append(template.base + Int(chunk.start), Int(chunk.count) - 5)
    appendRetry(retry)
    append(0x7D)
  }

  @inline(__always) mutating func append(_ chunk: ScreenTemplate.Chunk, of base: UnsafeRawPointer) {
    append(base + Int(chunk.start), Int(chunk.count))
  }

  @inline(__always) mutating func appendBoolean(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Appends a message as `{code, text, params?, severity?}`, with the text in the language of
  /// `strings`.
  mutating func appendMessage(_ message: Message, _ strings: StringTable) {
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
    append(0x7D)
  }

  /// Appends an alert as `{id, title?, text, messages, actions}`.
  mutating func appendAlert(_ alert: Alert, id: UInt64, _ screen: Screen, _ strings: StringTable) {
    append(#"{"id":"#)
    append(decimal: id)
    if let title = alert.title ?? screen.alert?.titles[alert.kind].map({ strings.text($0) }) {
      append(#","title":"#)
      appendJSONString(title)
    }
    append(#","text":"#)
    appendJSONString(alert.messages.map { strings.text($0) }.joined(separator: "\n"))
    append(#","messages":["#)
    for (index, message) in alert.messages.enumerated() {
      if index > 0 { append(0x2C) }
      appendMessage(message, strings)
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

  /// Appends a scene as `{id, principal?, data?, values, proofs?}`.
  mutating func appendScene(_ scene: Scene) {
    append(#"{"id":"#)
    appendJSONString(scene.id)
    if let principal = scene.principal {
      append(#","principal":"#)
      appendJSONString(principal)
    }
    if let data = scene.data {
      append(#","data":"#)
      append(data)
    }
    append(#","values":{"#)
    for (index, entered) in scene.values.enumerated() {
      if index > 0 { append(0x2C) }
      appendJSONString(entered.item)
      append(0x3A)
      appendPlain(entered.value)
    }
    append(0x7D)
    append(proofs: scene.proofs)
    append(0x7D)
  }

  private mutating func appendPlain(_ value: ItemValue) {
    switch value {
    case .text(let text?), .option(let text?): appendJSONString(text)
    case .position(let isOn?): appendBoolean(isOn)
    case .text(nil), .option(nil), .position(nil), .json, .secret: append("null")
    }
  }
}

extension ViewState {
  /// Whether a snapshot contains more than `JSONPen.putSnapshot` writes.
  var showsMoreThanForm: Bool {
    @inline(__always) get { header[.showsActivity] || hasRareMembers || !withheldLinks.isEmpty }
  }
}
