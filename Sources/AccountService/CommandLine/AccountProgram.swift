package import Accounts

/// A program that administers accounts and answers logins: its name and the store it uses.
package struct AccountProgram: Sendable {
  /// Opens accounts on a database server.
  package typealias Open =
    @Sendable (_ keyFile: String, _ options: AccountStore.Options) throws(AccountStoreError) ->
    AccountStore
  /// Copies everything from `source` to the accounts that `open` opens, and calls `told` with
  /// messages about the progress. Returns nil if the copy is complete. Otherwise returns a text
  /// that says why nothing was copied, or how the copy differs from the source.
  package typealias Move =
    @Sendable (_ source: AccountStore, _ told: (String) -> Void) throws(AccountStoreError) ->
    String?

  /// A database server with accounts.
  package struct Server: Sendable {
    let open: Open
    let move: Move

    package init(open: @escaping Open, move: @escaping Move) {
      self.open = open
      self.move = move
    }
  }

  /// The name under which the program is started.
  let name: String
  /// Creates the server that a connection string describes. Nil if the program keeps accounts in a
  /// file.
  let server: (@Sendable (String) throws(AccountStoreError) -> Server)?

  /// The program for accounts in a file.
  package static let file = AccountProgram(name: "login-accounts", server: nil)

  /// The program for accounts on a database server.
  package static func server(
    name: String, _ server: @escaping @Sendable (String) throws(AccountStoreError) -> Server
  ) -> AccountProgram {
    AccountProgram(name: name, server: server)
  }

  private init(name: String, server: (@Sendable (String) throws(AccountStoreError) -> Server)?) {
    self.name = name
    self.server = server
  }

  /// The commands that the program supports.
  var commands: [Arguments.Command] {
    Arguments.Command.allCases.filter { $0 != (server == nil ? .move : .backup) }
  }
}

/// Where the accounts are, as given on the command line.
enum AccountLocation: Sendable {
  case file(String)
  case server(AccountProgram.Server, keyFile: String)

  /// The path of the file that an error concerns. Nil if the error concerns no file.
  func file(of error: AccountStoreError) -> String? {
    switch (self, error) {
    case (.file(let path), _): error.file(path)
    case (.server(_, let keyFile), .keyUnusable): keyFile
    case (.server, _): nil
    }
  }

  /// Opens the accounts at this location.
  ///
  /// - Parameter identity: The identity that the file at the path must have. Nil accepts any file.
  func open(_ options: AccountStore.Options, identity: FileIdentity? = nil) throws(AccountStoreError) -> AccountStore {
    switch self {
    case .file(let path): return try AccountStore(path: path, options: options, identity: identity)
    case .server(let server, let keyFile): return try server.open(keyFile, options)
    }
  }
}
