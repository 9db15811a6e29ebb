import Foundation
import Testing

@Suite struct AdministrationTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `accounts are added, listed, given another password and removed`() throws {
    #expect(try run(["add", "--email", "ada@example.com", "--user-name", "ada"], "correct horse\n").output == "1\n")
    #expect(try run(["add", "--email=bob@example.com", "--user-name=bob"], "correct horse").output == "2\n")
    let list = try run(["list"]).output
    let format =
      #"^1\tada@example\.com\tada\t20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ\n2\tbob@example\.com\tbob\t.*Z\n$"#
    #expect(list.range(of: format, options: .regularExpression) != nil, "\(list)")
    #expect(try run(["passwd", "ADA"], "another horse\r\n").status == 0)
    let login = ["user_name": "ada", "password": "another horse"]
    #expect(try Service(directory.file).ask(1, "login", login).outcome == "accepted")
    #expect(try run(["remove", "bob@example.com"]).status == 0)
    #expect(try run(["list"]).output.hasPrefix("1\t"))
    #expect(try run(["list"]).output.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      (["remove", "nobody"], "", "There is no such account."),
      (["passwd", "nobody"], "x", "There is no such account."),
      (["add", "--email", "a@b", "--user-name", "a"], "", "There is no password"),
      (["add", "--email", "a@b", "--user-name", "a"], "short", "at least 9 characters"),
      (["add", "--email", "a", "--user-name", "a@"], "correct horse", "no email address"),
    ])
  func `what cannot be done is said and the status is 1`(arguments: [String], input: String, error: String) throws {
    let result = try run(arguments, input)
    #expect(result.status == 1)
    #expect(result.error.contains(error))
    #expect(result.output == "")
  }

  @Test(
    arguments: [
      ["dance"], ["remove"], ["passwd", "a", "b"], ["add"], ["list", "x"], ["--hash-cost", "12"], ["--hash-cost"],
      ["--clock", "broken"], ["--frob"], ["list", "--email", "x"], ["--hardening", "maybe"],
    ])
  func `wrong arguments are said and the status is 2`(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 2)
    #expect(result.error.contains("--help"))
    #expect(result.output == "")
  }

  @Test func `help says what there is`() throws {
    let result = try run(["--help"])
    #expect(result.status == 0)
    for word in ["add", "list", "remove", "passwd", "--file", "--hash-cost", "--clock", "--hardening"] {
      #expect(result.output.contains(word))
    }
  }

  private func run(_ arguments: [String], _ input: String = "") throws -> (status: Int32, output: String, error: String)
  {
    let service = try Service(directory.file, arguments)
    service.send(bytes: Array(input.utf8))
    service.closeInput()
    var output = ""
    while let line = try service.line() { output += line + "\n" }
    let (status, error) = service.wait()
    return (status, output, error)
  }
}
