// What `import Glibc` does not show to Swift, or what Swift cannot call (variadic functions, vfork).
// Functions return 0 or a value on success and -1 with errno set on failure, unless they say otherwise.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

// -- Hardening (hardening.c)

/// No other process of this user may read this one's memory, and it leaves no core file.
int csystem_forbid_dumps(void);
/// SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE and SIGABRT end the process without any handler.
void csystem_default_crash_signals(void);
/// A write to a closed pipe fails with EPIPE.
void csystem_ignore_sigpipe(void);
/// Fills memory with random bytes of the kernel.
int csystem_random(void *_Nonnull memory, size_t count);

// -- Descriptors (descriptors.c)

int csystem_open(const char *_Nonnull path, int flags, unsigned mode);
/// The same in a folder that is open.
int csystem_open_at(int folder, const char *_Nonnull name, int flags, unsigned mode);
/// The status flags and access mode of the open file description.
int csystem_status_flags(int fd);
int csystem_set_status_flags(int fd, int flags);
/// A pipe whose ends are closed on exec: fds[0] is read, fds[1] is written.
int csystem_pipe(int *_Nonnull fds);
int csystem_set_pipe_size(int fd, int bytes);
/// A close-on-exec copy, numbered 3 or above.
int csystem_duplicate(int fd);
/// A close-on-exec eventfd. A semaphore counts down by one a read; the other kind resets to zero.
int csystem_eventfd(int nonblocking, int semaphore);
/// Sets the old status flags of `fd` again when the process calls exit.
int csystem_restore_flags_at_exit(int fd, int flags);

// -- Paths that nobody else can lead elsewhere (paths.c)

/// What a path is refused for.
enum {
  /// The system refuses: `number` says why.
  CSYSTEM_PATH_FAILED = 1,
  CSYSTEM_PATH_WRITABLE_BY_ALL,
  /// By a group in which there are others than this user, root and the owner who is trusted.
  CSYSTEM_PATH_WRITABLE_BY_GROUP,
  CSYSTEM_PATH_FOREIGN_FOLDER,
  CSYSTEM_PATH_FOREIGN_LINK,
  CSYSTEM_PATH_FOREIGN_FILE,
};

/// How a path is looked at. Without any of these: folders belong to root or this user, and others can neither write them nor, where the sticky bit is set,
/// have put there what the path goes through. Links belong to root or this user.
enum {
  /// The owner of the file that is there is trusted as this user is, but for what is in a folder that others may write.
  CSYSTEM_PATH_TRUST_OWNER = 1,
  /// The file's own folder can be written by nobody else, sticky bit or not.
  CSYSTEM_PATH_OWN_FOLDER = 2,
  /// A regular file belongs to who is trusted, and others cannot write it.
  CSYSTEM_PATH_CHECK_FILE = 4,
  /// Folders on the way that are not there are made, for this user alone.
  CSYSTEM_PATH_MAKE_FOLDERS = 8,
  /// What is opened is the folder of the path's last name (O_PATH). If that name is a link, it is not followed.
  CSYSTEM_PATH_FOLDER_ONLY = 16,
  /// The file is looked at and not opened (O_PATH): closing the descriptor drops no locks of this process.
  CSYSTEM_PATH_LOOK_ONLY = 32,
  /// For a file that is made (O_EXCL): the owner of its folder is trusted, as with CSYSTEM_PATH_TRUST_OWNER that of the file.
  CSYSTEM_PATH_TRUST_FOLDER_OWNER = 64,
};

struct csystem_path_problem {
  int kind;
  int number;
  /// The component that it is about, with all that leads there.
  char path[4096];
};

/// Opens a file, or its folder, by a path of which each component is looked at. `last_name` has room for 256 bytes, and is written with
/// CSYSTEM_PATH_FOLDER_ONLY only. Returns the descriptor, closed on exec, or -1 with a problem.
int csystem_open_trusted(
    const char *_Nonnull path, int flags, unsigned mode, int trust, char *_Nonnull last_name,
    struct csystem_path_problem *_Nonnull problem);

// -- Sockets between processes of one user (sockets.c)

/// A nonblocking socket that listens under an abstract name of 1 to 107 bytes.
int csystem_listen(const char *_Nonnull name);
/// The next connection, nonblocking; -1 with EAGAIN if there is none. Other users' connections are closed.
int csystem_accept(int listening);
/// A blocking connection to the socket of that name, if it belongs to the same user.
int csystem_connect(const char *_Nonnull name);
/// Hands two open descriptors to the other side of a socket.
int csystem_send_descriptors(int socket, int first, int second);
/// Takes two descriptors that the other side has handed over, closed on exec. 1 if they came, 2 for a byte without, 0 at the end, -1 otherwise: EAGAIN if nothing is there yet.
int csystem_receive_descriptors(int socket, int *_Nonnull first, int *_Nonnull second);

// -- What a process gives up for good (landlock.c, seccomp.c): rights of its user on files, system calls, and rights that programs bring. All of it passes on to
// threads and processes that the calling thread starts from then on, and to no others.

/// What may be done with files below a folder, or with a file.
enum {
  CSYSTEM_FENCE_READ_FILES = 1,
  CSYSTEM_FENCE_READ_FOLDERS = 2,
  CSYSTEM_FENCE_WRITE_FILES = 4,
  CSYSTEM_FENCE_MAKE_FILES = 8,
  CSYSTEM_FENCE_REMOVE_FILES = 16,
  CSYSTEM_FENCE_MAKE_FOLDERS = 32,
};

