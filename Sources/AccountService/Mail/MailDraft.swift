import Accounts

/// A mail that is still to be composed.
struct MailDraft: Sendable {
  let kind: MailKind
  /// The recipient's address. Nil if the requested address belongs to no account, in which case
  /// nothing is delivered.
  let recipient: String?
  /// The code to mail. Nil for a notice to an account.
  let code: IssuedCode?
  /// The language of the mail: a BCP 47 tag, or empty.
  let locale: String
  /// The time in milliseconds since 1970, by the service's clock.
  let now: Int64
  /// The place that is reserved in the queue for a mailed code. The draft keeps the place until the
  /// mail is handed over.
  let place: MailSlots.Place?
  /// The number of events that this notice reports, and the time of the first one. A notice can
  /// report several events, so that few mails are sent.
  private(set) var repetition = Repetition()

  struct Repetition: Equatable, Sendable {
    var count = 1
    /// When the event happened first, in milliseconds since 1970.
    var sinceMs: Int64 = 0
  }

  /// Creates a mail with a code. `code` is nil for an address that belongs to no account.
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

  /// Creates a notice to the user of an account. Without an account, the notice has no recipient
  /// and is not delivered.
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

  /// Whether the mail is a notice. No user waits for a notice, unlike for a mailed code.
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

  /// Returns this notice, changed so that it also reports the events of an earlier notice.
  func joining(_ earlier: MailDraft?) -> MailDraft {
    guard let earlier else { return self }
    var joined = self
    joined.repetition = Repetition(count: earlier.repetition.count + 1, sinceMs: earlier.repetition.sinceMs)
    return joined
  }
}
