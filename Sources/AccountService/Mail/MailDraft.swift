import Accounts

/// A mail to be composed.
struct MailDraft: Sendable {
  let kind: MailKind
  /// Nil for an address that belongs to no account.
  let recipient: String?
  /// Nil for a notice to an account.
  let code: IssuedCode?
  /// A BCP 47 tag, or empty.
  let locale: String
  /// The time in milliseconds since 1970, by the service's clock.
  let now: Int64
  /// The reserved place for a mailed code in the queue, held until the mail is handed over.
  let place: MailSlots.Place?
  /// How often the event has happened and since when, if this notice stands for several.
  private(set) var repetition = Repetition()

  struct Repetition: Equatable, Sendable {
    var count = 1
    /// Milliseconds since 1970.
    var sinceMs: Int64 = 0
  }

  /// Creates a mail with a code. Nil stands for an address that belongs to no account.
  init(_ kind: MailKind, _ code: IssuedCode?, locale: String, now: Int64, place: MailSlots.Place? = nil) {
    self.kind = kind
    recipient = code?.address
    self.code = code ?? .withoutRecipient()
    self.locale = locale
    self.now = now
    self.place = place
  }

  /// Creates a notice to the user of an account.
  init(_ kind: MailKind, to account: Account, locale: String, now: Int64) {
    self.init(kind, toOwnerOf: account, locale: locale, now: now)
  }

  /// Creates a notice to the user of an account, or one without a recipient.
  init(_ kind: MailKind, toOwnerOf account: Account?, locale: String, now: Int64) {
    self.kind = kind
    recipient = account?.email
    code = account == nil ? .withoutRecipient() : nil
    self.locale = locale
    self.now = now
    place = nil
    repetition.sinceMs = now
  }

  /// Whether the mail has a recipient.
  var hasRecipient: Bool { recipient != nil }

  /// Whether the mail is a notice, for which no user waits.
  var isNotice: Bool {
    switch kind {
    case .reset, .confirm, .taken: false
    case .emailChanged, .emailNew, .passwordChanged, .recoveryCodes, .recoveryCodesOff, .oneTimeCodes,
      .oneTimeCodesOff, .passkey, .passkeyOff, .factorsTaken, .failedLogin, .locked:
      true
    }
  }

  /// The recipient's address in the header.
  var address: String { recipient ?? code?.address ?? "" }

  /// Returns this notice, covering an earlier one as well.
  func joining(_ earlier: MailDraft?) -> MailDraft {
    guard let earlier else { return self }
    var joined = self
    joined.repetition = Repetition(count: earlier.repetition.count + 1, sinceMs: earlier.repetition.sinceMs)
    return joined
  }
}
