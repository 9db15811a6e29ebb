import JSONCodec
import LoginForms
import LoginMachine
import LoginProtocol

/// Another language in a session that is open.
extension EngineCore {
  /// Shows a session in the language of its flow that is nearest to what is asked for. No event of the view: nothing is entered or pressed by it.
  func translate(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    let locale = document.string(try parameters.requiredString(.locale, document))
    session.lastActive = time.now
    let template = catalog.template(of: session.template.flow, locale: locale)
    if template !== session.template {
      update(session) {
        let challenge = session.machine.challenge.map { conversations.screens.translated($0, into: template) }
        session.template = template
        session.transitions?.queue.translate(into: template.language)
        return session.machine.translate(into: template.language, challenge: challenge) ? .nothing : nil
      }
    }
    reply(to: call, session)
  }

  /// The flow of a session in the language of a view of it, which may still be shown another than the session's.
  func template(showing view: borrowing ViewState, of session: Session) -> FlowTemplate {
    let template = session.template
    let locales = template.flow.strings.locales
    guard view.language != template.language, locales.indices.contains(Int(view.language)) else { return template }
    return catalog.template(of: template.flow, locale: locales[Int(view.language)])
  }
}
