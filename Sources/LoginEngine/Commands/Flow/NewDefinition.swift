/// The definition that `login-engine flow new` prints, for users to change.
enum NewDefinition {
  /// The default name of a new flow.
  static let defaultName = "my-flow"

  /// A small complete definition without warnings. `name` must be a valid flow name.
  static func text(named name: String) -> String {
    """
    {
      "flow": "\(name)",
      "screens": [
        {
          "id": "login", "title": "title", "request": "login",
          "sections": [
            {
              "id": "credentials",
              "items": [
                {
                  "id": "email", "apiKey": "email", "kind": "input", "inputType": "email", "title": "email",
                  "keyboard": "email", "autofill": "username",
                  "rules": [
                    { "rule": "required", "message": "email.missing" },
                    { "rule": "email", "message": "email.invalid" }
                  ]
                },
                {
                  "id": "password", "apiKey": "password", "kind": "input", "inputType": "password", "title": "password",
                  "autofill": "current-password",
                  "rules": [{ "rule": "required", "message": "password.missing" }]
                }
              ]
            }
          ],
          "actions": { "submit": { "id": "submit", "title": "submit" } },
          "success": { "scene": "home" }
        }
      ],
      "defaultLocale": "en",
      "strings": {
        "en": {
          "title": "Log in", "submit": "Log in",
          "email": "Email", "email.missing": "Enter your email address.", "email.invalid": "That is no email address.",
          "password": "Password", "password.missing": "Enter your password."
        }
      }
    }

    """
  }
}
