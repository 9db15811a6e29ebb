import Accounts
import JSONCodec

/// One account as a line of an export, which is a JSON object.
struct TransferLine {
  /// Why a line of an export cannot be imported.
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
      throw Problem("This is not JSON: \(error.reason.rawValue), at byte \(error.offset).")
    }
    guard let members = value.members else { throw Problem("An account is a JSON object.") }
    guard let email = value["email"]?.string else { throw Problem("An account has the string email.") }
    var account = TransferredAccount(email: email, userName: nil, passwordHash: nil)
    for member in members where !member.value.isNull { try Self.read(member, into: &account) }
    self.account = account
  }

  private static func read(_ member: JSONValue.Member, into account: inout TransferredAccount) throws(Problem) {
    switch member.key {
    case "email": return
    case "userName": account.userName = try text(member)
    case "passwordHash": account.passwordHash = try text(member)
    case "id": account.id = try whole(member.key, member.value)
    case "createdMs": account.createdMs = try whole(member.key, member.value)
    case "lastLoginMs": account.lastLoginMs = try whole(member.key, member.value)
    case "passwordExpired": account.isPasswordExpired = try flag(member)
    case "disabled": account.isDisabled = try flag(member)
    case "emailProven": account.isEmailProven = try flag(member)
    case "codesRequired": account.requiresCodes = try flag(member)
    case "attributes": account.attributes = try attributes(member.value)
    case "recoveryCodes": account.recoveryCodes = try recoveryCodes(member.value)
    case "oneTimeCodes": account.oneTimeCodes = try oneTimeCodes(member.value)
    default: throw Problem("The member \(member.key) means nothing. Put what else there is into attributes.")
    }
  }

  private static func text(_ member: JSONValue.Member) throws(Problem) -> String {
    guard let text = member.value.string else { throw Problem("\(member.key) is a string.") }
    return text
  }

  /// Reads a whole number in any JSON notation, because other programs write times as 1.6e12 or
  /// 1600000000000.0.
  private static func whole(_ name: String, _ value: JSONValue?) throws(Problem) -> Int64 {
    guard case .number(let text) = value, let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }),
      number >= 0
    else { throw Problem("\(name) is a whole number that is not negative.") }
    return number
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
    guard let secret = value["sealed"]?.string else {
      throw Problem("oneTimeCodes has sealed, a string, and step, a whole number.")
    }
    return .init(secret: secret, step: try whole("The step of oneTimeCodes", value["step"]))
  }

  /// The account as a line of JSON, with a newline at the end.
  var text: String {
    var members: [JSONValue.Member] = []
    if let id = account.id { members.append(.init("id", .number("\(id)"))) }
    members.append(.init("email", .string(account.email)))
    if let userName = account.userName { members.append(.init("userName", .string(userName))) }
    if let time = account.createdMs { members.append(.init("createdMs", .number("\(time)"))) }
    if let time = account.lastLoginMs { members.append(.init("lastLoginMs", .number("\(time)"))) }
    if let hash = account.passwordHash { members.append(.init("passwordHash", .string(hash))) }
    if account.isPasswordExpired { members.append(.init("passwordExpired", .bool(true))) }
    if account.isDisabled { members.append(.init("disabled", .bool(true))) }
    if account.isEmailProven { members.append(.init("emailProven", .bool(true))) }
    if account.requiresCodes { members.append(.init("codesRequired", .bool(true))) }
    if let stored = account.attributes, let text = Attributes.text(stored: stored),
      let value = try? JSONValue(parsing: text)
    {
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
