import JSONCodec
import LoginMachine
import System

/// The replacements, in a recording, of strings other than secret input. Strings of views and of
/// the engine are kept. Strings of authenticators are replaced, because they may repeat anything.
///
/// A decision about a string holds for all later occurrences, because what the engine derives from
/// a string has to match what a replay derives from its replacement. So a string that the recording
/// already contains, or that has a meaning, is kept.
struct RecordedStrings {
  /// The origin of a text.
  enum Origin {
    case authenticator
    /// The engine, whose texts may repeat or contain texts of an authenticator.
    case engine
    case view
  }

  let words: KnownWords
  /// The hashes of strings that are kept.
  private var kept: Set<Int> = []
  /// The replacements of other strings, by their hashes.
  private var replaced: [Int: [UInt8]] = [:]
  /// The replacements of unknown names.
  private var aliases = Aliases()

  init(_ words: KnownWords) { self.words = words }

  /// Whether a string is kept, because it has a meaning or the recording contains it already.
  private func stays(_ hash: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    kept.contains(hash) || words.contains(text)
  }

  // MARK: Names

  /// The replacement of a name in a view's message; `nil` to keep the name, because something may
  /// have that name.
  ///
  /// An unknown name may be a secret that was pasted into the wrong place. It is replaced by an
  /// alias of the same length, which is unknown too, here and wherever the engine repeats the name.
  /// The engine repeats only valid names, so the alias is valid if and only if the name is.
  mutating func alias(ofName text: UnsafeRawBufferPointer) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard !text.isEmpty, !stays(hash, text) else { return nil }
    guard var alias = newAlias(of: hash, count: text.count) else { return nil }
    if !ASCIIName.isName(text) { alias[0] = UInt8(ascii: "~") }
    return alias
  }

  /// The replacement of a session's name in a view's message; `nil` to keep the name, because there
  /// is or was a session with this name, or because the name is too short to reveal much.
  ///
  /// When the engine refuses a notification, it repeats the name of an unknown session if that name
  /// is not too long. It treats other unknown names differently.
  ///
  /// - Parameter count: the number of bytes of the name as written in the message.
  mutating func alias(ofSession text: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard text.count >= TextHash.shortest, !stays(hash, text) else { return nil }
    return newAlias(of: hash, count: count)
  }

  /// The replacement of the name that a view gives to a new session; `nil` to keep the name,
  /// because it is no secret.
  mutating func alias(ofNewSession text: UnsafeRawBufferPointer, isSecret: Bool) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    guard !stays(hash, text), isSecret else {
      // From now on it is the name of a session.
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

  /// The replacement of an id, which may be any text; `nil` to keep it.
  ///
  /// - Parameter placeholder: the placeholder of the secret that equals the id, if any.
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

  /// What the recording contains in place of a name in the engine's output.
  func recorded(_ name: [UInt8]) -> [UInt8] { name.withUnsafeBytes { replaced[TextHash.of($0)] } ?? name }

  private mutating func newAlias(of hash: Int, count: Int) -> [UInt8]? {
    let (words, kept) = (words, kept)
    return aliases.alias(of: hash, count: count) { candidate in
      let isName = candidate.withUnsafeBytes { kept.contains(TextHash.of($0)) || words.contains($0) }
      return !isName && !words.hasLocale(candidate)
    }
  }

  // MARK: Texts

  /// The replacement that was decided earlier for a complete string; `nil` if there is none.
  func replacement(of text: UnsafeRawBufferPointer) -> [UInt8]? { replaced[TextHash.of(text)] }

  /// Sets the replacement of a complete string for all its later occurrences.
  mutating func replace(_ text: UnsafeRawBufferPointer, by replacement: [UInt8]) {
    replaced[TextHash.of(text)] = replacement
  }

  /// Whether a text carries information that the recording does not contain yet.
  func isNew(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count >= TextHash.shortest && !stays(TextHash.of(text), text)
  }

  /// A message with strings and values of external items replaced. All other bytes are the same.
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
    // A short text is kept: it may be a name from a challenge or from the engine itself.
    guard text.count >= TextHash.shortest else {
      kept.insert(hash)
      return nil
    }
    if let replacement = replaced[hash] { return replacement }
    // An alias does not become a known name because it stands in the view's concealed message.
    if case .view = origin, aliases.hasMade(text) { return nil }
    if stays(hash, text) { return nil }
    guard case .authenticator = origin, let new = RecordedStrings.placeholder(of: text, role, &placeholders) else {
      kept.insert(hash)
      return nil
    }
    replaced[hash] = new
    if text.allSatisfy(ASCIIName.isPart) {
      // The message code of an authenticator's error is this prefix and the name of the error.
      let prefix = Array(EngineMessage.networkPrefix.utf8)
      (prefix + text).withUnsafeBytes { replaced[TextHash.of($0)] = prefix + new }
    }
    return new
  }

  /// The replacement of a string from an authenticator; `nil` to keep the string, because the
  /// engine parses it.
  private static func placeholder(
    of text: UnsafeRawBufferPointer, _ role: MessageWalk.Role, _ placeholders: inout Placeholders
  ) -> [UInt8]? {
    if role == .pattern || CalendarDate(text.bindMemory(to: UInt8.self).span) != nil || isQuestionID(text) {
      return nil
    }
    // A text that is too long for its purpose must be replaced by one that is also too long.
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

  /// The maximum length in bytes of an authenticator's text that has a placeholder of its own. All
  /// longer texts of equal length have the same placeholder.
  private static let longestText = 1024

  /// The replacement of a text that the engine shows, in a message or an alert; `nil` to keep the
  /// text.
  private mutating func said(
    _ document: borrowing JSONDocument, _ object: JSONDocument.Node, _ text: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let hash = TextHash.of(text)
    if let replacement = replaced[hash] { return replacement }
    var new: [UInt8] = []
    if let messages = document.member("messages", of: object) {
      // The text of an alert is the texts of its messages, one per line.
      var child = document.firstChild(messages)
      while let message = child {
        child = document.sibling(after: message, in: messages)
        if let part = document.member("text", of: message) { new += textOfMessage(document, message, part) }
        if child != nil { new.append(0x0A) }
      }
    } else if let part = document.member("text", of: object) {
      new = textOfMessage(document, object, part)
    }
    guard !new.elementsEqual(text) else {
      kept.insert(hash)
      return nil
    }
    return new
  }

  /// The text of a message: the authenticator's own, or a text of the flow with the authenticator's
  /// parameters.
  private func textOfMessage(
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

  /// The replacement of an error's text that repeats a name; `nil` to keep the text.
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

  /// The replacement of an unknown name that the engine repeats, for example in the refusal of a
  /// call that names an unknown session.
  private func unknownName(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    let hash = TextHash.of(text)
    return stays(hash, text) ? nil : aliases[hash]
  }

  /// A replacement that is a valid name if and only if the original is one. A valid name consists
  /// of letters, digits, `.`, `-` and `_`, and begins with a letter.
  private static func alike(_ replacement: [UInt8], _ text: UnsafeRawBufferPointer) -> [UInt8] {
    var result = replacement
    if let first = text.first, let other = result.first, isLetter(other), !isLetter(first) {
      result[0] = first >= 0x30 && first <= 0x39 ? 0x30 : ASCIIName.isPart(first) ? first : 0x7E
    }
    if !text.allSatisfy(ASCIIName.isPart), result.allSatisfy(ASCIIName.isPart) { result[result.count - 1] = 0x7E }
    // Some places refuse texts with control characters, so the replacement of such a text has one
    // too.
    if text.contains(where: { $0 < 0x20 || $0 == 0x7F }) { result[result.count - 1] = 0x7F }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
}
