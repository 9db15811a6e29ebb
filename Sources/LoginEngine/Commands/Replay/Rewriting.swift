import Glibc
import JSONCodec
import System

/// The text of a transcript in which outputs and questions are replaced. All other lines stay
/// unchanged.
struct Rewriting {
  private var lines: [String]
  /// The new lines, by line number from 1; `nil` for a removed line.
  private var replaced: [Int: String?] = [:]
  /// The lines to insert after a line, keyed by that line's number.
  private var inserted: [Int: [String]] = [:]
  private(set) var changes = 0

  init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  /// Replaces a segment's outputs and questions in the transcript by those that the engine has now
  /// sent.
  mutating func rewrite(_ segment: Updater.Segment, behind place: Int) {
    let last = segment.expected.last?.line ?? place
    rewrite("out", segment.expected.filter { if case .output = $0.step { true } else { false } }, segment.outputs, last)
    let expected = segment.expected.compactMap { if case .ask(_, _, let name) = $0.step { name } else { nil } }
    for name in Set(expected).union(segment.questions.keys).sorted(by: { $0 ?? "" < $1 ?? "" }) {
      let asks = segment.expected.filter { if case .ask(_, _, name) = $0.step { true } else { false } }
      rewrite("ask", asks, segment.questions[name] ?? [], last, of: name)
    }
  }

  private mutating func rewrite(
    _ kind: String, _ old: [Transcript.Entry], _ new: [[UInt8]], _ last: Int, of name: String? = nil
  ) {
    let pairs = Rewriting.same(old, new)
    var (nextOld, nextNew) = (0, 0)
    for (same, sameNew) in pairs + [(old.count, new.count)] {
      // Between two equal steps, each new step replaces an old step, until there are no more new or
      // no more old steps.
      while nextOld < same || nextNew < sameNew {
        changes += 1
        if nextOld < same, nextNew < sameNew {
          replaced[old[nextOld].line] = .some(step(kind, new[nextNew], old[nextOld], name))
        } else if nextOld < same {
          replaced[old[nextOld].line] = .some(nil)
        } else {
          let place = nextOld > 0 ? old[nextOld - 1].line : same < old.count ? old[same].line - 1 : last
          inserted[place, default: []].append(step(kind, new[nextNew], nil, name))
        }
        nextOld = min(nextOld + 1, same)
        nextNew = min(nextNew + 1, sameNew)
      }
      (nextOld, nextNew) = (same + 1, sameNew + 1)
    }
  }

