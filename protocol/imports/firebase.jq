# Firebase, "firebase auth:export users.json": jq -c -f firebase.jq users.json | login-accounts import
# Its hashes are of a kind of its own and cannot be checked: everybody gets a mailed code.
.users[] | {email, emailProven: .emailVerified, createdMs: (.createdAt | tonumber), disabled: (.disabled == true)}
