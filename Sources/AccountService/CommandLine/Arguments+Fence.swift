import Accounts
import Glibc
import System

extension Arguments {
  /// Starts the process that runs the mail command, if there is one and the process is fenced.
  /// Otherwise none is needed.
  func mailStarter() throws(SystemError) -> ProcessStarter? {
    guard options.isFenced, let command = options.mailCommand else { return nil }
    return try ProcessStarter(MailTransport.commands(command))
  }

  /// Returns the fence of the service. It allows threads, the service's own directory, and the files
  /// named by its options. Creates the directories, because a rule can only name an existing one.
  func makeFence() -> Fence {
    var fence: Fence
    switch location {
    case .file(let path):
      // SQLite gives its log and index the mode of the database file and, as root, its owner.
      fence = Fence([.threads, .modes])
      // A failure here recurs at the first request, which reports it. Group members are looked up
      // now, while the group database can still be read.
      AccountFile.createDirectory(of: path)
      AccountFile.look(at: path)
      fence.keep(.change, inFoldersOf: path)
      // For SQLite's random numbers, and for the number of processors.
      fence.keep(.readFiles, on: "/dev/urandom")
      fence.keep(.read, on: "/sys/devices/system/cpu")
    case .server(_, let keyFile):
      fence = Fence([.threads, .network])
      // libpq and its libraries decide where certificates, passwords, host names and shared
      // libraries are read from.
      fence.keep(.read, on: "/")
      AccountFile.createDirectory(of: keyFile)
      fence.keep(.change, inFoldersOf: keyFile)
    }
    if options.mailCommand == nil {
      // The service creates the outbox itself.
      AccountFile.createDirectory(of: options.outbox + "/mail")
      fence.keep(.change, on: options.outbox)
      // Next to the accounts, the outbox may be removed and is then created again.
      let folder = AccountFile.parent(of: options.outbox)
      if FileIdentity(path: folder) == FileIdentity(path: AccountFile.parent(of: options.file)) {
        fence.keep(.makeFolders, on: folder)
      }
    }
    if let pepper = options.store.pepperFile {
      fence.keep(AccountFile.isThere(pepper) ? .read : .change, inFoldersOf: pepper)
    }
    // A file that replaces the blocklist must be readable as well.
    if let blocklist = options.blocklist { fence.keep(.read, inFoldersOf: blocklist) }
    return fence
  }
}
