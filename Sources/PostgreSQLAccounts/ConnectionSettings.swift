import Accounts
import CPQ
import Glibc

/// How the server is reached: libpq's keywords, with their values.
struct ConnectionSettings: Sendable {
  private var values: [String: String]
  /// The servers to try, in this order. Empty if libpq finds out by itself.
  private let hosts: [[String: String]]

  /// - Parameter text: a connection string or URI, as in libpq's manual. What it does not say comes from the environment.
  init(_ text: String) throws(AccountStoreError) {
    guard var options = PQconninfoParse(text, nil) else { throw .server(.invalidConnection) }
    defer { PQconninfoFree(options) }
    let first = options
    var values: [String: String] = [:]
    while let keyword = options.pointee.keyword {
      if let value = options.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      options += 1
    }
    options = first
    self.values = values
    hosts = try Self.hosts(values)
  }

  /// libpq goes on to the next of several hosts when its own time for one is over, which it only takes in a call that blocks for all of them.
  private static func hosts(_ values: [String: String]) throws(AccountStoreError) -> [[String: String]] {
    func list(_ keyword: String, _ variable: String) -> [String] {
      let text = values[keyword] ?? getenv(variable).map { String(cString: $0) } ?? ""
      return text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let names = ["host": list("host", "PGHOST"), "hostaddr": list("hostaddr", "PGHOSTADDR")]
    let ports = list("port", "PGPORT")
    let count = names.values.map(\.count).max() ?? 0
    guard count > 1 else { return [] }
    guard names.values.allSatisfy({ $0.isEmpty || $0.count == count }), [0, 1, count].contains(ports.count) else {
      throw .server(.invalidConnection)
    }
    return (0..<count).map { index in
      var host = names.compactMapValues { $0.isEmpty ? nil : $0[index] }
      if !ports.isEmpty { host["port"] = ports.count == 1 ? ports[0] : ports[index] }
      return host
    }
  }

  /// What to connect with, one server after the other.
  var servers: [[String: String]] {
    var values = values
    // What is asked and answered is in UTF-8.
    values["client_encoding"] = "UTF8"
    if values["fallback_application_name"] == nil { values["fallback_application_name"] = "login-accounts" }
    return hosts.isEmpty ? [values] : hosts.map { values.merging($0) { $1 } }
  }

  /// How long an attempt to connect to one server may take, in milliseconds, if that is said. libpq leaves it to those who connect without blocking.
  var timeoutMs: UInt64? {
    let text = values["connect_timeout"] ?? getenv("PGCONNECT_TIMEOUT").map { String(cString: $0) }
    guard let seconds = text.flatMap({ UInt64($0) }), (1...3_600).contains(seconds) else { return nil }
    return seconds * 1_000
  }

  /// Gives what libpq's environment and service file do not say the values that accounts need. To be called before there are other threads.
  static func setDefaults() { setenv("PGTARGETSESSIONATTRS", "read-write", 0) }
}
