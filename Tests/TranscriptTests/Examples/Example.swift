import Foundation
import JSONCodec
import TestSupport
import Testing

/// An example in a document: a fenced block, or several related blocks. A `json` block after
/// another `json` block in the same section belongs to the same example, and a `text` block after
/// an `sh` block is the output of its commands.
struct Example: Sendable, CustomTestStringConvertible {
  /// The path of the document in this project.
  let document: String
  /// The heading above the block, without its `#` signs.
  let heading: String
  /// The word after the opening fence.
  let language: String
  var text: String
  /// The line number of the opening fence.
  let line: Int
  /// The output of the commands, if the document has it.
  var printed: String?

  var testDescription: String { "\(document):\(line) (\(language.isEmpty ? "no language" : language))" }

  static let root = Checkout.root.path

  /// The examples of all documents of this project.
  static let all: [Example] = (documents + [manualPage]).flatMap { document in
    let text = (try? String(contentsOfFile: root + "/" + document, encoding: .utf8)) ?? ""
    return read(document == manualPage ? fenced(text) : text, document: document)
  }

  static let manualPage = ".ci/packaging/login-engine.1"

  /// Converts the displays of a manual page to fenced blocks.
  private static func fenced(_ page: String) -> String {
    page.replacing("\n.Bd -literal -offset indent\n", with: "\n```sh\n").replacing("\n.Ed\n", with: "\n```\n")
      .replacing(#"\e"#, with: #"\"#)
  }

  static let documents: [String] = {
    let top = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let below = ["protocol", "clients"].flatMap { folder in
      (FileManager.default.enumerator(atPath: root + "/" + folder)?.allObjects as? [String] ?? []).map {
        folder + "/" + $0
      }
    }
    return (top + below).filter { $0.hasSuffix(".md") }.sorted()
  }()

  /// The examples in a text. A block without an end extends to the end of the text.
  static func read(_ text: String, document: String) -> [Example] {
    var examples: [Example] = []
    var heading = ""
    var block: (language: String, line: Int, lines: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let open = block {
        if line == "```" {
          let text = open.lines.joined(separator: "\n")
          add(
            Example(document: document, heading: heading, language: open.language, text: text, line: open.line),
            to: &examples)
          block = nil
        } else {
          block?.lines.append(line)
        }
      } else if let fence = line.firstRange(of: "```") {
        block = (line[fence.upperBound...].trimmingCharacters(in: .whitespaces), index + 1, [])
      } else if line.hasPrefix("#") {
        heading = line.drop { $0 == "#" || $0 == " " }.trimmingCharacters(in: .whitespaces)
      }
    }
    if let open = block {
      examples.append(
        Example(document: document, heading: heading, language: "without an end", text: "", line: open.line))
    }
    return examples
  }

  private static func add(_ example: Example, to examples: inout [Example]) {
    guard let last = examples.last, last.heading == example.heading else { return examples.append(example) }
    switch (last.language, example.language) {
    case ("sh", "text") where last.printed == nil: examples[examples.count - 1].printed = example.text
    case ("json", "json"): examples[examples.count - 1].text += "\n" + example.text
    default: examples.append(example)
    }
  }

  /// The consecutive JSON values in the example's text. Each may take any number of lines.
  func values() throws -> [JSONValue] {
    var values: [JSONValue] = []
    var (current, depth, isInString, isEscaped) = ("", 0, false, false)
    for character in text {
      if current.isEmpty && character.isWhitespace { continue }
      current.append(character)
      if isInString {
        if !isEscaped && character == "\"" { isInString = false }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      switch character {
      case "\"": isInString = true
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      default: break
      }
      guard depth == 0 else { continue }
      values.append(try JSONValue(parsing: current))
      current = ""
    }
    guard current.isEmpty else { throw Deviation("this is not JSON: \(current)") }
    return values
  }
}

/// The error that an example does not do what its document says.
struct Deviation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
