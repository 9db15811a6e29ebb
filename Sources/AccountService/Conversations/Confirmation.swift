/// Whether an email address must be confirmed with a mailed code before it is used.
enum Confirmation: Sendable {
  /// The address is used as typed.
  case none
  case required
  /// As `required`, and a sign-up with a taken address looks like any other: only the mail reveals
  /// that there is an account.
  case concealing
}
