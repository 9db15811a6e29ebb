import AccountService
import Accounts
import Glibc
import PostgreSQLAccounts
import System

DatabaseServer.setDefaults()
exit(
  AccountService.run(
    .server(name: "login-accounts-postgres") { connection throws(AccountStoreError) in
      let server = try DatabaseServer(connection)
      return .init(
        open: { keyFile, options throws(AccountStoreError) in
          try AccountStore(on: server, keyFile: keyFile, options: options)
        },
        move: { source, told throws(AccountStoreError) in try AccountMove(to: server).run(from: source, told: told) })
    }, arguments: Array(ProcessArguments.all.dropFirst())))
