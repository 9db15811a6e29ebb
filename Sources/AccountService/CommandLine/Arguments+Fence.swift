import Accounts
import Glibc
import System

extension Arguments {
  /// What starts the command for mails, if there is one. Without a fence none is needed.
  func mailStarter() throws(SystemError) -> ProcessStarter? {
    guard options.isFenced, let command = options.mailCommand else { return nil }
    return try ProcessStarter(MailCarrier.commands(command))
  }

  /// What the service needs: threads, its own folder, and what its options name. Makes the folders, which have to be there to be named.
  func makeFence() -> Fence {
    var fence: Fence
    switch location {
    case .file(let path):
      // SQLite gives what it has beside the file the mode and, as root, the owner of that.
      fence = Fence([.threads, .modes])
      // What fails here fails again at the first request, which says so. Who is in a group is looked up now, while that can be read.
      AccountFile.createDirectory(of: path)
      AccountFile.look(at: path)
      fence.keep(.change, inFoldersOf: path)
      // SQLite's random numbers, and how many processors there are.
      fence.keep(.readFiles, on: "/dev/urandom")
      fence.keep(.read, on: "/sys/devices/system/cpu")
    case .server(_, let keyFile):
      fence = Fence([.threads, .network])
      // Where certificates, passwords, names and libraries are is for libpq and those that it uses to say.
      fence.keep(.read, on: "/")
      AccountFile.createDirectory(of: keyFile)
      fence.keep(.change, inFoldersOf: keyFile)
    }
    if options.mailCommand == nil {
      // Makes the outbox itself.
      AccountFile.createDirectory(of: options.outbox + "/mail")
      fence.keep(.change, on: options.outbox)
      // Beside the accounts it may be taken away, and is made again.
      let folder = AccountFile.parent(of: options.outbox)
      if FileIdentity(path: folder) == FileIdentity(path: AccountFile.parent(of: options.file)) {
        fence.keep(.makeFolders, on: folder)
      }
    }
    if let pepper = options.store.pepperFile {
      fence.keep(AccountFile.isThere(pepper) ? .read : .change, inFoldersOf: pepper)
    }
    // One that takes its place is opened as well.
    if let blocklist = options.blocklist { fence.keep(.read, inFoldersOf: blocklist) }
    return fence
  }
}
