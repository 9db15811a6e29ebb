# Django, "manage.py dumpdata auth.user": jq -c -f django.jq users.json | login-accounts import
# Hashes by Argon2, scrypt, bcrypt_sha256 and older ones are left out: those people get a mailed code.
.[] | .fields | {email, userName: .username, disabled: (.is_active == false),
  createdMs: (.date_joined | sub("\\.[0-9]+"; "") | fromdate * 1000),
  passwordHash: (.password | if test("^(pbkdf2_sha256|pbkdf2_sha512|bcrypt)\\$|^!") then . else null end)}
