import EngineCore
import FlowFiles
import JSONCodec
import LoginMachine
import LoginProtocol

/// One member of the options, with the methods that read its value.
struct OptionMember {
  let name: String
  let value: JSONDocument.Node

  /// The name, shortened for an error text.
  var shortName: String { String(name.unicodeScalars.prefix(64)) }

  private func wrong(_ expected: String) -> Failure { .badOptions("\"\(shortName)\" takes \(expected)") }

  // MARK: Scalars

  func flag(_ document: borrowing JSONDocument) throws(Failure) -> Bool {
    switch document.kind(value) {
    case .true: return true
    case .false: return false
    case .null, .number, .string, .array, .object: throw wrong("true or false")
    }
  }

  func number(_ document: borrowing JSONDocument, _ range: ClosedRange<UInt64>) throws(Failure) -> UInt64 {
    guard let number = document.wholeNumber(value), range.contains(number) else {
      throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// - Parameter range: the allowed values, none of which is negative.
  func count(_ document: borrowing JSONDocument, _ range: ClosedRange<Int>) throws(Failure) -> Int {
    Int(clamping: try number(document, UInt64(clamping: range.lowerBound)...UInt64(clamping: range.upperBound)))
  }

  func runName(_ document: borrowing JSONDocument) throws(Failure) -> String {
    let name = document.kind(value) == .string ? document.string(value) : ""
    guard ASCIIName.isName(name.utf8) else { throw wrong("1 to 64 letters, digits, _, - and .") }
    return name
  }

  func level(_ document: borrowing JSONDocument) throws(Failure) -> LogLevel {
    if document.kind(value) == .string {
      let name = document.string(value)
      if let level = LogLevel.allCases.first(where: { $0.name == name }) { return level }
    }
    throw wrong("error, warning, info or debug")
  }

  // MARK: Flows

  func flows(_ document: borrowing JSONDocument) throws(Failure) -> [(file: String, flow: Flow)] {
    guard document.kind(value) == .array else { throw wrong("an array of flow definitions") }
    var flows: [(file: String, flow: Flow)] = []
    var next = document.firstChild(value)
    while let node = next {
      let place = "flows[\(flows.count)]"
      do throws(FlowFileError) {
        flows.append((place, try FlowFile.read(Array(document.fullText(node)), name: place)))
      } catch {
        throw .badOptions(error.description)
      }
      next = document.sibling(after: node, in: value)
    }
    return flows
  }

  // MARK: Authenticators

  func authenticators(_ document: borrowing JSONDocument) throws(Failure) -> [AuthenticatorChoice] {
    guard document.kind(value) == .object else { throw wrong("an object from requests to names") }
    var choices: [AuthenticatorChoice] = []
    var next = document.firstChild(value)
    while let key = next, let node = document.sibling(after: key, in: value) {
      guard let requests = AuthenticatorChoice.Requests(document.string(key)) else {
        throw wrong("the keys REQUEST, FLOW/REQUEST, FLOW/* and *")
      }
      let name = document.kind(node) == .string ? document.string(node) : ""
      guard ASCIIName.isName(name.utf8), name != "accounts" else {
        throw wrong("names of 1 to 64 letters, digits, _, - and . that are not \"accounts\"")
      }
      choices.append(AuthenticatorChoice(requests, name == "frontend" ? .frontend : .command([name])))
      next = document.sibling(after: node, in: value)
    }
    return choices
  }
}
