import JSONCodec
import LoginMachine
import LoginProtocol

/// Changing the language of an open session.
extension EngineCore {
  /// Serves `session/locale`: shows a session in the language of its flow that is nearest to the
  /// requested language. The call does not count as an event, because the user enters and presses
  /// nothing.
  func translate(_ call: Call, _ parameters: Parameters, _ document: borrowing JSONDocument) throws(RPCError) {
    let session = try session(parameters, document)
    let locale = document.string(try parameters.requiredString(.locale, document))
    session.lastActive = time.now
    let template = catalog.template(of: session.template.flow, locale: locale)
    if template !== session.template {
      update(session) {
        let challenge = session.machine.challenge.map { conversations.translated($0, into: template) }
        session.template = template
        session.transitions?.queue.translate(into: template.language) { shown in
          conversations.translated(shown, into: template)
        }
        return session.machine.translate(into: template.language, challenge: challenge)
      }
    }
    reply(to: call, session)
  }

  /// The template of a session's flow in the language with this index. It differs from the
  /// session's current template if the language was changed and the view still shows the former
  /// language.
  func template(in language: UInt16, of session: Session) -> FlowTemplate {
    let template = session.template
    let locales = template.flow.strings.locales
    guard language != template.language, locales.indices.contains(Int(language)) else { return template }
    return catalog.template(of: template.flow, locale: locales[Int(language)])
  }
}
