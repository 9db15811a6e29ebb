// System functions that `import Glibc` does not export to Swift, or that Swift cannot call
// (variadic functions, vfork). Functions return 0 or a value on success and -1 with errno set on
// failure, unless they say otherwise.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stddef.h>
#include <stdint.h>

// -- Hardening (hardening.c)

/// Denies other processes of this user access to the memory of this process, and disables core
/// files.
int csystem_forbid_dumps(void);
/// Makes SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE and SIGABRT end the process without any handler.
void csystem_default_crash_signals(void);
/// Makes a write to a closed pipe fail with EPIPE.
void csystem_ignore_sigpipe(void);
/// Fills memory with random bytes of the kernel.
int csystem_random(void *_Nonnull memory, size_t count);

// -- Descriptors (descriptors.c)

int csystem_open(const char *_Nonnull path, int flags, unsigned mode);
/// Opens a file like `csystem_open`, by a name relative to an open folder.
int csystem_open_at(int folder, const char *_Nonnull name, int flags, unsigned mode);
/// The status flags and the access mode of the open file description to which a descriptor refers.
int csystem_status_flags(int fd);
int csystem_set_status_flags(int fd, int flags);
/// A pipe whose ends are closed on exec: fds[0] is read, fds[1] is written.
int csystem_pipe(int *_Nonnull fds);
int csystem_set_pipe_size(int fd, int bytes);
/// A close-on-exec copy of a descriptor. The number of the copy is 3 or greater.
int csystem_duplicate(int fd);
/// A close-on-exec eventfd. With `semaphore`, a read decrements its value by one; otherwise a read
/// resets the value to zero.
int csystem_eventfd(int nonblocking, int semaphore);
/// Restores the old status flags of `fd` when the process calls exit.
int csystem_restore_flags_at_exit(int fd, int flags);

// -- Paths that other users cannot redirect (paths.c)

/// The reason why a path is refused.
enum {
  /// The system refuses the path; `number` is the errno.
  CSYSTEM_PATH_FAILED = 1,
  CSYSTEM_PATH_WRITABLE_BY_ALL,
  /// The component can be written by a group with members other than this user, root and the
  /// trusted owner.
  CSYSTEM_PATH_WRITABLE_BY_GROUP,
  CSYSTEM_PATH_FOREIGN_FOLDER,
  CSYSTEM_PATH_FOREIGN_LINK,
  CSYSTEM_PATH_FOREIGN_FILE,
};

/// Options of the path checks. Without options, folders and links must belong to root or this user.
/// Other users must not be able to write a folder, except a folder with the sticky bit: in such a
/// folder, the next component must belong to root or this user.
enum {
  /// The owner of an existing file is trusted as much as this user, except in a folder that others
  /// may write.
  CSYSTEM_PATH_TRUST_OWNER = 1,
  /// No other user may be able to write the file's own folder, even if it has the sticky bit.
  CSYSTEM_PATH_OWN_FOLDER = 2,
  /// A regular file must belong to a trusted user, and no other user may be able to write it.
  CSYSTEM_PATH_CHECK_FILE = 4,
  /// Missing folders on the way are created, for this user alone.
  CSYSTEM_PATH_MAKE_FOLDERS = 8,
  /// Opens the folder that contains the last component of the path (O_PATH). If that component is a
  /// link, it is not followed.
  CSYSTEM_PATH_FOLDER_ONLY = 16,
  /// Finds the file without opening it (O_PATH): closing the descriptor drops no locks of this
  /// process.
  CSYSTEM_PATH_LOOK_ONLY = 32,
  /// When a file is created (O_EXCL), the owner of its folder is trusted as much as this user, just
  /// as CSYSTEM_PATH_TRUST_OWNER trusts the owner of an existing file.
  CSYSTEM_PATH_TRUST_FOLDER_OWNER = 64,
};

struct csystem_path_problem {
  int kind;
  int number;
  /// The path up to and including the component with the problem.
  char path[4096];
};

