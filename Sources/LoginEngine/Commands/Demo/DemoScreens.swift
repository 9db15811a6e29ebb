import AuthenticatorKit
import JSONCodec
import LoginMachine

/// The challenges of the demo authenticator.
enum DemoScreens {
  /// The challenge that asks for a code.
  static var code: AuthenticatorChallenge {
    AuthenticatorChallenge(
      screen: screen(
        """
        {"id":"demoCode","title":"Enter the code","sections":[{"id":"code","items":[\
        {"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","title":"Code","autofill":"one-time-code",\
        "rules":[{"rule":"required","message":"Enter the code."}]}]}],\
        "actions":{"submit":{"id":"check","title":"Check"}},"links":[{"id":"resend","title":"Send it again"}]}
        """), notice: Message(saying: "The code is \(DemoService.code)."))
  }
  static var codeAgain: AuthenticatorChallenge {
    AuthenticatorChallenge(notice: Message(saying: "The code is still \(DemoService.code)."))
  }
  static var wrongCode: AuthenticatorChallenge {
    AuthenticatorChallenge(error: Message(saying: "That is not the code. The code is \(DemoService.code)."))
  }

  /// The challenge that waits for an approval.
  static var approval: AuthenticatorChallenge {
    AuthenticatorChallenge(
      screen: screen(
        #"{"id":"demoApproval","title":"Approve it on your phone","sections":[{"id":"approval","items":[]}]}"#),
      pollAfterMs: 1000)
  }
  static var stillWaiting: AuthenticatorChallenge { AuthenticatorChallenge(pollAfterMs: 1000) }

  private static func screen(_ text: StaticString) -> SensitiveJSON { SensitiveJSON { $0.append(text) } }
}
