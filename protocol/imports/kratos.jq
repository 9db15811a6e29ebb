# Ory Kratos, its identities with include_credential=password: jq -c -f kratos.jq identities.json | login-accounts import
# Argon2, its default, is left out: those people get a mailed code.
.[] | {email: .traits.email, userName: .traits.username, disabled: (.state == "inactive"),
  emailProven: (.traits.email as $email | [.verifiable_addresses[]? | select(.value == $email and .verified)] | length > 0),
  createdMs: (.created_at | sub("\\.[0-9]+"; "") | fromdate * 1000),
  passwordHash: (.credentials.password.config.hashed_password // ""
    | if test("^\\$(2[aby]|pbkdf2-sha256|pbkdf2-sha512)\\$") then . else null end)}
