# WordPress, "wp user list --fields=user_login,user_email,user_registered,user_pass --format=json":
# jq -c -f wordpress.jq users.json | login-accounts import
# Its own hashes ($P$, and from version 6.8 on $wp$) cannot be checked: those people get a mailed code. Plain bcrypt, as plugins write it, is taken.
.[] | {email: .user_email, userName: .user_login, createdMs: (.user_registered | sub(" "; "T") + "Z" | fromdate * 1000),
  passwordHash: (.user_pass // "" | if test("^\\$2[aby]\\$") then . else null end)}
