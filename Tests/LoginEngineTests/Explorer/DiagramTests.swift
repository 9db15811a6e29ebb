import FlowFiles
import Foundation
import LoginEngine
import LoginMachine
import TestSupport
import Testing

@Suite("Diagrams of flows")
struct DiagramTests {
  @Test("the diagram in protocol/diagrams is up to date", arguments: BuiltInFlows.names)
  func walked(name: String) throws {
    let page = try String(contentsOf: diagrams.appendingPathComponent("\(name).md"), encoding: .utf8)
    let found = try #require(ExplorerBuiltInFlowTests.explorations[name])
    #expect(page.hasSuffix("```mermaid\n" + found.mermaid + "```\n"))
  }

  @Test("protocol/diagrams has exactly one diagram for each built-in flow")
  func allFiles() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: diagrams.path)
    #expect(files.sorted() == BuiltInFlows.names.map { $0 + ".md" }.sorted())
  }

  @Test("the definition file of a built-in flow gives the same diagram as the flow's name")
  func definitionFile() throws {
    let file = root.appendingPathComponent("protocol/flows/staged.json")
    #expect(try run("flow", "diagram", file.path).output == run("flow", "diagram", "staged").output)
  }

  @Test("flow diagram refuses a name that is neither a flow nor a file")
  func nothing() throws {
    let (output, status) = try run("flow", "diagram", "no-such-flow")
    #expect(status == 1 && output.isEmpty)
    #expect(try run("flow", "diagram").status == 2)
  }

  @Test("screens whose ids would become equal in Mermaid get different names in a diagram")
  func names() {
    let first = DefectiveFlows.screen("a.b", items: [DefectiveFlows.name], links: [("to", 1)])
    let second = DefectiveFlows.screen("a-b", items: [DefectiveFlows.name], links: [("back", 0)])
    let diagram = Exploration(of: DefectiveFlows.flow(first, second)).mermaid
    #expect(diagram.contains("  [*] --> a_b_0_initial\n"))
    #expect(diagram.contains("  a_b_0_initial --> a_b_1_initial : to\n"))
    #expect(diagram.contains("  a_b_0_requestSucceeded --> [*]\n"))
  }

  @Test("the diagram shows each state to which a link back to an earlier screen may lead")
  func back() {
    let first = DefectiveFlows.screen("one", items: [DefectiveFlows.name], links: [("to", 1)])
    let second = DefectiveFlows.screen("two", items: [DefectiveFlows.name], links: [("back", 0)])
    let diagram = Exploration(of: DefectiveFlows.flow(first, second)).mermaid
    for phase in ["initial", "unvalidated", "validated"] {
      #expect(diagram.contains("  two_initial --> one_\(phase) : back\n"))
    }
  }

  private var root: URL {
    Checkout.root
  }

  private var diagrams: URL { root.appendingPathComponent("protocol/diagrams") }

  private func run(_ arguments: String...) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProgram.loginEngine)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
  }
}
