package import Accounts

/// A program that keeps accounts, as its command line has it.
package struct AccountProgram: Sendable {
  /// Opens accounts on a database server.
  package typealias Open =
    @Sendable (_ keyFile: String, _ options: AccountStore.Options) throws(AccountStoreError) ->
    AccountStore
  /// Brings what a store has to those that `open` opens, and tells of each part. Returns what is different where that is not the same.
  package typealias Move =
    @Sendable (_ source: AccountStore, _ told: (String) -> Void) throws(AccountStoreError) ->
    String?

  /// A database server.
  package struct Server: Sendable {
    let open: Open
    let move: Move

    package init(open: @escaping Open, move: @escaping Move) {
      self.open = open
      self.move = move
    }
  }

  /// What a person types to start it.
  let name: String
  /// The server that a connection string describes. Nil where accounts are in a file.
  let server: (@Sendable (String) throws(AccountStoreError) -> Server)?

  /// Accounts in a file.
  package static let file = AccountProgram(name: "login-accounts", server: nil)

  /// Accounts on a server.
  package static func server(
    name: String, _ server: @escaping @Sendable (String) throws(AccountStoreError) -> Server
  ) -> AccountProgram {
    AccountProgram(name: name, server: server)
  }

  private init(name: String, server: (@Sendable (String) throws(AccountStoreError) -> Server)?) {
    self.name = name
    self.server = server
  }

  /// What can be done with the accounts that it keeps.
  var commands: [Arguments.Command] {
    Arguments.Command.allCases.filter { $0 != (server == nil ? .move : .backup) }
  }
}

/// Where accounts are, once the command line is read.
enum AccountLocation: Sendable {
  case file(String)
  case server(AccountProgram.Server, keyFile: String)

  /// The file that an error is about, if it is about one.
  func file(of error: AccountStoreError) -> String? {
    switch (self, error) {
    case (.file(let path), _): error.file(path)
    case (.server(_, let keyFile), .keyUnusable): keyFile
    case (.server, _): nil
    }
  }

  /// - Parameter identity: the file that has to be there.
  func open(_ options: AccountStore.Options, identity: FileIdentity? = nil) throws(AccountStoreError) -> AccountStore {
    switch self {
    case .file(let path): return try AccountStore(path: path, options: options, identity: identity)
    case .server(let server, let keyFile): return try server.open(keyFile, options)
    }
  }
}