/// Opens a file, or its folder, and checks each component of its path. `last_name` has room for 256
/// bytes, and is written only with CSYSTEM_PATH_FOLDER_ONLY. Returns the descriptor, close-on-exec;
/// or returns -1 and describes the problem in `problem`.
int csystem_open_trusted(
    const char *_Nonnull path, int flags, unsigned mode, int trust, char *_Nonnull last_name,
    struct csystem_path_problem *_Nonnull problem);

// -- Sockets between processes of one user (sockets.c)

/// A nonblocking listening socket with an abstract name of 1 to 107 bytes.
int csystem_listen(const char *_Nonnull name);
/// The next connection, nonblocking; -1 with EAGAIN if there is none. Connections of other users
/// are closed and skipped.
int csystem_accept(int listening);
/// A blocking connection to the socket of that name, if it belongs to the same user.
int csystem_connect(const char *_Nonnull name);
/// Sends two open descriptors to the process at the other end of a socket.
int csystem_send_descriptors(int socket, int first, int second);
/// Receives two descriptors from the process at the other end of a socket, close-on-exec. Returns 1
/// for descriptors, 2 for a byte without descriptors, and 0 if the other end is closed. Otherwise
/// returns -1 with an errno, which is EAGAIN if nothing has arrived yet.
int csystem_receive_descriptors(int socket, int *_Nonnull first, int *_Nonnull second);

// -- Rights that a process gives up permanently (landlock.c, seccomp.c): access to files, system
// calls, and the privileges of setuid programs. Threads and processes that the calling thread
// starts later inherit the limits; existing threads and processes do not.

/// Rights on a file, or on everything below a folder.
enum {
  CSYSTEM_FENCE_READ_FILES = 1,
  CSYSTEM_FENCE_READ_FOLDERS = 2,
  CSYSTEM_FENCE_WRITE_FILES = 4,
  CSYSTEM_FENCE_MAKE_FILES = 8,
  CSYSTEM_FENCE_REMOVE_FILES = 16,
  CSYSTEM_FENCE_MAKE_FOLDERS = 32,
};

/// The allowed system calls, in addition to those for reading, writing, memory, time and files.
enum {
  CSYSTEM_FENCE_THREADS = 1,
  /// Connections to servers, and the calls of libraries that look up servers, including the calls
  /// that load these libraries.
  CSYSTEM_FENCE_NETWORK = 2,
  /// Changing the owner of open files, and changing their mode to one without setuid, setgid and
  /// sticky bits.
  CSYSTEM_FENCE_MODES = 4,
};

/// Denies extra privileges to all programs that this process runs. Seccomp and Landlock require it.
int csystem_no_new_privileges(void);

/// An empty list of allowed rights, as a descriptor. ENOSYS or EOPNOTSUPP if the kernel has no
/// Landlock.
int csystem_landlock_begin(void);
/// Adds rights on the file or folder that the path refers to now. ENOENT if there is no such file
/// or folder.
int csystem_landlock_allow(int list, const char *_Nonnull path, unsigned rights);
/// Takes away all rights on files that are not on the list. Files that are already open stay
/// usable. Closes the list.
int csystem_landlock_end(int list);

/// Makes all system calls that are not on the list fail with EPERM. ENOSYS or EINVAL if the kernel
/// has no filters, ENOSYS on other architectures.
int csystem_seccomp(unsigned calls);

// -- Signals (signals.c)

/// Reserves one of the process's receivers of signals; its eventfd is readable when a signal
/// arrived. Returns the receiver's number, or -1 with errno EAGAIN if all are in use.
int csystem_signals_open(int *_Nonnull eventfd);
/// Makes the receiver receive `signal` (1 to 63). A SIGHUP or SIGINT that was ignored when the
/// program started stays ignored.
int csystem_signals_add(int receiver, int signal);
/// The signals that arrived since the last call, as a mask in which bit n stands for signal n.
uint64_t csystem_signals_take(int receiver);
/// Whether a signal arrived since the last call of `csystem_signals_take`. Makes no system call.
int csystem_signals_pending(int receiver);
void csystem_signals_close(int receiver);

