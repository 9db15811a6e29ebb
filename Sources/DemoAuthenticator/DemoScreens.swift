/// What the demo authenticator asks back.
enum DemoScreens {
  /// A code is asked for.
  static let code: StaticString = """
    {"outcome":"challenge","notice":"The code is 123456.","screen":{"id":"demoCode","title":"Enter the code","sections":[{"id":"code","items":[\
    {"id":"code","apiKey":"code","kind":"input","inputType":"oneTimeCode","title":"Code","autofill":"one-time-code",\
    "rules":[{"rule":"required","message":"Enter the code."}]}]}],\
    "actions":{"submit":{"id":"check","title":"Check"}},"links":[{"id":"resend","title":"Send it again"}]}}
    """
  static let codeAgain: StaticString = #"{"outcome":"challenge","notice":"The code is still 123456."}"#
  static let wrongCode: StaticString = #"{"outcome":"challenge","error":"That is not the code. The code is 123456."}"#

  /// What a link requests is done, and can be done again a little later.
  static let requested: StaticString =
    #"{"outcome":"accepted","principal":"demo","message":{"text":"The demo has done that.","severity":"info"},"retryAfterMs":5000}"#

  /// An approval is waited for.
  static let approval: StaticString = """
    {"outcome":"challenge","wait":{"pollAfterMs":1000},\
    "screen":{"id":"demoApproval","title":"Approve it on your phone","sections":[{"id":"approval","items":[]}]}}
    """
  static let stillWaiting: StaticString = #"{"outcome":"challenge","wait":{"pollAfterMs":1000}}"#
}
