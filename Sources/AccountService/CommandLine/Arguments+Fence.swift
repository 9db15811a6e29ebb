import Accounts
import Glibc
import System

extension Arguments {
  /// Starts the helper process that runs the mail command. Returns nil if there is no mail command,
  /// or if this process is not fenced and can run the command itself.
  func mailStarter() throws(SystemError) -> ProcessStarter? {
    guard options.isFenced, let command = options.mailCommand else { return nil }
    return try ProcessStarter(MailTransport.commands(command))
  }

  /// Returns the fence of the service, which restricts what the process may do. It allows threads,
  /// the service's own directory, and the files named by its options. This method also creates the
  /// directories, because a rule of the fence can only name a directory that exists.
  func makeFence() -> Fence {
    var fence: Fence
    switch location {
    case .file(let path):
      // `.modes`, because SQLite gives its log and its index the mode of the database file. As
      // root, it also gives them the file's owner.
      fence = Fence([.threads, .modes])
      // Errors are ignored here. They occur again at the first request, which reports them. The
      // members of the file's group are looked up now, while the group database can still be read.
      AccountFile.createDirectory(of: path)
      AccountFile.look(at: path)
      fence.keep(.change, inFoldersOf: path)
      // The first file is for SQLite's random numbers, and the second for the number of processors.
      fence.keep(.readFiles, on: "/dev/urandom")
      fence.keep(.read, on: "/sys/devices/system/cpu")
    case .server(_, let keyFile):
      fence = Fence([.threads, .network])
      // libpq and its libraries decide where certificates, passwords, host names and shared
      // libraries are read from, so reading is allowed everywhere.
      fence.keep(.read, on: "/")
      AccountFile.createDirectory(of: keyFile)
      fence.keep(.change, inFoldersOf: keyFile)
    }
    if options.mailCommand == nil {
      // The outbox is created now, so that the fence can allow changes in it.
      AccountFile.createDirectory(of: options.outbox + "/mail")
      fence.keep(.change, on: options.outbox)
      // If an administrator removes an outbox next to the accounts, the service may create it
      // again.
      let folder = AccountFile.parent(of: options.outbox)
      if FileIdentity(path: folder) == FileIdentity(path: AccountFile.parent(of: options.file)) {
        fence.keep(.makeFolders, on: folder)
      }
    }
    if let pepper = options.store.pepperFile {
      fence.keep(AccountFile.isThere(pepper) ? .read : .change, inFoldersOf: pepper)
    }
    // Reading is allowed in the blocklist's whole directory, so that a file that replaces the
    // blocklist can be read as well.
    if let blocklist = options.blocklist { fence.keep(.read, inFoldersOf: blocklist) }
    return fence
  }
}
