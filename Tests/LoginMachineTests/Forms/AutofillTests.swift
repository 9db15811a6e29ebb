import LoginMachine
import Testing

/// Which values of HTML's `autocomplete` attribute are valid for an item.
struct AutofillTests {
  @Test(
    "autofill tokens in the order that HTML requires are accepted",
    arguments: [
      "on", "off", "username", "username webauthn", "current-password webauthn", "billing email", "section-a name",
      "section-x billing email", "section-x shipping home tel webauthn", "work email", "webauthn", "one-time-code",
    ])
  func taken(_ text: String) { #expect(Autofill.isValid(text)) }

  @Test(
    "values that are not valid autofill tokens are refused",
    arguments: [
      "", " ", "Username", "user-name", "username ", " username", "username  webauthn", "webauthn username", "on off",
      "on webauthn", "email billing", "home name", "section- name", "section-x", "billing", "home", "name email",
      "section-a section-b name", "section-\u{FC} name", "section-" + String(repeating: "a", count: 200) + " name",
    ])
  func refused(_ text: String) { #expect(!Autofill.isValid(text)) }
}