  private func step(_ kind: String, _ line: [UInt8], _ old: Transcript.Entry?, _ name: String?) -> String {
    var text = String(decoding: line, as: UTF8.self)
    var came = try? JSONValue(parsing: line)
    let kept = (old?.ignored ?? []).filter { came?.value(at: $0) != nil }
    // If a transcript has an empty array at an ignored pointer, its author has shortened the array
    // on purpose, so it stays empty.
    for pointer in kept where old?.said?.value(at: pointer) == .array([]) {
      came?.replace(at: pointer, with: .array([]))
      text = came?.text ?? text
    }
    let ignore = kept.isEmpty ? "" : #","ignore":\#(JSONValue.array(kept.map { .string($0) }).text)"#
    let which = name.map { #","authenticator":"\#($0)""# } ?? ""
    return #"{"\#(kind)":\#(text)\#(which)\#(ignore)}"#
  }

  /// The longest common subsequence of the steps, as pairs of indices.
  private static func same(_ old: [Transcript.Entry], _ new: [[UInt8]]) -> [(Int, Int)] {
    let values = new.map { try? JSONValue(parsing: $0) }
    func isSame(_ index: Int, _ other: Int) -> Bool {
      guard let expected = old[index].said, let value = values[other] else { return false }
      return Difference.first(expected, value, ignoring: old[index].ignored) == nil
    }
    var lengths = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
    for index in old.indices.reversed() {
      for other in new.indices.reversed() {
        lengths[index][other] =
          isSame(index, other)
          ? lengths[index + 1][other + 1] + 1 : max(lengths[index + 1][other], lengths[index][other + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (index, other) = (0, 0)
    while index < old.count, other < new.count {
      if isSame(index, other) {
        pairs.append((index, other))
        index += 1
        other += 1
      } else if lengths[index + 1][other] >= lengths[index][other + 1] {
        index += 1
      } else {
        other += 1
      }
    }
    return pairs
  }

  /// The new text of the file.
  var text: String {
    var result = inserted[0] ?? []
    for (index, line) in lines.enumerated() {
      if let other = replaced[index + 1] {
        if let other { result.append(other) }
      } else {
        result.append(line)
      }
      result += inserted[index + 1] ?? []
    }
    return result.joined(separator: "\n")
  }
}

extension Transcript.Entry {
  /// The message that the engine sends in this step.
  var said: JSONValue? {
    switch step {
    case .output(let value, _), .ask(let value, _, _): value
    default: nil
    }
  }

  /// The JSON pointers at which any value is accepted.
  var ignored: [String] {
    switch step {
    case .output(_, let pointers), .ask(_, let pointers, _): pointers
    default: []
    }
  }
}

extension JSONValue {
  /// Replaces the value at a JSON pointer, if there is one.
  mutating func replace(at pointer: String, with value: JSONValue) {
    replace(at: pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst(), with: value)
  }

  private mutating func replace(at path: ArraySlice<Substring>, with value: JSONValue) {
    guard let name = path.first else {
      self = value
      return
    }
    switch self {
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.key == Self.unescaped(name) }) else { return }
      members[index].value.replace(at: path.dropFirst(), with: value)
      self = .object(members)
    case .array(var elements):
      guard let index = Int(name), elements.indices.contains(index) else { return }
      elements[index].replace(at: path.dropFirst(), with: value)
      self = .array(elements)
    default: return
    }
  }

  /// The value at a JSON pointer (RFC 6901).
  func value(at pointer: String) -> JSONValue? {
    var value = self
    for name in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let key = Self.unescaped(name)
      guard let inner = value[key] ?? Int(key).flatMap({ value[$0] }) else { return nil }
      value = inner
    }
    return value
  }

  private static func unescaped(_ name: Substring) -> String {
    var text = ""
    var isEscaped = false
    for character in name {
      if isEscaped { text.append(character == "1" ? "/" : "~") } else if character != "~" { text.append(character) }
      isEscaped = !isEscaped && character == "~"
    }
    return text
  }
}

/// Reads and replaces whole files.
enum TextFile {
  static func read(_ path: String) throws(TranscriptError) -> String {
    do throws(SystemError) {
      return String(decoding: try WholeFile.read(path), as: UTF8.self)
    } catch {
      throw TranscriptError(text: "\(path): \(error.reason)")
    }
  }

  /// Replaces a file atomically.
  static func replace(_ name: String, _ text: String) throws(TranscriptError) {
    let path = target(of: name)
    do {
      // A link of another user must not decide which file is replaced.
      Descriptor.close(try SafePath.look(at: name, trusting: .owner))
      let folder = try SafePath.folder(of: path, trusting: .owner)
      let other = folder.name + ".new"
      try? folder.remove(other)
      let descriptor = try folder.make(other)
      defer { Descriptor.close(descriptor) }
      // Keep the permissions of the file.
      var old = stat()
      if stat(path, &old) == 0 { fchmod(descriptor, old.st_mode & 0o777) }
      do {
        let failure = Array(text.utf8).withUnsafeBytes { BlockingOutput.failure(writing: $0, to: descriptor) }
        if let failure { throw failure }
        try folder.rename(other, to: folder.name)
      } catch {
        try? folder.remove(other)
        throw error
      }
    } catch {
      throw TranscriptError(text: "\(path): \((error as? SystemError)?.reason ?? "\(error)")")
    }
  }

  /// The target of a symbolic link.
  private static func target(of name: String) -> String {
    guard let real = realpath(name, nil) else { return name }
    defer { free(real) }
    return String(cString: real)
  }
}
