import Accounts
import CPQ
import Glibc

/// The connection parameters of the server: libpq's keywords with their values.
struct ConnectionSettings: Sendable {
  private var values: [String: String]
  /// If several hosts are configured: the parameters of each host, in the order in which to try
  /// them. Otherwise empty.
  private let hosts: [[String: String]]

  /// - Parameter text: A connection string or URI, as in libpq's manual. Missing values come from
  ///   the environment.
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

  /// Splits a list of hosts into one set of parameters per host. libpq itself goes on to the next
  /// host after a timeout only in its blocking connect call, which this program does not use.
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

  /// The connection parameters for each server to try, in order.
  var servers: [[String: String]] {
    var values = values
    // All communication is in UTF-8.
    values["client_encoding"] = "UTF8"
    if values["fallback_application_name"] == nil { values["fallback_application_name"] = "login-accounts" }
    return hosts.isEmpty ? [values] : hosts.map { values.merging($0) { $1 } }
  }

  /// The timeout for connecting to one server, in milliseconds. Nil if not configured. libpq does
  /// not apply it for callers that connect without blocking.
  var timeoutMs: UInt64? {
    let text = values["connect_timeout"] ?? getenv("PGCONNECT_TIMEOUT").map { String(cString: $0) }
    guard let seconds = text.flatMap({ UInt64($0) }), (1...3_600).contains(seconds) else { return nil }
    return seconds * 1_000
  }

  /// Sets the connection values that accounts need, unless the environment already has them. Call
  /// this before starting other threads.
  static func setDefaults() { setenv("PGTARGETSESSIONATTRS", "read-write", 0) }
}
