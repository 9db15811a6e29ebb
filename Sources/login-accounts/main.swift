import AccountService
import EventLoop
import Glibc

exit(AccountService.run(.file, arguments: Array(ProcessArguments.all.dropFirst())))
