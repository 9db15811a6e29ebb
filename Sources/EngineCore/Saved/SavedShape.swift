import JSONCodec
import LoginMachine
import LoginProtocol

/// The shape of a part of a saved session: which JSON values are valid there, whatever the flow.
/// The shapes agree with the schema `SavedSession`.
///
/// The whole saved session is checked before any of it is read. Otherwise, malformed parts would be
/// accepted if the reader drops them because the flow has changed.
indirect enum SavedShape: Sendable {
  /// A string whose length in bytes is in the range.
  case text(ClosedRange<Int>)
  /// A string of letters, digits, dots, hyphens and underscores, whose length in bytes is in the
  /// range.
  case name(ClosedRange<Int>)
  /// A flow's digest (`FlowDigest`).
  case digest
  case number(ClosedRange<UInt64>)
  /// A flag: the only valid value is `true`, since the member is left out otherwise.
  case flag
  case word([String])
  case list(SavedShape, ClosedRange<Int>)
  /// An object of at most `SavedLimits.entries` members. The members may have any names; their
  /// values all have the given shape.
  case map(SavedShape)
  case object([Member])
  /// An object that has the members `common` and further members. Which further members it has
  /// depends on the value of its member `by`.
  case cases(by: String, [String: [Member]], common: [Member])
  /// The value of an item or of a message's parameter. It has one of the types for which the
  /// argument is `true`.
  case value(texts: Bool, numbers: Bool, positions: Bool)
  /// Any value. Its content is checked elsewhere in the reader.
  case any

  /// A member of an object.
  struct Member: Sendable {
    let name: String
    let shape: SavedShape
    let isRequired: Bool

    static func required(_ name: String, _ shape: SavedShape) -> Member {
      Member(name: name, shape: shape, isRequired: true)
    }

    static func optional(_ name: String, _ shape: SavedShape) -> Member {
      Member(name: name, shape: shape, isRequired: false)
    }
  }

  /// Checks that a part has this shape.
  func check(_ part: SavedMember) throws(RPCError) {
    switch self {
    case .text(let bytes): _ = try part.text(bytes)
    case .name(let bytes):
      guard try part.text(bytes).utf8.allSatisfy({ ASCIIName.isPart($0) }) else {
        throw part.problem("Expected letters, digits, dots, hyphens and underscores.")
      }
    case .digest:
      guard try part.text(FlowDigest.length...FlowDigest.length).utf8.allSatisfy({ FlowDigest.isDigit($0) }) else {
        throw part.problem("Expected a digest in lower-case hexadecimal digits.")
      }
    case .number(let range): _ = try part.number(range)
    case .flag: _ = try part.flag()
    case .word(let words):
      guard let text = part.value.string, words.contains(text) else {
        throw part.problem("Expected one of \(words.joined(separator: ", ")).")
      }
    case .list(let shape, let counts):
      let elements = try part.elements(atMost: counts.upperBound)
      guard elements.count >= counts.lowerBound else { throw part.problem("Expected at least \(counts.lowerBound).") }
      for element in elements { try shape.check(element) }
    case .map(let shape):
      guard let members = part.value.members, members.count <= SavedLimits.entries else {
        throw part.problem("Expected an object of at most \(SavedLimits.entries) members.")
      }
      // The names are untrusted input, so errors do not name them.
      for member in members { try shape.check(SavedMember(value: member.value, place: part.place)) }
    case .object(let members):
      try part.check(members.map(\.name))
      for member in members {
        if let value = part[member.name] {
          try member.shape.check(value)
        } else if member.isRequired {
          _ = try part.required(member.name)
        }
      }
    case .cases(let name, let members, let common):
      let member = try part.required(name)
      guard let word = member.value.string, let special = members[word] else {
        throw member.problem("Expected one of \(members.keys.sorted().joined(separator: ", ")).")
      }
      try SavedShape.object([.required(name, .any)] + special + common).check(part)
    case .value(let texts, let numbers, let positions):
      switch part.value {
      case .string where texts, .number where numbers, .bool where positions, .null where positions: break
      case .string, .number, .bool, .null, .array, .object:
        throw part.problem(positions ? "Expected a string, true, false or null." : "Expected a string or a number.")
      }
    case .any: break
    }
  }
}

