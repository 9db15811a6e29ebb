/// Whether an address counts only once a code that was mailed there was typed.
enum Confirmation: Sendable {
  /// It counts as it was typed.
  case none
  case required
  /// The same, and a sign-up with the address of an account looks like any other: only the mail says that there is one.
  case concealing
}
