import AccountService
import DemoAuthenticator
import EventLoop
import FlowCommand
import FlowFiles
import Glibc
import LoginForms
import LoginEngine
import Transcripts

let arguments = Array(ProcessArguments.all.dropFirst())
switch arguments.first {
case "accounts": exit(AccountService.run(arguments: Array(arguments.dropFirst()), mailTexts: resetMailTexts))
case "demo": exit(DemoAuthenticator.run(arguments: Array(arguments.dropFirst())))
case "flow": exit(FlowCommand.run(arguments: Array(arguments.dropFirst())))
case "mock": exit(MockProgram.run(arguments: Array(arguments.dropFirst())))
case "replay": exit(ReplayProgram.run(arguments: Array(arguments.dropFirst())))
case AuthenticatorRelay.command: exit(AuthenticatorRelay.run(arguments: Array(arguments.dropFirst())))
default: exit(EngineProgram.run(arguments: arguments, defaultAccountsFile: AccountService.defaultFile))
}

/// The texts of the mail with a code for a new password, from a flow definition or the default flow.
func resetMailTexts(_ flowFile: String?) throws -> MailTexts {
  let flow = try flowFile.map { try FlowFile.read(WholeFile.read($0), name: $0) } ?? BuiltInFlows.defaultFlow
  return { locale in
    let texts = flow.flatMap { $0.strings[$0.strings.lookup(locale) ?? $0.defaultLocale] } ?? StringTable([:])
    return (texts.text("mail.reset.subject"), texts.text("mail.reset.text"))
  }
}
