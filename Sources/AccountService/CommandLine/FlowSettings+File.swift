import FlowFiles
import LoginMachine
import System

extension FlowSettings {
  /// Reads a flow definition, or uses the default flow.
  init(of flowFile: String?) throws {
    let flow = try flowFile.map { try FlowFile.read(WholeFile.readTrusted($0), name: $0) } ?? BuiltInFlows.defaultFlow
    self.init(
      mailTexts: { kind, locale in
        let texts = flow.flatMap { $0.strings[$0.strings.lookup(locale) ?? $0.defaultLocale] } ?? StringTable([:])
        return MailText(kind, texts)
      }, minimumPasswordLength: flow?.minimumPasswordLength)
  }
}

extension Flow {
  /// The smallest minimum length in the flow's rules for new passwords of accounts. Nil if there is
  /// no such rule.
  fileprivate var minimumPasswordLength: Int? {
    let items = screens.filter { ["setup", "resetPassword"].contains($0.request) }.flatMap(\.items)
    let lengths = items.filter { ($0.field ?? $0.apiKey) == "password" }.flatMap(\.rules).compactMap { rule -> Int? in
      if case .minLength(let length, _) = rule.requirement { length } else { nil }
    }
    return lengths.min()
  }
}
