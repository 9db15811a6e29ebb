# Keycloak, "kc.sh export --users same_file": jq -c -f keycloak.jq realm.json | login-accounts import
# Argon2, which it uses from version 25 on, and PBKDF2 with SHA-1 of its first versions are left out: those people get a mailed code.
.users[] | {email, userName: .username, emailProven: .emailVerified, createdMs: .createdTimestamp, disabled: (.enabled == false),
  passwordHash: ([.credentials[]? | select(.type == "password")
    | if .credentialData then (.credentialData | fromjson) + (.secretData | fromjson) else . + {value: .hashedSaltedValue} end
    | select(.algorithm == "pbkdf2-sha256" or .algorithm == "pbkdf2-sha512")
    | "$\(.algorithm)$\(.hashIterations)$\(.salt)$\(.value)"] | first)}
