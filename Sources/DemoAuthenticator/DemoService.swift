import JSONCodec

/// What the demo authenticator answers: it accepts everyone, but for the words that `DemoWord` lists.
///
/// It keeps what it was told of conversations that go on, and nothing else: no value outlives the line that it came in.
struct DemoService: ~Copyable {
  /// What meets the challenge.
  static let code = "123456"

  /// What is to be done about a line.
  enum Reaction: Equatable {
    /// Write a line.
    case answer([UInt8])
    /// Write lines about an attempt, each after so many milliseconds, unless the attempt is cancelled before.
    case lines([Line], attempt: UInt64)
    /// Write nothing more about an attempt.
    case forget(attempt: UInt64)
    /// End at once.
    case exit
    case nothing
  }

  /// A line that is written after so many milliseconds.
  struct Line: Equatable {
    let bytes: [UInt8]
    let delay: UInt64
  }

  private enum Step {
    case code
    /// How often the engine is still told to ask again.
    case approval(polls: Int)
  }

  private var steps: [UInt64: Step] = [:]
  private var document = JSONDocument()

  mutating func handle(_ line: UnsafeRawBufferPointer) -> Reaction {
    guard (try? document.parse(line)) != nil, let root = document.root, let method = document.member("method", of: root)
    else { return .nothing }
    let params = document.member("params", of: root)
    let attempt = params.flatMap { document.member("attempt", of: $0) }.flatMap { document.wholeNumber($0) }
    if document.equals(method, "authenticator/cancel"), let attempt {
      steps[attempt] = nil
      return .forget(attempt: attempt)
    }
    guard let idNode = document.member("id", of: root) else { return .nothing }
    let id = Array(document.fullText(idNode))
    if document.equals(method, "authenticator/describe") { return reply(to: id, #"{"name":"demo"}"#) }
    guard let params, let attempt else { return unknownMethod(id) }
    if document.equals(method, "authenticator/submit") { return submit(id, params, attempt) }
    if document.equals(method, "authenticator/continue") { return `continue`(id, params, attempt) }
    if document.equals(method, "authenticator/check") { return check(id, params) }
    return unknownMethod(id)
  }

  // MARK: Questions

  /// Says of a value while it is typed what a submit would say of it alone.
  private func check(_ id: [UInt8], _ params: JSONDocument.Node) -> Reaction {
    switch word(in: params)?.0 {
    case .taken: reply(to: id, #"{"outcome":"invalid","message":"This is taken already."}"#)
    case .notice: reply(to: id, #"{"outcome":"notice","message":{"text":"This is a notice.","severity":"info"}}"#)
    case .wrong, .throttled, .challenge, .wait, .alert, .slow, .error, .exit, nil:
      reply(to: id, #"{"outcome":"valid"}"#)
    }
  }

  private mutating func submit(_ id: [UInt8], _ params: JSONDocument.Node, _ attempt: UInt64) -> Reaction {
    if let request = document.member("request", of: params), document.equals(request, "load") {
      let loaded = answer(to: id, accepted(params))
      return .lines(
        [alert("The first alert.", attempt, after: 1000), alert("The second alert.", attempt, after: 1000)]
          + [Line(bytes: loaded, delay: 45_000)], attempt: attempt)
    }
    guard let (word, key) = word(in: params) else {
      let isOfLink = document.member("action", of: params) != nil
      return isOfLink ? reply(to: id, DemoScreens.requested) : reply(to: id, accepted(params))
    }
    switch word {
    case .wrong: return reply(to: id, #"{"outcome":"rejected","message":"That is wrong."}"#)
    case .taken:
      var result = ByteBuffer()
      result.append(#"{"outcome":"rejected","items":{"#)
      result.appendJSONString(key)
      result.append(#":["This is taken already."]}}"#)
      return reply(to: id, result)
    case .throttled: return reply(to: id, #"{"outcome":"throttled","retryAfterMs":5000}"#)
    case .challenge:
      steps[attempt] = .code
      return reply(to: id, DemoScreens.code)
    case .wait:
      steps[attempt] = .approval(polls: 2)
      return reply(to: id, DemoScreens.approval)
    case .notice:
      return reply(to: id, #"{"outcome":"notice","message":{"text":"This is a notice.","severity":"info"}}"#)
    case .alert:
      let accepted = answer(to: id, accepted(params))
      return .lines(
        [alert("This is an alert.", attempt, after: 0), Line(bytes: accepted, delay: 3000)], attempt: attempt)
    case .slow: return .lines([Line(bytes: answer(to: id, accepted(params)), delay: 3000)], attempt: attempt)
    case .error: return error(id, "The demo directory does not answer.", name: "demoDown")
    case .exit: return .exit
    }
  }

  private mutating func `continue`(_ id: [UInt8], _ params: JSONDocument.Node, _ attempt: UInt64) -> Reaction {
    switch steps[attempt] {
    case .code:
      if document.member("action", of: params) != nil { return reply(to: id, DemoScreens.codeAgain) }
      guard values(of: params).contains(where: { $0.text == Self.code }) else {
        return reply(to: id, DemoScreens.wrongCode)
      }
    case .approval(let polls) where polls > 0:
      steps[attempt] = .approval(polls: polls - 1)
      return reply(to: id, DemoScreens.stillWaiting)
    case .approval: break
    case nil: return error(id, "This conversation is over.", name: nil)
    }
    steps[attempt] = nil
    return reply(to: id, #"{"outcome":"accepted","principal":"demo"}"#)
  }

  // MARK: Values

  private func values(of params: JSONDocument.Node) -> [(key: String, text: String)] {
    var found: [(key: String, text: String)] = []
    guard let values = document.member("values", of: params), document.kind(values) == .object else { return found }
    var next = document.firstChild(values)
    while let key = next, let value = document.sibling(after: key, in: values) {
      if document.kind(value) == .string { found.append((document.string(key), document.string(value))) }
      next = document.sibling(after: value, in: values)
    }
    return found
  }

  /// The first word among the values, and the apiKey of the item that has it.
  private func word(in params: JSONDocument.Node) -> (DemoWord, key: String)? {
    for (key, text) in values(of: params) { if let word = DemoWord(in: text) { return (word, key) } }
    return nil
  }

  /// The principal is the user name or the email address, which are no secrets under any flow.
  private func accepted(_ params: JSONDocument.Node) -> ByteBuffer {
    let values = values(of: params)
    let fields = document.member("fields", of: params)
    let names = [("userName", "userName"), ("email", "email")].map { (field: StaticString, name: String) in
      fields.flatMap { document.member(field, of: $0) }.map { document.string($0) } ?? name
    }
    let name = names.compactMap { key in values.first { $0.key == key }?.text }.first
    var result = ByteBuffer()
    result.append(#"{"outcome":"accepted","principal":"#)
    result.appendJSONString(name ?? "demo")
    result.append("}")
    return result
  }

  // MARK: Lines

  private func reply(to id: [UInt8], _ result: StaticString) -> Reaction {
    var buffer = ByteBuffer()
    buffer.append(result)
    return reply(to: id, buffer)
  }

  private func reply(to id: [UInt8], _ result: consuming ByteBuffer) -> Reaction {
    .answer(answer(to: id, result))
  }

  private func answer(to id: [UInt8], _ result: consuming ByteBuffer) -> [UInt8] {
    var line = head(id)
    line.append(#","result":"#)
    result.withBytes { line.append($0) }
    line.append("}\n")
    return line.array()
  }

  private func alert(_ text: StaticString, _ attempt: UInt64, after delay: UInt64) -> Line {
    var line = ByteBuffer()
    line.append(#"{"jsonrpc":"2.0","method":"authenticator/notify","params":{"attempt":"#)
    line.append(decimal: attempt)
    line.append(#","alert":{"messages":[""#)
    line.append(text)
    line.append(#""]}}}"#)
    line.append(0x0A)
    return Line(bytes: line.array(), delay: delay)
  }

  private func error(_ id: [UInt8], _ message: String, name: StaticString?) -> Reaction {
    var line = head(id)
    line.append(#","error":{"code":1,"message":"#)
    line.appendJSONString(message)
    if let name {
      line.append(#","data":{"code":""#)
      line.append(name)
      line.append(#""}"#)
    }
    line.append("}}\n")
    return .answer(line.array())
  }

  private func unknownMethod(_ id: [UInt8]) -> Reaction {
    var line = head(id)
    line.append(#","error":{"code":-32601,"message":"There is no such method."}}"#)
    line.append(0x0A)
    return .answer(line.array())
  }

  private func head(_ id: [UInt8]) -> ByteBuffer {
    var line = ByteBuffer()
    line.append(#"{"jsonrpc":"2.0","id":"#)
    line.append(id)
    return line
  }
}