// -- Child processes (spawn.c)

/// Starts `path` with these three descriptors as its standard streams 0, 1 and 2, and no other
/// descriptors. The child has its own process group and default signals, and is killed when the
/// calling *thread* ends. Nothing of the caller's memory is copied, whatever its size. Returns 0,
/// or the errno of the failure, `execve` included.
///
/// `program` is an open descriptor of the program's file, which is run even if another file is at
/// `path` by now; or -1 to run the file at `path`.
int csystem_spawn(
    const char *_Nonnull path, int program, char *const _Nullable *_Nonnull argv, char *const _Nullable *_Nonnull envp,
    const int *_Nonnull fds, int *_Nonnull pid);

/// Opens a program's file for `csystem_spawn`. Returns -1 with errno if that fails.
int csystem_open_program(const char *_Nonnull path);

// -- A process that starts others (starter.c)

/// Forks the starter, a process that is connected with this one by a socket and has no other open
/// descriptors. The starter ends when the calling thread ends. Returns 1 in this process and 0 in
/// the starter, which gets the name (up to 15 bytes).
int csystem_starter_begin(const char *_Nonnull name, int *_Nonnull socket, int *_Nonnull pid);
/// Makes the starter start one of its commands, with an optional last argument, and with three
/// descriptors as the standard streams 0, 1 and 2. Waits until `execve` is done. Returns 0, or the
/// errno of the failure; EPIPE if the starter is gone.
int csystem_starter_ask(
    int socket, unsigned command, const char *_Nullable argument, const int *_Nonnull fds, int *_Nonnull pid);
/// To be called in the starter: waits for a request. Returns 1 for a command, 2 for a command with
/// an argument, and 0 when no more requests can arrive.
int csystem_starter_next(
    int socket, unsigned *_Nonnull command, char *_Nonnull argument, size_t capacity, int *_Nonnull fds);
int csystem_starter_answer(int socket, int pid, int failure);
/// To be called in the starter: starts a program like `csystem_spawn`, but as a child of the
/// starter's parent. The process is a child of that parent even if `execve` has failed and the
/// process has ended.
int csystem_spawn_sibling(
    const char *_Nonnull path, int program, char *const _Nullable *_Nonnull argv, char *const _Nullable *_Nonnull envp,
    const int *_Nonnull fds, int *_Nonnull pid);

// -- Arguments and environment

/// The environment, in the form of `execve`.
char *_Nullable *_Nullable csystem_environment(void);
/// The number of words of this process's command line. `csystem_argument` returns the word with a
/// given number, or NULL if there is no such word.
int csystem_argument_count(void);
const char *_Nullable csystem_argument(int index);
/// Sets the name of the calling thread in process lists. The name of the first thread is also the
/// name of the process. Only the first 15 bytes count.
void csystem_set_process_name(const char *_Nonnull name);
/// The path with which this program was started; NULL if the kernel does not provide it.
const char *_Nullable csystem_started_path(void);
/// The text of an errno, written to `buffer` with a NUL.
void csystem_error_text(int number, char *_Nonnull buffer, size_t capacity);

// -- Memory (heap.c)

/// Makes the heap use huge pages for new allocations, where the system offers them. Call it again
/// as the heap grows. With random access to hundreds of megabytes, address translation takes as
/// long as the access itself. Call it from one thread only.
void csystem_use_huge_heap_pages(void);

// -- Processors (affinity.c), for the benchmark

/// Writes the numbers of the processors that the calling thread may use, and returns their count.
int csystem_allowed_processors(int *_Nonnull numbers, int capacity);
/// Binds a thread to one processor: the calling thread if `pid` is 0, or the first thread of the
/// process with this number. Threads and processes that this thread starts later are bound as well.
int csystem_run_on_processor(int pid, int number);

#endif
