# Auth0, the export of password hashes that its support makes, a line each: jq -c -f auth0.jq users.json | login-accounts import
{email, userName: .username, emailProven: .email_verified, passwordHash,
  createdMs: (.created_at // null | if . == null then . else sub("\\.[0-9]+"; "") | fromdate * 1000 end)}