/// Which system calls a process goes on with beside reading, writing, memory, time and files.
enum {
  CSYSTEM_FENCE_THREADS = 1,
  /// Connections, and what libraries do that look for servers; they load libraries, too.
  CSYSTEM_FENCE_NETWORK = 2,
  /// To give files that are open another owner, and a mode that gives no program rights.
  CSYSTEM_FENCE_MODES = 4,
};

/// No program that this process runs gets more rights by being run. Seccomp and Landlock ask for this first.
int csystem_no_new_privileges(void);

/// A list of what stays allowed, empty, as a descriptor. ENOSYS or EOPNOTSUPP where the kernel has no Landlock.
int csystem_landlock_begin(void);
/// Adds rights on what the path leads to now. ENOENT if that is nothing.
int csystem_landlock_allow(int list, const char *_Nonnull path, unsigned rights);
/// Takes all other rights on files away, but for files that are open. Closes the list.
int csystem_landlock_end(int list);

/// Lets all system calls fail with EPERM that are not on the list. ENOSYS or EINVAL where the kernel has no filters, ENOSYS on another architecture.
int csystem_seccomp(unsigned calls);

// -- Signals (signals.c)

/// Takes one of the process's receivers of signals; its eventfd is readable when a signal came.
/// Returns the receiver's number, or -1 with errno EAGAIN when all are taken.
int csystem_signals_open(int *_Nonnull eventfd);
/// Has the receiver hear of `signal` (1 to 63). A SIGHUP or SIGINT that was ignored when the program started stays ignored.
int csystem_signals_add(int receiver, int signal);
/// The signals that came since the last call, as a mask with bit n for signal n.
uint64_t csystem_signals_take(int receiver);
/// Whether a signal came since the last call of `csystem_signals_take`. No system call.
int csystem_signals_pending(int receiver);
void csystem_signals_close(int receiver);

// -- Child processes (spawn.c)

/// Starts `path` with these three descriptors as its 0, 1 and 2, and no others. The child has its own process group, default
/// signals, and is killed when the calling *thread* ends. Nothing of the caller's memory is copied, whatever its size.
/// `program` is a descriptor of the program's file, so that this file is run whatever is at `path` by now, or -1.
/// Returns 0, or the errno of what failed, `execve` included.
int csystem_spawn(
    const char *_Nonnull path, int program, char *const _Nullable *_Nonnull argv, char *const _Nullable *_Nonnull envp,
    const int *_Nonnull fds, int *_Nonnull pid);

/// Opens a program's file for `csystem_spawn`. Returns -1 with errno if that fails.
int csystem_open_program(const char *_Nonnull path);

// -- A process that starts others (starter.c)

/// Forks a process that is connected with this one by a socket and has nothing else of it open. It ends when the calling thread does.
/// Returns 1 in this process, and 0 in the other, which has the name (up to 15 bytes).
int csystem_starter_begin(const char *_Nonnull name, int *_Nonnull socket, int *_Nonnull pid);
/// Has the starter start one of its commands, perhaps with an argument behind its words, with three descriptors as its 0, 1 and 2. Waits until that is done,
/// as long as `execve` takes. Returns 0, or the errno of what failed; EPIPE when there is no starter any more.
int csystem_starter_ask(
    int socket, unsigned command, const char *_Nullable argument, const int *_Nonnull fds, int *_Nonnull pid);
/// In the starter: waits for what is to be started. 1 for a command, 2 for a command with an argument, 0 when nothing will come any more.
int csystem_starter_next(
    int socket, unsigned *_Nonnull command, char *_Nonnull argument, size_t capacity, int *_Nonnull fds);
int csystem_starter_answer(int socket, int pid, int failure);
/// In the starter: as `csystem_spawn`, but the new process is a child of the starter's parent, also where `execve` failed and it has ended.
int csystem_spawn_sibling(
    const char *_Nonnull path, int program, char *const _Nullable *_Nonnull argv, char *const _Nullable *_Nonnull envp,
    const int *_Nonnull fds, int *_Nonnull pid);

// -- What a process is started with

/// The environment, as `execve` takes it.
char *_Nullable *_Nullable csystem_environment(void);
/// How many words the command line of this process has, and each of them; NULL beyond.
int csystem_argument_count(void);
const char *_Nullable csystem_argument(int index);
/// Sets what lists of processes call the calling thread, and with the first one the process; up to 15 bytes count.
void csystem_set_process_name(const char *_Nonnull name);
/// The path that this program was started with; NULL if the kernel has not said so.
const char *_Nullable csystem_started_path(void);
/// Text of an errno, written to `buffer` with a NUL.
void csystem_error_text(int number, char *_Nonnull buffer, size_t capacity);

// -- Memory (heap.c)

/// Has the heap from here on use huge pages where the system offers them; to be called again as it grows. With hundreds of megabytes
/// looked at in no order, finding the page takes as long as reading it. From one thread only.
void csystem_use_huge_heap_pages(void);

// -- Processors (affinity.c), for the benchmark

/// Writes the numbers of the processors that the calling thread may use, and returns how many there are.
int csystem_allowed_processors(int *_Nonnull numbers, int capacity);
/// Has a thread (0: the calling one; a process's number: its first) run on one processor only. What it starts afterwards does, too.
int csystem_run_on_processor(int pid, int number);

#endif
