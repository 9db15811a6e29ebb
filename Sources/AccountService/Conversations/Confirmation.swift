/// Whether an email address must be confirmed with a mailed code before it is used.
enum Confirmation: Sendable {
  /// An email address is used as typed, without confirmation.
  case none
  case required
  /// Like `required`, but a sign-up with a taken address looks like any other. Only the mail to the
  /// address reveals that it already has an account.
  case concealing
}
