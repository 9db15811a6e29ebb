#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// This file does not use libseccomp, which would add 120 KB to the static program and would compute
// at each start what is known at compile time.

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Architectures differ in which of the older calls they have.
static const short always[] = {
    SYS_read, SYS_write, SYS_ppoll, SYS_futex, SYS_clock_gettime, SYS_gettimeofday,
#ifdef SYS_poll
    SYS_poll, SYS_time,
#endif
    // Descriptors.
    SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_lseek, SYS_fcntl, SYS_dup, SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_fsync,
    SYS_fdatasync, SYS_ftruncate, SYS_fallocate, SYS_flock, SYS_sendmsg, SYS_recvmsg,
#ifdef SYS_dup2
    SYS_dup2,
#endif
    // Files by name. Landlock decides which files. The flags for opening a file are checked below.
    SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, 439 /* faccessat2 */, SYS_readlinkat, SYS_unlinkat, SYS_renameat, SYS_renameat2,
    SYS_linkat, SYS_mkdirat, SYS_getcwd, SYS_fstatfs,
#ifdef SYS_open
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_unlink, SYS_rename, SYS_link, SYS_mkdir,
#endif
    // Memory. Executable memory is checked below.
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
    // Time, random numbers, and the process itself.
    SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_uname, SYS_sched_yield, SYS_sched_getaffinity, SYS_restart_syscall, SYS_exit, SYS_exit_group,
    // Signals, and the processes that the starter has started.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_kill, SYS_tgkill, SYS_wait4, SYS_waitid,
};

static const short threads[] = {
    SYS_set_robust_list, SYS_sched_getattr, SYS_sched_getscheduler, SYS_sched_getparam, SYS_membarrier,
#ifdef SYS_rseq
    SYS_rseq,
#endif
};

static const short network[] = {
    SYS_connect, SYS_bind, SYS_getsockname, SYS_getpeername, SYS_getsockopt, SYS_setsockopt, SYS_shutdown, SYS_sendto, SYS_recvfrom,
    SYS_sendmmsg, SYS_recvmmsg, SYS_getdents64, SYS_statfs, SYS_sysinfo, SYS_mmap, SYS_mprotect,
#ifdef SYS_getdents
    SYS_getdents,
#endif
};

// The address families of servers on a network and on this machine. The C library also asks the
// kernel for network interfaces (AF_NETLINK), but root can configure interfaces through such
// sockets. Without an answer, the library assumes that there are interfaces of each kind.
static const unsigned families[] = {AF_UNIX, AF_INET, AF_INET6};

// The requests (ioctl) that libraries make about sockets and terminals. Other requests are denied,
// because they can type into a terminal (TIOCSTI) or configure network interfaces.
static const unsigned requests[] = {FIONREAD, FIONBIO, TCGETS, SIOCGIFNAME, SIOCGIFCONF, SIOCGIFFLAGS, SIOCGIFADDR, SIOCGIFINDEX};

// The last system call that this program knows. Newer calls fail with ENOSYS, so that a newer C
// library falls back to an older call.
enum { last_known = 462 };

enum { capacity = 512 };

struct program {
  struct sock_filter steps[capacity];
  unsigned short count;
};

static void add(struct program *program, struct sock_filter step) {
  if (program->count < capacity) program->steps[program->count++] = step;
}

#define STEP(code, value) add(program, (struct sock_filter)BPF_STMT(code, value))
#define JUMP(code, value, yes, no) add(program, (struct sock_filter)BPF_JUMP(code, value, yes, no))
#define RETURN(action) STEP(BPF_RET | BPF_K, action)
// On the supported architectures, the lower half of an argument comes first in memory.
#define LOAD(field) STEP(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

enum { allowed = (int)SECCOMP_RET_ALLOW, refused = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS };

/// Allows a call only if an argument has any of these bits (`must_have`), or only if it has none of
/// them.
static void allow_by_bits(struct program *program, int argument, unsigned bits, int must_have) {
  LOAD(args[argument]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, must_have ? 0 : 1, must_have ? 1 : 0);
  RETURN(allowed);
  RETURN(refused);
}

/// Allows a call if the lower half of an argument is one of a few values. The kernel reads only the
/// lower half of these arguments.
static void allow_by_values(struct program *program, int argument, const unsigned *values, int count) {
  LOAD(args[argument]);
  for (int i = 0; i < count; i++) JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[i], (unsigned char)(count - i), 0);
  RETURN(refused);
  RETURN(allowed);
}

/// Allows a file to be opened for reading, for writing or for both, because Landlock checks only
/// these rights. There is a fourth access mode that has none of these rights: with it, Landlock
/// allows every file to be opened, and the file's mode and owner to be changed. Before its version
/// 3, Landlock also allows a reader of a file to truncate it, so a file can be truncated only if it
/// is opened for writing.
///
/// A created file gets no setuid, setgid or sticky bit. The mode is the argument after the flags,
/// and is arbitrary if no file is created.
static void allow_opening(struct program *program, int argument) {
  LOAD(args[argument]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 3);
  LOAD(args[argument + 1]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, 07000, 6, 0);
  LOAD(args[argument]);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 1);
  JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE, 0, 3);
  STEP(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE, 1, 0);
  RETURN(allowed);
  RETURN(refused);
}