extension SavedShape {
  /// The shape of a whole saved session.
  static let session = SavedShape.object([
    .required(SavedName.version, .number(SavedSession.version...SavedSession.version)),
    .required(SavedName.flow, .name(1...ASCIIName.maximumLength)),
    .required(SavedName.digest, .digest), .required(SavedName.screen, anyText),
    .required(SavedName.locale, .text(1...SavedReader.maximumLocaleBytes)),
    .required(SavedName.revision, .number(1...SavedState.maximumCount)),
    .required(SavedName.events, .number(0...SavedState.maximumCount)),
    .required(SavedName.state, .word(SavedPhase.allCases.map(\.rawValue))), .optional(SavedName.request, request),
    .required(SavedName.items, items), .optional(SavedName.remarks, entries(remark)),
    .optional(SavedName.left, entries(screen)),
    .optional(SavedName.alerts, entries(alert)), .optional(SavedName.notice, message),
    .optional(SavedName.throttle, .object(throttle)),
    .optional(
      SavedName.held,
      entries(.object([.required(SavedName.screen, anyText), .required(SavedName.action, anyText)] + throttle))),
    .optional(SavedName.retryKey, key), .optional(SavedName.waitsForEdit, .flag),
    .optional(SavedName.beside, entries(index)), .optional(SavedName.checks, entries(anyText)),
    .optional(
      SavedName.focus,
      .cases(
        by: SavedName.kind,
        cases(SavedFocus.self) { kind in
          [kind == .item ? .required(SavedName.item, anyText) : .optional(SavedName.item, anyText)]
        }, common: [])), .optional(SavedName.policy, .word(FlowOptions.TransitionPolicy.allCases.map(\.rawValue))),
    .optional(SavedName.detail, .word([UpdateDetail.full.rawValue, UpdateDetail.commands.rawValue])),
    .optional(SavedName.context, .any),
    .optional(SavedName.supports, .any),
  ])

  private static let anyText = SavedShape.text(0...SavedMember.maximumTextBytes)
  private static let key = SavedShape.name(1...SavedReader.maximumKeyBytes)
  private static let index = SavedShape.number(0...UInt64(UInt16.max))

  private static func entries(_ shape: SavedShape) -> SavedShape { .list(shape, 0...SavedLimits.entries) }

  private static let throttle: [Member] = [
    .required(SavedName.until, .number(0...RetryTime.latest)),
    .required(SavedName.duration, .number(0...RetryTime.latest)),
  ]

  private static let message = SavedShape.object([
    .required(SavedName.code, .name(1...Message.maximumCodeLength)), .optional(SavedName.text, anyText),
    .optional(SavedName.params, .map(.value(texts: true, numbers: true, positions: false))),
    .optional(SavedName.severity, .word(Message.Severity.allCases.map(\.rawValue))),
    .optional(SavedName.verbatim, .flag),
  ])

  private static let request = SavedShape.cases(
    by: SavedName.source,
    cases(SavedSource.self) { source in
      switch source {
      case .submit: []
      case .link:
        [
          .required(SavedName.action, anyText),
          .required(SavedName.from, .word([SavedPhase.initial, .unvalidated, .validated].map(\.rawValue))),
        ]
      case .begin: [.required(SavedName.begin, index)]
      }
    },
    common: [
      .optional(SavedName.key, key), .optional(SavedName.resume, .text(1...Challenge.maximumResumeBytes)),
      .optional(SavedName.message, message),
    ])

  private static func cases<Word: RawRepresentable<String> & CaseIterable>(
    _: Word.Type, _ members: (Word) -> [Member]
  ) -> [String: [Member]] {
    Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0.rawValue, members($0)) })
  }

  private static let items = SavedShape.map(
    .object([
      .optional(SavedName.value, .value(texts: true, numbers: false, positions: true)),
      .optional(SavedName.touched, .flag), .optional(SavedName.marked, .flag),
    ]))

  private static let remark = SavedShape.object([
    .required(SavedName.item, anyText), .required(SavedName.message, message), .optional(SavedName.notice, .flag),
  ])

  private static let screen = SavedShape.object([
    .required(SavedName.screen, anyText), .required(SavedName.items, items),
    .optional(SavedName.throttle, .object(throttle)), .optional(SavedName.failure, message),
    .optional(SavedName.key, key),
  ])

  private static let alert = SavedShape.object([
    .required(SavedName.kind, .word(Screen.AlertKind.allCases.map(\.rawValue))), .optional(SavedName.title, anyText),
    .required(SavedName.messages, .list(message, 1...SavedLimits.entries)),
  ])
}
