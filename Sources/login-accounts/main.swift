import AccountService
import Glibc
import System

exit(AccountService.run(.file, arguments: Array(ProcessArguments.all.dropFirst())))
