import JSONCodec
import LoginMachine

extension ByteBuffer {
  /// Appends the array of commands for `changes`, with the new values from `view`.
  ///
  /// `view` is `inout` only to avoid a copy.
  mutating func appendCommands(_ changes: [ViewChange], _ view: inout ViewState, _ flow: FlowTemplate) {
    let template = flow.screen(of: view)
    append(0x5B)
    for index in changes.indices {
      if index > 0 { append(0x2C) }
      appendCommand(changes[index], &view, template, flow)
    }
    append(0x5D)
  }

  private mutating func appendCommand(
    _ change: ViewChange, _ view: inout ViewState, _ template: ScreenTemplate, _ flow: FlowTemplate
  ) {
    switch change {
    case .screen:
      append(#"{"command":"showScreen","#)
      flow.withShownScreen(of: &view) { screen in
        append(atMost: screen.room) { $0.putScreen(screen.form.head(screen.header.phase), screen, endsForm: false) }
      }
      if !view.withheldLinks.isEmpty { appendActions(view, template) }
      append(0x7D)
    case .phase:
      append(#"{"command":"setState","state":""#)
      append(view.phase.wireName)
      append(#""}"#)
    case .item(let index, let members):
      appendSetItem(index, members, &view, flow)
    case .primaryReplaced(let former):
      append(#"{"command":"replaceAction","action":"#)
      append(template.primaryIDs[former.roleIndex], of: template.base)
      append(#","newAction":"#)
      let chunk = template.primary[view.primary.roleIndex * 2 + (view.primaryIsEnabled ? 1 : 0)]
      append(chunk, of: template.base)
      append(0x7D)
    case .primaryEnabled:
      appendSetAction(template.primaryIDs[view.primary.roleIndex], view.primaryIsEnabled, template)
      append(0x7D)
    case .linkEnabled(let link):
      appendSetAction(template.linkIDs[link], view.enablesLink(link), template)
      append(0x7D)
    case .linkThrottled(let link, let isToggled):
      appendSetAction(template.linkIDs[link], isToggled ? view.enablesLink(link) : nil, template)
      append(#","retryAt":"#)
      appendRetry(view.retry(of: link))
      append(0x7D)
    case .activity:
      if view.showsActivity { append(#"{"command":"showActivity"}"#) } else { append(#"{"command":"hideActivity"}"#) }
    case .error:
      appendShown(view.error, #""showError","error":"#, #""hideError""#) { $0.appendMessage($1, flow.strings) }
    case .notice:
      appendShown(view.notice, #""showNotice","notice":"#, #""hideNotice""#) { $0.appendMessage($1, flow.strings) }
    case .alert:
      let id = view.alertID
      appendShown(view.alert, #""showAlert","alert":"#, #""hideAlert""#) {
        $0.appendAlert($1, id: id, template.screen, flow.strings)
      }
    case .scene: appendShown(view.scene, #""showScene","scene":"#, #""hideScene""#) { $0.appendScene($1) }
    case .retry:
      append(#"{"command":"setRetryAt","retryAt":"#)
      appendRetry(view.retry)
      append(0x7D)
    case .focus:
      append(#"{"command":"setFocus","focus":"#)
      flow.withShownScreen(of: &view) { screen in append(atMost: screen.form.largest) { $0.putFocus(screen) } }
      append(0x7D)
    case .sectionRemoved(let section):
      append(#"{"command":"removeSection","section":"#)
      append(template.sectionIDs[section], of: template.base)
      append(0x7D)
    case .itemRemoved(let item):
      append(#"{"command":"removeItem","item":"#)
      append(template.form.part(item).pointee.id, of: template.base)
      append(0x7D)
    case .sectionInserted(let section, let place):
      append(#"{"command":"insertSection","index":"#)
      append(decimal: UInt64(place))
      append(#","newSection":"#)
      flow.withShownScreen(of: &view) { screen in append(atMost: screen.room) { $0.putSection(section, screen) } }
      append(0x7D)
    case .itemInserted(let item, let place, let section):
      append(#"{"command":"insertItem","section":"#)
      append(template.sectionIDs[section], of: template.base)
      append(#","index":"#)
      append(decimal: UInt64(place))
      append(#","newItem":"#)
      flow.withShownScreen(of: &view) { screen in
        append(atMost: screen.room) { pen in
          pen.put(screen.form.part(item).pointee.start, of: screen.form)
          pen.putItem(item, screen.state(of: item), screen)
          pen.removeLead(of: item, screen)
        }
      }
      append(0x7D)
    }
  }

  /// Appends the command that shows a part of the view with its value or, if it has no value, the
  /// command that hides it.
  private mutating func appendShown<Shown>(
    _ shown: Shown?, _ show: StaticString, _ hide: StaticString, _ write: (inout ByteBuffer, Shown) -> Void
  ) {
    append(#"{"command":"#)
    if let shown {
      append(show)
      write(&self, shown)
    } else {
      append(hide)
    }
    append(0x7D)
  }

  /// Appends the command that sets members of an action, without the command's closing brace.
  ///
  /// - Parameter isEnabled: the member `enabled`; `nil` to leave it out.
  private mutating func appendSetAction(_ id: ScreenTemplate.Chunk, _ isEnabled: Bool?, _ template: ScreenTemplate) {
    append(#"{"command":"setAction","action":"#)
    append(id, of: template.base)
    guard let isEnabled else { return }
    append(#","enabled":"#)
    appendBoolean(isEnabled)
  }

  /// Appends the command that sets members of an item to their values in `view`.
  mutating func appendSetItem(
    _ index: Int, _ members: ItemMembers, _ view: inout ViewState, _ flow: FlowTemplate
  ) {
    flow.withShownScreen(of: &view) { appendSetItem(index, members, $0) }
  }

  private mutating func appendSetItem(_ index: Int, _ members: ItemMembers, _ screen: ShownScreen) {
    let (state, part) = (screen.state(of: index), screen.form.part(index))
    append(atMost: screen.room) { pen in
      pen.put(#"{"command":"setItem","item":"#)
      pen.put(part.pointee.id, of: screen.form)
      if members.contains(.value) {
        pen.put(#","value":"#)
        pen.putValue(of: index, state, screen)
      }
      if members.contains(.options) {
        pen.put(#","options":"#)
        pen.putOptions(of: index, screen)
      }
      if members.contains(.filled) {
        pen.put(#","filled":"#)
        pen.put(state.isFilled)
      }
      if members.contains(.editable) {
        pen.put(#","editable":"#)
        pen.put(screen.header.isEditable)
      }
      if members.contains(.validity), part.pointee.showsValidity {
        pen.put(#","validity":""#)
        pen.put(screen.validity(of: index, state).wireName)
        pen.put(0x22)
      }
      if members.contains(.messages), part.pointee.showsValidity {
        pen.put(#","messages":["#)
        pen.putMessages(of: index, screen.failing(state), screen)
        pen.put(0x5D)
      }
      pen.put(0x7D)
    }
  }
}