#define ALLOW_VALUES(argument, list) allow_by_values(program, argument, list, sizeof list / sizeof list[0])

/// The decision about a system call.
enum verdict {
  /// Fails with EPERM: a process that is killed could not report why.
  refuse,
  allow,
  /// Fails with ENOSYS, as in a kernel without the call.
  be_unknown,
  /// Decisions that depend on an argument. Arguments are numbered from 0.
  open_by_first,
  open_by_second,
  begin_thread,
  make_no_program,
  be_about_itself,
  change_mode,
  begin_socket,
  ask_device,
};

static void write_verdict(struct program *program, enum verdict verdict) {
  static const unsigned itself[] = {0};
  switch (verdict) {
    case refuse: RETURN(refused); return;
    case allow: RETURN(allowed); return;
    case be_unknown: RETURN(unknown); return;
    case open_by_first: allow_opening(program, 1); return;
    case open_by_second: allow_opening(program, 2); return;
    // Threads, but no processes.
    case begin_thread: allow_by_bits(program, 0, CLONE_THREAD, 1); return;
    // No memory becomes executable.
    case make_no_program: allow_by_bits(program, 2, PROT_EXEC, 0); return;
    case be_about_itself: ALLOW_VALUES(0, itself); return;
    // No setuid or setgid program.
    case change_mode: allow_by_bits(program, 1, 07000, 0); return;
    case begin_socket: ALLOW_VALUES(0, families); return;
    case ask_device: ALLOW_VALUES(1, requests); return;
  }
}

/// The verdict on each known call, followed by the verdict on all other calls.
struct verdicts {
  unsigned char on[last_known + 2];
};

static void allow_all(struct verdicts *verdicts, const short *calls, int count) {
  for (int i = 0; i < count; i++) verdicts->on[calls[i]] = allow;
}

#define ALLOW(verdicts, list) allow_all(verdicts, list, sizeof list / sizeof list[0])

static void decide(struct verdicts *verdicts, unsigned calls) {
  verdicts->on[last_known + 1] = be_unknown;
  // The filter cannot see the flags of clone3; the C library falls back to clone.
  verdicts->on[435 /* clone3 */] = be_unknown;
  verdicts->on[SYS_openat] = open_by_second;
#ifdef SYS_open
  verdicts->on[SYS_open] = open_by_first;
#endif
  ALLOW(verdicts, always);
  if (calls & CSYSTEM_FENCE_THREADS) {
    ALLOW(verdicts, threads);
    verdicts->on[SYS_clone] = begin_thread;
  }
  if (calls & CSYSTEM_FENCE_MODES) {
    verdicts->on[SYS_fchown] = allow;
    verdicts->on[SYS_fchmod] = change_mode;
  }
  if (calls & CSYSTEM_FENCE_NETWORK) {
    ALLOW(verdicts, network);
    verdicts->on[SYS_socket] = begin_socket;
    verdicts->on[SYS_ioctl] = ask_device;
    verdicts->on[SYS_prlimit64] = be_about_itself;
  } else {
    verdicts->on[SYS_mmap] = verdicts->on[SYS_mprotect] = make_no_program;
  }
}

/// Writes a binary search for the range that contains a call's number. The search has to be fast,
/// because the kernel runs the filter often: older kernels at each system call, newer ones once for
/// each call number when they load the filter.
static void write_ranges(struct program *program, const struct verdicts *verdicts, const short *starts, int count) {
  if (count == 1) return write_verdict(program, verdicts->on[starts[0]]);
  JUMP(BPF_JMP | BPF_JGE | BPF_K, (unsigned)starts[count / 2], 0, 0);
  int jump = program->count - 1;
  write_ranges(program, verdicts, starts, count / 2);
  int distance = program->count - 1 - jump;
  // A conditional jump is limited to 255 steps. The program is refused if one would be longer.
  if (distance > 255) program->count = capacity;
  program->steps[jump].jt = (unsigned char)distance;
  write_ranges(program, verdicts, starts + count / 2, count - count / 2);
}

static void write_program(struct program *program, unsigned calls) {
  LOAD(arch);
  JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  RETURN(refused);
  LOAD(nr);
  struct verdicts verdicts = {.on = {refuse}};
  decide(&verdicts, calls);
  short starts[last_known + 2];
  int count = 0;
  for (short call = 0; call <= last_known + 1; call++)
    if (call == 0 || verdicts.on[call] != verdicts.on[call - 1]) starts[count++] = call;
  write_ranges(program, &verdicts, starts, count);
}

int csystem_seccomp(unsigned calls) {
  struct program program = {.count = 0};
  write_program(&program, calls);
  if (program.count == capacity) {
    errno = E2BIG;
    return -1;
  }
  struct sock_fprog fprog = {program.count, program.steps};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog, 0, 0);
}

#else

int csystem_seccomp(unsigned calls) {
  (void)calls;
  errno = ENOSYS;
  return -1;
}

#endif
