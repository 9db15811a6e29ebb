import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol

/// The strings that are known not to be secret before a run: those of the protocol, its OpenRPC
/// document and the flows.
struct KnownWords {
  /// The hashes of the words.
  private var hashes: Set<Int> = []
  /// The hashes of words that may be locales, in lower case.
  private var locales: Set<Int> = []

  /// Collects the words of the protocol, of its OpenRPC document and of the built-in flows.
  ///
  /// - Parameter documents: JSON texts whose strings are known as well; other texts are ignored.
  init(_ documents: [[UInt8]]) {
    for word in KnownWords.protocolWords.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      var word = String(word)
      word.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }
    addStrings(of: OpenRPC.line())
    for name in BuiltInFlows.names { if let text = BuiltInFlows.text(named: name) { addStrings(of: text) } }
    for document in documents { addStrings(of: document) }
  }

  func contains(_ text: UnsafeRawBufferPointer) -> Bool { hashes.contains(TextHash.of(text)) }

  /// Whether a text is a locale of a flow, in upper or lower case.
  func hasLocale(_ text: some Collection<UInt8>) -> Bool {
    Array(text.map(KnownWords.small)).withUnsafeBytes { locales.contains(TextHash.of($0)) }
  }

  private static func small(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  private mutating func add(_ text: UnsafeRawBufferPointer) {
    hashes.insert(TextHash.of(text))
    // The message code of an authenticator's error is this prefix and the name of the error.
    let prefix = Array(EngineMessage.networkPrefix.utf8)
    if text.starts(with: prefix) { add(UnsafeRawBufferPointer(rebasing: text[prefix.count...])) }
    addPlaceholders(of: text)
    if text.count <= 35, text.allSatisfy({ $0 == 0x2D || $0 >= 0x30 && $0 <= 0x7A }) {
      Array(text.map(KnownWords.small)).withUnsafeBytes { _ = locales.insert(TextHash.of($0)) }
    }
  }

  /// Adds the names in braces in the text of a message, which are the names of the message's
  /// parameters.
  private mutating func addPlaceholders(of text: UnsafeRawBufferPointer) {
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "{")), let end = rest[start...].firstIndex(of: UInt8(ascii: "}"))
    {
      hashes.insert(TextHash.of(UnsafeRawBufferPointer(rebasing: text[(start + 1)..<end])))
      rest = rest[(end + 1)...]
    }
  }

  private mutating func addStrings(of json: [UInt8]) {
    json.withUnsafeBytes { bytes in
      var document = JSONDocument(maximumDepth: MessageWalk.maximumDepth)
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return }
      var scratch = ByteBuffer()
      MessageWalk.forEachString(document, root) { document.withString($0, scratch: &scratch) { add($0) } }
    }
  }

  /// The words that have a meaning in the protocol's messages, but occur neither in the flows nor
  /// in the OpenRPC document.
  private static let protocolWords = """
    accepted acceptsEmpty acknowledged action actions activity additional-name address-level1 address-level2
    address-level3 address-level4 address-line1 address-line2 address-line3 after afterFailure again alert all always
    any apiKey ascii attempt authenticator/cancel authenticator/check authenticator/continue authenticator/describe authenticator/notify
    authenticator/submit autofill bday bday-day bday-month bday-year before billing cancel cc-additional-name cc-csc
    cc-exp cc-exp-month cc-exp-year cc-family-name cc-given-name cc-name cc-number cc-type challenge clock/advance
    clock/none code command country country-name cover critical current-password data date defaultLocale describe
    destructive dismiss editable email emphasis enabled engine enterKey equalTo error expiresInMs failure family-name
    fax filled flow given-name hideActivity hideAlert hideError hideNotice hint home honorific-prefix honorific-suffix
    impp index info initial inline input inputType insertItem insertSection instant invalid is isEmpty item items
    jsonrpc keyboard kind language latest leave length link links live locale login-engine marking matches maxAge
    maxLength message messages method milliseconds minAge minLength mobile name new-password newPassword nickname none
    normal not notice number off on onSubmit one-time-code oneOf oneTimeCode onlyWhenValid options organization
    organization-title outcome pager params password pattern pending phone photo placeholder plain policy poll pollAfterMs
    postal-code presentationTimeoutMs previous primary principal prominent protocol qr queue reason reject rejected
    removeItem removeSection replaceAction request requestFailed requestPending requestSucceeded requestTimeoutMs
    requests required result retry retryAfterMs retryOf role rule rules scene screen screens section sections
    selection setAction setItem setState setTitle severity sex shipping showActivity showAlert showError showNotice
    showScene showScreen start state street-address strings subdued submit success switch tel tel-area-code
    tel-country-code tel-extension tel-local tel-local-prefix tel-local-suffix tel-national text throttled title today
    touched transaction-amount transaction-currency transitions unknown unvalidated url username valid validated
    validation validity value values version visibleWhen wait warning webauthn whenValid with work years
    """
}
