import AccountStore
import JSONCodec

/// An account as a line of an export: a JSON object.
struct TransferLine {
  /// What is wrong with a line.
  struct Problem: Error {
    let text: String

    init(_ text: String) { self.text = text }
  }

  let account: TransferredAccount

  init(_ account: TransferredAccount) { self.account = account }

  init(parsing bytes: UnsafeRawBufferPointer) throws(Problem) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw Problem("This is no JSON: \(error).")
    }
    guard let members = value.members else { throw Problem("An account is a JSON object.") }
    guard let email = value["email"]?.string, let userName = value["userName"]?.string,
      let hash = value["passwordHash"]?.string
    else { throw Problem("An account has the strings email, userName and passwordHash.") }
    var account = TransferredAccount(email: email, userName: userName, passwordHash: hash)
    for member in members where !member.value.isNull { try Self.read(member, into: &account) }
    self.account = account
  }

  private static func read(_ member: JSONValue.Member, into account: inout TransferredAccount) throws(Problem) {
    switch member.key {
    case "email", "userName", "passwordHash": return
    case "id": account.id = try time(member)
    case "createdMs": account.createdMs = try time(member)
    case "lastLoginMs": account.lastLoginMs = try time(member)
    case "passwordExpired": account.isPasswordExpired = try flag(member)
    case "disabled": account.isDisabled = try flag(member)
    case "attributes": account.attributes = try attributes(member.value)
    case "recoveryCodes": account.recoveryCodes = try recoveryCodes(member.value)
    case "oneTimeCodes": account.oneTimeCodes = try oneTimeCodes(member.value)
    default: throw Problem("The member \(member.key) means nothing. Put what else there is into attributes.")
    }
  }

  private static func time(_ member: JSONValue.Member) throws(Problem) -> Int64 {
    guard let number = member.value.integer, number >= 0 else {
      throw Problem("\(member.key) is a whole number that is not negative.")
    }
    return Int64(number)
  }

  private static func flag(_ member: JSONValue.Member) throws(Problem) -> Bool {
    guard let flag = member.value.bool else { throw Problem("\(member.key) is true or false.") }
    return flag
  }

  private static func attributes(_ value: JSONValue) throws(Problem) -> String? {
    guard let members = value.members else { throw Problem("attributes is an object.") }
    do throws(Attributes.Problem) {
      return try Attributes.text(members)
    } catch {
      throw Problem(
        error.name.map { "The attribute \($0) cannot be kept." }
          ?? "There are too many attributes, or they are too long.")
    }
  }

  private static func recoveryCodes(_ value: JSONValue) throws(Problem) -> [TransferredAccount.RecoveryCodeHash] {
    var codes: [TransferredAccount.RecoveryCodeHash] = []
    for code in value.array ?? [] {
      guard let hash = code["hash"]?.string else { throw Problem("A recovery code has a hash.") }
      codes.append(.init(hash: hash, isUsed: code["used"]?.bool ?? false))
    }
    guard !codes.isEmpty else { throw Problem("recoveryCodes is an array of at least one code.") }
    return codes
  }

  private static func oneTimeCodes(_ value: JSONValue) throws(Problem) -> TransferredAccount.SealedCodes {
    guard let secret = value["sealed"]?.string, let step = value["step"]?.integer, step >= 0 else {
      throw Problem("oneTimeCodes has sealed, a string, and step, a whole number.")
    }
    return .init(secret: secret, step: Int64(step))
  }

  /// The line, with its end.
  var text: String {
    var members: [JSONValue.Member] = []
    if let id = account.id { members.append(.init("id", .number("\(id)"))) }
    members.append(.init("email", .string(account.email)))
    members.append(.init("userName", .string(account.userName)))
    if let time = account.createdMs { members.append(.init("createdMs", .number("\(time)"))) }
    if let time = account.lastLoginMs { members.append(.init("lastLoginMs", .number("\(time)"))) }
    members.append(.init("passwordHash", .string(account.passwordHash)))
    if account.isPasswordExpired { members.append(.init("passwordExpired", .bool(true))) }
    if account.isDisabled { members.append(.init("disabled", .bool(true))) }
    if let attributes = account.attributes, let value = try? JSONValue(parsing: attributes) {
      members.append(.init("attributes", value))
    }
    if !account.recoveryCodes.isEmpty {
      let codes = account.recoveryCodes.map { code in
        JSONValue.object(
          [.init("hash", .string(code.hash))] + (code.isUsed ? [.init("used", .bool(true))] : []))
      }
      members.append(.init("recoveryCodes", .array(codes)))
    }
    if let codes = account.oneTimeCodes {
      members.append(
        .init(
          "oneTimeCodes",
          .object([.init("sealed", .string(codes.secret)), .init("step", .number("\(codes.step)"))])))
    }
    return JSONValue.object(members).text + "\n"
  }
}
