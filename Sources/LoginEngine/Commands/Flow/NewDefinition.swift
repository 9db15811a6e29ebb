/// A definition to begin with.
enum NewDefinition {
  /// The name of a flow for who gives none.
  static let defaultName = "my-flow"

  /// A whole definition, small and without warnings. `name` has to be one that flows can have.
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
