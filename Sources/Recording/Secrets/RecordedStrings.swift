import JSONCodec
import LoginMachine
import System

/// What becomes of the strings in a recording that were not typed into secret items: a view's and the engine's stay as they are, and an authenticator's are
/// replaced, which may repeat anything.
///
/// What was decided of a string holds from then on, wherever it comes: what the engine makes of a string in an answer has to be what it
/// makes of the one in its place. So a string that the recording has in the clear already, or that has a meaning, stays as it is.
struct RecordedStrings {
  /// Who says a text.
  enum Origin {
    case authenticator
    /// The engine, which may repeat what an authenticator said, or have made something of it.
    case engine
    case view
  }

  let words: KnownWords
  /// Hashes of strings that stay.
  private var kept: Set<Int> = []
  /// What takes the place of others, by their hashes.
  private var replaced: [Int: [UInt8]] = [:]
  /// What takes the place of names that nothing has.
  private var aliases = Aliases()

  init(_ words: KnownWords) { self.words = words }

  /// Whether a string stays as it is, because it has a meaning or the recording has it already.
  private func stays(_ hash: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    kept.contains(hash) || words.contains(text)
  }

  // MARK: Names

  /// What takes the place of a name that a view gives; `nil` if it stays because something may have that name.
  ///
  /// A name of nothing may be a secret that was pasted into the wrong place, and another of the same length is as unknown. Where the engine repeats the
  /// one, the recording has the other. The engine repeats only what can be a name, and so is the other only if the first is.
  mutating func alias(ofName text: UnsafeRawBufferPointer) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard !text.isEmpty, !stays(hash, text) else { return nil }
    guard var alias = newAlias(of: hash, count: text.count) else { return nil }
    if !ASCIIName.isName(text) { alias[0] = UInt8(ascii: "~") }
    return alias
  }

  /// What takes the place of the session that a view names; `nil` if it stays: there is or was one, or the name is too short to say much.
  ///
  /// Unlike other names, the engine repeats it where it refuses a notification, if its text is not too long.
  ///
  /// - Parameter count: how many bytes the text has as it was written.
  mutating func alias(ofSession text: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard text.count >= TextHash.shortest, !stays(hash, text) else { return nil }
    return newAlias(of: hash, count: count)
  }

  /// What takes the place of the name for a new session; `nil` if it stays, because it is no secret that was typed.
  mutating func alias(ofNewSession text: UnsafeRawBufferPointer, isSecret: Bool) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard !stays(hash, text), isSecret else {
      // From now on it is what a session is called.
      kept.insert(hash)
      aliases.forget(hash)
      return nil
    }
    guard var alias = newAlias(of: hash, count: text.count) else { return nil }
    // No session can have a name with control characters.
    if text.contains(where: { $0 < 0x20 || $0 == 0x7F }) { alias[0] = 0x7F }
    replaced[hash] = alias
    return alias
  }

  /// What takes the place of an id, which may be any text; `nil` if it stays.
  ///
  /// - Parameter placeholder: that of the secret that it is, if it is one.
  mutating func replacement(ofID text: UnsafeRawBufferPointer, placeholder: [UInt8]?) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard !stays(hash, text) else { return nil }
    guard let placeholder else {
      kept.insert(hash)
      return nil
    }
    replaced[hash] = placeholder
    return placeholder
  }

  /// What stands in the recording for a name that the engine says.
  func recorded(_ name: [UInt8]) -> [UInt8] { name.withUnsafeBytes { replaced[TextHash.of($0)] } ?? name }

  private mutating func newAlias(of hash: Int, count: Int) -> [UInt8]? {
    let (words, kept) = (words, kept)
    return aliases.alias(of: hash, count: count) { candidate in
      let isName = candidate.withUnsafeBytes { kept.contains(TextHash.of($0)) || words.contains($0) }
      return !isName && !words.hasLocale(candidate)
    }
  }

  // MARK: Texts

  /// What takes the place of a text wherever it is a whole string, if that was decided.
  func replacement(of text: UnsafeRawBufferPointer) -> [UInt8]? { replaced[TextHash.of(text)] }

  /// Decides what takes the place of a text wherever it is a whole string.
  mutating func replace(_ text: UnsafeRawBufferPointer, by replacement: [UInt8]) {
    replaced[TextHash.of(text)] = replacement
  }

  /// Whether a text says something that the recording does not have already.
  func isNew(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count >= TextHash.shortest && !stays(TextHash.of(text), text)
  }

  /// A message with strings, and values of external items, replaced in it; all other bytes are the same.
  mutating func conceal(
    _ message: UnsafeRawBufferPointer, from origin: Origin, _ placeholders: inout Placeholders,
    _ values: inout ExternalValues
  ) -> [UInt8] {
    var document = JSONDocument(maximumDepth: MessageWalk.maximumDepth)
    guard let start = message.baseAddress, (try? document.parse(message)) != nil, let root = document.root else {
      return Array(message)
    }
    var result = ByteBuffer(capacity: message.count)
    var copied = 0
    var scratch = ByteBuffer()
    let isRefusal = document.member("method", of: root).map { document.equals($0, "session/refused") } ?? false
    MessageWalk.forEachValue(document, root) { node, role in
      let new: [UInt8]?
      if document.kind(node) == .string {
        new = document.withString(node, scratch: &scratch) { text in
          if isRefusal, role == .session, let alias = unknownName(text) { return RecordedStrings.json(alias) }
          if case .engine = origin {
            switch role {
            case .text(let object): return self.said(document, object, text).map(RecordedStrings.json)
            case .unknownName: if let alias = unknownName(text) { return RecordedStrings.json(alias) }
            case .message(let error):
              if let message = self.repeated(document, error, text) { return RecordedStrings.json(message) }
            case .other, .name, .session, .itemValue, .data, .url, .pattern: break
            }
          }
          return self.replacement(for: text, from: origin, role, &placeholders).map(RecordedStrings.json)
        }
      } else {
        new = values.replacement(document, node, role)
      }
      let text = document.fullText(node)
      guard let new, let place = text.baseAddress else { return true }
      result.append(UnsafeRawBufferPointer(rebasing: message[copied..<place - start]))
      result.append(new)
      copied = place - start + text.count
      return false
    }
    scratch.wipe()
    result.append(UnsafeRawBufferPointer(rebasing: message[copied...]))
    return result.array()
  }

  private static func json(_ text: [UInt8]) -> [UInt8] {
    var json = ByteBuffer()
    text.withUnsafeBytes { json.appendJSONString($0) }
    return json.array()
  }

  private mutating func replacement(
    for text: UnsafeRawBufferPointer, from origin: Origin, _ role: MessageWalk.Role, _ placeholders: inout Placeholders
  ) -> [UInt8]? {
    let hash = TextHash.of(text)
    // Names that a challenge or the engine itself gives may be short.
    guard text.count >= TextHash.shortest else {
      kept.insert(hash)
      return nil
    }
    if let replacement = replaced[hash] { return replacement }
    // That the view's message has an alias now does not make it a name of anything.
    if case .view = origin, aliases.hasMade(text) { return nil }
    if stays(hash, text) { return nil }
    guard case .authenticator = origin, let new = RecordedStrings.placeholder(of: text, role, &placeholders) else {
      kept.insert(hash)
      return nil
    }
    replaced[hash] = new
    if text.allSatisfy(ASCIIName.isPart) {
      // The message of an authenticator's error has the error's name behind this.
      let prefix = Array(EngineMessage.networkPrefix.utf8)
      (prefix + text).withUnsafeBytes { replaced[TextHash.of($0)] = prefix + new }
    }
    return new
  }

  /// What takes the place of something that an authenticator says; `nil` for what stays because the engine looks into it.
  private static func placeholder(
    of text: UnsafeRawBufferPointer, _ role: MessageWalk.Role, _ placeholders: inout Placeholders
  ) -> [UInt8]? {
    if role == .pattern || CalendarDate(text.bindMemory(to: UInt8.self).span) != nil || isQuestionID(text) {
      return nil
    }
    // What is too long for something is too long in a replay as well.
    guard text.count <= longestText else { return [UInt8](repeating: 0x78, count: text.count) }
    let new = placeholders.placeholder(of: text, maximum: longestText)
    if role == .url, PageURL.isPageURL(text) { return Array("https://".utf8) + new }
    return alike(new, text)
  }

  /// Whether a text is the id of a question to the frontend.
  private static func isQuestionID(_ text: UnsafeRawBufferPointer) -> Bool {
    let prefix = Array("authenticator-".utf8)
    return text.starts(with: prefix) && text.dropFirst(prefix.count).allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Longer texts of authenticators are not told apart.
  private static let longestText = 1024

  /// What takes the place of the text of a message or an alert that the engine shows; `nil` if it stays.
  private mutating func said(
    _ document: borrowing JSONDocument, _ object: JSONDocument.Node, _ text: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    var new: [UInt8] = []
    if let messages = document.member("messages", of: object) {
      // An alert says what its messages say, one below the other.
      var child = document.firstChild(messages)
      while let message = child {
        child = document.sibling(after: message, in: messages)
        if let part = document.member("text", of: message) { new += saidText(document, message, part) }
        if child != nil { new.append(0x0A) }
      }
    } else if let part = document.member("text", of: object) {
      new = saidText(document, object, part)
    }
    guard !new.elementsEqual(text) else {
      kept.insert(hash)
      return nil
    }
    return new
  }

  /// The text of a message: what an authenticator has said, or a text of the flow with what it has said in it.
  private func saidText(
    _ document: borrowing JSONDocument, _ message: JSONDocument.Node, _ node: JSONDocument.Node
  ) -> [UInt8] {
    var text = Array(document.string(node).utf8)
    if let replacement = text.withUnsafeBytes({ replaced[TextHash.of($0)] }) { return replacement }
    guard let params = document.member("params", of: message) else { return text }
    document.forEachMember(params) { _, value in
      guard document.kind(value) == .string else { return }
      let said = Array(document.string(value).utf8)
      guard let replacement = said.withUnsafeBytes({ replaced[TextHash.of($0)] }) else { return }
      text = RecordedStrings.replacing(said, in: text, by: replacement)
    }
    return text
  }

  private static func replacing(_ part: [UInt8], in text: [UInt8], by new: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      if rest.starts(with: part) {
        result += new
        rest = rest.dropFirst(part.count)
      } else if let byte = rest.popFirst() {
        result.append(byte)
      }
    }
    return result
  }

  /// What takes the place of the message of an error that repeats a name; `nil` if it stays.
  private func repeated(
    _ document: borrowing JSONDocument, _ error: JSONDocument.Node, _ text: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    guard let data = document.member("data", of: error),
      let node = document.member("name", of: data) ?? document.member("param", of: data)
    else { return nil }
    let name = Array(document.string(node).utf8)
    guard let alias = name.withUnsafeBytes({ replaced[TextHash.of($0)] ?? unknownName($0) }) else { return nil }
    let quote = [UInt8(ascii: "\"")]
    return RecordedStrings.replacing(quote + name + quote, in: Array(text), by: quote + alias + quote)
  }

  /// What takes the place of a name that an engine repeats and nothing has, such as that of a session in a refusal that was never there.
  private func unknownName(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    let hash = TextHash.of(text)
    return stays(hash, text) ? nil : aliases[hash]
  }

  /// A replacement that is a name exactly if what it takes the place of is one: letters, digits, `.`, `-` and `_`, a letter first.
  private static func alike(_ replacement: [UInt8], _ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result = replacement
    if let first = text.first, let other = result.first, isLetter(other), !isLetter(first) {
      result[0] = first >= 0x30 && first <= 0x39 ? 0x30 : ASCIIName.isPart(first) ? first : 0x7E
    }
    if !text.allSatisfy(ASCIIName.isPart), result.allSatisfy(ASCIIName.isPart) { result[result.count - 1] = 0x7E }
    // Nor can everything say what has control characters.
    if text.contains(where: { $0 < 0x20 || $0 == 0x7F }) { result[result.count - 1] = 0x7F }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
}
