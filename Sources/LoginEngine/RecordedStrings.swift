import CommandLineKit
import EventLoop
import FlowFiles
import JSONCodec
import ProtocolDocument

/// What becomes of the strings in a recording that are not known to be secret: they stay as they are, but for secrets that an authenticator repeats.
///
/// What was decided of a string holds from then on, wherever it comes: what the engine makes of a string in an answer has to be what it
/// makes of the one in its place. So a string that the recording has in the clear already, or that has a meaning, stays as it is.
struct RecordedStrings {
  /// Who says it.
  enum Origin {
    case authenticator
    /// It may repeat what an authenticator said, or have made something of it.
    case engine
    case view
  }

  /// Hashes of strings that stay.
  private var kept: Set<Int> = []
  /// What takes the place of others, by their hashes.
  private var replaced: [Int: [UInt8]] = [:]
  /// Those, for texts of the engine's in which they stand.
  private var parts = SecretFinder()

  /// - Parameter flowFiles: those that the engine has loaded.
  init(flowFiles: [String]) {
    for word in RecordedStrings.words.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      var word = String(word)
      word.withUTF8 { keep(UnsafeRawBufferPointer($0)) }
    }
    keepStrings(of: OpenRPC.line())
    for name in BuiltInFlows.names { if let text = BuiltInFlows.text(named: name) { keepStrings(of: text) } }
    for file in flowFiles { if let text = try? WholeFile.read(file) { keepStrings(of: text) } }
  }

  private mutating func keep(_ text: UnsafeRawBufferPointer) { kept.insert(SecretFinder.hash(text)) }

  private mutating func keepStrings(of json: [UInt8]) {
    json.withUnsafeBytes { bytes in
      var document = JSONDocument(maximumDepth: RecordedStrings.maximumDepth)
      guard (try? document.parse(bytes)) != nil, let root = document.root else { return }
      var scratch = ByteBuffer()
      RecordedStrings.forEachString(document, root, false) { node, _ in
        document.withString(node, scratch: &scratch) { keep($0) }
      }
    }
  }

  /// What an authenticator says stands deeper in what the engine says.
  private static var maximumDepth: Int { 160 }

  // MARK: Concealing

  /// A message with strings replaced in it; all other bytes are the same.
  mutating func conceal(_ message: [UInt8], from origin: Origin, _ secrets: SecretFinder) -> [UInt8] {
    message.withUnsafeBytes { conceal($0, from: origin, secrets) }
  }

  mutating func conceal(
    _ message: UnsafeRawBufferPointer, from origin: Origin, _ secrets: SecretFinder
  ) -> [UInt8] {
    var document = JSONDocument(maximumDepth: RecordedStrings.maximumDepth)
    guard let start = message.baseAddress, (try? document.parse(message)) != nil, let root = document.root else {
      return Array(message)
    }
    var result = ByteBuffer(capacity: message.count)
    var copied = 0
    var scratch = ByteBuffer()
    RecordedStrings.forEachString(document, root, false) { node, isOwnWord in
      let replacement: [UInt8]? = document.withString(node, scratch: &scratch) { text in
        self.replacement(for: text, from: origin, isOwnWord: isOwnWord, secrets)
      }
      guard let replacement, let place = document.text(node).baseAddress else { return }
      let content = place - start
      result.append(UnsafeRawBufferPointer(rebasing: message[copied..<content - 1]))
      replacement.withUnsafeBytes { result.appendJSONString($0) }
      copied = content + document.text(node).count + 1
    }
    scratch.wipe()
    result.append(UnsafeRawBufferPointer(rebasing: message[copied...]))
    return result.array()
  }

  /// - Parameter isOwnWord: whether an engine says it in its own words.
  private mutating func replacement(
    for text: UnsafeRawBufferPointer, from origin: Origin, isOwnWord: Bool, _ secrets: SecretFinder
  ) -> [UInt8]? {
    guard text.count >= SecretFinder.shortest else { return nil }
    let hash = SecretFinder.hash(text)
    if let replacement = replaced[hash] { return replacement }
    if kept.contains(hash) { return nil }
    let new: [UInt8]? =
      switch origin {
      case .authenticator: secrets.replacing(in: text).map { RecordedStrings.alike($0, text) }
      case .engine where !isOwnWord: parts.replacing(in: text)
      case .engine, .view: nil
      }
    guard let new, !new.elementsEqual(text) else {
      kept.insert(hash)
      return nil
    }
    replaced[hash] = new
    if origin == .authenticator { parts.learn(text, replacement: new) }
    return new
  }

  /// A replacement that is a name exactly if what it takes the place of is one: letters, digits, `.`, `-` and `_`, a letter first.
  private static func alike(_ replacement: [UInt8], _ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result = replacement
    if let first = text.first, let other = result.first, isLetter(other), !isLetter(first) {
      result[0] = first >= 0x30 && first <= 0x39 ? 0x30 : isPartOfName(first) ? first : 0x7E
    }
    if !text.allSatisfy(isPartOfName), result.allSatisfy(isPartOfName) { result[result.count - 1] = 0x7E }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
  private static func isPartOfName(_ byte: UInt8) -> Bool { CommandWords.isPartOfName(byte) }

  /// Calls `body` with each string, names of members included, in their order, and whether it is the message of an error.
  private static func forEachString(
    _ document: borrowing JSONDocument, _ node: JSONDocument.Node, _ isMessage: Bool,
    _ body: (JSONDocument.Node, _ isMessage: Bool) -> Void
  ) {
    switch document.kind(node) {
    case .string: body(node, isMessage)
    case .array:
      var child = document.firstChild(node)
      while let element = child {
        forEachString(document, element, false, body)
        child = document.sibling(after: element, in: node)
      }
    case .object:
      var child = document.firstChild(node)
      while let key = child, let value = document.sibling(after: key, in: node) {
        body(key, false)
        forEachString(document, value, document.equals(key, "message"), body)
        child = document.sibling(after: value, in: node)
      }
    case .null, .true, .false, .number: break
    }
  }

  /// What means something in an answer, beside what stands in the flows and in the protocol's own document.
  private static let words = """
    accepted acknowledged action actions activity additional-name address-level1 address-level2 address-level3
    address-level4 address-line1 address-line2 address-line3 alert always apiKey ascii attempt
    authenticator/cancel authenticator/continue authenticator/describe authenticator/notify authenticator/submit
    autofill bday bday-day bday-month bday-year cancel cc-additional-name cc-csc cc-exp cc-exp-month cc-exp-year
    cc-family-name cc-given-name cc-name cc-number cc-type challenge clock/advance code command country
    country-name cover critical current-password data defaultLocale describe destructive dismiss editable email
    emphasis enabled engine equalTo error expiresInMs failure family-name filled flow given-name hideActivity
    hideAlert hideError hideNotice honorific-prefix honorific-suffix impp index info initial inline input
    inputType insertItem insertSection instant invalid item items jsonrpc keyboard kind language latest leave
    length link links live locale login-engine marking maxLength message messages method milliseconds minLength
    name new-password newPassword nickname normal notice number onSubmit one-time-code oneOf oneTimeCode options
    organization organization-title outcome params password pending phone photo placeholder policy poll
    pollAfterMs postal-code presentationTimeoutMs primary principal prominent protocol queue reason reject
    rejected removeItem removeSection replaceAction request requestFailed requestPending requestSucceeded
    requestTimeoutMs requests required result retry retryAfterMs retryOf role rule rules scene screen screens
    section sections selection setAction setItem setState setTitle severity showActivity showAlert showError
    showNotice showScene showScreen start state street-address strings subdued submit success switch
    tel-area-code tel-country-code tel-extension tel-local tel-local-prefix tel-local-suffix tel-national text
    throttled title touched transaction-amount transaction-currency transitions unknown unvalidated username
    valid validated validation validity value values version visibleWhen wait warning webauthn whenValid with
    """
}
