import Foundation
import TestSupport
import Testing

@Suite("The accounts' settings file", .waits)
struct SettingsFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func settings(_ text: String) throws -> String {
    let file = directory.path + "/accounts.conf"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o600)
    return file
  }

  @Test func `the service and each administrator's command use those options of the settings file that apply to them`()
    throws
  {
    let file = try settings(
      "# what both agree on\n\nminimum-password-length 20\nissuer  Corner Shop \npepper pepper.key\n")
    let service = try Service(directory.file, ["--settings", file])
    let ada = ["email": "ada@example.com", "userName": "ada", "password": "nineteen characters"]
    #expect(try service.ask(1, "setup", ada).outcome == "rejected")
    let add = ["add", "--email", "ada@example.com", "--user-name", "ada", "--settings", file]
    #expect(try Service.run(directory.file, add, "nineteen characters\n").status == 1)
    #expect(try Service.run(directory.file, add, "twenty characters at least\n").status == 0)
    // Relative paths are resolved from the file's directory.
    #expect(FileManager.default.fileExists(atPath: directory.path + "/pepper.key"))
    #expect(try Service.run(directory.file, ["list", "--settings", file]).output.contains("ada@example.com"))
  }

  @Test func `the command line takes precedence over the settings file`() throws {
    let file = try settings("minimum-password-length 20\n")
    let add = [
      "add", "--email", "a@example.com", "--user-name", "ada", "--settings", file, "--minimum-password-length", "9",
    ]
    #expect(try Service.run(directory.file, add, "correct horse\n").status == 0)
  }

  @Test(
    arguments: [
      ("colour red", "line 1: unknown setting colour"), ("\nhash-cost 12", "line 2: --hash-cost takes"),
      ("issuer", "line 1: issuer needs a value"), ("confirm-email yes", "line 1: confirm-email takes no value"),
      ("email ada@example.com", "line 1: unknown setting email"), ("clock manual", "line 1: unknown setting clock"),
      ("conceal-accounts\ntell-taken-names", "exclude each other"), ("rp-id example.com", "--rp-id needs an --origin"),
    ])
  func `an invalid setting is reported with its line`(text: String, complaint: String) throws {
    let result = try Service.run(directory.file, ["--settings", try settings(text)])
    #expect(result.status == 2)
    #expect(result.error.contains(complaint), "\(result.error)")
  }

  @Test func `a missing settings file is reported`() throws {
    let result = try Service.run(directory.file, ["list", "--settings", directory.path + "/none"])
    #expect(result.status == 2)
    #expect(result.error.contains("none: No such file or directory"))
  }
}
