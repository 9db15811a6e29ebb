public import JSONCodec
import LoginForms
public import LoginMachine

extension ByteBuffer {
  /// Appends a snapshot.
  public mutating func appendSnapshot(_ view: borrowing ViewState, _ template: FlowTemplate) {
    appendSnapshot(view, template.screens[view.screenIndex], template)
  }

  /// Appends a snapshot of a screen that was looked up.
  mutating func appendSnapshot(_ view: borrowing ViewState, _ screen: ScreenTemplate, _ template: FlowTemplate) {
    append(0x7B)
    appendScreen(view, screen, template)
    if !view.showsActivity, view.error == nil, view.scene == nil {
      append(#","activity":false,"error":null,"alert":null,"scene":null}"#)
      return
    }
    append(#","activity":"#)
    appendBoolean(view.showsActivity)
    append(#","error":"#)
    if let error = view.error { appendMessage(error, template.strings) } else { append("null") }
    append(#","alert":null,"scene":"#)
    if let scene = view.scene { appendScene(scene) } else { append("null") }
    append(0x7D)
  }

  /// Appends a screen's members without braces: `"screen"`, `"state"`, `"title"`, `"sections"`, `"actions"`.
  mutating func appendScreen(_ view: borrowing ViewState, _ template: ScreenTemplate, _ flow: FlowTemplate) {
    append(template.heads[Int(view.phase.rawValue)], of: template.base)
    for item in template.items.indices { appendItem(item, view, template, template.base, flow) }
    let foot = ScreenTemplate.footIndex(
      view.primary, isEnabled: view.primaryIsEnabled, linksAreEnabled: view.linksAreEnabled)
    append(template.feet[foot], of: template.base)
  }

  @inline(__always) private mutating func appendItem(
    _ index: Int, _ view: borrowing ViewState, _ template: ScreenTemplate, _ base: UnsafeRawPointer,
    _ flow: FlowTemplate
  ) {
    append(template.items[index].lead, of: base)
    appendValue(index, view, template.items[index].shows)
    let look = ScreenTemplate.lookIndex(index, view.items[index].validity, isEditable: view.isEditable)
    if view.items[index].failing.isEmpty && view.answers.isEmpty || !template.items[index].showsValidity {
      append(template.tails[look], of: base)
    } else {
      append(template.openings[look], of: base)
      appendMessages(index, view, template, base, flow)
      append("]}")
    }
  }

  @inline(__always) mutating func appendValue(
    _ index: Int, _ view: borrowing ViewState, _ shows: ScreenTemplate.Shows
  ) {
    switch shows {
    case .text: view.withText(of: index) { appendJSONString($0) }
    case .filled: appendBoolean(view.items[index].isFilled)
    case .position:
      if let isOn = view.items[index].isOn { appendBoolean(isOn) } else { append("null") }
    }
  }

  mutating func appendMessages(
    _ index: Int, _ view: borrowing ViewState, _ template: ScreenTemplate, _ base: UnsafeRawPointer,
    _ flow: FlowTemplate
  ) {
    if view.items[index].failing.isEmpty, view.answers.isEmpty { return }
    var isFirst = true
    for rule in template.items[index].failures.indices where view.items[index].failing.contains(rule) {
      if !isFirst { append(0x2C) }
      isFirst = false
      append(template.items[index].failures[rule], of: base)
    }
    for answer in view.answers where answer.item == index {
      if !isFirst { append(0x2C) }
      isFirst = false
      appendMessage(answer.message, flow.strings)
    }
  }

  @inline(__always) mutating func append(_ chunk: ScreenTemplate.Chunk, of base: UnsafeRawPointer) {
    append(base + Int(chunk.start), Int(chunk.count))
  }

  @inline(__always) mutating func appendBoolean(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Appends `{code, text, params?}` with the text in the language of `strings`.
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
    append(0x7D)
  }

  /// Appends `{id, principal, data}`.
  mutating func appendScene(_ scene: Scene) {
    append(#"{"id":"#)
    appendJSONString(scene.id)
    append(#","principal":"#)
    if let principal = scene.principal { appendJSONString(principal) } else { append("null") }
    append(#","data":"#)
    if let data = scene.data { append(data) } else { append("null") }
    append(0x7D)
  }
}
