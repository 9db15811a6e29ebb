import AccountService
import System
import Glibc

exit(AccountService.run(.file, arguments: Array(ProcessArguments.all.dropFirst())))
