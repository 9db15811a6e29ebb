import Accounts

/// A mail to be composed.
struct Letter: Sendable {
  let kind: MailKind
  /// Nil for an address that nobody has.
  let recipient: String?
  /// Nil for a notice to somebody.
  let code: IssuedCode?
  /// A BCP 47 tag, or empty.
  let locale: String
  /// Milliseconds since 1970 by the service's clock.
  let now: Int64
  /// Where there is room for a code until it is handed over.
  let place: MailRoom.Place?
  /// How often what it tells of has happened, and since when, if it stands for several notices.
  private(set) var repetition = Repetition()

  struct Repetition: Equatable, Sendable {
    var count = 1
    /// Milliseconds since 1970.
    var sinceMs: Int64 = 0
  }

  /// A code to an address of an account, or nil for an address that nobody has.
  init(_ kind: MailKind, _ code: IssuedCode?, locale: String, now: Int64, place: MailRoom.Place? = nil) {
    self.kind = kind
    recipient = code?.address
    self.code = code ?? .toNobody()
    self.locale = locale
    self.now = now
    self.place = place
  }

  /// A notice to the person of an account.
  init(_ kind: MailKind, to account: Account, locale: String, now: Int64) {
    self.init(kind, toOwnerOf: account, locale: locale, now: now)
  }

  /// A notice to the person of an account, or to nobody.
  init(_ kind: MailKind, toOwnerOf account: Account?, locale: String, now: Int64) {
    self.kind = kind
    recipient = account?.email
    code = account == nil ? .toNobody() : nil
    self.locale = locale
    self.now = now
    place = nil
    repetition.sinceMs = now
  }

  /// Whether it is to arrive anywhere.
  var isReal: Bool { recipient != nil }

  /// Whether nobody waits for it.
  var isNotice: Bool {
    switch kind {
    case .reset, .confirm, .taken: false
    case .emailChanged, .emailNew, .passwordChanged, .recoveryCodes, .recoveryCodesOff, .oneTimeCodes,
      .oneTimeCodesOff, .passkey, .passkeyOff, .factorsTaken, .failedLogin, .locked:
      true
    }
  }

  /// What stands in its header.
  var address: String { recipient ?? code?.address ?? "" }

  /// The same notice, which tells of an earlier one as well.
  func joining(_ earlier: Letter?) -> Letter {
    guard let earlier else { return self }
    var joined = self
    joined.repetition = Repetition(count: earlier.repetition.count + 1, sinceMs: earlier.repetition.sinceMs)
    return joined
  }
}
