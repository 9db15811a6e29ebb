import JSONCodec
import LoginMachine

extension ByteBuffer {
  /// Appends the array of commands that make `changes` to a view, with what `view` says of each.
  ///
  /// - Parameter screen: the one that `view` shows.
  mutating func appendCommands(
    _ changes: [ViewChange], _ view: borrowing ViewState, _ screen: ScreenTemplate, _ flow: FlowTemplate
  ) {
    append(0x5B)
    for index in changes.indices {
      if index > 0 { append(0x2C) }
      appendCommand(changes[index], view, screen, flow)
    }
    append(0x5D)
  }

  private mutating func appendCommand(
    _ change: ViewChange, _ view: borrowing ViewState, _ template: ScreenTemplate, _ flow: FlowTemplate
  ) {
    switch change {
    case .screen:
      append(#"{"command":"showScreen","#)
      appendScreen(view, template, flow)
      append(0x7D)
    case .phase:
      append(#"{"command":"setState","state":""#)
      append(view.phase.wireName)
      append(#""}"#)
    case .item(let index, let members):
      appendSetItem(index, members, view, template, flow)
    case .primaryReplaced(let former):
      append(#"{"command":"replaceAction","action":"#)
      append(template.primaryIDs[former.partIndex], of: template.base)
      append(#","with":"#)
      let chunk = template.primary[view.primary.partIndex * 2 + (view.primaryIsEnabled ? 1 : 0)]
      append(chunk, of: template.base)
      append(0x7D)
    case .primaryEnabled:
      appendSetAction(template.primaryIDs[view.primary.partIndex], view.primaryIsEnabled, template)
      append(0x7D)
    case .linkEnabled(let link):
      appendSetAction(template.linkIDs[link], view.enablesLink(link), template)
      append(0x7D)
    case .linkHeld(let link, let isToggled):
      appendSetAction(template.linkIDs[link], isToggled ? view.enablesLink(link) : nil, template)
      append(#","retryAt":"#)
      appendRetry(view.retry(of: link))
      append(0x7D)
    case .activity:
      if view.showsActivity { append(#"{"command":"showActivity"}"#) } else { append(#"{"command":"hideActivity"}"#) }
    case .error:
      appendShown(view.error, #""showError","error":"#, #""hideError""#) { $0.appendError($1, flow.strings) }
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
      appendFocus(view, template)
      append(0x7D)
    case .sectionRemoved(let section):
      append(#"{"command":"removeSection","section":"#)
      append(template.sectionIDs[section], of: template.base)
      append(0x7D)
    case .itemRemoved(let item):
      append(#"{"command":"removeItem","item":"#)
      append(template.items[item].id, of: template.base)
      append(0x7D)
    case .sectionInserted(let section, let place):
      append(#"{"command":"insertSection","index":"#)
      append(decimal: UInt64(place))
      append(#","section":"#)
      appendSection(section, view, view, template, flow)
      append(0x7D)
    case .itemInserted(let item, let place, let section):
      append(#"{"command":"insertItem","section":"#)
      append(template.sectionIDs[section], of: template.base)
      append(#","index":"#)
      append(decimal: UInt64(place))
      append(#","item":"#)
      appendWholeItem(item, view.item(item), view, view, template, flow)
      append(0x7D)
    }
  }

  /// Appends the command that shows something, up to where it stands, and that, or the command that hides what was shown.
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

  /// Appends the command that sets members of an action, but for its end.
  ///
  /// - Parameter isEnabled: `nil` to leave that out.
  private mutating func appendSetAction(_ id: ScreenTemplate.Chunk, _ isEnabled: Bool?, _ template: ScreenTemplate) {
    append(#"{"command":"setAction","action":"#)
    append(id, of: template.base)
    guard let isEnabled else { return }
    append(#","enabled":"#)
    appendBoolean(isEnabled)
  }

  /// Appends the command that gives an item the members that it has in `view`.
  mutating func appendSetItem(
    _ index: Int, _ members: ItemMembers, _ view: borrowing ViewState, _ flow: FlowTemplate
  ) {
    appendSetItem(index, members, view, flow.screen(of: view), flow)
  }

  private mutating func appendSetItem(
    _ index: Int, _ members: ItemMembers, _ view: borrowing ViewState, _ template: ScreenTemplate, _ flow: FlowTemplate
  ) {
    let base = template.base
    let shows = template.items[index].shows
    let showsValidity = template.items[index].showsValidity
    append(#"{"command":"setItem","item":"#)
    append(template.items[index].id, of: base)
    if members.contains(.value) {
      append(#","value":"#)
      appendValue(index, view.item(index), view, shows)
    }
    if members.contains(.options) {
      append(#","options":"#)
      appendShownOptions(index, view, view, template)
    }
    if members.contains(.filled) {
      append(#","filled":"#)
      appendBoolean(view.items[index].isFilled)
    }
    if members.contains(.editable) {
      append(#","editable":"#)
      appendBoolean(view.isEditable)
    }
    if members.contains(.validity), showsValidity {
      append(#","validity":""#)
      append(view.items[index].validity.wireName)
      append(0x22)
    }
    if members.contains(.messages), showsValidity {
      append(#","messages":["#)
      appendMessages(index, view.item(index).failing, view.remarks, template, flow)
      append(0x5D)
    }
    append(0x7D)
  }
}
